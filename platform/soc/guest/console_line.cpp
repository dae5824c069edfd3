// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/guest/console_line.h"

#include "platform/host/end_request.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <thread>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace pes {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kTerminal = "pty";
constexpr std::string_view kTcp = "tcp:";
constexpr std::string_view kUnix = "unix:";

/// How long a wait goes on before it looks whether the end is asked for.
constexpr milliseconds kLook{50};
/// Output that is dropped at once: one byte after the other would move the rest each time.
constexpr std::size_t kDropped = std::size_t{1} << 16;
/// Input that is taken while the guest does not ask for any.
constexpr std::size_t kMostInput = std::size_t{1} << 20;

} // namespace

bool ConsoleLine::is_name(std::string_view text) {
    return text == kTerminal || text.starts_with(kTcp) || text.starts_with(kUnix);
}

ConsoleLine::ConsoleLine(const std::string& option, const std::string& name) : option_(option) {
    if (name == kTerminal) {
        terminal_.emplace(option);
    } else {
        const std::string_view place(name);
        socket_.emplace(option, parse_server_address(option, place.starts_with(kTcp)
                                                                 ? place.substr(kTcp.size())
                                                                 : place));
    }
}

void ConsoleLine::await_client(const std::function<bool()>& give_up) {
    if (terminal_) {
        std::fprintf(stderr, "pes-vp: %s: %s\n", option_.c_str(), terminal_->name().c_str());
        return;
    }
    std::fprintf(stderr, "pes-vp: %s: waiting for a client at %s\n", option_.c_str(),
                 socket_->name().c_str());
    while (!connected_ && !give_up()) {
        connected_ = socket_->accept();
    }
    input_ended_ = !connected_;
}

bool ConsoleLine::somebody_is_there() const {
    return terminal_ ? terminal_->attached() : connected_;
}

// ------------------------------------------------------------------------------------------------
// Output

void ConsoleLine::write(std::string_view bytes) {
    output_ += bytes;
    if (output_.size() > kMostWaiting) {
        send_all_but(kMostWaiting);
        if (output_.size() > kMostWaiting) {
            lose(std::max(output_.size() - kMostWaiting, kDropped));
        }
    }
}

void ConsoleLine::lose(std::size_t bytes) {
    lost_ += bytes;
    output_.erase(0, bytes);
}

void ConsoleLine::flush() {
    while (!output_.empty() && somebody_is_there()) {
        const std::ptrdiff_t count = send();
        if (count <= 0) {
            return;
        }
        output_.erase(0, static_cast<std::size_t>(count));
    }
}

/// Waits for whoever is there until no more than these bytes are left. A reader that itself waits
/// until its input is taken must not be waited for.
void ConsoleLine::send_all_but(std::size_t bytes) {
    flush();
    while (output_.size() > bytes && somebody_is_there()) {
        const bool ready = wait(kLook, true);
        if (!ready && end_requested() != EndRequest::None) {
            if (patience_left_ <= kLook) {
                return;
            }
            patience_left_ -= kLook;
        }
        take_input();
        flush();
    }
}

/// Returns what write() does.
std::ptrdiff_t ConsoleLine::send() {
    std::ptrdiff_t count = 0;
    do {
        count = terminal_ ? ::write(descriptor(), output_.data(), output_.size())
                          : ::send(descriptor(), output_.data(), output_.size(),
                                   MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    if (terminal_) {
        return count;
    }
    // A client that has closed its socket resets the connection when something arrives (RFC 9293,
    // 3.10.7.4), which on this machine is at once: this has come too late.
    if ((count < 0 && errno != EAGAIN) || (count > 0 && input_ended_ && is_reset())) {
        connected_ = false;
        lose(static_cast<std::size_t>(std::max<std::ptrdiff_t>(count, 0)));
        return -1;
    }
    return count;
}

bool ConsoleLine::is_reset() const {
    pollfd state{.fd = descriptor(), .events = 0, .revents = 0};
    return ::poll(&state, 1, 0) > 0 && (state.revents & POLLERR) != 0;
}

void ConsoleLine::finish() {
    send_all_but(0);
    lose(output_.size());
    if (terminal_) {
        drain_terminal();
    }
    terminal_.reset();
    if (connected_) {
        socket_->close();
        connected_ = false;
    }
    input_ended_ = true;
}

/// What is still on its way through the terminal ends with this end of it. Between two buffers of
/// Linux it is in neither for a moment.
void ConsoleLine::drain_terminal() {
    constexpr milliseconds kInterval{2};
    constexpr unsigned kEmptyLooks = 3;
    std::size_t left = 0;
    unsigned empty = 0;
    for (milliseconds time{0}; time < kEndPatience && empty < kEmptyLooks; time += kInterval) {
        if (!terminal_->attached()) {
            return; // and who has closed it wants nothing more
        }
        left = terminal_->unread();
        empty = left == 0 ? empty + 1 : 0;
        std::this_thread::sleep_for(kInterval);
    }
    lost_ += left;
}

// ------------------------------------------------------------------------------------------------
// Input

/// Until something comes, or there is room if that is wanted. True if so.
bool ConsoleLine::wait(std::chrono::nanoseconds patience, bool for_room) {
    if (!somebody_is_there()) {
        std::this_thread::sleep_for(patience);
        return false;
    }
    const bool reads = !input_ended_ && input_.size() < kMostInput;
    const auto events = static_cast<short>((reads ? POLLIN : 0) | (for_room ? POLLOUT : 0));
    pollfd state{.fd = descriptor(), .events = events, .revents = 0};
    constexpr long kSecond = 1'000'000'000;
    const timespec limit{.tv_sec = patience.count() / kSecond,
                         .tv_nsec = patience.count() % kSecond};
    return ::ppoll(&state, 1, &limit, nullptr) > 0;
}

void ConsoleLine::take_input() {
    std::array<char, 4096> piece;
    while (!input_ended_ && input_.size() < kMostInput) {
        const ssize_t count = terminal_
                                  ? ::read(descriptor(), piece.data(), piece.size())
                                  : ::recv(descriptor(), piece.data(), piece.size(), MSG_DONTWAIT);
        if (count > 0) {
            input_.append(piece.data(), static_cast<std::size_t>(count));
            continue;
        }
        const bool nothing_now = count < 0 && (errno == EAGAIN || errno == EINTR);
        input_ended_ = !terminal_ && !nothing_now; // a terminal may be opened again
        return;
    }
}

std::optional<std::string> ConsoleLine::receive(std::chrono::nanoseconds patience) {
    flush();
    if (input_.empty() && !input_ended_ && patience.count() > 0) {
        wait(patience, !output_.empty());
        flush();
    }
    take_input();
    if (input_.empty() && input_ended_) {
        return std::nullopt;
    }
    return std::exchange(input_, {});
}

} // namespace pes

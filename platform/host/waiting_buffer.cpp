// SPDX-License-Identifier: Apache-2.0
#include "platform/host/waiting_buffer.h"

#include "platform/host/end_request.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <poll.h>
#include <unistd.h>

namespace pes {
namespace {

/// How long a wait goes on before it looks whether the end is asked for: a signal that came just
/// before the wait does not interrupt it.
constexpr std::chrono::milliseconds kLook{50};

std::chrono::milliseconds patience_left = kEndPatience;

} // namespace

WaitingBuffer::WaitingBuffer(int descriptor) : descriptor_(descriptor) {
    setp(bytes_.data(), bytes_.data() + bytes_.size());
}

WaitingBuffer::int_type WaitingBuffer::overflow(int_type character) {
    if (!write_all()) {
        return traits_type::eof();
    }
    if (!traits_type::eq_int_type(character, traits_type::eof())) {
        *pptr() = traits_type::to_char_type(character);
        pbump(1);
    }
    return traits_type::not_eof(character);
}

int WaitingBuffer::sync() {
    return write_all() ? 0 : -1;
}

/// No more at once than a pipe has room for when it has any: write() itself does not wait then.
bool WaitingBuffer::write_all() {
    const char* next = pbase();
    while (next != pptr()) {
        if (!wait_for_room()) {
            break;
        }
        const std::size_t size = std::min<std::size_t>(pptr() - next, PIPE_BUF);
        const ssize_t written = ::write(descriptor_, next, size);
        if (written < 0 && errno != EINTR && errno != EAGAIN) {
            break;
        }
        next += std::max<ssize_t>(written, 0);
    }
    const bool all = next == pptr();
    setp(bytes_.data(), bytes_.data() + bytes_.size()); // what cannot be written is given up
    return all;
}

bool WaitingBuffer::wait_for_room() {
    while (true) {
        pollfd room{descriptor_, POLLOUT, 0};
        const int ready = ::poll(&room, 1, static_cast<int>(kLook.count()));
        if (ready > 0 || (ready < 0 && errno != EINTR)) {
            return true; // write() tells what is wrong
        }
        if (end_requested() == EndRequest::None) {
            continue;
        }
        if (patience_left <= kLook) {
            patience_left = {};
            errno = ETIMEDOUT;
            return false;
        }
        patience_left -= ready == 0 ? kLook : std::chrono::milliseconds{0};
    }
}

} // namespace pes

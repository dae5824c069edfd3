// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/guest/console_source.h"

#include "platform/host/file_descriptor.h"
#include "platform/host/raw_terminal.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace pes {
namespace {

constexpr std::size_t kPieceBytes = 4096;

[[noreturn]] void refuse(const std::string& path, const std::string& problem) {
    throw UserError("--console-input " + path + ": " + problem);
}

std::vector<char> read_all(int descriptor, const std::string& path) {
    std::vector<char> bytes;
    std::array<char, kPieceBytes> piece{};
    ssize_t count = 0;
    while ((count = ::read(descriptor, piece.data(), piece.size())) != 0) {
        if (count > 0) {
            bytes.insert(bytes.end(), piece.begin(), piece.begin() + count);
        } else if (errno != EINTR) {
            refuse(path, std::strerror(errno));
        }
    }
    return bytes;
}

class FileSource : public ConsoleSource {
  public:
    explicit FileSource(std::vector<char> bytes) : bytes_(std::move(bytes)) {}
    std::optional<std::uint8_t> next() override {
        return ended() ? std::nullopt
                       : std::optional(static_cast<std::uint8_t>(bytes_[position_++]));
    }
    bool ended() override { return position_ == bytes_.size(); }

  private:
    std::vector<char> bytes_;
    std::size_t position_ = 0;
};

/// A terminal, a pipe or another device. The host is asked every few milliseconds.
class LiveSource : public ConsoleSource {
  public:
    LiveSource(std::unique_ptr<FileDescriptor> own, int descriptor, std::function<void()> about)
        : own_(std::move(own)), descriptor_(descriptor), about_to_look_(std::move(about)) {
        if (::isatty(descriptor_) != 0) {
            terminal_.emplace(descriptor_);
        }
    }
    std::optional<std::uint8_t> next() override {
        if (position_ == bytes_.size()) {
            keep_pace();
        }
        return position_ == bytes_.size()
                   ? std::nullopt
                   : std::optional(static_cast<std::uint8_t>(bytes_[position_++]));
    }
    bool ended() override { return closed_ && position_ == bytes_.size(); }
    bool is_terminal() const override { return terminal_.has_value(); }
    void look() override { look_for(std::chrono::nanoseconds(0)); }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kInterval{2};
    static constexpr std::size_t kMostBytes = std::size_t{1} << 20; ///< that nobody has read

    void keep_pace();
    void look_for(std::chrono::nanoseconds patience);
    void take(const char* bytes, std::size_t count);

    std::unique_ptr<FileDescriptor> own_; ///< null: the standard input
    int descriptor_;
    std::function<void()> about_to_look_;
    std::optional<RawTerminal> terminal_;
    EscapeKeys keys_;
    std::vector<char> bytes_;
    std::size_t position_ = 0;
    bool closed_ = false;
    Clock::time_point next_look_{};
    Clock::time_point guest_time_{}; ///< how far the guest has come, in the host's time
};

/// The guest, which waits, has waited for one more character time. If it gets ahead, it is stopped
/// until the host's time has come as far.
void LiveSource::keep_pace() {
    const Clock::time_point now = Clock::now();
    guest_time_ = std::max(guest_time_ + kCharacter, now);
    const auto ahead = guest_time_ - now;
    look_for(ahead > kInterval ? ahead : std::chrono::nanoseconds(0));
}

void LiveSource::look_for(std::chrono::nanoseconds patience) {
    const Clock::time_point now = Clock::now();
    const bool too_soon = patience.count() == 0 && now < next_look_;
    if (closed_ || too_soon || bytes_.size() - position_ > kMostBytes) {
        return;
    }
    next_look_ = now + kInterval;
    about_to_look_();
    pollfd state{.fd = descriptor_, .events = POLLIN, .revents = 0};
    const timespec limit{.tv_sec = 0, .tv_nsec = patience.count()}; // far below a second
    if (::ppoll(&state, 1, &limit, nullptr) <= 0) {
        return;
    }
    std::array<char, kPieceBytes> piece{};
    const ssize_t count = ::read(descriptor_, piece.data(), piece.size());
    if (count > 0) {
        take(piece.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
        closed_ = true;
    }
}

void LiveSource::take(const char* bytes, std::size_t count) {
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(position_));
    position_ = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const EscapeKeys::Key key = terminal_ ? keys_.press(bytes[i]) : EscapeKeys::Key::Data;
        if (key == EscapeKeys::Key::Data) {
            bytes_.push_back(bytes[i]);
        } else if (key == EscapeKeys::Key::End) {
            std::raise(SIGINT); // as Ctrl-C ends a run whose input is no terminal
        }
    }
}

} // namespace

EscapeKeys::Key EscapeKeys::press(char key) {
    constexpr char kControlA = 0x01;
    if (!prefixed_) {
        prefixed_ = key == kControlA;
        return prefixed_ ? Key::Taken : Key::Data;
    }
    prefixed_ = false;
    if (key == 'x') {
        return Key::End;
    }
    return key == kControlA ? Key::Data : Key::Taken;
}

std::unique_ptr<ConsoleSource> open_console_source(const std::string& path,
                                                   std::function<void()> about_to_look) {
    if (path.empty()) {
        return nullptr;
    }
    std::unique_ptr<FileDescriptor> own;
    int descriptor = STDIN_FILENO;
    if (path != "-") {
        // A pipe whose other end nobody has opened yet is not at its end: we hold that end too.
        std::error_code ignored;
        const bool pipe = std::filesystem::is_fifo(path, ignored);
        own = std::make_unique<FileDescriptor>(
            ::open(path.c_str(), (pipe ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
        descriptor = own->get();
    }
    struct stat status {};
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
        refuse(path, std::strerror(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        refuse(path, "it is a directory, expected a file");
    }
    if (S_ISREG(status.st_mode)) {
        return std::make_unique<FileSource>(read_all(descriptor, path));
    }
    return std::make_unique<LiveSource>(std::move(own), descriptor, std::move(about_to_look));
}

} // namespace pes

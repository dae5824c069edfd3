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
#include <string_view>
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
    std::uint64_t taken() const override { return position_; }

  private:
    std::vector<char> bytes_;
    std::size_t position_ = 0;
};

/// Where live input comes from.
class LiveInput {
  public:
    LiveInput() = default;
    LiveInput(const LiveInput&) = delete;
    LiveInput& operator=(const LiveInput&) = delete;
    virtual ~LiveInput() = default;

    /// See ConsoleLine::receive().
    virtual std::optional<std::string> receive(std::chrono::nanoseconds patience) = 0;
    virtual bool is_terminal() const { return false; }
};

/// A terminal, on which keys end the run, a pipe or another device.
class DescriptorInput : public LiveInput {
  public:
    DescriptorInput(std::unique_ptr<FileDescriptor> own, int descriptor)
        : own_(std::move(own)), descriptor_(descriptor) {
        if (::isatty(descriptor_) != 0) {
            terminal_.emplace(descriptor_);
        }
    }
    std::optional<std::string> receive(std::chrono::nanoseconds patience) override;
    bool is_terminal() const override { return terminal_.has_value(); }

  private:
    std::string without_keys(std::string_view bytes);

    std::unique_ptr<FileDescriptor> own_; ///< null: the standard input
    int descriptor_;
    std::optional<RawTerminal> terminal_;
    EscapeKeys keys_;
};

std::optional<std::string> DescriptorInput::receive(std::chrono::nanoseconds patience) {
    pollfd state{.fd = descriptor_, .events = POLLIN, .revents = 0};
    const timespec limit{.tv_sec = 0, .tv_nsec = patience.count()}; // far below a second
    if (::ppoll(&state, 1, &limit, nullptr) <= 0) {
        return "";
    }
    std::array<char, kPieceBytes> piece{};
    const ssize_t count = ::read(descriptor_, piece.data(), piece.size());
    if (count > 0) {
        return without_keys({piece.data(), static_cast<std::size_t>(count)});
    }
    const bool nothing_now = count < 0 && (errno == EINTR || errno == EAGAIN);
    return nothing_now ? std::optional<std::string>("") : std::nullopt;
}

std::string DescriptorInput::without_keys(std::string_view bytes) {
    std::string data;
    for (const char byte : bytes) {
        const EscapeKeys::Key key = terminal_ ? keys_.press(byte) : EscapeKeys::Key::Data;
        if (key == EscapeKeys::Key::Data) {
            data += byte;
        } else if (key == EscapeKeys::Key::End) {
            std::raise(SIGINT); // as Ctrl-C ends a run whose input is no terminal
        }
    }
    return data;
}

class LineInput : public LiveInput {
  public:
    explicit LineInput(ConsoleLine& line) : line_(line) {}
    std::optional<std::string> receive(std::chrono::nanoseconds patience) override {
        return line_.receive(patience);
    }

  private:
    ConsoleLine& line_;
};

/// The host is asked every few milliseconds.
class LiveSource : public ConsoleSource {
  public:
    LiveSource(std::unique_ptr<LiveInput> input, std::function<void()> about)
        : input_(std::move(input)), about_to_look_(std::move(about)) {}
    std::optional<std::uint8_t> next() override {
        if (position_ == bytes_.size()) {
            keep_pace();
        }
        return position_ == bytes_.size()
                   ? std::nullopt
                   : std::optional(static_cast<std::uint8_t>(bytes_[position_++]));
    }
    bool ended() override { return closed_ && position_ == bytes_.size(); }
    bool is_live() const override { return true; }
    std::uint64_t taken() const override { return taken_ + position_; }
    bool is_terminal() const override { return input_->is_terminal(); }
    void look() override { look_for(std::chrono::nanoseconds(0)); }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kInterval{2};
    static constexpr std::size_t kMostBytes = std::size_t{1} << 20; ///< that nobody has read

    void keep_pace();
    void look_for(std::chrono::nanoseconds patience);

    const std::unique_ptr<LiveInput> input_;
    std::function<void()> about_to_look_;
    std::string bytes_;
    std::size_t position_ = 0;
    std::uint64_t taken_ = 0; ///< that are not in bytes_ any more
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
    if (const std::optional<std::string> more = input_->receive(patience)) {
        bytes_.erase(0, position_);
        taken_ += position_;
        position_ = 0;
        bytes_ += *more;
    } else {
        closed_ = true;
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
    return std::make_unique<LiveSource>(
        std::make_unique<DescriptorInput>(std::move(own), descriptor), std::move(about_to_look));
}

std::unique_ptr<ConsoleSource> source_of(ConsoleLine& line) {
    return std::make_unique<LiveSource>(std::make_unique<LineInput>(line), [] {});
}

} // namespace pes

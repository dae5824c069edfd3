// SPDX-License-Identifier: Apache-2.0
#include "platform/host/pseudo_terminal.h"

#include "platform/host/user_error.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>

namespace pes {
namespace {

constexpr int kFlags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC;

[[noreturn]] void fail(const std::string& title) {
    throw UserError(title + ": no pseudo-terminal: " + std::strerror(errno));
}

bool make_raw(int descriptor) {
    termios state{};
    if (::tcgetattr(descriptor, &state) != 0) {
        return false;
    }
    ::cfmakeraw(&state);
    return ::tcsetattr(descriptor, TCSANOW, &state) == 0;
}

} // namespace

PseudoTerminal::PseudoTerminal(const std::string& title) {
    own_.emplace(::posix_openpt(O_RDWR | O_NOCTTY));
    std::array<char, 64> name{};
    const int own = own_->get();
    if (own < 0 || ::fcntl(own, F_SETFD, FD_CLOEXEC) != 0 ||
        ::fcntl(own, F_SETFL, O_NONBLOCK) != 0 || ::grantpt(own) != 0 || ::unlockpt(own) != 0 ||
        ::ptsname_r(own, name.data(), name.size()) != 0) {
        fail(title);
    }
    name_ = name.data();
    // The other end keeps its attributes. Linux reports the hang-up that attached() looks for only
    // once it has been open.
    const FileDescriptor other(::open(name_.c_str(), kFlags));
    if (other.get() < 0 || !make_raw(other.get())) {
        fail(title);
    }
}

bool PseudoTerminal::attached() const {
    pollfd state{.fd = own_->get(), .events = 0, .revents = 0};
    return ::poll(&state, 1, 0) == 0 || (state.revents & POLLHUP) == 0;
}

std::size_t PseudoTerminal::unread() const {
    const FileDescriptor other(::open(name_.c_str(), kFlags));
    int bytes = 0;
    return other.get() >= 0 && ::ioctl(other.get(), FIONREAD, &bytes) == 0
               ? static_cast<std::size_t>(bytes)
               : 0;
}

} // namespace pes

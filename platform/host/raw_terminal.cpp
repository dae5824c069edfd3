// SPDX-License-Identifier: Apache-2.0
#include "platform/host/raw_terminal.h"

#include <cerrno>
#include <csignal>
#include <termios.h>

namespace pes {
namespace {

termios before{};
volatile std::sig_atomic_t changed = -1; ///< descriptor of the terminal; -1: none

} // namespace

RawTerminal::RawTerminal(int descriptor) {
    if (::tcgetattr(descriptor, &before) != 0) {
        return;
    }
    termios raw = before;
    const tcflag_t output = raw.c_oflag; // a line's end stays one: programs print no returns
    ::cfmakeraw(&raw);
    raw.c_oflag = output;
    changed = descriptor;
    ::tcsetattr(descriptor, TCSANOW, &raw);
}

void RawTerminal::put_back() {
    const int error = errno;
    if (changed >= 0) {
        ::tcsetattr(changed, TCSANOW, &before);
        changed = -1;
    }
    errno = error;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Errors of Linux, as system calls return them.
#pragma once

#include <stdint.h>

namespace pes::proxy {

enum SystemError : int64_t {
    kNoEntry = -2,
    kIoError = -5,
    kBadFile = -9,
    kTryAgain = -11,
    kNoMemory = -12,
    kBadAddress = -14,
    kInvalid = -22,
    kNotTerminal = -25,
    kIllegalSeek = -29,
    kRange = -34,
    kNameTooLong = -36,
    kNoSuchCall = -38,
};

} // namespace pes::proxy

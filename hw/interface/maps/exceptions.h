// SPDX-License-Identifier: Apache-2.0
// Names of the exception codes of xcause (privileged specification, table 3.6). Freestanding.
#pragma once

#include <stdint.h>

namespace pes {

inline constexpr uint64_t kInterruptBit = uint64_t{1} << 63;

/// Of an xcause value without kInterruptBit.
constexpr const char* exception_name(uint64_t code) {
    constexpr const char* kNames[] = {
        "instruction address misaligned",
        "instruction access fault",
        "illegal instruction",
        "breakpoint",
        "load address misaligned",
        "load access fault",
        "store/AMO address misaligned",
        "store/AMO access fault",
        "environment call from U-mode",
        "environment call from S-mode",
        "reserved",
        "environment call from M-mode",
        "instruction page fault",
        "load page fault",
        "reserved",
        "store/AMO page fault",
    };
    return code < sizeof(kNames) / sizeof(kNames[0]) ? kNames[code] : "reserved";
}

} // namespace pes

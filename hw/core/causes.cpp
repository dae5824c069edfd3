// SPDX-License-Identifier: Apache-2.0
#include "hw/core/causes.h"

#include <array>

namespace pes {

namespace {

constexpr std::array<std::string_view, 16> kExceptions{
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

} // namespace

std::string_view cause_name(std::uint64_t xcause) {
    if ((xcause & kInterruptBit) == 0) {
        return xcause < kExceptions.size() ? kExceptions[xcause] : "reserved";
    }
    switch (xcause & ~kInterruptBit) {
    case 1:
        return "supervisor software interrupt";
    case 3:
        return "machine software interrupt";
    case 5:
        return "supervisor timer interrupt";
    case 7:
        return "machine timer interrupt";
    case 9:
        return "supervisor external interrupt";
    case 11:
        return "machine external interrupt";
    default:
        return "reserved interrupt";
    }
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "hw/core/arch/causes.h"

namespace pes {

std::string_view cause_name(std::uint64_t xcause) {
    if ((xcause & kInterruptBit) == 0) {
        return exception_name(xcause);
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
    case 13:
        return "counter overflow interrupt";
    default:
        return "reserved interrupt";
    }
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// CSR numbers that only the hart needs; the counters' are in hw/common/maps/csr.h.
#pragma once

#include <cstdint>

namespace pes::csr {

inline constexpr std::uint16_t kFflags = 0x001, kFrm = 0x002, kFcsr = 0x003;

inline constexpr std::uint16_t kSstatus = 0x100, kSie = 0x104, kStvec = 0x105, kScounteren = 0x106,
                               kSenvcfg = 0x10A, kSscratch = 0x140, kSepc = 0x141, kScause = 0x142,
                               kStval = 0x143, kSip = 0x144, kSatp = 0x180;

inline constexpr std::uint16_t kMstatus = 0x300, kMisa = 0x301, kMedeleg = 0x302, kMideleg = 0x303,
                               kMie = 0x304, kMtvec = 0x305, kMcounteren = 0x306, kMenvcfg = 0x30A,
                               kMscratch = 0x340, kMepc = 0x341, kMcause = 0x342, kMtval = 0x343,
                               kMip = 0x344;

inline constexpr std::uint16_t kPmpcfg0 = 0x3A0, kPmpcfg2 = 0x3A2, kPmpaddr0 = 0x3B0,
                               kPmpaddr15 = 0x3BF;

inline constexpr std::uint16_t kTselect = 0x7A0, kTdata1 = 0x7A1, kTdata2 = 0x7A2, kTdata3 = 0x7A3;
inline constexpr std::uint16_t kIcache = 0x7C0, kDcache = 0x7C1;

inline constexpr std::uint16_t kMvendorid = 0xF11, kMarchid = 0xF12, kMimpid = 0xF13,
                               kMhartid = 0xF14, kMconfigptr = 0xF15;

} // namespace pes::csr

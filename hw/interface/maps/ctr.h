// SPDX-License-Identifier: Apache-2.0
// Control transfer records (Smctr and Ssctr 1.0, 2024-11-22): fields of the CSRs, of the entry
// registers, and where these are. Freestanding.
#pragma once

#include <stdint.h>

namespace pes::ctr {

// CSR numbers
inline constexpr uint16_t kSctrctl = 0x14E;
inline constexpr uint16_t kSctrstatus = 0x14F;
inline constexpr uint16_t kSctrdepth = 0x15F;
inline constexpr uint16_t kMctrctl = 0x34E;

/// siselect of logical entry 0, the newest, and of entry 255.
inline constexpr uint64_t kFirstSelect = 0x200;
inline constexpr uint64_t kLastSelect = 0x2FF;

/// mctrctl, sctrctl (without M and MTE).
namespace control {
inline constexpr uint64_t kUser = 1U << 0;
inline constexpr uint64_t kSupervisor = 1U << 1;
inline constexpr uint64_t kMachine = 1U << 2;
inline constexpr uint64_t kRasEmulation = 1U << 7;      ///< RASEMU
inline constexpr uint64_t kSupervisorTraps = 1U << 8;   ///< STE
inline constexpr uint64_t kMachineTraps = 1U << 9;      ///< MTE
inline constexpr uint64_t kBreakpointFreeze = 1U << 11; ///< BPFRZ
inline constexpr uint64_t kOverflowFreeze = 1U << 12;   ///< LCOFIFRZ
/// Bit 32 + n concerns transfers of type n: it inhibits them, but enables those of type 4.
inline constexpr unsigned kTypeShift = 32;
inline constexpr uint64_t kTypes = 0xFF3EULL << kTypeShift;
inline constexpr uint64_t kNotTakenEnable = uint64_t{1} << (kTypeShift + 4); ///< NTBREN
} // namespace control

namespace status {
inline constexpr uint64_t kWritePointer = 0xFF; ///< WRPTR
inline constexpr uint64_t kFrozen = 1U << 31;
} // namespace status

/// sctrdepth.DEPTH = n: 16 << n entries.
namespace depth {
inline constexpr uint64_t kField = 7;
inline constexpr unsigned kSmallest = 16;
inline constexpr unsigned kLargest = 256;
} // namespace depth

/// Bit 0 of ctrsource, sireg: the entry holds a record.
inline constexpr uint64_t kValid = 1;
/// Bit 0 of ctrtarget, sireg2.
inline constexpr uint64_t kMispredicted = 1;

/// ctrdata, sireg3.
namespace data {
inline constexpr uint64_t kType = 0xF;
inline constexpr uint64_t kCountValid = 1U << 15; ///< CCV
inline constexpr unsigned kCountShift = 16;       ///< CC: exponent 15:12, mantissa 11:0
inline constexpr uint64_t kCountMask = 0xFFFF;
} // namespace data

} // namespace pes::ctr

// SPDX-License-Identifier: Apache-2.0
// Access rights to CSRs. Privilege levels, enables and delegations are checked only here, before
// the owner of a CSR is asked.
#pragma once

#include "hw/core/arch/csr_file.h"
#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

/// True if an instruction in `privilege` may read the CSR, provided that the CSR exists. Bits 11:10
/// of the number say whether it is read-only.
bool may_access(const CsrFile& csr, Privilege privilege, std::uint16_t number);

/// The check of a guard (csr_table.h), which comes in addition to privilege.
bool guard_open(const CsrFile& csr, Privilege privilege, CsrGuard guard);

/// True if a hart with these extensions has the registers of the guard.
bool present(const Extensions& extensions, CsrGuard guard);

/// The check for a CSR of another block, in addition to may_access(): this bit of mstateen0 enables
/// it below M-mode. For bit 0, custom state, U-mode needs the bit of sstateen0 too.
bool may_access_foreign(const CsrFile& csr, Privilege privilege, unsigned stateen_bit);

/// True if S-mode may read `time`: mcounteren.TM.
bool time_delegated(const CsrFile& csr);

/// Bit n: S-mode may configure counter n (Smcdeleg). The bit of `time` is never set.
std::uint32_t delegated_counters(const CsrFile& csr);

/// shpmspc and shpmsdata (Sspesa), whose numbers are settings.
bool is_sample_csr(const CsrFile& csr, std::uint16_t number);

/// The read-only CSRs cycle, time, instret, hpmcounter3..31.
bool is_counter_shadow(std::uint16_t number);

} // namespace pes

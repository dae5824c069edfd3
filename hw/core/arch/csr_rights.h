// SPDX-License-Identifier: Apache-2.0
// Which mode may access which CSR: the one place that knows the privilege levels, enables, and
// delegations. Owners of CSRs are asked only for accesses that this has allowed.
#pragma once

#include "hw/core/arch/csr_file.h"
#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

/// True if an instruction in `privilege` may read the CSR, if there is one with this number.
/// Whether it may be written, bits 11:10 of the number say.
bool may_access(const CsrFile& csr, Privilege privilege, std::uint16_t number);

/// What a CSR asks for beyond privilege.
bool guard_open(const CsrFile& csr, Privilege privilege, CsrGuard guard);

/// Likewise for a CSR of another block, which this bit of mstateen0 opens below M-mode, beside
/// may_access(). Bit 0 is custom state, and U-mode needs it in sstateen0 too.
bool may_access_foreign(const CsrFile& csr, Privilege privilege, unsigned stateen_bit);

/// `time` may be read in S-mode: mcounteren.TM.
bool time_delegated(const CsrFile& csr);

/// Bit n: counter n is S-mode's to configure (Smcdeleg). Never that of time.
std::uint32_t delegated_counters(const CsrFile& csr);

/// The read-only CSRs cycle, time, instret, hpmcounter3..31.
bool is_counter_shadow(std::uint16_t number);

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// CSRs that show a machine-level CSR of the counter bank: the read-only shadows, scountovf in
// S-mode, what Smcdeleg and Ssccfg delegate to S-mode (scountinhibit, sireg, sireg2), and those of
// Sspesa, whose numbers are settings.
#pragma once

#include "hw/core/arch/csr_file.h"
#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

/// Values of siselect that select the counters: 0x40 + n is counter n.
inline constexpr std::uint64_t kFirstCounterSelect = 0x40;
inline constexpr std::uint64_t kLastCounterSelect = 0x5F;

struct CounterView {
    std::uint16_t number;                   ///< of the bank's CSR
    std::uint64_t bits = ~std::uint64_t{0}; ///< that are visible and writable
};

/// A CSR that is no view of another is a view of itself. The caller has checked rights. If sireg*
/// selects no register, the bank does not own the returned number.
CounterView counter_view(const CsrFile& csr, Privilege privilege, std::uint16_t number);

} // namespace pes

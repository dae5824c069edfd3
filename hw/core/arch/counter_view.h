// SPDX-License-Identifier: Apache-2.0
// CSRs that show a machine-level CSR of the counter bank: the read-only shadows, scountovf in
// S-mode, and what Smcdeleg and Ssccfg delegate to S-mode (scountinhibit, sireg, sireg2).
#pragma once

#include "hw/core/arch/csr_file.h"
#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

/// Values of siselect behind which the counters are: 0x40 + n is counter n.
inline constexpr std::uint64_t kFirstCounterSelect = 0x40;
inline constexpr std::uint64_t kLastCounterSelect = 0x5F;

struct CounterView {
    std::uint16_t number;                   ///< as the bank knows it
    std::uint64_t bits = ~std::uint64_t{0}; ///< that are seen, and changed by a write
};

/// Of a CSR that shows no other: itself. Rights are checked (csr_rights.h), but whether anything is
/// behind sireg* is said here: if not, the bank does not own the number that is returned.
CounterView counter_view(const CsrFile& csr, Privilege privilege, std::uint16_t number);

} // namespace pes

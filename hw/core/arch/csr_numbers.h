// SPDX-License-Identifier: Apache-2.0
// CSR numbers of the hart's own registers, from csrs.def: csr::kMepc and so on. A run of registers
// has the number of the first. Those of the counters are in hw/interface/maps/csr.h.
#pragma once

#include <cstdint>

namespace pes::csr {

#define CSR(id, first, ...) inline constexpr std::uint16_t k##id = first;
#include "hw/core/arch/csrs.def"

} // namespace pes::csr

namespace pes {

/// mip and sip, whose value depends on the cycle in which they are read.
constexpr bool shows_interrupts(std::uint16_t number) {
    return number == csr::kMip || number == csr::kSip;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Which register of the PCER unit a CSR number names. Freestanding.
#pragma once

#include "hw/interface/maps/csr.h"

#include <stdint.h>

namespace pes {

inline constexpr unsigned kPcerCounters = 31; ///< PCCR0..30; PCCR31 is no counter
inline constexpr unsigned kPcerWidth = 32;    ///< bits of a counter

enum class PcerRegister : uint8_t {
    None, ///< not one of the unit
    Mode, ///< PCMR
    Enable,
    Counter,
    All, ///< PCCR31
};

struct PcerCsr {
    PcerRegister kind = PcerRegister::None;
    uint8_t index = 0; ///< for Counter
};

/// The machine-mode number of the register: of an alias for user mode that of its original.
constexpr uint16_t machine_pcer_csr(uint16_t number) {
    if (number == csr::kUserPcer || number == csr::kUserPcmr) {
        return static_cast<uint16_t>(number - csr::kUserPcer + csr::kPcer);
    }
    const bool counter = number >= csr::kUserPccr0 && number <= csr::kUserPccr31;
    return counter ? static_cast<uint16_t>(number - csr::kUserPccr0 + csr::kPccr0) : number;
}
static_assert(csr::kPcmr - csr::kPcer == csr::kUserPcmr - csr::kUserPcer);

constexpr PcerCsr decode_pcer_csr(uint16_t number) {
    const uint16_t machine = machine_pcer_csr(number);
    if (machine == csr::kPcmr) {
        return {PcerRegister::Mode, 0};
    }
    if (machine == csr::kPcer) {
        return {PcerRegister::Enable, 0};
    }
    if (machine == csr::kPccr31) {
        return {PcerRegister::All, 0};
    }
    if (machine >= csr::kPccr0 && machine < csr::kPccr31) {
        return {PcerRegister::Counter, static_cast<uint8_t>(machine - csr::kPccr0)};
    }
    return {};
}

constexpr uint16_t pccr_csr(unsigned index) {
    return static_cast<uint16_t>(csr::kPccr0 + index);
}

} // namespace pes

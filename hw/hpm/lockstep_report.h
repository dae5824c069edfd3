// SPDX-License-Identifier: Apache-2.0
// The report of lockstep about a difference of model and RTL.
#pragma once

#include "hw/hpm/model_bank.h"
#include "hw/hpm/rtl_recorder.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pes {

/// "mhpmcounter4 (CSR 0xB04)".
std::string csr_name(std::uint16_t csr);

struct CounterDifference {
    /// How it was found, which limits how old it may be.
    enum class Found : std::uint8_t {
        AtOnce, ///< an output, or an access of software
        Idle,   ///< the idle read port, which reads the registers in turn
        AtEnd,  ///< all registers, when the run ends
    };

    Cycle cycle = 0; ///< in which the values were compared
    Address pc = 0;  ///< of the last retired instruction
    std::string signal;
    std::uint64_t model = 0;
    std::uint64_t rtl = 0;

    std::uint32_t counters = 0; ///< bit n = counter n is affected
    Found found = Found::AtOnce;
    Cycle equal_in = 0;        ///< not AtOnce: the last cycle in which the values were equal
    std::size_t registers = 0; ///< Idle: number of registers that the read port reads
};

/// Turns a pc into "main+0x1c"; empty if unknown.
using NameOfPc = std::function<std::string(Address)>;

/// Several lines. `model` as it is at the difference, `last` the pulses before it.
std::string report(const CounterDifference& difference, const CounterConfig& config,
                   const ModelBank& model, const std::vector<RtlRecorder::PastCycle>& last,
                   const NameOfPc& name_of_pc);

} // namespace pes

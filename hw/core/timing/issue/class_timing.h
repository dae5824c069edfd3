// SPDX-License-Identifier: Apache-2.0
// Properties of a timing class: latency, unit and retirement port.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/core/timing/issue/fpu_port.h"
#include "hw/core/timing/issue/scoreboard.h"
#include "hw/core/timing/timing_config.h"
#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace pes {

/// Fixed properties of a timing class, from the configuration.
struct ClassTiming {
    Cycle result = 1; ///< issue to forwarded result
    RetirePort port = RetirePort::Any;
    enum class Unit : std::uint8_t {
        FixedLatency, ///< ALU, branch, CSR
        Multiply,     ///< and divide; shares the write port of the ones above
        Fpu,
        LoadStore,
        Coprocessor, ///< absent, so never busy
    } unit = Unit::FixedLatency;
    static constexpr std::size_t kUnits = 5;
    FpuPort::Group group = FpuPort::Group::None; ///< of a unit of the FPU
    bool direct = false;    ///< nothing but `result` determines when it is ready to retire
    Cycle fpu_interval = 0; ///< of the iterative unit
};

using ClassTable = std::array<ClassTiming, static_cast<std::size_t>(TimingClass::FpSqrtDouble) + 1>;

ClassTable class_table(const TimingConfig& config);

} // namespace pes

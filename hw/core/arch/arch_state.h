// SPDX-License-Identifier: Apache-2.0
// The architectural state of a hart, except counters and memory: registers, pc, privilege mode and
// the CSRs of csr_file.h. Source: RISC-V unprivileged and privileged specifications.
#pragma once

#include "hw/core/arch/csr_file.h"
#include "hw/core/arch/instruction.h"
#include "hw/core/hart_config.h"
#include "hw/interface/types.h"

#include <array>
#include <cstdint>

namespace pes {

struct ArchState {
    ArchState(const HartConfig& config, OverflowInterrupt overflow)
        : pc(config.reset_pc),
          csr(config.id, Pmp(config.pmp_entries, config.pmp_granularity, config.pmp_napot),
              overflow, config.extensions) {}
    ArchState(const ArchState&) = delete;
    ArchState& operator=(const ArchState&) = delete;

    std::array<std::uint64_t, kSinkRegister + 1> x{}; ///< index = RegisterIndex
    Address pc;                                       ///< of the instruction in hand
    Address next_pc = 0;                              ///< of the next instruction
    Privilege privilege = Privilege::Machine;
    CsrFile csr;

    void state(class Archive& archive); ///< of a checkpoint

    bool fetch_is_translated() const {
        return privilege != Privilege::Machine && csr.translation_on();
    }
    bool may_fetch(Address physical) const {
        return csr.pmp().allows(physical, 2, Access::Fetch, privilege);
    }
};

} // namespace pes

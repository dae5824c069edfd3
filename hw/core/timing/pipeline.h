// SPDX-License-Identifier: Apache-2.0
// The pipeline's time: given the instructions in program order and what they did, says at which
// cycle each is decoded, issued and retired, and pulses the events.
//
// Sequence for one instruction (called by Hart):
//   decode = fetch(...)             interrupts are sampled in this cycle
//   either  interrupt(...)          the marked instruction is squashed at its retirement
//   or      issue(instruction)      operands ready, unit free
//           [memory_request(...)]   loads, stores, AMOs: when the access leaves the core
//           exactly one of retire / retire_branch / retire_memory / retire_return / exception
#pragma once

#include "hw/common/types.h"
#include "hw/core/instruction.h"
#include "hw/core/timing/pulse_log.h"
#include "hw/core/timing/timing_config.h"

#include <array>
#include <cstdint>

namespace pes {

/// PTE reads of one page walk, in order; done by the MMU functionally, timed here through L1D.
struct PageWalk {
    std::array<Address, 3> pte{};
    std::uint8_t reads = 0;
};

/// One data access. `walk` is null when the TLB hit or translation is off.
struct MemoryAccess {
    Address physical = 0;
    std::uint8_t size = 0;
    bool cacheable = true;
    const PageWalk* walk = nullptr;
};

class Pipeline {
  public:
    Pipeline(const TimingConfig& config, PulseLog& pulses);

    /// The next instruction in program order. `walk` as above, for the fetch. Returns the decode
    /// cycle, never earlier than that of the instruction before.
    Cycle fetch(Address pc, Address physical, unsigned length, const PageWalk* walk);

    /// Returns the issue cycle.
    Cycle issue(const Instruction& instruction);

    /// The cycle in which a CSR or other serialising instruction, already issued, acts and retires.
    Cycle serial_cycle(const Instruction& instruction) const;

    /// The cycle at which the access of the issued instruction leaves the core (a device sees it).
    Cycle memory_request(const Instruction& instruction, const MemoryAccess& access);

    /// Each returns the cycle of retirement. `divide_bits`: quotient bit length for Divide, see
    /// cva6: 4 + (bit length - 1) cycles.
    Cycle retire(const Instruction& instruction, unsigned divide_bits = 0);
    Cycle retire_branch(const Instruction& instruction, Address pc, Address next_pc);
    Cycle retire_memory(const Instruction& instruction, const MemoryAccess& access,
                        std::uint32_t device_latency);
    Cycle retire_return(const Instruction& instruction, Address target); ///< mret, sret

    /// The current instruction raises an exception, or the instruction just fetched is marked with
    /// an interrupt. Returns the cycle in which the trap is taken. Flushes.
    Cycle exception();
    Cycle interrupt();

    /// Nothing is fetched before `cycle` (end of WFI).
    void resume_at(Cycle cycle);
};

} // namespace pes

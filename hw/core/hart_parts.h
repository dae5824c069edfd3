// SPDX-License-Identifier: Apache-2.0
// What both ways through the instructions (stepper.h, blocks/block_runner.h) work on.
#pragma once

#include "hw/core/arch/csr_access.h"
#include "hw/core/arch/execution.h"
#include "hw/core/ctr/transfer_records.h"
#include "hw/core/feed/attention.h"
#include "hw/core/feed/counter_feed.h"
#include "hw/core/feed/interrupt_inputs.h"
#include "hw/core/hart_config.h"
#include "hw/core/hart_ports.h"
#include "hw/core/hart_time.h"
#include "hw/core/memory/buffer_port.h"
#include "hw/core/memory/code_memory.h"
#include "hw/core/memory/device_port.h"
#include "hw/core/observers.h"
#include "hw/core/sampling/sample_attribution.h"
#include "hw/core/sampling/sample_ending.h"
#include "hw/core/sampling/skidless_delivery.h"
#include "hw/core/timing/pipeline.h"
#include "hw/core/trap_history.h"
#include "hw/core/truth/oracle.h"

#include <optional>

namespace pes {

/// Where a block may begin.
struct BlockStart {
    bool here = true;    ///< the next instruction may be the first of a block
    bool behind = false; ///< the one after the next instruction may, for any instruction
};

struct HartParts {
    HartParts(const HartConfig& settings, HartBus& world, CounterBank& bank);
    HartParts(const HartParts&) = delete;
    HartParts& operator=(const HartParts&) = delete;

    const HartConfig config;
    HartBus& bus;
    HartTime time;
    BlockStart block_start;

    Attention attention;
    InterruptInputs interrupts{attention};
    CounterFeed feed;
    Observers observers;
    TrapHistory history;
    std::optional<Oracle> truth; ///< if the configuration wants it

    Execution execution;
    CsrAccess csrs;
    SampleEnding sample_ending;
    BufferPort buffer_port;
    std::optional<DecodeWatch> watch; ///< if decoded instructions are sampled
    CodeMemory code;
    Pipeline pipeline;
    DevicePort devices;
    std::optional<SampleAttribution> attribution; ///< Sspesa
    std::optional<SkidlessDelivery> skidless;     ///< Ssplcofi
    std::optional<TransferRecords> transfers;     ///< Smctr

    ArchState& arch() { return execution.arch(); }
    const ArchState& arch() const { return execution.arch(); }
    Notes& notes() { return execution.notes(); }
    const Notes& notes() const { return execution.notes(); }

    /// The first decode cycle at which something besides the counters could matter to a block. A
    /// line that falls causes no interrupt; a read of mip is stepped, and attends to it first.
    Cycle undisturbed_until() const;
    /// Somebody asks for an instruction that has not come yet.
    bool question_waits() const { return truth && truth->waits(); }
    /// Privilege mode or address space have changed: tells the attribution.
    void enter_context();
    /// Whether the branch or jump that has executed leaves the sequence. `fact` is what it noted.
    bool takes(const Instruction& instruction, std::uint64_t fact) const {
        return branches_in_place(instruction) ? fact != 0
                                              : arch().next_pc != arch().pc + instruction.length;
    }
    /// For the control transfer records: the branch or jump at the pc has retired.
    void record_jump(const Instruction& instruction, bool taken, bool mispredicted, Cycle retired) {
        transfers->jumped({.pc = arch().pc,
                           .next_pc = arch().next_pc,
                           .raw = instruction.raw,
                           .taken = taken,
                           .mispredicted = mispredicted,
                           .cycle = retired});
    }
    /// How the timing model sees the access of the instruction in hand.
    MemoryAccess access_of(const Instruction& instruction, Address physical) const {
        return {.physical = physical,
                .size = instruction.memory_size,
                .cacheable = notes().cacheable,
                .walk = notes().walk};
    }
    /// Takes the instruction that has done its work through the rest of the pipeline. `fact` is
    /// what it noted about itself. Returns the cycle of retirement.
    Cycle retire(const Instruction& instruction, std::uint64_t fact) {
        if (instruction.timing < TimingClass::Branch ||
            instruction.timing > TimingClass::StoreConditional) [[likely]] {
            return pipeline.retire(instruction, static_cast<unsigned>(fact));
        }
        return retire_jump_or_access(instruction, fact);
    }

  private:
    void add_precise_sampling();
    void add_transfer_records();
    Cycle retire_jump_or_access(const Instruction& instruction, std::uint64_t fact);
};

} // namespace pes

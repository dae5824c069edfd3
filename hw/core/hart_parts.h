// SPDX-License-Identifier: Apache-2.0
// The state shared by both paths through the instructions (stepper.h, blocks/block_runner.h).
#pragma once

#include "hw/common/mode_sink.h"
#include "hw/core/arch/csr_access.h"
#include "hw/core/arch/execution.h"
#include "hw/core/ctr/transfer_records.h"
#include "hw/core/feed/attention.h"
#include "hw/core/feed/counter_feed.h"
#include "hw/core/feed/interrupt_inputs.h"
#include "hw/core/halt/halts.h"
#include "hw/core/hart_config.h"
#include "hw/core/hart_ports.h"
#include "hw/core/hart_time.h"
#include "hw/core/memory/buffer_port.h"
#include "hw/core/memory/code_memory.h"
#include "hw/core/memory/device_port.h"
#include "hw/core/observers.h"
#include "hw/core/pipeline_watches.h"
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
    bool here = true;    ///< at the next instruction
    bool behind = false; ///< after the next instruction, whichever it is
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
    std::optional<SkidlessDelivery> skidless;     ///< Ssplcofi
    std::optional<SampleAttribution> attribution; ///< Sspesa
    std::optional<TransferRecords> transfers;     ///< Smctr
    ModeSink* mode_sink = nullptr;
    PipelineWatches pipeline_watches;
    Halts halts; ///< for a debugger

    ArchState& arch() { return execution.arch(); }
    const ArchState& arch() const { return execution.arch(); }
    Notes& notes() { return execution.notes(); }
    const Notes& notes() const { return execution.notes(); }

    /// The first decode cycle in which something besides the counters can matter to a block.
    /// Falling lines are ignored: they cause no interrupt, and reads of mip are stepped.
    Cycle undisturbed_until() const;
    /// Begins the watches of the pipeline that are due.
    void begin_pipeline_watches() {
        if (time.decode >= pipeline_watches.next()) [[unlikely]] {
            pipeline_watches.begin(time.decode, observers);
            pipeline.attribution().tell_of_passages(pipeline_watches.sink());
        }
    }
    /// True if a question asks for a future instruction.
    bool question_waits() const { return truth && truth->waits(); }
    /// Tells the attribution that privilege mode or address space have changed.
    void enter_context();
    /// The next instruction lies in a page whose mapping is global or not.
    void enter_page(bool global) {
        if (truth) {
            truth->enter_page(global);
        }
    }
    /// True if the executed branch or jump is taken. `fact` is what its handler noted.
    bool takes(const Instruction& instruction, std::uint64_t fact) const {
        return branches_in_place(instruction) ? fact != 0
                                              : arch().next_pc != arch().pc + instruction.length;
    }
    /// Reports the retired branch or jump at the pc to the control transfer records.
    void record_jump(const Instruction& instruction, bool taken, bool mispredicted, Cycle retired) {
        transfers->jumped({.pc = arch().pc,
                           .next_pc = arch().next_pc,
                           .raw = instruction.raw,
                           .taken = taken,
                           .mispredicted = mispredicted,
                           .cycle = retired});
    }
    /// The current instruction's access, as the timing model needs it.
    MemoryAccess access_of(const Instruction& instruction, Address physical) const {
        return {.physical = physical,
                .size = instruction.memory_size,
                .cacheable = notes().cacheable,
                .walk = notes().walk};
    }
    /// Takes an executed instruction through the rest of the pipeline. `fact` is what its handler
    /// noted. Returns the cycle of retirement.
    [[gnu::always_inline]] Cycle retire(const Instruction& instruction, std::uint64_t fact) {
        if (instruction.timing < TimingClass::Branch ||
            instruction.timing > TimingClass::StoreConditional) {
            return pipeline.retire(instruction, static_cast<unsigned>(fact));
        }
        return instruction.timing <= TimingClass::Jalr ? retire_jump(instruction, fact)
                                                       : retire_access(instruction, fact);
    }

    void state(class Archive& archive); ///< of a checkpoint: all parts

  private:
    void add_transfer_records();
    [[gnu::noinline]] Cycle retire_jump(const Instruction& instruction, std::uint64_t fact);
    [[gnu::noinline]] Cycle retire_access(const Instruction& instruction, std::uint64_t fact);
    [[gnu::cold]] Cycle retire_recorded(const Instruction& jump, bool taken);
};

} // namespace pes

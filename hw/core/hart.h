// SPDX-License-Identifier: Apache-2.0
// One RV64IMAFDC hart with Zicsr, Zifencei, Zicntr and Zihpm, modes M, S and U, Sv39 and PMP.
//
// The hart's time is the decode cycle of the next instruction, the moment at which interrupts are
// sampled; retirement of earlier instructions may lie a few cycles ahead of it.
//
// Two paths give the same results: the Stepper takes one instruction after the other; the
// BlockRunner replays what the pipeline did with a basic block in the same state with the same
// answers. docs/how-the-hart-works.md follows both.
//
// Counters: the pulses of a cycle are handed to the CounterBank when no later instruction can add
// to them, kMarkDistance cycles after decode. That is early enough: a counter that reaches its
// threshold in cycle T raises mip in T + 4 at the earliest.
//
// Several harts share main memory. They run one after the other, each for a while, so every access
// is atomic and memory is sequentially consistent (memory/reservation.h).
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/common/csr_owner.h"
#include "hw/common/decode_tap.h"
#include "hw/common/retirement.h"
#include "hw/core/blocks/block_runner.h"
#include "hw/core/hart_config.h"
#include "hw/core/hart_parts.h"
#include "hw/core/hart_ports.h"
#include "hw/core/stepper.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace pes {

class Hart final {
  public:
    Hart(const HartConfig& config, HartBus& bus, CounterBank& bank);

    // --- Running ----------------------------------------------------------------------------

    HartStop run(); ///< until now() >= the horizon, or the turn is over
    /// May be called from within run(). A turn is over behind the first branch, jump, trap or other
    /// end of a block that decodes in `turn_end` or later, in WFI in that cycle: both paths can
    /// tell without stepping up to it.
    void set_horizon(Cycle turn_end, Cycle horizon);
    void set_horizon(Cycle horizon) { set_horizon(horizon, horizon); }
    /// Whether a turn with this end is over.
    bool has_ended(Cycle turn_end) const {
        return sleeps() ? now() >= turn_end : parts_.time.block_ended >= turn_end;
    }
    /// Back-pressure: after the current instruction nothing is decoded, and so nothing retires,
    /// before `cycle`. Counters continue; an interrupt is taken afterwards.
    void hold_until(Cycle cycle);
    /// The run is over: hands everything up to `end` to the counter bank.
    void settle(Cycle end);

    /// Saves or restores everything that the hart's future depends on, between two calls of run().
    /// The counter bank is the caller's, and comes first; so does memory. Observers may begin with
    /// a restored hart: what they know is of the part that runs.
    void state(class Archive& archive);

    // --- Connections --------------------------------------------------------------------------

    /// mip changes in cycle `at`, which may be a few cycles before or after now().
    void set_interrupt(Interrupt line, bool level, Cycle at) {
        parts_.interrupts.set(line, level, at);
    }
    /// Registers a CSR that is implemented outside the hart. False if the number has an owner.
    [[nodiscard]] bool add_csr(std::uint16_t number, CsrOwner& owner,
                               const CsrTraits& traits = {}) {
        return parts_.csrs.add(number, owner, CsrGuard::None, traits);
    }
    /// The same for registers behind mireg* or sireg*, with select values `first` to `last`.
    [[nodiscard]] bool add_indirect_csrs(IndirectLevel level, std::uint64_t first,
                                         std::uint64_t last, IndirectCsrOwner& owner,
                                         const CsrTraits& traits = {}) {
        return parts_.csrs.add_indirect(level, first, last, owner, traits);
    }
    /// The same for a bit of mcountinhibit and scountovf, which the bit of mstateen0 enables.
    void add_counter_bit(unsigned bit, CounterBitOwner& owner, const CsrTraits& traits) {
        parts_.csrs.add_counter_bit(bit, owner, traits);
    }
    /// The memory port of the hart's one memory buffer, whose interrupt is bit `number` of mip.
    BufferMemory& buffer_memory(unsigned number) {
        parts_.buffer_port.connect(number);
        return parts_.buffer_port;
    }
    /// Samples decoded instructions, in a hart with extensions.smpdis or one that counts them
    /// (Event::Decoded). `stateen_bit` of mstateen0
    /// delegates the tap to S-mode.
    void connect(DecodeTap& tap, unsigned stateen_bit) {
        parts_.sample_ending.connect(tap, stateen_bit);
        parts_.watch->connect(tap);
    }
    /// Observers may be added and removed at any time, also during an instruction and from within
    /// their own calls. A hart with observers that do not take blocks steps.
    void add_observer(HartObserver& observer) { parts_.observers.add(observer); }
    void remove_observer(const HartObserver& observer) { parts_.observers.remove(observer); }
    /// From decode cycle `from` on, `observer` is added and `sink` told how each instruction has
    /// passed the pipeline. The hart takes blocks before.
    void watch_pipeline(HartObserver& observer, PassageSink& sink, Cycle from) {
        parts_.pipeline_watches.add(observer, sink, from);
        parts_.begin_pipeline_watches(); // at once, if nothing is fetched yet
        parts_.attention.ask_now();
    }
    void leave_pipeline(const HartObserver& observer) {
        parts_.pipeline_watches.remove(observer, parts_.observers);
        parts_.pipeline.attribution().tell_of_passages(parts_.pipeline_watches.sink());
    }
    /// Null: nobody is told.
    void tell_of_modes(ModeSink* sink) { parts_.mode_sink = sink; }
    /// Call before the run: what direct_memory() refuses in main memory is reached over the bus.
    void reach_memory_over_the_bus() { parts_.execution.data().host().copy_over_the_bus(); }
    /// The bus has withdrawn the direct_memory() that it had granted.
    void direct_memory_withdrawn() { parts_.execution.data().direct_memory_withdrawn(); }

    // --- Harts on the same memory -----------------------------------------------------------

    /// Call before the run.
    void add_neighbour(Hart& other);
    /// A device has written to these bytes of main memory.
    void memory_written(Address address, std::uint64_t size) {
        parts_.execution.data().reservation().lose(address, size);
    }
    /// Call if neighbours have run since this hart did.
    void resume_among_neighbours();
    /// Forgets all charges so far: the exact profile begins here.
    void forget_truth();
    /// True in WFI. run() of a hart with neighbours returns at once then, and the caller chooses
    /// when to call it again.
    bool sleeps() const { return stepper_.waits(); }
    /// Only an interrupt makes it go on: it sleeps, or its trap handler cannot run.
    bool needs_interrupt() const { return sleeps() || parts_.history.loops(); }
    /// While it sleeps: the cycle in which it must run again even without an interrupt.
    Cycle wakes_by_itself() const {
        return std::min(parts_.feed.deadline(), parts_.interrupts.next_change());
    }

    // --- Its state, for loaders, debuggers and tests ------------------------------------------

    const ArchState& state() const { return parts_.arch(); }
    void set_pc(Address pc);
    void set_register(RegisterIndex index, std::uint64_t value) { parts_.arch().x[index] = value; }
    /// Writes as an instruction does, without rights checks. Not for counters that are running.
    void set_csr(std::uint16_t number, std::uint64_t value) {
        parts_.execution.write_csr(number, value, now());
    }
    /// Copies memory at a virtual address of the present mode, without effect on the hart. False if
    /// a load may not read it, or it is not plain memory. The bytes lie in one page.
    bool look_at(Address address, std::span<std::byte> bytes);
    /// Call after code has been written to memory from outside.
    void code_changed() { parts_.code.flush(); }

    // --- For a debugger (halt/halts.h) --------------------------------------------------------

    /// What the hart stands still for from now on. May be called at any time outside blocks.
    void follow(const HaltOrders& orders);
    /// Why run() has returned HartStop::Halted.
    const Halt& halt() const { return halt_; }
    /// As code_changed(), also while the hart is inside an instruction.
    void debugger_has_written();
    void debugger_sets_pc(Address pc);
    /// Stands still once behind the instruction or trap with this number, see passed(), if it has
    /// not passed it; the hart steps up to there. Where it stood still last, it may do so again.
    void stand_still_at(std::optional<std::uint64_t> passed) {
        parts_.halts.stand_still_at(passed);
        parts_.attention.ask_now();
    }
    void forget_blocks() { blocks_.forget_all(); }
    void forget_halt() { parts_.halts.moved(); }
    /// The physical address of a virtual one of the present mode, whatever rights it takes.
    std::optional<Address> locate(Address address);
    bool has_csr(std::uint16_t number) const { return parts_.csrs.exists(number); }
    /// Its value, read without effect on the hart; that of a counter is some cycles old. Nothing if
    /// there is none at present.
    std::optional<std::uint64_t> peek_csr(std::uint16_t number);
    /// The charges so far, without those of the last instructions; null unless configured.
    const TruthTable* truth_so_far() {
        blocks_.expand_truth();
        return truth();
    }
    bool is_counter(std::uint16_t number) const { return parts_.csrs.is_counter(number); }

    // --- Progress and results ------------------------------------------------------------------

    Cycle now() const { return parts_.time.decode; } ///< decode cycle of the next instruction
    std::uint64_t instret() const { return parts_.time.retired; }
    std::uint64_t traps() const { return parts_.history.traps(); }
    /// Instructions and traps: how far it has come.
    std::uint64_t passed() const { return parts_.time.retired + parts_.history.traps(); }
    TrapReport trap_report() const { return parts_.history.report(); }
    Cycle last_retirement() const { return parts_.time.last_retirement; }
    /// The cycle that the hart has reached: the last retirement may be later than now().
    Cycle reached() const { return std::max(last_retirement(), now()); }
    /// The cycle up to which its counters are up to date.
    Cycle counted_cycles() const { return parts_.feed.bank().now(); }
    /// All pulses so far, including those later than now().
    EventTotals totals() const { return parts_.feed.pulses().totals_through(kNever); }
    /// The instruction to which each cycle and each pulse is charged, once the run is settled. Null
    /// unless configured.
    const TruthTable* truth() const { return parts_.truth ? parts_.truth->table() : nullptr; }
    /// Asks for an instruction by cycle, if the window is configured: one of the last few dozen, or
    /// a future one. The answer may come before this returns.
    void ask(const SightQuestion& question) {
        parts_.truth->ask(question);
        parts_.attention.ask_now();
    }
    /// For an observer in trapped(): the word that has trapped, unless its fetch has.
    std::optional<std::uint32_t> word_in_decode() const { return stepper_.word_in_decode(); }
    /// Null without Smctr.
    const TransferRecords* transfer_records() const {
        return parts_.transfers ? &*parts_.transfers : nullptr;
    }
    /// Of one whose questions a checkpoint keeps; in the same order in each run.
    void connect(SightSink& asker) { parts_.truth->connect(asker); }
    /// The host's view: how the hart has come here.
    const PathStatistics& path_statistics() const { return blocks_.statistics(); }
    /// What overflow interrupts without skid have cost; null without Ssplcofi.
    const SkidlessCost* skidless_cost() const {
        return parts_.skidless ? &parts_.skidless->cost() : nullptr;
    }
    /// Cycles of levels behind a long WFI that no counter has seen.
    std::uint64_t uncounted_level_cycles() const { return parts_.feed.pulses().lost(); }
    void tell_of_interrupts(InterruptSink& sink) { parts_.truth->tell_of_interrupts(sink); }
    /// For an observer in retired() or trapped() in cycle `at`: brings the counters to the last
    /// earlier cycle in which nothing more can happen.
    void bring_counters_to(Cycle at);
    /// For such an observer: a counter's value in that cycle, by its machine CSR; 0 if absent.
    std::uint64_t observe_counter(std::uint16_t csr, Cycle at);

  private:
    [[gnu::noinline]] bool halts_behind();
    [[gnu::noinline]] bool halts_before();

    HartParts parts_;
    Stepper stepper_{parts_};
    BlockRunner blocks_{parts_, stepper_};
    const bool blocks_allowed_;
    Halt halt_{};
};

} // namespace pes

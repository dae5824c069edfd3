// SPDX-License-Identifier: Apache-2.0
// Timing of the pipeline. Given the instructions in program order and what they did, computes the
// cycle in which each is decoded, issued and retired, and pulses the events.
//
// Calls for one instruction:
//   decode = fetch(...)             interrupts are sampled in this cycle
//   either  interrupt(...)          the marked instruction is squashed at its retirement
//   or      issue(instruction)      operands ready, unit free
//           [memory_request(...)]   loads, stores, AMOs: when the access leaves the core
//           exactly one of retire / retire_branch / retire_memory / retire_return / exception
// A fetch that faults: failing_fetch() and trap_failed_fetch().
//
// Stages of a simple instruction decoded in D: issue D + 1, execute D + 2, retire D + 3. After a
// redirect in X, the frontend requests in X + 1 and decodes in X + 4. The next instruction retires
// 7 cycles after a trap or refetch, and 6 after a mispredicted branch, which resolves one cycle
// before it retires.
// The head of pipeline.cpp says what the parts keep between two instructions.
// Last column of hw/interface/pmu/pulse_sources.def: how each event is pulsed and what is left out.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/core/arch/offered.h"
#include "hw/core/timing/code_reader.h"
#include "hw/core/timing/decode_watch.h"
#include "hw/core/timing/frontend/control_flow.h"
#include "hw/core/timing/frontend/discarded.h"
#include "hw/core/timing/frontend/frontend.h"
#include "hw/core/timing/frontend/predictor.h"
#include "hw/core/timing/issue/class_timing.h"
#include "hw/core/timing/issue/fpu_divider.h"
#include "hw/core/timing/issue/fpu_port.h"
#include "hw/core/timing/issue/last_retirements.h"
#include "hw/core/timing/issue/scoreboard.h"
#include "hw/core/timing/memory/atomic_request.h"
#include "hw/core/timing/memory/data_cache.h"
#include "hw/core/timing/memory/load_store_unit.h"
#include "hw/core/timing/memory/page_walker.h"
#include "hw/core/timing/memory_access.h"
#include "hw/core/timing/pulses/further_pulses.h"
#include "hw/core/timing/pulses/pulse_log.h"
#include "hw/core/timing/timing_config.h"
#include "hw/core/truth/cycle_attribution.h"
#include "hw/interface/types.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace pes {

class Pipeline final : private CodeAhead {
  public:
    /// Sources that are neither in kBaseEvents nor in `sources` stay silent. `truth` and `watch`
    /// are told of every instruction; null: nobody is.
    Pipeline(const TimingConfig& config, PulseLog& pulses, CodeReader& code,
             EventMask sources = kBaseEvents, Oracle* truth = nullptr,
             DecodeWatch* watch = nullptr);
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    /// The next instruction in program order. `walk` as in MemoryAccess, for the fetch. Returns the
    /// decode cycle, never earlier than that of the instruction before.
    /// `second`: the instruction lies in two pages.
    Cycle fetch(Address pc, Address physical, unsigned length, const PageWalk* walk,
                const SecondHalf* second = nullptr);

    Cycle issue(const Instruction& instruction);    ///< returns the issue cycle
    void accept(FloatUse use) { float_use_ = use; } ///< what decode accepts from then on

    /// The cycle in which a CSR or other serialising instruction, already issued, acts and retires.
    Cycle serial_cycle(const Instruction& instruction) const;

    /// The cycle at which the access of the issued instruction leaves the core (a device sees it).
    Cycle memory_request(const Instruction& instruction, const MemoryAccess& access);
    /// After memory_request(): whether `next`, the access that follows `instruction`, reaches the
    /// load/store unit in the cycle behind it.
    bool follows_at_once(const Instruction& instruction, const Instruction& next);

    /// Each returns the cycle of retirement. `steps` of an iterative unit.
    Cycle retire(const Instruction& instruction, UnitSteps steps = 0);
    Cycle retire_branch(const Instruction& instruction, Address pc, Address next_pc, bool taken);
    /// Of the branch or jump that has just retired: its direction or its target.
    bool mispredicted() const { return mispredicted_; }
    Cycle retire_memory(const Instruction& instruction, const MemoryAccess& access,
                        std::uint32_t device_latency);
    Cycle retire_return(const Instruction& instruction, Address pc); ///< mret, sret

    /// The current instruction raises an exception, or the instruction just fetched is marked with
    /// an interrupt. Returns the cycle in which the trap is taken. Flushes.
    Cycle exception(const Instruction& trapped);
    Cycle interrupt(const Instruction& instruction);
    /// Before exception(): the walk that found no translation for the access of the issued
    /// instruction.
    void failed_walk(const Instruction& instruction, const PageWalk& walk);
    /// The fetch at `pc` fails. `walk` found no translation for it; null if the TLB knew. Returns
    /// the cycle in which decode sees it.
    Cycle failing_fetch(Address pc, const PageWalk* walk);
    /// Before it: what fails is the second half of the instruction.
    void fetch_first_half(Address pc, Address physical, const PageWalk* walk) {
        frontend_.fetch_word(pc, physical, walk);
    }
    /// Behind it: its exception, or an interrupt in its place. As exception().
    Cycle trap_failed_fetch(CycleReason reason = CycleReason::Flush);

    /// Nothing is decoded before `cycle`; an instruction already fetched is decoded then.
    void resume_at(Cycle cycle);
    /// The WFI just retired ends in `cycle`: nothing behind it has retired until then.
    void wake_in(Cycle cycle) { scoreboard_.halt_through(cycle); }
    CycleAttribution& attribution() { return attribution_; }

    // --- For the fast path: between two instructions ------------------------------------------
    Tables& tables() { return tables_; }
    Cycle last_retirement() const { return scoreboard_.last_retirement(); }
    Cycle decode() const { return decode_; }
    void normalise() { predictor_.bring_updates_to(frontend_.scan()); } ///< for relative_state()
    PulseFloors pulse_floors() const;
    /// See timing_state.h; `first_uncertain` as PulseLog's. The reader's base is the decode cycle.
    template <typename Archive>
    void relative_state(Archive& archive, Cycle decode, Cycle first_uncertain);

    void state(class Archive& archive); ///< of a checkpoint
    /// After a restored state: the instruction fetched last.
    void place(const Frontend::Place& last) {
        next_pc_ = last.pc + last.length;
        frontend_.place(last);
    }

  private:
    const ClassTiming& timing_of(TimingClass timing) const {
        return classes_[static_cast<std::size_t>(timing)];
    }
    Cycle& free_from(ClassTiming::Unit unit) { return unit_free_[static_cast<std::size_t>(unit)]; }
    Cycle unit_free(ClassTiming::Unit unit, Cycle earliest) const;
    /// The operands are not ready in the cycles [from, to).
    void stall(const Instruction& instruction, Cycle from, Cycle to);
    [[gnu::cold]] void name_stall(const Instruction& instruction, Cycle from, Cycle to,
                                  TimingClass writer, Cycle address_ready);
    [[gnu::cold]] void stall_without_instruction();
    void occupy_unit(ClassTiming::Unit unit);
    [[gnu::cold]] Cycle issue_trapping(const Instruction& instruction);
    void stall_without_effect(const Instruction& instruction, Cycle to);
    Cycle iterate(const Instruction& instruction, UnitSteps steps);
    void block_fixed_latency(Cycle until);
    Cycle finish(const Instruction& instruction, Cycle ready, Cycle result, RetirePort port);
    Cycle retire_indirectly(const Instruction& instruction, UnitSteps steps);
    Cycle retire_float(const Instruction& instruction, const ClassTiming& timing, Cycle result);
    Cycle retire_serial(const Instruction& instruction);
    Cycle finish_serial(const Instruction& instruction, EventMask events);
    void empty();
    void restart_after(Cycle retired, Address fetched_next, Address next);
    void ask_for_own_page();
    void flush_predictors();
    Cycle trap(const Instruction& trapped, Cycle ready, RegisterIndex rd,
               CycleReason reason = CycleReason::Flush);
    Cycle take_trap(Cycle ready, RegisterIndex rd, CycleReason reason = CycleReason::Flush);
    Address fetched_behind_trap(const Instruction& trapped);

    // What attribution_ and watch_ are told.
    using Stages = DiscardedInstructions::Stages;
    [[gnu::cold, gnu::noinline]] void note_issue(const Instruction& instruction, Cycle operands);
    [[gnu::cold, gnu::noinline]] void note_retirement(Cycle before, Cycle ready, Cycle retired);
    void report_passage(Cycle ready, Cycle ended);
    void report_discarded(const Instruction& instruction, Stages at, Cycle offered, Cycle flush);
    void report_decode(const Instruction& instruction);
    void follow_to_end(Cycle before, Cycle ready, Cycle ended);
    static constexpr Address kNowhere = ~Address{0};
    const Instruction* read_code(Address pc);
    bool read_page(Address pc);
    /// What the frontend predicts in the cycle `scan`: the target of a jump, or none for "goes on".
    /// Moves the return-address stack, unless a branch or jump before it in the same fetch word
    /// is predicted to go on: that takes push and pop away. [core/frontend/frontend.sv]
    std::optional<Address> predict(const ControlFlow& flow, Cycle scan);
    [[gnu::noinline]] std::optional<Address> predict_jump(const ControlFlow& flow, Cycle scan);
    /// The instructions from `pc` on that are fetched behind the one in hand until all of them are
    /// thrown away in `flush`. The frontend goes on at `next`.
    using WalkBehindFlush = Frontend::WalkBehindFlush;
    using Operand = DiscardedInstructions::Operand;
    Operand discard(Address pc, Cycle flush, WalkBehindFlush walk, Address next);
    void discard_behind(const Instruction& atomic, AtomicRequest& at);
    Operand discard(Address pc, Cycle flush, Stages last, DiscardedInstructions& behind,
                    WalkBehindFlush walk, AtomicRequest* atomic = nullptr);
    [[gnu::cold]] void end_discarded(Cycle issue, Cycle flush, WalkBehindFlush walk, Address by);
    Cycle place_discarded(const Instruction& jump, Address pc, Cycle offered);
    const Instruction* read_discarded(Address pc, Cycle flush, WalkBehindFlush walk);
    Address resolve_discarded(DiscardedInstructions& behind, const Instruction& instruction,
                              const ControlFlow& flow, std::optional<Address> target,
                              Address fetched, Stages last);
    void note_mispredict(ControlFlow::Kind kind, Cycle resolve);
    [[gnu::noinline]] Operand mispredict(ControlFlow::Kind kind, Address fetched, Address next);
    Cycle resolve(const Instruction& jump, const ControlFlow& flow, Address next_pc, bool taken);
    void restart_frontend(Cycle flush);
    Cycle issue_discarded(DiscardedInstructions& behind, const Instruction& instruction, Address pc,
                          Cycle seen, Cycle flush, AtomicRequest* atomic);
    Cycle discarded_result(DiscardedInstructions& behind, const Instruction& instruction,
                           Cycle issue, Cycle flush, AtomicRequest* atomic);
    Cycle load_discarded(DiscardedInstructions& behind, const Instruction& load, Cycle flush,
                         AtomicRequest* atomic);
    /// See code_before_data().
    void data_asked(Cycle asked) override;
    std::optional<FetchWalk> walk_before(Cycle start) override;
    struct Stop {
        Address pc = 0;
        Cycle lookup = 0;
    };
    Stop follow_ahead(const Instruction& load, Cycle asked);
    std::optional<Address> predicted_ahead(const ControlFlow& flow);
    Cycle issue_ahead(const Instruction& instruction, Cycle seen, std::size_t ahead) const;
    std::optional<Address> scan(const ControlFlow& flow);
    const Instruction* in_upper_half(Address pc);
    bool predicted_taken(const ControlFlow& flow);
    bool scan_takes(const Instruction& instruction, Address pc, bool returns);
    Cycle place_word(Address pc, Cycle offered);
    /// `flush` ends a walk for what is fetched in vain.
    Address fetched_behind(const ControlFlow& flow, std::optional<Address> target,
                           Cycle flush = kNever);
    [[gnu::noinline]] Address fetched_behind_return(Address next);
    [[gnu::noinline]] void jump_at_end_of_page(Address target, Cycle flush);
    void turn_back_to(const Frontend::Page& page, Address next);
    bool fails(const Instruction& conditional);
    AtomicRequest atomic_head();
    Cycle retire_load(const Instruction& load, const MemoryAccess& access, Cycle device_latency);
    Cycle retire_store(const Instruction& store, const MemoryAccess& access, Cycle device_latency);
    Cycle retire_atomic(const Instruction& atomic, const MemoryAccess& access, Cycle latency);
    TimingConfig config_;
    ClassTable classes_;
    PulseLog& pulses_;
    FurtherPulses further_;
    CycleAttribution attribution_;
    DecodeWatch* const watch_;
    Tables tables_;
    DataCache data_cache_;
    PageWalker walker_;
    Frontend frontend_;
    Predictor predictor_;
    CodeReader& code_;
    LoadStoreUnit load_store_;
    Scoreboard scoreboard_;
    FpuDivider divider_;
    FpuPort fpu_port_;
    LastRetirements retired_last_;
    bool write_after_write_;
    Address next_pc_ = 0;  ///< behind the instruction fetched last
    Address pc_ = 0;       ///< of the instruction in hand, if somebody watches
    Cycle decode_ = 0;     ///< of the instruction fetched last
    Cycle issue_ = 0;      ///< of the instruction issued last
    Cycle ready_ = 0;      ///< it could have issued to a unit that is not busy
    Cycle queue_kept_ = 0; ///< first cycle whose empty queue counts (after a flush)
    Cycle resume_ = 0;     ///< end of WFI
    Cycle went_on_ = 0;    ///< scan of the last branch or jump that was predicted to go on
    /// First cycle in which each takes an instruction; the load/store unit knows itself.
    std::array<Cycle, ClassTiming::kUnits> unit_free_{};
    /// The instruction issued last, or one thrown away by a mispredicted branch, stays in front of
    /// issue until the next is decoded, and waits for operands. [core/id_stage.sv]
    Cycle stale_from_ = 0, stale_until_ = 0;
    TimingClass stale_writer_ = TimingClass::Alu;
    std::optional<Cycle> request_; ///< of the access in hand, once asked for
    FloatUse float_use_ = FloatUse::All;
    bool mispredicted_ = false; ///< the branch or jump that has just retired was
    enum class Stage : std::uint8_t { Done, Decoded, Issued } stage_ = Stage::Done; ///< in hand
    TimingClass class_ = TimingClass::Alu; ///< of the instruction issued last
    RegisterIndex rd_ = kSinkRegister;     ///< likewise
    const Instruction* in_hand_ = nullptr; ///< which accesses memory
    std::optional<PageWalk> failing_walk_; ///< of the fetch that decode sees failing
};

} // namespace pes

#include "hw/core/timing/pipeline_inline.h"

// SPDX-License-Identifier: Apache-2.0
// The fast path: blocks whose timing is known from before. docs/how-the-hart-works.md follows one.
//
// A block's handlers run first and note what they did: physical addresses, relevant operands, the
// next pc. Then the tables are asked the questions that the pipeline asked when it ran this block
// in this state (memo.h). If all answers are known, so are the cycles, the events and the next
// state, and the next block begins. If an answer is new, the block goes through the pipeline, with
// the answers given so far, and the result is added to the memo.
//
// What to hold in the head. Between two blocks, at the start of run_block(node):
//
//   registers, memory, pc   those of the hart after the last block: handlers always run at once
//   time.decode             the decode cycle of the last block's last instruction
//   node                    the block at the pc, in the state that the pipeline is in
//   live_                   true: pipeline and log are in that state. False: they are behind, since
//                           only blocks were replayed; make_live() restores them from node.state
//   pending_                events of replayed blocks that the log does not have; flush_events()
//   last_                   the block before; null if there was none in this run()
//
// So whoever needs pipeline or log calls make_live(), and whoever leaves the loop has called it.
// The ways through a block:
//
//   run_block   limit near?     extend_limit(); if it cannot: beginning_of() runs a part, or leave
//               run_handlers()  stops before an instruction that cannot run ahead of time: a device
//                               access, counter read or page walk ends the block there
//                               (run_stopped(), block_endings.cpp, block_walks.cpp); a trap is
//                               stepped (stop_inside())
//               answer_all()    all answers known: replay() adds the outcome to time and pending_
//                               one is new: record() takes the block through the pipeline
//               known_next()    the node that followed this outcome the last time, if the page is
//                               still the same; else next_node() looks it up
//
// A node whose path was taken often has native code (native/native_code.h), which does all of this
// for one node after the other and comes back where something is not as usual (block_native.cpp).
//
// Three things end the loop: an instruction that is no part of a block, the limit, and a full memo.
// The limit (block_limits.h) is the first cycle in which something else could matter: an interrupt,
// an edge of a counter, the end of the quantum. A block begins only if its last decode cycle is
// certainly before it, so that nothing has to be asked inside.
//
// While a block is recorded, tape_ keeps its questions with their answers, `before_` and begin_
// what log and time were; parent_ and answered_ where in the node's tree the new branch begins.
#pragma once

#include "hw/core/arch/execution_mode.h"
#include "hw/core/blocks/block_cycles.h"
#include "hw/core/blocks/block_ending.h"
#include "hw/core/blocks/block_limits.h"
#include "hw/core/blocks/block_reports.h"
#include "hw/core/blocks/block_source.h"
#include "hw/core/blocks/memo.h"
#include "hw/core/blocks/native/native_code.h"
#include "hw/core/blocks/path_statistics.h"
#include "hw/core/hart_parts.h"
#include "hw/core/stepper.h"
#include "hw/core/timing/tables/tables.h"
#include "hw/core/timing/timing_state.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pes {

class BlockRunner final : private ExecutionMode, private CycleRecorder {
  public:
    BlockRunner(HartParts& parts, Stepper& stepper);
    ~BlockRunner() override;

    /// Runs blocks from the pc on, possibly none. Stepping continues after them.
    void run();
    void expand_truth(); ///< adds the charges of replayed blocks to its table
    void forget_all();   ///< outside run()
    const PathStatistics& statistics() const { return statistics_; }

  private:
    static constexpr std::uint64_t kNoAnswer = ~std::uint64_t{0};
    static constexpr unsigned kFlushInterval = 64; ///< blocks
    static constexpr std::size_t kEntries = 1024;  ///< places where blocks begin, by pc

    /// What handlers have stopped before, inside a block.
    enum class Before : std::uint8_t { Stepping, Device, CounterRead, Walk, ModeChange };

    // The loop
    Node* enter();
    std::nullptr_t leave(LeftFor reason) {
        statistics_.leave(reason);
        return nullptr;
    }
    Node* run_block(Node& node);
    Node* known_next(const Outcome& outcome) const;
    Node* next_node(Outcome& outcome);
    Node* behind_system(const Block& block, Outcome& outcome);
    bool run_handlers(const Block& block);
    Node* run_stopped(Node& node);
    void stop_inside(const Node& node);
    Node* beginning_of(Node& node);
    bool extend_limit(const Node& node);
    Node* finish_block(Node& node, Outcome* outcome);
    Node* finish_new(Node& node);
    Node* finish_answered(Node& node, Asked* asked, std::size_t answered);
    Outcome* answer_all(Node& node);
    Outcome* answer_from(Node& node, Asked* asked, std::size_t answered);
    void note_new_answer(const Block& block, Asked& last, std::size_t answered);
    Outcome* move_to_front(Node& node, Asked& end, std::size_t answered);
    Reply answer_again(const Block& block, Asked asked);
    template <Query Q>
    Reply ask_again(const Block& block, Asked asked);
    Reply answer_other(const Block& block, Asked asked);
    std::uint64_t answer(const Question& question);
    void replay(const Block& block, const Outcome& outcome);
    void replay_further(const Block& block, const Outcome& outcome);
    void add_extra(const OutcomeExtra& extra);
    bool records_jumps() const { return hart_.transfers && hart_.transfers->active(); }
    void record_jump(const Block& block, const Outcome& outcome);
    void count_block(const Block& block, std::size_t instructions);
    void flush_events();
    void bring_log_up();
    Cycle first_uncertain() const { return hart_.time.decode - CounterFeed::kMarkDistance + 1; }

    // Recording
    Outcome* record(Node& node);
    void begin_recording(const Node& node);
    Outcome* end_recording(Node& node);
    std::size_t counted_sources() const;
    void note_pulses(Outcome& outcome, OutcomeExtra& extra, const BlockEvents& events);
    void drop_recording();
    void time_block(const Block& block, std::size_t count, Tape* tape);
    PipelineState* present_state();
    StateWriter write_state();
    void make_live(const PipelineState& state);
    void tell_window();
    void tell_window(const Block& block, std::size_t count);

    // Blocks whose last instruction depends on its cycle, block_endings.cpp
    Node* run_to_device(Node& node);
    Node& part_to_device(Node& node);
    Node* run_last(Node& node);
    Node* step_last(Node& node);
    Node* run_mode_change(Node& node);
    Outcome* recall(Node& node);
    void pass_by(const Block& block, const Outcome& outcome);
    void commit_last(const Instruction& last);
    void forget_ending();
    std::uint64_t access_device(Cycle at);
    std::uint64_t read_counter_at(Cycle at, const EventLead& lead);
    bool bring_bank_ahead_to(Cycle cycle, const EventLead& lead);

    // Native code (native/native_code.h), block_native.cpp
    std::unique_ptr<NativeCode> make_native_code();
    void make_native(Node& node);
    Node* run_native(Node& node);
    static Node* native_at_limit(BlockRunner& runner, Node& node);
    static Node* native_stopped(BlockRunner& runner, Node& node, std::size_t index);
    static Node* native_answered(BlockRunner& runner, NativePath& path, std::size_t index,
                                 std::uint64_t answer);
    static Node* native_unanswered(BlockRunner& runner, NativePath& path);
    static Node* native_behind(BlockRunner& runner, NativePath& path);
    static const void* native_follow(BlockRunner& runner, NativePath& path);
    static void native_pause(BlockRunner& runner);
    void plan_native();
    void plan_reports();
    bool gets_budget(const Node& node);
    void catch_up(std::optional<Address> next_pc);
    void leave_native(Address pc);
    void end_handlers(const Block& block);
    std::size_t put_answers(const NativePath& path, std::size_t count);

    // Accesses that need a walk, block_walks.cpp
    bool only_walks(const Instruction& instruction);
    Node* run_to_walk(Node& node);
    std::uint64_t answer_walk();

    // ExecutionMode: handlers run ahead of time
    bool leave_to_stepping(LeftFor reason);
    bool stop_before_device(const DeviceAccess& access);
    void raise(Cause cause, std::uint64_t tval) override;
    bool may_change_mode() override;
    bool translate(Address address, Access access, Address& physical) override;
    bool load(const Instruction& instruction, Address address, Address physical,
              void* data) override;
    bool store(const Instruction& instruction, Address address, Address physical,
               const void* data) override;
    std::byte* atomic(Address physical, unsigned size, Access access) override;
    bool load_misaligned(const Instruction& instruction, Address address, void* data) override;
    bool store_misaligned(const Instruction& instruction, Address address,
                          const void* data) override;
    std::optional<std::uint64_t> read_csr(std::uint16_t number, Cycle at) override;
    std::byte* plain(Address physical, unsigned size, Access access);
    bool is_copied(Address physical, unsigned size);

    // CycleRecorder, for a last instruction that is stepped
    const DeviceAccess* made_access() const override;
    void device_reached(const DeviceAccess& access, Cycle arrival) override;
    void counter_read(Cycle at) override;

    HartParts& hart_;
    Stepper& stepper_;
    PresentLines code_lines_;
    const bool counts_further_sources_; ///< sources outside kBaseEvents
    EventMask kept_late_;               ///< of the pulse log, as long as the memo is valid
    bool replays_further_ = false;      ///< this run() replays more than time and kBaseEvents
    PendingEvents pending_;
    Memo memo_;
    PathStatistics statistics_;
    BlockSource source_{hart_, memo_};
    BlockLimits limits_{hart_, pending_};
    BlockReports reports_{hart_};
    std::array<std::uint8_t, kEntries> entry_backoff_{}; ///< see run()
    std::vector<Address> breakpoints_;                   ///< that the blocks of the memo are cut at
    Cycle no_room_until_ = 0;     ///< a block did not fit before this limit: it is stepped to there
    bool ended_by_limit_ = false; ///< run() ended at a limit; blocks may begin here again
    /// More than the blocks whose pulses can still be uncertain: each takes a cycle.
    static constexpr std::size_t kReplayed = 256;
    bool live_ = true;                                 ///< pipeline and log are up to date
    std::array<const Outcome*, kReplayed> replayed_{}; ///< since the log was up to date
    std::size_t replayed_count_ = 0;
    std::size_t told_ = 0;        ///< of those that native code has replayed, see catch_up()
    const Block* last_ = nullptr; ///< previous block; null after stepping
    Before stop_ = Before::Stepping;
    LeftFor stopped_for_ = LeftFor::Trap;
    std::size_t stopped_at_ = 0; ///< instructions of the block in hand that have happened
    BlockEnding ending_;
    struct {
        Address address;
        Access access;
    } missing_{};                       ///< the access whose page is not in the DTLB
    std::optional<Mmu::Walked> walked_; ///< ahead, for that access
    std::optional<PageWalk> walk_;      ///< of the block's last access, while the block runs
    std::array<std::uint64_t, Tape::kMost> answers_{};
    std::size_t answered_ = 0; ///< questions of the current block that are answered
    Asked* parent_ = nullptr;  ///< the last of them, if its answer is new

    Tape tape_;
    Cycle begin_ = 0;                ///< decode cycle before the block that is being recorded
    EventTotals before_{};           ///< pulses logged before it
    PulseSnapshot uncertain_before_; ///< those of them that were uncertain
    std::vector<PulseChange> changes_;
    StateWriter::Words state_words_; ///< of write_state()
    DecodedTotals decoded_before_{};
    EventTotals seen_{};                 ///< pulses seen by a counter read
    std::unique_ptr<NativeCode> native_; ///< null: none
    std::size_t native_from_ = 0;        ///< replayed_count_ when native code was entered
    NativePlan native_plan_;
};

} // namespace pes

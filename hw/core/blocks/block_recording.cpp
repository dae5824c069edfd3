// SPDX-License-Identifier: Apache-2.0
// Recording: a block goes through the pipeline, and what it asked and what came of it goes into the
// memo.
#include "hw/core/blocks/block_runner.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace pes {

namespace {

/// Of one source or of retirements. Times twice the flush interval it fits in 16 bits.
constexpr unsigned kEventBits = 9;

/// What has been added from `before` to `after`. Returns all counts, or-ed.
std::uint64_t narrow(std::span<const std::uint64_t> before, std::span<const std::uint64_t> after,
                     std::span<std::uint16_t> added) {
    std::uint64_t all = 0;
    for (std::size_t source = 0; source < added.size(); ++source) {
        const std::uint64_t count = after[source] - before[source];
        all |= count;
        added[source] = static_cast<std::uint16_t>(count);
    }
    return all;
}

} // namespace

/// The others pulse nothing.
std::size_t BlockRunner::counted_sources() const {
    return counts_further_sources_ ? kEventCount : kBaseBlockEvents;
}

/// Takes the block through the pipeline and adds its questions and outcome to the memo. Null if the
/// memo cannot hold it.
[[gnu::noinline]] Outcome* BlockRunner::record(Node& node) {
    begin_recording(node);
    ++statistics_.blocks_recorded;
    statistics_.recorded += node.block->size();
    time_block(*node.block, node.block->size(), &tape_);
    Outcome* const outcome = end_recording(node);
    if (reports_.on()) {
        reports_.tell_steps(*node.block);
        if (reports_.out_of_room()) {
            limits_.drop();
        }
    }
    return outcome;
}

void BlockRunner::begin_recording(const Node& node) {
    memo_.ahead_of_add();
    make_live(*node.state);
    begin_ = hart_.time.decode;
    const PulseLog& pulses = hart_.feed.pulses();
    std::copy_n(pulses.totals().begin(), counted_sources(), before_.events.begin());
    before_.retired = pulses.retired();
    hart_.pipeline.attribution().begin_block();
    if (hart_.watch) {
        decoded_before_ = hart_.watch->totals();
    }
    hart_.feed.pulses().snapshot(first_uncertain(), uncertain_before_);
    hart_.feed.pulses().set_floors(hart_.pipeline.pulse_floors());
    tape_.rewind(std::span(answers_).first(answered_), begin_);
    hart_.pipeline.tables().set_tape(&tape_);
}

Outcome* BlockRunner::end_recording(Node& node) {
    hart_.pipeline.normalise();
    hart_.pipeline.tables().set_tape(nullptr);
    hart_.time.last_retirement = hart_.pipeline.last_retirement();
    PulseLog& pulses = hart_.feed.pulses();
    const bool depends_on_past = pulses.went_below_floors();
    const Cycle last = hart_.config.keeps_window() ? hart_.time.last_retirement : hart_.time.decode;
    const bool too_long = last - begin_ > node.longest;
    if (hart_.time.decode >= limits_.last() || too_long) {
        std::abort(); // Block::longest promised that this cannot be
    }
    node.longest = std::max(node.longest, hart_.time.decode - begin_);
    StateWriter writer = write_state();
    const bool has_state = writer.complete();
    const std::uint64_t hash = memo_.ahead_of_intern(writer.words());
    BlockEvents events{};
    std::uint64_t all =
        narrow(before_.events, pulses.totals(), std::span(events).first(counted_sources()));
    events[kRetiredEvents] = static_cast<std::uint16_t>(pulses.retired() - before_.retired);
    all |= pulses.retired() - before_.retired;
    const std::span<const Question> asked = tape_.asked();
    const bool has_room = memo_.has_room(asked.size());
    const bool fits = all >> kEventBits == 0;
    if (!has_state || !fits || !has_room || tape_.spoilt() || depends_on_past) {
        drop_recording();
        return nullptr;
    }
    Outcome outcome{.cycles = static_cast<std::uint32_t>(hart_.time.decode - begin_),
                    .last_retirement =
                        static_cast<std::uint32_t>(hart_.time.last_retirement - begin_),
                    .block = node.block,
                    .mispredicted = hart_.pipeline.mispredicted()};
    OutcomeExtra extra;
    note_pulses(outcome, extra, events);
    if (reports_.keeps_steps()) {
        extra.steps = memo_.add_steps(reports_.steps());
    }
    outcome.state = &memo_.intern(writer.words(), writer.latest() - hart_.time.decode, hash);
    const std::size_t known = parent_ == nullptr ? 0 : answered_ - 1;
    return &memo_.add(node, parent_, asked.subspan(known), outcome, extra, changes_);
}

/// What the block has pulsed, and whose cycles and pulses those are.
void BlockRunner::note_pulses(Outcome& outcome, OutcomeExtra& extra, const BlockEvents& events) {
    constexpr std::uint16_t kMost = std::numeric_limits<std::uint8_t>::max();
    for (std::size_t source = 0; source < kBaseBlockEvents; ++source) {
        outcome.events[source] = static_cast<std::uint8_t>(std::min(events[source], kMost));
        extra.more[source] = static_cast<std::uint16_t>(events[source] - outcome.events[source]);
    }
    if (counts_further_sources_) {
        FurtherBlockEvents further;
        std::copy(events.begin() + kBaseBlockEvents, events.end(), further.begin());
        if (further != FurtherBlockEvents{}) {
            extra.further = &memo_.add_further(further);
        }
    }
    if (hart_.watch) {
        extra.decoded = hart_.watch->since(decoded_before_);
    }
    if (hart_.truth) {
        const std::span<const Charge> charges = hart_.truth->collected();
        if (hart_.truth->table() != nullptr) {
            outcome.charges = memo_.add_charges(charges);
        }
        hart_.pipeline.attribution().end_block();
    }
    hart_.feed.pulses().changes_since(uncertain_before_, first_uncertain(), changes_);
}

/// The block has run, but the memo does not keep it.
void BlockRunner::drop_recording() {
    hart_.pipeline.tables().set_tape(nullptr);
    hart_.feed.pulses().drop_floors();
    if (hart_.truth) {
        hart_.truth->commit();
        hart_.pipeline.attribution().end_block();
    }
}

void BlockRunner::expand_truth() {
    if (TruthTable* table = hart_.truth ? hart_.truth->table() : nullptr) {
        memo_.expand_charges(*table);
    }
}

/// The timing side of the first `count` instructions, after their handlers.
void BlockRunner::time_block(const Block& block, std::size_t count, Tape* tape) {
    Address pc = block.pc;
    std::uint8_t operand = 0;
    reports_.begin_block(hart_.time.decode);
    hart_.notes().walk = nullptr;
    hart_.notes().cacheable = true;
    hart_.notes().device_latency = 0;
    for (std::size_t index = 0; index < count; ++index) {
        const Instruction& instruction = block.instructions[index];
        const Address physical = block.physical + (pc - block.pc);
        hart_.time.decode = hart_.pipeline.fetch(pc, physical, instruction.length, nullptr);
        hart_.feed.settle_before(hart_.time.decode);
        hart_.pipeline.issue(instruction);
        const std::uint64_t fact = hart_.notes().facts[operand];
        const TimingClass timing = instruction.timing;
        const bool access =
            timing == TimingClass::Load || timing == TimingClass::Store || is_atomic(timing);
        if (tape != nullptr) {
            tape->set_operand(operand);
            if (notes_operands(instruction)) {
                tape->fact(Query::Noted, 0, fact);
            }
            if (instruction.role == BlockRole::Last) {
                tape->fact(Query::NextPc, 0, hart_.arch().next_pc);
            }
        }
        hart_.arch().pc = pc;
        if (walk_ && index + 1 == count) {
            hart_.notes().walk = &*walk_;
        }
        reports_.retires(instruction, hart_.retire(instruction, fact));
        if (timing == TimingClass::CsrRefetch) {
            const FloatUse use = hart_.arch().csr.float_use();
            hart_.pipeline.tables().float_use(static_cast<std::uint64_t>(use));
            hart_.pipeline.accept(use);
        }
        if (access || notes_operands(instruction)) {
            ++operand;
        }
        pc += instruction.length;
    }
    if (hart_.config.keeps_window()) {
        tell_window(block, count);
    }
}

// --- State and log -------------------------------------------------------------------------------

PipelineState* BlockRunner::present_state() {
    StateWriter writer = write_state();
    return writer.complete() ? &memo_.intern(writer.words(), writer.latest() - hart_.time.decode)
                             : nullptr;
}

/// The present one, except for the end.
StateWriter BlockRunner::write_state() {
    PulseLog& pulses = hart_.feed.pulses();
    StateWriter writer(hart_.time.decode, state_words_);
    hart_.pipeline.relative_state(writer, hart_.time.decode, first_uncertain());
    pulses.set_floors(hart_.pipeline.pulse_floors());
    const StateWriter all = pulses.visible_state(writer, first_uncertain());
    pulses.drop_floors();
    return all;
}

/// Tells the window of the truth of blocks that have been replayed: of the last instructions, which
/// what comes next may ask for.
[[gnu::noinline]] void BlockRunner::tell_window() {
    std::array<RunInstruction, InstructionWindow::kKept> last;
    const std::size_t kept = std::min(replayed_count_, kReplayed);
    std::size_t free = last.size();
    bool needed = true;
    Cycle from = hart_.time.decode;
    for (std::size_t age = 1; needed && age <= kept; ++age) {
        const Outcome& outcome = *replayed_[(replayed_count_ - age) % kReplayed];
        const std::span<const RetiredStep> steps = Memo::steps(outcome);
        from -= outcome.cycles;
        for (std::size_t index = steps.size(); index-- != 0 && free != 0;) {
            const std::uint32_t begin = index == 0 ? 0 : steps[index - 1].half_words;
            last[--free] = {.pc = outcome.block->pc + begin * std::uint64_t{2},
                            .decode = from + steps[index].decoded,
                            .retired = from + steps[index].cycles};
        }
        needed = free != 0 && from + outcome.last_retirement >= first_uncertain();
    }
    hart_.truth->resume(hart_.time.retired, std::span(last).subspan(free));
}

/// The same of the first instructions of a block that have gone through the pipeline.
void BlockRunner::tell_window(const Block& block, std::size_t count) {
    std::array<RunInstruction, Block::kMaximum> run;
    const std::span<const RetiredStep> steps = reports_.steps();
    Address pc = block.pc;
    for (std::size_t index = 0; index != count; ++index) {
        run[index] = {.pc = pc,
                      .decode = reports_.from() + steps[index].decoded,
                      .retired = reports_.from() + steps[index].cycles};
        pc += block.instructions[index].length;
    }
    hart_.truth->resume(hart_.time.retired + count, std::span(run).first(count));
}

/// Restores pipeline and log to the point after the last block, in `state`.
void BlockRunner::make_live(const PipelineState& state) {
    flush_events();
    if (live_) {
        return;
    }
    bring_log_up();
    StateReader reader(hart_.time.decode, state.words());
    hart_.pipeline.relative_state(reader, hart_.time.decode, first_uncertain());
    const Block& last = *last_;
    hart_.pipeline.place({.pc = last.last_pc,
                          .physical = last.physical + (last.last_pc - last.pc),
                          .length = static_cast<unsigned>(last.end - last.last_pc)});
    live_ = true;
}

/// The log has all pulses of the blocks so far, and those that are uncertain in their cycles.
[[gnu::noinline]] void BlockRunner::bring_log_up() {
    constexpr Cycle kReach = 2 * PulseSpan::kCycles;
    flush_events();
    if (replayed_count_ == 0) {
        return;
    }
    if (hart_.config.keeps_window()) {
        tell_window();
    }
    PulseLog& pulses = hart_.feed.pulses();
    const Cycle first = first_uncertain();
    pulses.hand_over_before(first);
    const std::size_t kept = std::min(replayed_count_, kReplayed);
    std::size_t count = 0;
    for (Cycle base = first; count != kept && base + kReach > first; ++count) {
        const Outcome& outcome = *replayed_[(replayed_count_ - count - 1) % kReplayed];
        if (base + outcome.reach > first) {
            __builtin_prefetch(&outcome + 1); // its changes
        }
        base -= outcome.cycles;
    }
    Cycle base = first;
    for (std::size_t age = 1; age <= count; ++age) {
        const Outcome& outcome = *replayed_[(replayed_count_ - age) % kReplayed];
        if (base + outcome.reach > first) {
            pulses.apply(Memo::changes(outcome), base, first);
        }
        base -= outcome.cycles;
    }
    replayed_count_ = told_ = 0;
    reports_.forget_replayed(0);
}

[[gnu::noinline]] void BlockRunner::flush_events() {
    if (pending_.blocks != 0) {
        if (hart_.truth) {
            hart_.truth->close();
        }
        const std::span<std::uint16_t> events =
            std::span(pending_.events)
                .first(counts_further_sources_ ? pending_.events.size() : kBaseBlockEvents);
        hart_.feed.pulses().add(events);
        if (hart_.truth) {
            hart_.truth->skip_pulses();
        }
        if (hart_.watch) {
            hart_.watch->add(pending_.decoded);
            pending_.decoded = {};
        }
        statistics_.blocks_replayed += pending_.blocks;
        std::ranges::fill(events, std::uint16_t{0});
        pending_.blocks = 0;
    }
}

} // namespace pes

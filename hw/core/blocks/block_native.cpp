// SPDX-License-Identifier: Apache-2.0
// Into native code and out of it. Where it stops, everything is brought to where the loop over
// blocks would have it.
#include "hw/core/blocks/block_runner.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace pes {

namespace {

constexpr std::uint64_t kWorthwhileBlocks = 2; ///< that certainly have a budget; most are smaller
constexpr std::size_t kWorthwhileAhead = 3;    ///< blocks ahead of what observers have been told

/// What a ring of outcomes has from number `from` up to `to`.
struct Replayed {
    BaseBlockEvents events{}; ///< without what is extra
    bool have_more = false;   ///< any of them
};

/// In vectors, which the compiler does not find.
template <std::size_t Count>
Replayed sum_up(const std::array<const Outcome*, Count>& ring, std::size_t from, std::size_t to) {
    using Bytes [[gnu::vector_size(16)]] = std::uint8_t;
    using Words [[gnu::vector_size(16)]] = std::uint16_t;
    constexpr std::size_t kHalf = sizeof(Bytes) / 2;
    static_assert(kBaseBlockEvents == sizeof(Bytes) + kHalf);
    const auto low = [](Bytes events) {
        return std::bit_cast<Words>(__builtin_shufflevector(events, Bytes{}, 0, 16, 1, 17, 2, 18, 3,
                                                            19, 4, 20, 5, 21, 6, 22, 7, 23));
    };
    const auto high = [](Bytes events) {
        return std::bit_cast<Words>(__builtin_shufflevector(
            events, Bytes{}, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31));
    };
    std::array<Words, 3> sum{};
    bool have_more = false;
    for (std::size_t number = from; number != to; ++number) {
        const Outcome& outcome = *ring[number % Count];
        Bytes first, last; // which overlap
        std::memcpy(&first, outcome.events.data(), sizeof first);
        std::memcpy(&last, outcome.events.data() + kHalf, sizeof last);
        sum[0] += low(first);
        sum[1] += high(first);
        sum[2] += high(last);
        have_more |= outcome.has_more;
    }
    return {.events = std::bit_cast<BaseBlockEvents>(sum), .have_more = have_more};
}

} // namespace

std::unique_ptr<NativeCode> BlockRunner::make_native_code() {
    const HartConfig& config = hart_.config;
    if (config.jit == NativePaths::Off || config.path == ExecutionPath::Step ||
        !NativeCode::available()) {
        return nullptr;
    }
    const NativeExits exits{.at_limit = native_at_limit,
                            .stopped = native_stopped,
                            .answered = native_answered,
                            .unanswered = native_unanswered,
                            .behind = native_behind,
                            .pause = native_pause,
                            .follow = native_follow,
                            .ask = [](BlockRunner& runner, const Node& node, const Asked& asked) {
                                return runner.answer_other(*node.block, asked).now;
                            }};
    static_assert(std::tuple_size_v<decltype(replayed_)> == 256);
    return std::make_unique<NativeCode>(hart_, NativeContext{.runner = this,
                                                             .memo = &memo_,
                                                             .plan = &native_plan_,
                                                             .replayed = replayed_.data(),
                                                             .replayed_count = &replayed_count_,
                                                             .exits = exits});
}

/// A path of the node has been taken so often that it shall be native. Others with it, if they are
/// not rare.
[[gnu::noinline]] void BlockRunner::make_native(Node& node) {
    constexpr std::uint64_t kRarely = 8;
    if (native_) {
        native_->compile(node, std::max<std::uint64_t>(hart_.config.jit_after / kRarely, 1));
        statistics_.native_nodes = native_->compiled();
        statistics_.native_bytes = native_->bytes_made();
    }
}

[[gnu::noinline]] Node* BlockRunner::run_native(Node& node) {
    if (!native_->fits(node) || (reports_.on() && reports_.room() < kWorthwhileAhead)) {
        return run_block(node);
    }
    stop_ = Before::Stepping;
    hart_.notes().done = false;
    told_ = native_from_ = replayed_count_;
    reports_.forget_replayed(replayed_count_);
    plan_native();
    // Near a threshold each block would be an entry of its own.
    const bool goes_on = hart_.time.decode + node.longest < native_plan_.limit;
    return goes_on ? native_->run(node) : run_block(node);
}

/// How far native code may go without a question: up to the limit, or, if the counters set that and
/// there is a budget, until it is used up.
void BlockRunner::plan_native() {
    // With neighbours the code looks at the end of the turn itself: turns are short, and a block
    // may pass it.
    const Cycle turn_end =
        hart_.execution.data().reservation().has_neighbours() ? kNever : hart_.time.turn_end;
    NativePlan& plan = native_plan_;
    plan.limit = std::min(limits_.hard(), turn_end);
    plan.look_at = plan.pause_at = replayed_count_ + kFlushInterval;
    if (limits_.has_budget()) {
        const PulseBudget budget = limits_.budget(native_->most());
        if (budget.certain >= kWorthwhileBlocks) {
            plan.limit = std::min(limits_.last(), turn_end);
            plan.pause_at =
                replayed_count_ + std::min<std::uint64_t>(budget.blocks, kFlushInterval);
            plan.room = budget.room;
            plan.scarce = budget.scarce;
            if (budget.certain < kFlushInterval) { // else the pause comes before that is used up
                plan.look_at = 0;
            }
        }
    }
    if (reports_.on()) {
        plan_reports();
    }
}

/// At a pause the last block stays untold.
void BlockRunner::plan_reports() {
    reports_.renew_room_behind_told();
    const std::size_t untold = reports_.untold(replayed_count_);
    if (reports_.room() < untold + kWorthwhileAhead) {
        native_plan_.limit = 0;
    } else {
        const std::size_t until = replayed_count_ + reports_.room() - untold;
        native_plan_.pause_at = std::min(native_plan_.pause_at, until);
        native_plan_.look_at = std::min(native_plan_.look_at, until);
    }
}

void BlockRunner::native_pause(BlockRunner& runner) {
    runner.catch_up(std::nullopt);
    if (runner.pending_.blocks >= kFlushInterval) {
        runner.flush_events();
    }
    runner.plan_native();
}

/// Does what replay() and count_block() would have done with the blocks that native code has
/// replayed, except for the history and the charges, which it counts itself.
[[gnu::noinline]] void BlockRunner::catch_up(std::optional<Address> next_pc) {
    if (reports_.on()) {
        reports_.tell_replayed(replayed_, replayed_count_, next_pc);
    }
    const std::size_t count = replayed_count_ - told_;
    if (count == 0) {
        return;
    }
    HartTime& time = hart_.time;
    const Replayed sum = sum_up(replayed_, told_, replayed_count_);
    add_events(pending_.events.data(), sum.events);
    time.retired += sum.events[kRetiredEvents];
    for (std::size_t number = told_; sum.have_more && number != replayed_count_; ++number) {
        const Outcome& outcome = *replayed_[number % kReplayed];
        if (outcome.has_more) [[unlikely]] {
            add_extra(Memo::extra(outcome));
        }
    }
    const Outcome& last = *replayed_[(replayed_count_ - 1) % kReplayed];
    time.last_retirement = time.decode - last.cycles + last.last_retirement;
    last_ = last.block;
    time.block_ended = last_->ends ? time.decode : 0;
    live_ = false;
    pending_.blocks += static_cast<unsigned>(count);
    told_ = replayed_count_;
}

/// Each exit begins with it. `pc` is that of the block to come, or in hand.
void BlockRunner::leave_native(Address pc) {
    catch_up(pc);
    const std::size_t kept = TrapHistory::kPassages;
    for (std::size_t left = std::min(kept, replayed_count_ - native_from_); left != 0; --left) {
        const Block& block = *replayed_[(replayed_count_ - left) % kReplayed]->block;
        hart_.history.passed(block.pc, static_cast<std::uint32_t>(block.size()),
                             block.long_instructions);
    }
}

/// True if the counters set the limit and now leave room for some blocks: native code goes on with
/// the node. For one block, extend_limit() would bring the counters forward first, which takes more
/// than the block.
bool BlockRunner::gets_budget(const Node& node) {
    return !limits_.has_budget() &&
           limits_.refresh_budget(*node.block, hart_.time.decode + node.longest) &&
           limits_.budget(native_->most()).certain >= kWorthwhileBlocks;
}

Node* BlockRunner::native_at_limit(BlockRunner& runner, Node& node) {
    runner.leave_native(node.block->pc);
    runner.hart_.arch().pc = node.block->pc;
    return runner.gets_budget(node) ? &node : runner.run_block(node);
}

Node* BlockRunner::native_stopped(BlockRunner& runner, Node& node, std::size_t index) {
    runner.leave_native(node.block->pc);
    runner.stopped_at_ = index;
    return runner.run_stopped(node);
}

Node* BlockRunner::native_answered(BlockRunner& runner, NativePath& path, std::size_t index,
                                   std::uint64_t answer) {
    const Block& block = *path.node->block;
    runner.leave_native(block.pc);
    std::size_t answered = runner.put_answers(path, index);
    runner.answers_[answered++] = answer;
    runner.end_handlers(block);
    const Memo::Found found = runner.memo_.with_answer(path.first_of(index), block, answer);
    if (!found.has_it) {
        runner.note_new_answer(block, found.asked, answered);
        return runner.finish_new(*path.node);
    }
    return runner.finish_answered(*path.node, &found.asked + 1, answered);
}

Node* BlockRunner::native_unanswered(BlockRunner& runner, NativePath& path) {
    runner.leave_native(path.node->block->pc);
    runner.end_handlers(*path.node->block);
    return runner.finish_answered(*path.node, &path.first_of(path.own),
                                  runner.put_answers(path, path.own));
}

Node* BlockRunner::native_behind(BlockRunner& runner, NativePath& path) {
    runner.leave_native(path.next_pc);
    runner.hart_.arch().pc = path.next_pc;
    Node* const next = runner.next_node(*path.outcome);
    if (next != nullptr) {
        runner.native_->link(path, *next);
    }
    return next;
}

const void* BlockRunner::native_follow(BlockRunner& runner, NativePath& path) {
    HartParts& hart = runner.hart_;
    hart.arch().pc = path.next_pc;
    const bool in_page = hart.code.in_page(path.next_pc) || hart.code.follow();
    const CodeMemory::Page& page = hart.code.page();
    const bool same = in_page && path.next != nullptr && page.uniform_protection &&
                      path.next->code_version == page.version;
    const bool other_context = hart.truth && hart.truth->enters_other_context(page.global);
    return same && !other_context ? path.link : path.back;
}

/// Native code leaves out what is not needed if the block goes on as usual: the pc, and where its
/// branch goes.
void BlockRunner::end_handlers(const Block& block) {
    ArchState& arch = hart_.arch();
    const Instruction& last = block.instructions.back();
    arch.pc = block.last_pc;
    if (last.timing == TimingClass::Jalr || branches_in_place(last)) {
        return;
    }
    arch.next_pc = block.end;
    if (last.timing == TimingClass::Branch || last.timing == TimingClass::Jal) {
        last.execute(hart_.execution, last);
    }
}

/// The answers up to the path's question `count`, and what L1I has filled by then. Returns how many
/// those are.
std::size_t BlockRunner::put_answers(const NativePath& path, std::size_t count) {
    answered_ = 0;
    parent_ = nullptr;
    for (std::size_t number = 0; number != count; ++number) {
        answers_[number] = memo_.answer_of(*path.asked[number], *path.node->block);
    }
    for (const CodeQuestion& line : path.lines) {
        if (line.fills && line.number < count) {
            hart_.pipeline.tables().answer<Query::FetchLine>(line.physical, 0);
        }
    }
    return count;
}

} // namespace pes

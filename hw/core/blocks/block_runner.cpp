// SPDX-License-Identifier: Apache-2.0
// The loop over blocks and replay. Rare parts are noinline, which keeps the loop's registers free.
#include "hw/core/blocks/block_runner.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace pes {

namespace {

constexpr Cycle kFirstCycles = 1024; ///< states near cycle 0 could reach below it

// Entering and leaving the fast path costs as much as stepping a dozen instructions. Where it was
// left soon several times, around a CSR or an access that is stepped, it is tried less often.
constexpr std::uint64_t kWorthEntering = 12; ///< instructions
constexpr std::uint8_t kAvoidance = 16; ///< visits without a try, for each that was not worth it
constexpr std::uint8_t kPatience = 4 * kAvoidance;

/// A path that has been taken so often, and more often than the node's first, takes its place: the
/// first is read in one go, any other one from several places.
constexpr std::uint32_t kUsual = 4;
constexpr std::uint64_t kMostMoves = 256;

/// A comparison of what two registers have.
std::uint64_t answer_pair(const ArchState& arch, const Question& question) {
    const ValuePair pair = ValuePair::unpacked(question.subject, question.argument);
    const std::uint64_t one = arch.x[pair.one.base] + pair.one.offset;
    const std::uint64_t other = arch.x[pair.other.base] + pair.other.offset;
    const bool holds = question.query == Query::SameWord ? same_word(one, other)
                                                         : branches(pair.function, one, other);
    return holds ? 1 : 0;
}

std::uint64_t register_value(const ArchState& arch, const Question& question) {
    return arch.x[question.argument] + question.subject;
}

/// The parts of the node that has followed the last time, and the place of the one behind that:
/// they will be read soon, and are mostly not in the caches of the host.
[[gnu::always_inline]] inline void prefetch_next(const Node& node) {
    if (const Node* const next = node.followed_by) {
        constexpr std::size_t kLines = 2, kInLine = kHostLine / sizeof(Asked);
        __builtin_prefetch(next->block);
        __builtin_prefetch(next->block + 1); // its instructions
        __builtin_prefetch(next->first);
        for (std::size_t line = 0; line != kLines; ++line) {
            __builtin_prefetch(next->questions + line * kInLine);
        }
        __builtin_prefetch(next->followed_by);
    }
}

} // namespace

BlockRunner::BlockRunner(HartParts& parts, Stepper& stepper)
    : hart_(parts), stepper_(stepper),
      code_lines_(parts.pipeline.tables().code_lines(), parts.config.timing),
      counts_further_sources_((parts.config.sources - kBaseEvents).any()),
      kept_late_(parts.feed.pulses().kept_late()),
      memo_(parts.config.copied ? HostPages::Copies::Empty : HostPages::Copies::Whole),
      native_(make_native_code()) {
    if (parts.config.keeps_window()) {
        reports_.keep_steps();
    }
}

BlockRunner::~BlockRunner() = default;

// --- The loop -----------------------------------------------------------------------------------

void BlockRunner::run() {
    hart_.block_start.here = false;
    if (hart_.time.decode < no_room_until_) {
        limits_.refresh();
        if (limits_.hard() <= no_room_until_) {
            return;
        }
    }
    std::uint8_t& backoff = entry_backoff_[(hart_.arch().pc >> 1) % kEntries];
    if (backoff > kPatience) {
        --backoff;
        leave(LeftFor::Avoided);
        return;
    }
    Node* node = enter();
    if (node == nullptr) {
        return;
    }
    const std::uint64_t before = hart_.time.retired;
    ended_by_limit_ = false;
    replays_further_ = hart_.config.truth || records_jumps() || reports_.on();
    hart_.execution.set_mode(*this);
    const bool native = native_ && !records_jumps() && !hart_.halts.watching();
    while (node != nullptr) {
        node = native && NativeCode::goes_on(*node) ? run_native(*node) : run_block(*node);
    }
    hart_.execution.set_mode(stepper_);
    const bool worthwhile = hart_.time.retired - before >= kWorthEntering || ended_by_limit_;
    backoff = worthwhile ? 0 : static_cast<std::uint8_t>(backoff + kAvoidance);
    flush_events();
    statistics_.in_blocks += hart_.time.retired - before;
    if (hart_.time.decode >= hart_.feed.deadline()) { // a budget let them go on
        hart_.feed.bring_to_decode(hart_.time.decode);
    }
}

void BlockRunner::forget_all() {
    expand_truth();
    memo_.clear();
    if (native_) {
        native_->clear();
    }
    ++statistics_.memo_cleared;
}

/// The node of the block at the pc in the current state; null if the hart must step.
[[gnu::noinline]] Node* BlockRunner::enter() {
    if (hart_.time.decode < kFirstCycles || hart_.attention.due(hart_.time.decode) ||
        !reports_.begin()) {
        return nullptr;
    }
    if (memo_.bytes() > hart_.config.memo_memory || (reports_.on() && !reports_.keeps_steps())) {
        forget_all();
    }
    if (reports_.on()) {
        reports_.keep_steps();
    }
    const EventMask kept_late = hart_.feed.pulses().kept_late();
    if (hart_.halts.breakpoints() != breakpoints_ || kept_late != kept_late_) [[unlikely]] {
        forget_all();
        breakpoints_ = hart_.halts.breakpoints();
        kept_late_ = kept_late;
    }
    const bool in_page = hart_.code.in_page(hart_.arch().pc) || hart_.code.follow();
    const Block* const block = in_page ? source_.here() : nullptr;
    if (block == nullptr) {
        return leave(source_.why_none());
    }
    limits_.drop_budget();
    const Cycle end = hart_.time.decode + block->longest - code_lines_.spared(*block);
    if (!limits_.certain_until(end) && !limits_.refresh_budget(*block, end)) {
        no_room_until_ = limits_.hard();
        return leave(LeftFor::Limit);
    }
    hart_.pipeline.normalise();
    hart_.enter_page(hart_.code.page().global);
    PipelineState* const state = present_state();
    live_ = true;
    last_ = nullptr;
    return state == nullptr ? leave(LeftFor::NotKept) : &memo_.node(*block, *state);
}

/// Runs the node's block. Returns the following node, or null if the hart must step; pipeline and
/// log are up to date then.
Node* BlockRunner::run_block(Node& node) {
    const Block& block = *node.block;
    prefetch_next(node);
    if (hart_.time.decode + node.longest >= limits_.limit() && !extend_limit(node)) {
        return beginning_of(node);
    }
    if (!run_handlers(block)) {
        return run_stopped(node);
    }
    return finish_block(node, answer_all(node));
}

/// The system instruction at the end of the block may have let an interrupt through. It is sampled
/// in the decode of the next instruction, and a handler's write that takes it back is often seen by
/// then: behind a return, that is not before the refetch.
[[gnu::noinline]] Node* BlockRunner::behind_system(const Block& block, Outcome& outcome) {
    ArchState& arch = hart_.arch();
    if (hart_.attention.asked_now()) {
        const HartTime& time = hart_.time;
        const bool returns = block.instructions.back().timing == TimingClass::TrapReturn;
        hart_.interrupts.apply(returns ? time.last_retirement + hart_.config.timing.refetch_cycles()
                                       : time.decode,
                               arch.csr);
        if (arch.csr.pending_interrupt(arch.privilege)) {
            make_live(*outcome.state);
            return leave(LeftFor::Limit);
        }
    }
    Node* const next = known_next(outcome);
    return next != nullptr ? next : next_node(outcome);
}

/// The timing of a block whose handlers have run: the outcome for the answers, or null if one of
/// them is new. Returns as run_block().
[[gnu::always_inline]] inline Node* BlockRunner::finish_block(Node& node, Outcome* outcome) {
    HartParts& hart = hart_;
    const Block& block = *node.block;
    if (outcome != nullptr) {
        replay(block, *outcome);
    } else {
        outcome = record(node);
    }
    count_block(block, block.size());
    hart.arch().pc = hart.arch().next_pc;
    last_ = &block;
    if (outcome == nullptr) {
        return leave(LeftFor::NotKept);
    }
    if (block.system) [[unlikely]] {
        return behind_system(block, *outcome);
    }
    Node* const known = known_next(*outcome);
    Node* const next = known != nullptr ? known : next_node(*outcome);
    if (node.followed_by != next) {
        node.followed_by = next;
    }
    return next;
}

/// As finish_block(), of a block with a new answer, or where the questions before `asked` have been
/// answered.
[[gnu::noinline]] Node* BlockRunner::finish_new(Node& node) {
    return finish_block(node, nullptr);
}
[[gnu::noinline]] Node* BlockRunner::finish_answered(Node& node, Asked* asked,
                                                     std::size_t answered) {
    return finish_block(node, answer_from(node, asked, answered));
}

void BlockRunner::count_block(const Block& block, std::size_t instructions) {
    HartParts& hart = hart_;
    hart.time.retired += instructions;
    hart.time.block_ended = block.ends && instructions == block.size() ? hart.time.decode : 0;
    hart.history.passed(block.pc, static_cast<std::uint32_t>(instructions),
                        block.long_instructions);
}

[[gnu::always_inline]] inline void BlockRunner::replay(const Block& block, const Outcome& outcome) {
    live_ = false;
    HartTime& time = hart_.time;
    time.last_retirement = time.decode + outcome.last_retirement;
    time.decode += outcome.cycles;
    replayed_[replayed_count_++ % kReplayed] = &outcome;
    add_events(pending_.events.data(), outcome.events);
    if (outcome.has_more) [[unlikely]] {
        add_extra(Memo::extra(outcome));
    }
    if (replays_further_) [[unlikely]] {
        replay_further(block, outcome);
    }
    if (++pending_.blocks >= kFlushInterval) {
        flush_events();
    }
}

[[gnu::always_inline]] inline void BlockRunner::replay_further(const Block& block,
                                                               const Outcome& outcome) {
    if (hart_.config.truth) {
        ++memo_.charged(outcome).times;
    }
    if (records_jumps()) {
        record_jump(block, outcome);
    }
    if (reports_.on()) {
        reports_.tell(outcome);
        if (reports_.out_of_room()) {
            limits_.drop();
        }
    }
}

void BlockRunner::add_extra(const OutcomeExtra& extra) {
    add_events(pending_.events.data(), extra.more);
    if (extra.further != nullptr) {
        add_events(pending_.events.data() + kBaseBlockEvents, *extra.further);
    }
    add_events(pending_.decoded.data(), extra.decoded);
}

/// Of a block that has been replayed. What is recorded or stepped tells the records itself.
void BlockRunner::record_jump(const Block& block, const Outcome& outcome) {
    const Instruction& last = block.instructions.back();
    if (last.role == BlockRole::Last) {
        const bool taken = hart_.takes(last, branches_in_place(last) ? hart_.notes().next[-1] : 0);
        hart_.record_jump(last, taken, outcome.mispredicted, hart_.time.last_retirement);
    }
}

/// The node that followed the last time, if it is still valid; or null.
[[gnu::always_inline]] inline Node* BlockRunner::known_next(const Outcome& outcome) const {
    const HartParts& hart = hart_;
    const bool same = outcome.next != nullptr && hart.code.in_page(hart.arch().pc) &&
                      outcome.next->code_version == hart.code.page().version;
    return same ? outcome.next : nullptr;
}

[[gnu::noinline]] Node* BlockRunner::next_node(Outcome& outcome) {
    const bool in_page = hart_.code.in_page(hart_.arch().pc) || hart_.code.follow();
    const bool global = hart_.code.page().global;
    const bool other_context = in_page && hart_.truth && hart_.truth->enters_other_context(global);
    const Block* block = nullptr;
    if (in_page &&
        hart_.code.page().uniform_protection) { // the page may be another than the last time
        Node* const next = other_context ? nullptr : known_next(outcome);
        if (next != nullptr) {
            return next;
        }
        block = source_.here();
    }
    if (block == nullptr || memo_.bytes() > hart_.config.memo_memory) {
        hart_.block_start.here = block != nullptr; // to come back with an empty memo
        make_live(*outcome.state);
        return leave(block == nullptr ? source_.why_none() : LeftFor::FullMemo);
    }
    ++statistics_.nodes_looked_up;
    if (other_context) [[unlikely]] {
        make_live(*outcome.state);
        hart_.enter_page(global);
        PipelineState* const state = present_state();
        return state == nullptr ? leave(LeftFor::NotKept) : &memo_.node(*block, *state);
    }
    outcome.next = &memo_.node(*block, *outcome.state);
    return outcome.next;
}

/// The node's block could reach the limit, or needs a check. False: the hart must step.
[[gnu::noinline]] bool BlockRunner::extend_limit(const Node& node) {
    const Block& block = *node.block;
    if (block.across_pages && !source_.holds(block)) {
        return false;
    }
    Cycle end = hart_.time.decode + node.longest;
    if (node.longest == kLimitless) {
        end = hart_.time.decode + node.state->latest + block.longest;
        if (block.reserves) {
            end += hart_.pipeline.tables().wait_for_reservation(hart_.time.decode);
        }
    }
    if (end < limits_.limit()) {
        return true;
    }
    if (hart_.time.turn_is_over()) {
        return false;
    }
    if (limits_.has_budget_for(block, end)) {
        return true;
    }
    end -= code_lines_.spared(block);
    const Cycle world = limits_.refresh();
    if (end < limits_.hard()) {
        return true;
    }
    if (end >= world || limits_.passes_edge(end)) {
        return false; // whatever the counters say
    }
    make_live(*node.state);
    if (limits_.certain_until(end)) {
        return true;
    }
    return !limits_.has_budget() && limits_.refresh_budget(block, end);
}

/// The node's block could reach the limit: returns the node of its first instructions that cannot,
/// if they are enough to be worthwhile.
[[gnu::noinline]] Node* BlockRunner::beginning_of(Node& node) {
    constexpr std::size_t kWorthwhile = 3;
    const Block& block = *node.block;
    const Cycle from = hart_.time.decode + node.state->latest;
    const Cycle limit = hart_.time.turn_is_over() ? 0 : limits_.hard();
    const Cycle room = limit - std::min(from, limit);
    const std::size_t count = code_lines_.most_within(block, room);
    if (count < kWorthwhile || count == block.size()) {
        make_live(*node.state);
        ended_by_limit_ = true;
        no_room_until_ = limit;
        return leave(LeftFor::Limit);
    }
    const Block& part = source_.part(block, count, static_cast<BlockExtent>(count));
    return &memo_.node(part, *node.state);
}

// --- Handlers -----------------------------------------------------------------------------------

/// The functional side of a block. False if it stopped before an instruction.
bool BlockRunner::run_handlers(const Block& block) {
    HartParts& hart = hart_;
    hart.notes().begin();
    stop_ = Before::Stepping;
    hart.arch().pc = block.last_pc; // of the only instruction that asks for it
    hart.arch().next_pc = block.end;
    const Instruction* instruction = block.instructions.data();
    const Instruction* const end = instruction + block.size();
    for (; instruction != end; ++instruction) {
        instruction->execute(hart.execution, *instruction);
        if (hart.notes().done) [[unlikely]] {
            break;
        }
    }
    if (instruction == end) [[likely]] {
        return true;
    }
    stopped_at_ = static_cast<std::size_t>(instruction - block.instructions.data());
    return false;
}

// --- Timing -------------------------------------------------------------------------------------

/// The outcome for the answers of the tables; null if one of them is new. Much of the host time is
/// spent here, so it is inlined into the loop.
[[gnu::always_inline]] inline Outcome* BlockRunner::answer_all(Node& node) {
    answered_ = 0;
    parent_ = nullptr;
    return node.questions == nullptr ? nullptr : answer_from(node, node.questions, 0);
}

/// The same from the question `asked` on, before which `answered` others have been answered.
[[gnu::always_inline]] inline Outcome* BlockRunner::answer_from(Node& node, Asked* asked,
                                                                std::size_t answered) {
    HartParts& hart = hart_;
    const Block& block = *node.block;
    std::uint64_t* answers = answers_.data() + answered;
    bool on_first_path = answered == 0;
    for (; asked->query() != Query::End; ++asked) {
        const Reply reply = answer_again(block, *asked);
        *answers++ = reply.now;
        if (reply.now != reply.before) [[unlikely]] {
            const Memo::Found found = memo_.with_answer(*asked, block, reply.now);
            asked = &found.asked;
            on_first_path = false;
            if (!found.has_it) {
                note_new_answer(block, *asked, static_cast<std::size_t>(answers - answers_.data()));
                return nullptr;
            }
        }
    }
    const std::uint64_t times = ++Memo::times_taken(*asked), after = hart.config.jit_after;
    if (times == after || times == NativeCode::kOften * after) [[unlikely]] {
        make_native(node);
    }
    if (!on_first_path && times <= kMostMoves && std::has_single_bit(times)) [[unlikely]] {
        return move_to_front(node, *asked, static_cast<std::size_t>(answers - answers_.data()));
    }
    return &Memo::outcome(*asked);
}

/// The path with these answers, up to `end`, becomes the node's first if it is the usual one.
[[gnu::noinline]] Outcome* BlockRunner::move_to_front(Node& node, Asked& end,
                                                      std::size_t answered) {
    const std::uint32_t times = Memo::times_taken(end);
    const bool usual = node.native == 0 && times >= kUsual && times > Memo::times_first_taken(node);
    return usual ? &memo_.put_first(node, std::span(answers_).first(answered))
                 : &Memo::outcome(end);
}

/// The last of `answered` questions has another answer in the tree.
[[gnu::noinline]] void BlockRunner::note_new_answer(const Block& block, Asked& last,
                                                    std::size_t answered) {
    parent_ = &last;
    answered_ = answered;
    if (memo_.question(last, block).query == Query::CodeAt) { // it is not asked any more
        parent_ = nullptr;
        --answered_;
    }
}

Outcome* BlockRunner::recall(Node& node) {
    return answer_all(node);
}

void BlockRunner::pass_by(const Block& block, const Outcome& outcome) {
    replay(block, outcome);
}

template <Query Q>
[[gnu::always_inline]] inline Reply BlockRunner::ask_again(const Block& block, Asked asked) {
    const std::uint64_t subject =
        asks_about_access(Q) ? hart_.notes().facts[operand_of(asked)] : subject_of<Q>(asked, block);
    return {.now = hart_.pipeline.tables().answer<Q>(subject, argument_of<Q>(asked, block)),
            .before = answer_of<Q>(asked, block)};
}

/// What is asked often, with its packing known to the compiler.
[[gnu::always_inline]] inline Reply BlockRunner::answer_again(const Block& block, Asked asked) {
    switch (asked.query()) {
    case Query::NextPc:
        return {.now = hart_.arch().next_pc, .before = answer_of<Query::NextPc>(asked, block)};
    case Query::FetchLine:
        return ask_again<Query::FetchLine>(block, asked);
    case Query::HasFetchLine:
        return ask_again<Query::HasFetchLine>(block, asked);
    case Query::ReadLine:
        return ask_again<Query::ReadLine>(block, asked);
    case Query::ConflictingStore:
        return ask_again<Query::ConflictingStore>(block, asked);
    case Query::BufferedWord:
        return ask_again<Query::BufferedWord>(block, asked);
    case Query::BufferedLine:
        return ask_again<Query::BufferedLine>(block, asked);
    case Query::PushWrite:
        return ask_again<Query::PushWrite>(block, asked);
    case Query::BranchDirection:
        return ask_again<Query::BranchDirection>(block, asked);
    case Query::SendBranch:
        return ask_again<Query::SendBranch>(block, asked);
    case Query::UpdatesArrive:
        return ask_again<Query::UpdatesArrive>(block, asked);
    case Query::JumpTarget:
        return ask_again<Query::JumpTarget>(block, asked);
    case Query::PopReturn:
        return ask_again<Query::PopReturn>(block, asked);
    case Query::PushReturn:
        return ask_again<Query::PushReturn>(block, asked);
    case Query::SendJump:
        return ask_again<Query::SendJump>(block, asked);
    case Query::Apart: {
        const Question& question = memo_.apart(asked);
        return {.now = answer(question), .before = question.answer};
    }
    default:
        return answer_other(block, asked);
    }
}

/// As answer_again().
[[gnu::noinline]] Reply BlockRunner::answer_other(const Block& block, Asked asked) {
    const Question question = memo_.question(asked, block);
    return {.now = answer(question), .before = question.answer};
}

[[gnu::noinline]] std::uint64_t BlockRunner::answer(const Question& question) {
    HartParts& hart = hart_;
    const ArchState& arch = hart.arch();
    switch (question.query) {
    case Query::NextPc:
        return arch.next_pc;
    case Query::Noted:
        return hart.notes().facts[question.operand];
    case Query::FloatUse:
        return static_cast<std::uint64_t>(arch.csr.float_use());
    case Query::RegisterValue:
        return register_value(arch, question);
    case Query::SameWord:
    case Query::BranchTaken:
        return answer_pair(arch, question);
    case Query::DataAt: {
        const auto at = hart.code.data_at(register_value(arch, question));
        hart.notes().facts[question.operand] = at.value_or(0);
        return at ? 1 : 0;
    }
    case Query::DeviceAccess:
        return access_device(hart.time.decode + question.argument);
    case Query::CounterRead:
        return read_counter_at(hart.time.decode + question.argument, Memo::lead(question.subject));
    case Query::CodeAt:
        return hart.code.instruction_at(question.subject) != nullptr ? 1 : 0;
    case Query::CodePage:
        return hart.code.code_page(question.subject)
            .value_or(CodePage{.version = Tables::kNoPage})
            .version;
    case Query::Walk:
        return answer_walk();
    default:
        return hart.pipeline.tables().answer(
            question.query,
            asks_about_access(question.query) ? hart.notes().facts[question.operand]
                                              : question.subject,
            question.argument + (is_timed(question.query) ? hart.time.decode : 0));
    }
}

} // namespace pes

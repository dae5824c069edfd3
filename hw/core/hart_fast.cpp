// SPDX-License-Identifier: Apache-2.0
// The fast path: basic blocks whose timing is known from an earlier run.
//
// A block's handlers run first and note what they did: physical addresses, operands that matter,
// the next pc. Then the questions that the pipeline asked when it saw this block in this state are
// put to the tables again (memo.h). If all answers are known, so are the cycles, the events and the
// state that follows, and the next block begins. If one is new, the pipeline itself goes through
// the block, with the answers given so far, and the rest is added to what is known.
//
// The pipeline and its log stay where they were while blocks are looked up; before they are used
// again they are restored from the words of the state. A block is only begun if its last decode
// cycle is certain to lie before anything that could interrupt it. What the handlers cannot do
// ahead of time stops the block before that instruction: an access to a device or a read of a
// counter, which end a block (hart_fast_alone.cpp), a page walk or a trap, which are stepped.
#include "hw/core/hart.h"
#include "hw/core/timing/timing_state.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <memory>

namespace pes {

namespace {

constexpr Address kPageMask = ~Address{0xFFF};
constexpr Address kLastParcel = 0xFFE;      ///< offset of a page's last 16 bits
constexpr unsigned kFlushInterval = 64;     ///< blocks
constexpr std::uint16_t kMostEvents = 1000; ///< times the interval fits in 16 bits
constexpr Cycle kFirstCycles = 1024;        ///< states near cycle 0 could reach below it

// To enter and leave the fast path costs as much as to step some 25 instructions. Where it has been
// left soon several times, in a loop around a fence, an AMO or a CSR, it is tried rarely.
constexpr std::uint64_t kWorthEntering = 24; ///< instructions
constexpr std::uint8_t kAvoidance = 16; ///< visits without a try, for each that was not worth it
constexpr std::uint8_t kPatience = 4 * kAvoidance;

#ifdef NDEBUG
constexpr bool kCheckAlways = false;
#else
constexpr bool kCheckAlways = true; ///< what matters near a limit only
#endif

EventTotals widened(const BlockEvents& events) {
    EventTotals totals{.events = {}, .retired = events[kRetiredEvents]};
    std::copy_n(events.begin() + 1, kEventCount - 1, totals.events.begin() + 1);
    return totals;
}

/// False if a count is too large to be kept.
bool narrow(const EventTotals& before, const EventTotals& after, BlockEvents& events) {
    std::uint64_t most = after.retired - before.retired;
    events[kRetiredEvents] = static_cast<std::uint16_t>(most);
    for (std::size_t source = 1; source < kEventCount; ++source) {
        const std::uint64_t count = after.events[source] - before.events[source];
        most = std::max(most, count);
        events[source] = static_cast<std::uint16_t>(count);
    }
    return most <= kMostEvents;
}

template <std::size_t First, std::size_t End>
void add_events(BlockEvents& sum, const BlockEvents& more) {
    for (std::size_t index = First; index < End; ++index) {
        sum[index] = static_cast<std::uint16_t>(sum[index] + more[index]);
    }
}

} // namespace

// --- The loop -----------------------------------------------------------------------------------

void Hart::run_blocks() {
    block_begins_ = false;
    std::uint8_t& disappointment = fast_.disappointments[(pc_ >> 1) % FastPath::kEntries];
    if (disappointment > kPatience) {
        --disappointment;
        return;
    }
    Node* node = enter_blocks();
    if (node == nullptr) {
        return;
    }
    const std::uint64_t before = retired_;
    fast_.ended_by_limit = false;
    while (node != nullptr) {
        node = run_block(*node);
    }
    const bool worthwhile = retired_ - before >= kWorthEntering || fast_.ended_by_limit;
    disappointment = worthwhile ? 0 : static_cast<std::uint8_t>(disappointment + kAvoidance);
    flush_events();
    if (decode_ >= feed_.deadline()) { // has_room() let them go on
        feed_.bring_to_decode(decode_);
    }
}

/// The node of the block at pc_ in the present state; null if stepping has to go on.
Node* Hart::enter_blocks() {
    if (!observers_.empty() || decode_ < kFirstCycles || attention_.due(decode_)) {
        return nullptr;
    }
    if (fast_.memo.bytes() > FastPath::kMemoBytes) {
        fast_.memo.clear();
    }
    const bool in_page = (pc_ & kPageMask) == fetch_page_.virtual_page || follow_to_page();
    const Block* const block = in_page ? block_here() : nullptr;
    if (block == nullptr) {
        return nullptr;
    }
    fast_.promised = 0;
    const Cycle end = decode_ + block->longest;
    if (!certain_until(end) && !learn_room(*block, end)) {
        return nullptr;
    }
    pipeline_.normalise();
    const PipelineState* const state = present_state();
    fast_.live = true;
    return state == nullptr ? nullptr : &fast_.memo.node(*block, *state);
}

/// Runs the node's block. Returns the node that follows, or null if stepping goes on: pipeline and
/// log are where the hart is then.
Node* Hart::run_block(Node& node) {
    const Block& block = *node.block;
    if (decode_ + node.longest >= fast_.limit && !extend_limit(node)) {
        return run_beginning(node);
    }
    if (!run_handlers(block)) {
        return run_stopped(node);
    }
    Outcome* const outcome = finish_block(node);
    if (outcome == nullptr) {
        return nullptr;
    }
    Node* const next = known_next(*outcome);
    return next != nullptr ? next : next_node(*outcome);
}

/// The timing of a block whose handlers have run. Null if the memo cannot hold it: pipeline and log
/// are behind it then.
[[gnu::always_inline]] inline Outcome* Hart::finish_block(Node& node) {
    Outcome* outcome = answer_all(node);
    if (outcome != nullptr) {
        replay(*outcome);
    } else {
        outcome = record(node);
    }
    count_block(*node.block, node.block->size());
    pc_ = next_pc_;
    fast_.last = node.block;
    return outcome;
}

void Hart::count_block(const Block& block, std::size_t instructions) {
    retired_ += instructions;
    history_.passed(block.pc, static_cast<std::uint32_t>(instructions), block.long_instructions);
}

[[gnu::always_inline]] inline void Hart::replay(const Outcome& outcome) {
    fast_.live = false;
    last_retirement_ = decode_ + outcome.last_retirement;
    decode_ += outcome.cycles;
    add_events<0, kBaseBlockEvents>(fast_.events, outcome.events);
    if ((config_.sources - kBaseEvents).any()) [[unlikely]] {
        add_events<kBaseBlockEvents, std::tuple_size_v<BlockEvents>>(fast_.events, outcome.events);
    }
    if (++fast_.unflushed == kFlushInterval) {
        flush_events();
    }
}

/// What followed the last time, if it still does; or null.
[[gnu::always_inline]] inline Node* Hart::known_next(const Outcome& outcome) const {
    const bool same = outcome.next != nullptr && (pc_ & kPageMask) == fetch_page_.virtual_page &&
                      (outcome.next->block->physical & kPageMask) == fetch_page_.physical_page;
    return same ? outcome.next : nullptr;
}

Node* Hart::next_node(Outcome& outcome) {
    const bool in_page = (pc_ & kPageMask) == fetch_page_.virtual_page || follow_to_page();
    const Block* block = nullptr;
    if (in_page && fetch_page_.uniform_protection) { // the page may be another than the last time
        if (Node* const next = known_next(outcome)) {
            return next;
        }
        block = block_here();
    }
    if (block == nullptr || fast_.memo.bytes() > FastPath::kMemoBytes) {
        block_begins_ = block != nullptr; // to come back with an empty memo
        make_live(*outcome.state);
        return nullptr;
    }
    outcome.next = &fast_.memo.node(*block, *outcome.state);
    return outcome.next;
}

/// The page of pc_ without a page walk, as fetch() would enter it.
bool Hart::follow_to_page() {
    Address physical = pc_ & kPageMask;
    if (privilege_ != Privilege::Machine && csr_.translation_on()) {
        if (!mmu_.needs_no_walk(pc_, Access::Fetch)) {
            return false;
        }
        const Translation translation = mmu_.translate(pc_, Access::Fetch, privilege_);
        if (translation.fault) {
            return false;
        }
        physical = translation.physical & kPageMask;
    }
    const FetchPage& known = recent_pages_[(pc_ >> 12) % recent_pages_.size()];
    if (known.virtual_page == (pc_ & kPageMask) && known.physical_page == physical) {
        fetch_page_ = known;
        fetch_page_.walk = nullptr;
        return true;
    }
    return open_fetch_page(physical, nullptr);
}

// --- Blocks -------------------------------------------------------------------------------------

/// Null if there is none: the instruction is not one for blocks, or not decoded yet.
const Block* Hart::block_here() {
    if ((pc_ & kPageMask) != fetch_page_.virtual_page || !fetch_page_.uniform_protection) {
        return nullptr;
    }
    const Address physical = fetch_page_.physical_page | (pc_ & ~kPageMask);
    const Block* block = fast_.memo.find_block(pc_, physical);
    if (block == nullptr) {
        block = build_block(physical);
    }
    return block == nullptr || block->instructions.empty() ? nullptr : block;
}

/// Only from instructions that stepping has decoded, so that both paths decode at the same moment.
const Block* Hart::build_block(Address physical) {
    Block block{.pc = pc_, .physical = physical};
    Address offset = pc_ & ~kPageMask;
    while (block.size() < Block::kMaximum && offset <= ~kPageMask) {
        const Instruction& instruction = fetch_page_.decoded->slots[offset / 2];
        if (instruction.execute == nullptr) {
            if (offset != kLastParcel) {
                return nullptr;
            }
            if (block.size() == 0) {
                return build_block_across_pages(physical);
            }
            break; // if it goes on in the next page, its slot stays empty
        }
        if (instruction.role == BlockRole::Outside) {
            break;
        }
        append(block, instruction, pc_ + (offset - (pc_ & ~kPageMask)), config_.timing);
        offset += instruction.length;
        if (instruction.role != BlockRole::Inside) {
            break;
        }
    }
    return &fast_.memo.add_block(std::move(block));
}

/// The functional side of a block. False if it stopped before an instruction.
bool Hart::run_handlers(const Block& block) {
    mode_ = Mode::Blocks;
    done_ = false;
    fast_.stop = FastPath::Stop::BeforeStepping;
    fact_ = facts_.data();
    pc_ = block.last_pc; // of the only instruction that asks for it
    next_pc_ = block.end;
    const Instruction* instruction = block.instructions.data();
    const Instruction* const end = std::to_address(block.instructions.end());
    for (; instruction != end; ++instruction) {
        instruction->execute(*this, *instruction);
        if (done_) [[unlikely]] {
            break;
        }
    }
    mode_ = Mode::Stepping;
    if (instruction == end) [[likely]] {
        return true;
    }
    stopped_at_ = static_cast<std::size_t>(instruction - block.instructions.data());
    return false;
}

Node* Hart::run_stopped(Node& node) {
    switch (fast_.stop) {
    case FastPath::Stop::BeforeDevice:
        if (node.block->across_pages) {
            break; // no part of it, and rare
        }
        return run_to_device(node);
    case FastPath::Stop::BeforeCounterRead:
        return run_last(node);
    case FastPath::Stop::BeforeStepping:
        break;
    }
    stop_inside(node);
    return nullptr;
}

/// The instructions before the one that stopped the block have happened and get their time.
void Hart::stop_inside(const Node& node) {
    const Block& block = *node.block;
    make_live(*node.state);
    block_due_ = true;
    pc_ = block.pc;
    if (stopped_at_ == 0) {
        return;
    }
    time_block(block, stopped_at_, nullptr);
    pc_ = block.pc;
    for (std::size_t index = 0; index < stopped_at_; ++index) {
        pc_ += block.instructions[index].length;
    }
    last_retirement_ = pipeline_.last_retirement();
    count_block(block, stopped_at_);
}

// --- Timing -------------------------------------------------------------------------------------

/// What follows from the answers of the tables; null if one of them is new. A good part of all host
/// time goes by in here, so the loop of blocks has it inside.
[[gnu::always_inline]] inline Outcome* Hart::answer_all(const Node& node) {
    fast_.answered = 0;
    fast_.parent = 0;
    std::uint32_t index = node.questions;
    if (index == 0) {
        return nullptr;
    }
    Asked* const questions = fast_.memo.questions();
    std::uint64_t* answers = fast_.answers.data();
    for (;; ++index) {
        Asked* asked = &questions[index];
        if (asked->query == Query::End) {
            return &fast_.memo.outcome(*asked);
        }
        const std::uint64_t answer = answer_again(*asked);
        *answers++ = answer;
        while (asked->answer != answer)
            [[unlikely]] {
                if (asked->other == 0) {
                    note_new_answer(index,
                                    static_cast<std::size_t>(answers - fast_.answers.data()));
                    return nullptr;
                }
                index = asked->other;
                asked = &questions[index];
            }
    }
}

/// Of `answered` questions, the last one in the tree at `index`.
void Hart::note_new_answer(std::uint32_t index, std::size_t answered) {
    fast_.parent = index;
    fast_.answered = answered;
    if (fast_.memo.questions()[index].query == Query::CodeAt) { // it is not asked any more
        fast_.parent = 0;
        --fast_.answered;
    }
}

Outcome* Hart::recall(const Node& node) {
    return answer_all(node);
}

void Hart::pass_by(const Outcome& outcome) {
    replay(outcome);
}

[[gnu::always_inline]] inline std::uint64_t Hart::answer_again(Asked& asked) {
    Tables& tables = pipeline_.tables();
    const auto remember = [&tables](Asked& question, bool same) {
        question.argument = same ? tables.fetch_fills() : 0;
    };
    const std::uint64_t fact = facts_[asked.operand];
    switch (asked.query) {
    case Query::NextPc:
        return next_pc_;
    case Query::Noted:
        return fact;
    case Query::DeviceAccess:
        return access_device(decode_ + asked.argument);
    case Query::CounterRead:
        return read_counter_at(decode_ + asked.argument, fast_.memo.lead(asked.subject));
    case Query::CodeAt:
        return instruction_at(asked.subject) != nullptr ? 1 : 0;
    case Query::CodePage:
        return code_page(asked.subject).value_or(Tables::kNoPage);
    case Query::FetchLine:
        if (asked.argument == tables.fetch_fills()) {
            return asked.answer;
        } else {
            const std::uint64_t lookup = tables.answer<Query::FetchLine>(asked.subject, 0);
            remember(asked,
                     lookup == static_cast<std::uint64_t>(Lookup::Hit) && lookup == asked.answer);
            return lookup;
        }
    case Query::HasFetchLine:
        if (asked.argument == tables.fetch_fills()) {
            return asked.answer;
        } else {
            const std::uint64_t present = tables.answer<Query::HasFetchLine>(asked.subject, 0);
            remember(asked, present == asked.answer);
            return present;
        }
    case Query::ReadLine:
        return tables.answer<Query::ReadLine>(fact, 0);
    case Query::ConflictingStore:
        return tables.answer<Query::ConflictingStore>(fact, asked.argument);
    case Query::BufferedWord:
        return tables.answer<Query::BufferedWord>(fact, asked.argument);
    case Query::BufferedLine:
        return tables.answer<Query::BufferedLine>(fact, asked.argument);
    case Query::PushStore:
        return tables.answer<Query::PushStore>(fact, 0);
    case Query::PushWrite:
        return tables.answer<Query::PushWrite>(fact, asked.argument);
    case Query::BranchDirection:
        return tables.answer<Query::BranchDirection>(asked.subject, asked.argument);
    case Query::SendBranch:
        return tables.answer<Query::SendBranch>(asked.subject, asked.argument);
    case Query::UpdatesArrive:
        return tables.answer<Query::UpdatesArrive>(asked.subject, 0);
    default:
        return tables.answer(asked.query, asked.subject, asked.argument);
    }
}

/// Takes the block through the pipeline and adds what it asked to the memo. Null if the memo cannot
/// hold it.
Outcome* Hart::record(Node& node) {
    begin_recording(node);
    time_block(*node.block, node.block->size(), &fast_.tape);
    return end_recording(node);
}

void Hart::begin_recording(const Node& node) {
    make_live(*node.state);
    fast_.begin = decode_;
    fast_.before = feed_.pulses().totals_through(kNever);
    fast_.tape.rewind(std::span(fast_.answers).first(fast_.answered));
    pipeline_.tables().set_tape(&fast_.tape);
}

Outcome* Hart::end_recording(Node& node) {
    pipeline_.normalise();
    pipeline_.tables().set_tape(nullptr);
    last_retirement_ = pipeline_.last_retirement();
    const bool too_long = decode_ - fast_.begin > node.longest;
    if (decode_ >= std::max(fast_.limit, fast_.promised) || (kCheckAlways && too_long)) {
        std::abort(); // Block::longest promised that this cannot be
    }
    node.longest = std::max(node.longest, decode_ - fast_.begin);
    Outcome outcome{.state = present_state(),
                    .cycles = static_cast<std::uint32_t>(decode_ - fast_.begin),
                    .last_retirement = static_cast<std::uint32_t>(last_retirement_ - fast_.begin)};
    const bool fits = narrow(fast_.before, feed_.pulses().totals_through(kNever), outcome.events);
    const std::span<const Asked> asked = fast_.tape.asked();
    if (outcome.state == nullptr || !fits || asked.size() >= FastPath::kQuestions ||
        fast_.tape.spoilt()) {
        return nullptr;
    }
    const std::size_t known = fast_.parent == 0 ? 0 : fast_.answered - 1;
    return &fast_.memo.add(node, fast_.parent, asked, known, outcome);
}

/// The timing side of the first `count` instructions, after their handlers.
void Hart::time_block(const Block& block, std::size_t count, Tape* tape) {
    Address pc = block.pc;
    std::uint8_t operand = 0;
    walk_ = nullptr;
    cacheable_ = true;
    device_latency_ = 0;
    for (std::size_t index = 0; index < count; ++index) {
        const Instruction& instruction = block.instructions[index];
        const Address physical = block.physical + (pc - block.pc);
        decode_ = pipeline_.fetch(pc, physical, instruction.length, nullptr);
        feed_.settle_before(decode_);
        pipeline_.issue(instruction);
        const std::uint64_t fact = facts_[operand];
        const TimingClass timing = instruction.timing;
        const bool access = timing == TimingClass::Load || timing == TimingClass::Store;
        if (tape != nullptr) {
            tape->set_operand(operand);
            if (notes_operands(instruction)) {
                tape->fact(Query::Noted, 0, fact);
            }
            if (instruction.role == BlockRole::Last) {
                tape->fact(Query::NextPc, 0, next_pc_);
            }
        }
        pc_ = pc;
        retire(instruction, fact);
        operand += access || notes_operands(instruction) ? 1 : 0;
        pc += instruction.length;
    }
}

const PipelineState* Hart::present_state() {
    StateWriter writer(decode_, fast_.words);
    pipeline_.relative_state(writer, decode_, decode_ - CounterFeed::kMarkDistance + 1);
    return writer.complete() ? &fast_.memo.intern(fast_.words, writer.latest() - decode_) : nullptr;
}

/// Brings pipeline and log to where the hart is: behind the last block, in `state`.
void Hart::make_live(const PipelineState& state) {
    flush_events();
    if (fast_.live) {
        return;
    }
    StateReader reader(decode_, state.words);
    pipeline_.relative_state(reader, decode_, decode_ - CounterFeed::kMarkDistance + 1);
    const Block& last = *fast_.last;
    pipeline_.place({.pc = last.last_pc,
                     .physical = last.physical + (last.last_pc - last.pc),
                     .length = static_cast<unsigned>(last.end - last.last_pc)});
    fast_.live = true;
}

void Hart::flush_events() {
    if (fast_.unflushed != 0) {
        feed_.pulses().add(widened(fast_.events));
        fast_.events = {};
        fast_.unflushed = 0;
    }
}

} // namespace pes

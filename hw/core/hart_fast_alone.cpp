// SPDX-License-Identifier: Apache-2.0
// Loads from and stores to devices and reads of counters on the fast path: each ends a block, since
// what comes of it depends on the cycle. That cycle follows from the
// pipeline's state and the answers of the tables, so the memo knows it.
//
// A device: how long it takes is one more answer, and the question is put to the device itself,
// once, in that cycle. What a device may change is looked at again behind the access: interrupts,
// the horizon, observers, a hold. Such an access is stepped where it cannot be told ahead of time:
// if the counters have to be brought forward first, if it waits for the one before, or if a
// neighbour shares the devices.
//
// A counter: the bank is brought to the cycle before the read. How much of the block's own pulses
// and of those before it that holds is the same whenever the block runs in this state, so it is in
// the memo too. It is stepped if the bank has to tick.
//
// And an instruction that lies across two pages, which depends on what the second page is.
#include "hw/core/decode.h"
#include "hw/core/hart.h"

#include <cstring>

namespace pes {

/// The node's block has stopped before an access, which is done as well.
Node* Hart::run_to_device(Node& node) {
    Node& part = part_to_device(node);
    if (decode_ + part.longest >= fast_.limit && !extend_limit(part)) {
        fast_.ended_by_limit = true;
        stop_inside(node);
        return nullptr;
    }
    *fact_ = fast_.access.physical;
    Node* const next = run_last(part);
    if (attention_.asked_now()) { // the access has moved what limits the hart
        fast_.limit = 0;
        fast_.promised = 0;
    }
    return next;
}

/// Of the instructions of the block up to and including the access.
Node& Hart::part_to_device(Node& node) {
    if (node.to_device == nullptr || node.stopped_at != stopped_at_) {
        const Block& block = *node.block;
        const auto count = static_cast<BlockExtent>(stopped_at_) + 1;
        const Block& part = part_of(block.pc, block.physical, count, kToDevice + count);
        node.to_device = &fast_.memo.node(part, *node.state);
        node.stopped_at = count - 1;
    }
    return *node.to_device;
}

/// The node of a block whose last handler has stopped before what it shall do in its cycle.
Node* Hart::run_last(Node& node) {
    const Block& block = *node.block;
    fast_.ordinary = true;
    pc_ = block.last_pc; // for a device that asks
    Outcome* const outcome = recall(node);
    if (outcome == nullptr) {
        return step_last(node);
    }
    const Instruction& last = block.instructions.back();
    take_what_came(last);
    pass_by(*outcome);
    count_block(block, block.size());
    pc_ = block.end;
    fast_.last = &block;
    return next_node(*outcome);
}

/// What the instruction does with what came of its access or read. Of a read that is all it does.
void Hart::take_what_came(const Instruction& last) {
    if (fast_.read.made) {
        x(last.rd) = fast_.read.value;
    } else {
        mode_ = Mode::Blocks;
        last.execute(*this, last);
        mode_ = Mode::Stepping;
    }
    forget_what_came();
}

void Hart::forget_what_came() {
    fast_.access.made = false;
    fast_.read.made = false;
}

/// The latency of the device that the access in hand reaches in cycle `at`.
std::uint64_t Hart::access_device(Cycle at) {
    if (at < last_device_access_ || !feed_.quiet_through(at - 1)) {
        fast_.ordinary = false;
        return FastPath::kNoAnswer;
    }
    last_device_access_ = at;
    make_access(fast_.access, at);
    fast_.ordinary = fast_.access.result.status == BusStatus::Ok && observers_.empty();
    return fast_.ordinary ? fast_.access.result.latency : FastPath::kNoAnswer;
}

/// Takes the block through the pipeline, its last instruction with its handler, which makes the
/// access or the read if recall() has not, and adds what it asked to the memo.
Node* Hart::step_last(Node& node) {
    const Block& block = *node.block;
    const Instruction& instruction = block.instructions.back();
    begin_recording(node);
    if (block.size() > 1) {
        time_block(block, block.size() - 1, &fast_.tape);
        last_retirement_ = pipeline_.last_retirement();
        count_block(block, block.size() - 1);
    }
    pc_ = block.last_pc;
    fast_.tape.set_operand(static_cast<std::uint8_t>(fact_ - facts_.data()));
    const Address physical = block.physical + (pc_ - block.pc);
    decode_ = pipeline_.fetch(pc_, physical, instruction.length, nullptr);
    feed_.settle_before(decode_);
    block_due_ = true;
    current_ = &instruction;
    run_instruction();
    forget_what_came();
    fast_.last = &block;
    if (done_ || !fast_.ordinary || !observers_.empty()) {
        pipeline_.tables().set_tape(nullptr);
        return nullptr;
    }
    Outcome* const outcome = end_recording(node);
    return outcome == nullptr ? nullptr : next_node(*outcome);
}

/// Instructions at a place that has been decoded, as a block.
const Block& Hart::part_of(Address pc, Address physical, std::size_t count, BlockExtent extent) {
    if (const Block* const known = fast_.memo.find_block(pc, physical, extent)) {
        return *known;
    }
    Block block{.pc = pc, .physical = physical};
    for (Address at = pc; block.size() < count;) {
        const Instruction& instruction = *instruction_at(physical + (at - pc)); // it is decoded
        append(block, instruction, at, config_.timing);
        at += instruction.length;
    }
    if (extent > kToDevice) {
        block.most.fill(Block::kUncounted); // a device may take any time
    }
    return fast_.memo.add_block(std::move(block), extent);
}

/// One instruction that goes on in the next page. Stepping decodes it each time, since either page
/// may be remapped; so its nodes are looked at again each time too (extend_limit()).
const Block* Hart::build_block_across_pages(Address physical) {
    const std::optional<std::uint32_t> word = word_across_pages(physical);
    if (!word) {
        return nullptr;
    }
    const Instruction instruction = decode(*word, config_.sources);
    const bool fits = instruction.role == BlockRole::Inside || instruction.role == BlockRole::Last;
    if (!fits) {
        return nullptr;
    }
    Block block{.pc = pc_, .physical = physical, .across_pages = true};
    append(block, instruction, pc_, config_.timing);
    return &fast_.memo.add_block(std::move(block));
}

/// The instruction of 32 bits there, if it is plain that it may be executed: addresses are not
/// translated.
std::optional<std::uint32_t> Hart::word_across_pages(Address physical) {
    const bool translated = privilege_ != Privilege::Machine && csr_.translation_on();
    const bool ahead = memory_.written_late(physical, 4);
    const std::byte* const bytes =
        translated || ahead ? nullptr : memory_.find(physical, 4, decode_);
    if (bytes == nullptr || !config_.memory.contains(physical + 2) ||
        !csr_.pmp().allows(physical, 2, Access::Fetch, privilege_) ||
        !csr_.pmp().allows(physical + 2, 2, Access::Fetch, privilege_)) {
        return std::nullopt;
    }
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return length_of(static_cast<std::uint16_t>(word)) == 4 ? std::optional(word) : std::nullopt;
}

} // namespace pes

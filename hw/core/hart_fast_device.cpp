// SPDX-License-Identifier: Apache-2.0
// Loads from and stores to devices on the fast path.
//
// An access is a block of its own, behind what its block had done before. When it reaches the
// device follows from the pipeline's state and the answers of the tables, so the memo knows it; how
// long the device takes is one more answer, and the question is put to the device itself, once, in
// that cycle. What a device may change is looked at again behind the access: interrupts, the
// horizon, observers, a hold.
//
// Such an access is stepped where it cannot be told ahead of time: if the counters have to be
// brought forward first, if it waits for the one before, or if a neighbour shares the devices.
#include "hw/core/hart.h"

namespace pes {

namespace {

constexpr std::uint64_t kNoAnswer = ~std::uint64_t{0}; ///< no latency: 32 bits
constexpr Address kPageOffset = 0xFFF;

} // namespace

/// The node's block has stopped before an access, which is done as well.
Node* Hart::run_to_device(Node& node) {
    const Block& block = *node.block;
    const PipelineState* state = node.state;
    pc_ = block.pc;
    if (stopped_at_ != 0) {
        const Block& part =
            part_of(block.pc, block.physical, stopped_at_, static_cast<BlockExtent>(stopped_at_));
        next_pc_ = part.end;
        const Outcome* const outcome = finish_part(fast_.memo.node(part, *state));
        if (outcome == nullptr) {
            stopped_inside_ = true;
            return nullptr;
        }
        state = outcome->state;
    }
    const Address physical = block.physical + (pc_ - block.pc);
    const Block& access = part_of(pc_, physical, 1, kDeviceAccess);
    return run_device_access(fast_.memo.node(access, *state));
}

Node* Hart::run_device_access(Node& node) {
    if (decode_ + node.longest >= fast_.limit && !extend_limit(node)) {
        stopped_inside_ = true;
        return nullptr;
    }
    fast_.ordinary = true;
    facts_[0] = fast_.access.physical;
    Outcome* const outcome = recall(node);
    if (outcome == nullptr) {
        return step_device_access(node);
    }
    const Block& block = *node.block;
    run_handlers(block); // with what came of the access
    fast_.access.made = false;
    pass_by(*outcome);
    count_block(block, block.size());
    pc_ = block.end;
    fast_.last = &block;
    fast_.limit = 0;
    fast_.promised = 0;
    return next_node(*outcome);
}

/// The latency of the device that the access in hand reaches in cycle `at`.
std::uint64_t Hart::access_device(Cycle at) {
    if (at < last_device_access_ || at - 1 - bank_.now() > bank_.safe_cycles()) {
        fast_.ordinary = false;
        return kNoAnswer;
    }
    last_device_access_ = at;
    make_access(fast_.access, at);
    fast_.ordinary = fast_.access.result.status == BusStatus::Ok && observers_.empty();
    return fast_.ordinary ? fast_.access.result.latency : kNoAnswer;
}

/// Takes the access through the pipeline, and makes it if recall() has not, and adds what it asked
/// to the memo.
Node* Hart::step_device_access(Node& node) {
    const Block& block = *node.block;
    const Instruction& instruction = block.instructions.front();
    begin_recording(node);
    const EventTotals before = pulses_.totals_through(kNever);
    fast_.tape.set_operand(0);
    decode_ = pipeline_.fetch(pc_, block.physical, instruction.length, nullptr);
    settle_pulses();
    stopped_inside_ = true;
    current_ = &instruction;
    run_instruction();
    fast_.access.made = false;
    fast_.last = &block;
    if (done_ || !fast_.ordinary || !observers_.empty()) {
        pipeline_.tables().set_tape(nullptr);
        return nullptr;
    }
    Outcome* const outcome = end_recording(node, before);
    fast_.limit = 0;
    fast_.promised = 0;
    return outcome == nullptr ? nullptr : next_node(*outcome);
}

/// Instructions at a place that has been decoded, as a block.
const Block& Hart::part_of(Address pc, Address physical, std::size_t count, BlockExtent extent) {
    if (const Block* const known = fast_.memo.find_block(pc, physical, extent)) {
        return *known;
    }
    Block block{.pc = pc, .physical = physical};
    for (Address at = pc; block.size() < count;) {
        const Instruction& instruction = fetch_page_.decoded->slots[(at & kPageOffset) / 2];
        append(block, instruction, at, config_.timing);
        at += instruction.length;
    }
    if (extent == kDeviceAccess) {
        block.most.fill(Block::kUncounted); // a device may take any time
    }
    return fast_.memo.add_block(std::move(block), extent);
}

} // namespace pes

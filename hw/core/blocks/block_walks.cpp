// SPDX-License-Identifier: Apache-2.0
// Accesses to pages that are not in the DTLB, on the fast path: each ends a part of its block. The
// walk is made ahead of time, like the access; its reads go through L1D, which is asked about them
// as about any other. What could fault, or is not plain memory, is stepped, with its walk.
#include "hw/core/blocks/block_runner.h"

#include <algorithm>

namespace pes {

/// True if the access in hand, which has stopped its handler, needs nothing but a walk.
bool BlockRunner::only_walks(const Instruction& instruction) {
    DataMemory& memory = hart_.execution.data();
    const unsigned size = instruction.memory_size;
    walked_ = memory.walk_ahead(missing_.address, missing_.access);
    if (!walked_) {
        return false;
    }
    const Address physical = walked_->physical;
    if (memory.known(physical, missing_.access) != nullptr) {
        return true;
    }
    if (!hart_.config.memory.contains(physical) ||
        !memory.surely_allowed(physical, size, missing_.access) ||
        memory.host().is_lazy(physical, size) || !memory.host().is_direct(physical, size)) {
        return false;
    }
    return memory.host().find(physical, size, hart_.time.decode) != nullptr;
}

/// The node's block has stopped before such an access, which is done as well.
Node* BlockRunner::run_to_walk(Node& node) {
    const auto count = static_cast<BlockExtent>(stopped_at_) + 1;
    const Instruction& instruction = node.block->instructions[stopped_at_];
    if (node.block->across_pages || !only_walks(instruction)) {
        stop_inside(node);
        return leave(LeftFor::DataPage);
    }
    Node& part = memo_.node(source_.part(*node.block, count, kToWalk + count), *node.state);
    if (hart_.time.decode + part.longest >= limits_.limit() && !extend_limit(part)) {
        ended_by_limit_ = true;
        stop_inside(node);
        return leave(LeftFor::Limit);
    }
    hart_.notes().done = false;
    walk_.emplace();
    instruction.execute(hart_.execution, instruction);
    if (hart_.notes().done) {
        walk_.reset();
        stop_inside(node);
        return leave(LeftFor::DataPage);
    }
    Outcome* outcome = recall(part);
    if (outcome != nullptr) {
        pass_by(*part.block, *outcome);
    } else {
        outcome = record(part);
    }
    walk_.reset();
    count_block(*part.block, count);
    hart_.arch().pc = part.block->end;
    last_ = part.block;
    if (outcome == nullptr) {
        return leave(LeftFor::NotKept);
    }
    return part.block->system ? behind_system(*part.block, *outcome) : next_node(*outcome);
}

bool BlockRunner::translate(Address address, Access access, Address& physical) {
    if (hart_.halts.near(address)) {
        return leave_to_stepping(LeftFor::Debugger);
    }
    if (!walk_) {
        missing_ = {.address = address, .access = access};
        stop_ = Before::Walk;
        return leave_to_stepping(LeftFor::DataPage);
    }
    const Translation translation =
        hart_.execution.data().translate(address, access, walked_ ? &*walked_ : nullptr);
    if (translation.fault || translation.walk == nullptr) { // the DTLB has what the tables had
        return leave_to_stepping(LeftFor::DataPage);
    }
    walk_ = *translation.walk;
    physical = translation.physical;
    return true;
}

std::uint64_t BlockRunner::answer_walk() {
    Notes& notes = hart_.notes();
    std::copy(walk_->pte.begin(), walk_->pte.end(), notes.facts.begin() + Tape::kFirstRead);
    return walk_->reads;
}

} // namespace pes

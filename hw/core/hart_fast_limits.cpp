// SPDX-License-Identifier: Apache-2.0
// How far the fast path may go: up to which decode cycle nothing can interrupt the hart, by what
// the world has announced and by what the counters allow; and shorter parts of a block that would
// go further.
#include "hw/core/hart.h"

#include <algorithm>
#include <bit>

namespace pes {

/// The node's block could reach the limit, or wants to be looked at. False: stepping has to go on.
bool Hart::extend_limit(const Node& node) {
    const Block& block = *node.block;
    Cycle end = decode_ + node.longest;
    if (block.across_pages) {
        if (word_across_pages(block.physical) != block.instructions.front().raw) {
            return false;
        }
        end = decode_ + node.state->latest + block.longest;
    }
    const Cycle world = undisturbed_until();
    fast_.limit = std::min(world, feed_.deadline());
    if (end < fast_.limit || has_room(block, end)) {
        return true;
    }
    if (end >= world) {
        return false; // whatever the counters say
    }
    make_live(*node.state);
    if (certain_until(end)) {
        return true;
    }
    return fast_.promised == 0 && learn_room(block, end);
}

/// True if nothing can interrupt the hart up to and including this decode cycle, by what the block
/// may pulse at most.
bool Hart::has_room(const Block& block, Cycle decode) {
    if (decode >= fast_.promised) {
        return false;
    }
    const bool inside = fast_.watched.all_of([this, &block](Event event) {
        const auto source = static_cast<std::size_t>(event);
        const std::uint64_t total = feed_.pulses().total(source) + fast_.events[source];
        return block.most[source] != Block::kUncounted &&
               total + block.most[source] <= fast_.room.totals.events[source];
    });
    return inside && feed_.pulses().retired() + fast_.events[kRetiredEvents] + block.size() <=
                         fast_.room.totals.retired;
}

/// The room does not change as long as only blocks run. True if it holds the block.
bool Hart::learn_room(const Block& block, Cycle end) {
    if (end >= undisturbed_until()) {
        return false;
    }
    fast_.room = feed_.bank().room();
    fast_.watched = {};
    for (std::size_t source = 0; source < kEventCount; ++source) {
        if (fast_.room.totals.events[source] != kNever) {
            fast_.watched |= event_bit(static_cast<Event>(source));
        }
    }
    fast_.promised = std::min(undisturbed_until(), fast_.room.cycle);
    return has_room(block, end);
}

/// The first decode cycle at which something beside the counters could matter. A line that falls
/// interrupts nobody; who reads mip is stepped, and attends to it first.
Cycle Hart::undisturbed_until() const {
    if (decode_ < held_until_ || !observers_.empty()) {
        return 0;
    }
    return std::min(horizon_, interrupts_.next_rise());
}

/// True if nothing can interrupt the hart up to and including this decode cycle. If that is for the
/// counters to say, they may have moved less than they could have: they are brought forward, and
/// give a later limit.
bool Hart::certain_until(Cycle decode) {
    const Cycle world = undisturbed_until();
    if (decode >= feed_.deadline() && decode < world &&
        decode_ - CounterFeed::kMarkDistance > feed_.bank().now()) {
        feed_.bring_to_decode(decode_);
    }
    fast_.limit = std::min(world, feed_.deadline());
    return decode < fast_.limit;
}

/// The node's block could reach the limit: as many of its instructions as cannot, if these are
/// enough to be worth it.
Node* Hart::run_beginning(Node& node) {
    constexpr std::size_t kWorthwhile = 3;
    const Block& block = *node.block;
    const Cycle from = decode_ + node.state->latest;
    const std::size_t count =
        from < fast_.limit ? most_within(block, fast_.limit - from, config_.timing) : 0;
    if (count < kWorthwhile || count == block.size()) {
        make_live(*node.state);
        fast_.ended_by_limit = true;
        return nullptr;
    }
    const Block& part = part_of(block.pc, block.physical, count, static_cast<BlockExtent>(count));
    return run_block(fast_.memo.node(part, *node.state));
}

} // namespace pes

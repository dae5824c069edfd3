// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/block_limits.h"

#include <algorithm>

namespace pes {

Cycle BlockLimits::refresh() {
    const Cycle world = hart_.undisturbed_until();
    hard_ = std::min(world, counters_matter());
    limit_ = std::min(hard_, hart_.time.turn_end);
    return world;
}

Cycle BlockLimits::counters_matter() const {
    constexpr Cycle kBefore = CounterFeed::kMarkDistance + 1;
    const Cycle before = hart_.skidless                ? PulseLog::kSlots
                         : hart_.config.keeps_window() ? kBefore
                                                       : 0;
    const Cycle deadline = hart_.feed.deadline();
    return deadline - std::min(deadline, before);
}

/// If the counters set the limit, they may have counted less than the maximum: bringing them
/// forward gives a later limit.
bool BlockLimits::certain_until(Cycle decode) {
    if (decode >= counters_matter() && decode < hart_.undisturbed_until() &&
        hart_.time.decode - CounterFeed::kMarkDistance > hart_.feed.bank().now()) {
        hart_.feed.bring_to_decode(hart_.time.decode);
    }
    refresh();
    return decode < hard_;
}

bool BlockLimits::has_budget_for(const Block& block, Cycle decode) const {
    if (decode >= budget_end_) {
        return false;
    }
    const PulseLog& pulses = hart_.feed.pulses();
    const bool inside = room_.bounded.all_of([&](Event event) {
        const auto source = static_cast<std::size_t>(event);
        const std::uint64_t total = pulses.total(source) + pending_.events[source];
        return block.most[source] != Block::kUncounted &&
               total + block.most[source] <= room_.events[source];
    });
    return inside &&
           pulses.retired() + pending_.events[kRetiredEvents] + block.size() <= room_.retired;
}

std::uint64_t BlockLimits::blocks_in_budget(const BlockPulses& most) const {
    const PulseLog& pulses = hart_.feed.pulses();
    const std::uint64_t retired = pulses.retired() + pending_.events[kRetiredEvents];
    const auto times = [](std::uint64_t room, std::uint64_t used, std::uint64_t each) {
        return each == 0 ? kNever : used >= room ? 0 : (room - used) / each;
    };
    std::uint64_t blocks = times(room_.retired, retired, Block::kMaximum);
    room_.bounded.for_each([&](Event event) {
        const auto source = static_cast<std::size_t>(event);
        const std::uint64_t total = pulses.total(source) + pending_.events[source];
        const std::uint64_t fit = times(room_.events[source], total, most[source]);
        blocks = most[source] == Block::kUncounted ? 0 : std::min(blocks, fit);
    });
    return blocks;
}

bool BlockLimits::refresh_budget(const Block& block, Cycle decode) {
    if (decode >= hart_.undisturbed_until()) {
        return false;
    }
    room_ = hart_.feed.bank().room();
    budget_end_ = std::min(hart_.undisturbed_until(), room_.cycle);
    return has_budget_for(block, decode);
}

} // namespace pes

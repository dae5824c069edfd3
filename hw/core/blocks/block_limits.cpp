// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/block_limits.h"

#include <algorithm>
#include <utility>

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

PulseBudget BlockLimits::budget(const BlockPulses& most) const {
    const PulseLog& pulses = hart_.feed.pulses();
    PulseBudget budget;
    std::uint64_t fewest = kNever; // blocks, as far as `scarce` goes
    const auto bound = [&](std::size_t source, std::uint64_t limit, std::uint64_t used) {
        const std::uint64_t room = limit - std::min(used, limit);
        const std::uint64_t each = most[source];
        const std::uint64_t fit = each == 0 ? kNever : each == Block::kUncounted ? 0 : room / each;
        if (fit < fewest && source < kBaseBlockEvents) {
            budget.blocks = std::min(budget.blocks, std::exchange(fewest, fit));
            budget.scarce = source;
            budget.room = room - std::min(each, room);
        } else {
            budget.blocks = std::min(budget.blocks, fit);
        }
    };
    bound(kRetiredEvents, room_.retired, pulses.retired() + pending_.events[kRetiredEvents]);
    room_.bounded.for_each([&](Event event) {
        const auto source = static_cast<std::size_t>(event);
        bound(source, room_.events[source], pulses.total(source) + pending_.events[source]);
    });
    budget.certain = std::min(budget.blocks, fewest);
    return budget;
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

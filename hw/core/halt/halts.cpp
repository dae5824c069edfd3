// SPDX-License-Identifier: Apache-2.0
#include "hw/core/halt/halts.h"

#include "hw/core/memory/host_memory.h"

#include <algorithm>
#include <utility>

namespace pes {

void Halts::follow(const HaltOrders& orders, std::uint64_t passed) {
    breakpoints_ = orders.breakpoints;
    watches_ = orders.watches;
    if (watches_.empty()) {
        hit_.reset();
    }
    step_.reset();
    if (orders.step_through) {
        const auto [first, end] = *orders.step_through;
        step_ = Step{.first = first, .end = end, .from = passed};
    }
    renew();
}

bool Halts::take_changed_code() {
    const bool changed = std::exchange(changed_code_, false);
    if (changed) {
        renew();
    }
    return changed;
}

std::optional<Halt> Halts::behind(const Place& place) {
    const bool left =
        step_ && place.passed != step_->from && (place.pc < step_->first || place.pc >= step_->end);
    const std::optional<Halt> halt =
        hit_ ? std::exchange(hit_, std::nullopt)
             : (left ? std::optional(Halt{.reason = HaltReason::Step}) : std::nullopt);
    if (halt) {
        told_at_ = place.passed;
        step_.reset();
        renew();
        return halt;
    }
    return counted(place);
}

/// It is nothing that a client is told: the breakpoint at this place still is.
std::optional<Halt> Halts::counted(const Place& place) {
    if (!count_ || place.passed < *count_) {
        return std::nullopt;
    }
    count_.reset();
    renew();
    return Halt{.reason = HaltReason::Passed};
}

/// A place where the hart has just stood still is not told again.
std::optional<Halt> Halts::before(const Place& place) {
    if (told_at_ == place.passed || !breaks_at(place.pc)) {
        return std::nullopt;
    }
    told_at_ = place.passed;
    step_.reset();
    return Halt{.reason = HaltReason::Breakpoint};
}

bool Halts::near(Address address) const {
    return std::ranges::any_of(watches_, [address](const Watch& watch) {
        return address >> kPageShift >= watch.first >> kPageShift &&
               address >> kPageShift <= watch.last >> kPageShift;
    });
}

/// The first access of the instruction that is watched counts.
void Halts::accessed(Address address, unsigned size, Access access) {
    const bool store = access == Access::Store;
    for (const Watch& watch : watches_) {
        const bool wanted = store ? watch.stores : watch.loads;
        if (wanted && !hit_ && address <= watch.last && address + (size - 1) >= watch.first) {
            hit_ = Halt{.reason = store ? HaltReason::Store : HaltReason::Load,
                        .address = std::max(address, watch.first)};
        }
    }
}

bool Halts::breaks_at(Address pc) const {
    return !breakpoints_.empty() && std::ranges::binary_search(breakpoints_, pc);
}

} // namespace pes

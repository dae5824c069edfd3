// SPDX-License-Identifier: Apache-2.0
// What a hart does because others share its memory: LR reservations of one hart end with a store of
// another (unprivileged specification, 13.2), and a sleeping hart follows its caller's time.
//
// Exactly one hart runs at a time, and a hart makes no reservation while another runs. So a hart
// that gets its turn takes the pages with a neighbour's reservation off its quick way of stores;
// the slow way looks at each store to such a page. An SC therefore fails only if another hart has
// really written the word: some hart always makes progress, however short the turns are.
#include "hw/core/hart_memory.h"

#include <algorithm>

namespace pes {

namespace {

constexpr Address kReservationMask = ~Address{7}; ///< a reservation covers its 64-bit word

} // namespace

void Hart::resume_among_neighbours() {
    for (const Hart* neighbour : neighbours_) {
        if (neighbour->reservation_ != kNever) {
            memory_.forget_stores(neighbour->reservation_ >> kPageShift);
        }
    }
}

bool Hart::reserved_by_neighbour(Address page_number) const {
    return std::ranges::any_of(neighbours_, [page_number](const Hart* neighbour) {
        return neighbour->reservation_ >> kPageShift == page_number;
    });
}

void Hart::lose_reservation(Address physical, unsigned size) {
    const Address first = physical & kReservationMask;
    const Address last = (physical + size - 1) & kReservationMask;
    const Address reserved = reservation_ & kReservationMask;
    if (reservation_ != kNever && reserved >= first && reserved <= last) {
        reservation_ = kNever;
    }
}

/// With neighbours a sleeping hart must not run ahead: any of them may wake it in any cycle.
void Hart::wait_for_interrupt() {
    waiting_ = true;
    if (!neighbours_.empty()) {
        set_horizon(0);
    }
}

Cycle Hart::wakes_by_itself() const {
    return std::min(feed_.deadline(), interrupts_.next_change());
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "hw/core/memory/reservation.h"

#include <algorithm>
#include <utility>

namespace pes {

bool Reservation::take(Address physical) {
    return std::exchange(reserved_, kNever) == physical;
}

bool Reservation::held_by_neighbour(Address page_number) const {
    return std::ranges::any_of(neighbours_, [page_number](const Reservation* neighbour) {
        return neighbour->reserved_ >> kPageShift == page_number;
    });
}

void Reservation::lose(Address physical, std::uint64_t size) {
    constexpr Address kWord = ~Address{7}; // a reservation covers its 64-bit word
    const Address first = physical & kWord;
    const Address last = (physical + size - 1) & kWord;
    const Address word = reserved_ & kWord;
    if (reserved_ != kNever && word >= first && word <= last) {
        reserved_ = kNever;
    }
}

} // namespace pes

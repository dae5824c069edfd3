// SPDX-License-Identifier: Apache-2.0
// The LR/SC reservation of a hart, and those of the harts that share its memory.
//
// The reservation is one physical address. Every SC ends it, successful or not; traps and other
// stores of the same hart do not. A store of another hart to its 64-bit word ends it (unprivileged
// specification, 13.2).
//
// Only one hart runs at a time, so no reservation is made while another hart runs. At the start of
// its turn a hart removes the pages with a neighbour's reservation from its table of quick stores;
// the slow path checks each store to such a page. An SC therefore fails only if another hart has
// really written the word, and some hart always makes progress, however short the turns are.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>
#include <vector>

namespace pes {

class Reservation {
  public:
    Reservation() = default;
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;

    /// `other` belongs to a hart on the same memory.
    void add_neighbour(Reservation& other) { neighbours_.push_back(&other); }
    bool has_neighbours() const { return !neighbours_.empty(); }

    void make(Address physical) { reserved_ = physical; }
    /// True once if the last LR reserved this address.
    bool take(Address physical);

    /// True if a neighbour's reservation lies in this page.
    bool held_by_neighbour(Address page_number) const;
    /// This hart has written to these bytes.
    void stored(Address physical, unsigned size) {
        for (Reservation* neighbour : neighbours_) {
            neighbour->lose(physical, size);
        }
    }
    /// Somebody else has written to these bytes.
    void lose(Address physical, std::uint64_t size);
    /// Numbers of the pages with a neighbour's reservation.
    template <typename Call>
    void each_page_of_neighbours(Call call) const {
        for (const Reservation* neighbour : neighbours_) {
            if (neighbour->reserved_ != kNever) {
                call(neighbour->reserved_ >> kPageShift);
            }
        }
    }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    static constexpr unsigned kPageShift = 12;

    Address reserved_ = kNever;
    std::vector<Reservation*> neighbours_;
};

} // namespace pes

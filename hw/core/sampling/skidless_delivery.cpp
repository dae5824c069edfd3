// SPDX-License-Identifier: Apache-2.0
#include "hw/core/sampling/skidless_delivery.h"

#include "hw/core/feed/interrupt_inputs.h"

#include <algorithm>

namespace pes {

SkidlessDelivery::SkidlessDelivery(const ArchState& arch, CounterFeed& feed, HartTime& time,
                                   Attention& attention, Oracle& oracle)
    : arch_(arch), feed_(feed), time_(time), attention_(attention), oracle_(oracle) {
    oracle.connect(*this);
}

bool SkidlessDelivery::would_be_taken() const {
    constexpr auto kNumber = static_cast<unsigned>(Interrupt::CounterOverflow);
    return arch_.csr.takes_interrupt(kNumber, arch_.privilege);
}

void SkidlessDelivery::hold_behind(Cycle event) {
    held_for_ = event + CounterFeed::kMarkDistance;
    time_.held_until = std::max(time_.held_until, held_for_);
    attention_.ask_now();
}

void SkidlessDelivery::look_ahead() {
    if (!would_be_taken()) {
        return;
    }
    if (const std::optional<Crossing> overflow = feed_.overflow_ahead()) {
        hold_behind(overflow->cycle);
    }
}

void SkidlessDelivery::deliver_behind(Cycle ended) {
    if (would_be_taken()) {
        hold_behind(ended);
    }
}

void SkidlessDelivery::held(Cycle from, Cycle to) {
    if (from < held_for_ && to >= held_for_) {
        ++cost_.flushes;
        cost_.cycles += held_for_ - from;
    }
}

bool SkidlessDelivery::comes_behind_instruction_in_hand() const {
    return cause_ && oracle_.is_in_hand(*cause_);
}

void SkidlessDelivery::overflowed(const Crossing& crossing) {
    if (!has_causes(crossing)) {
        return;
    }
    cause_.reset();
    oracle_.ask({.sight = Sight::Cause,
                 .cycle = crossing.cycle,
                 .sources = crossing.sources,
                 .beyond = crossing.beyond,
                 .sink = this});
}

void SkidlessDelivery::seen(std::uint64_t, const SeenInstruction* instruction) {
    if (instruction != nullptr) {
        cause_ = *instruction;
    }
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hpm/rtl/stream_constraints.h"

#include <array>
#include <bit>

namespace pes::test {
namespace {

constexpr EventMask kClasses = event_bit(Event::Load) | event_bit(Event::Store) |
                               event_bit(Event::Branch) | event_bit(Event::Integer) |
                               event_bit(Event::FloatingPoint);
constexpr EventMask kJumps = event_bit(Event::Call) | event_bit(Event::Return);

/// The lowest bit from `first` on, round the end.
EventMask next_bit(EventMask bits, unsigned first) {
    const auto turned = std::rotr(bits, static_cast<int>(first));
    return std::rotl(turned & -turned, static_cast<int>(first));
}

} // namespace

void as_a_hart(Step& step) {
    // Which ones stay hangs on the pulses that are no classes, so that each has its turn.
    const auto first = static_cast<unsigned>((step.events & ~(kClasses | kJumps)) % 61);
    EventMask kept = 0;
    for (unsigned port = 0; port < step.retired; ++port) {
        kept |= next_bit(step.events & kClasses & ~kept, first);
    }
    step.events &= ~kClasses | kept;
    if ((step.events & event_bit(Event::Branch)) == 0) {
        step.events &= ~kJumps;
    } else if ((step.events & kJumps) == kJumps &&
               (step.retired < 2 || kept != event_bit(Event::Branch))) {
        step.events &= ~(first % 2 == 0 ? event_bit(Event::Call) : event_bit(Event::Return));
    }
    if ((step.events & event_bit(Event::L1DMiss)) == 0) {
        step.events &= ~event_bit(Event::L1DEviction);
    }
}

} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hpm/rtl/stream_constraints.h"

#include <array>
#include <bit>

namespace pes::test {
namespace {

constexpr EventBits kClasses = bits_of(Event::Load) | bits_of(Event::Store) |
                               bits_of(Event::Branch) | bits_of(Event::Integer) |
                               bits_of(Event::FloatingPoint);
constexpr EventBits kJumps = bits_of(Event::Call) | bits_of(Event::Return);

/// The lowest bit from `first` on, round the end.
EventBits next_bit(EventBits bits, unsigned first) {
    const auto turned = std::rotr(bits, static_cast<int>(first));
    return std::rotl(turned & -turned, static_cast<int>(first));
}

} // namespace

void as_a_hart(Step& step) {
    // Which ones stay hangs on the pulses that are no classes, so that each has its turn.
    const auto first = static_cast<unsigned>((step.events & ~(kClasses | kJumps)) % 61);
    EventBits kept = 0;
    for (unsigned port = 0; port < step.retired; ++port) {
        kept |= next_bit(step.events & kClasses & ~kept, first);
    }
    step.events &= ~kClasses | kept;
    if ((step.events & bits_of(Event::Branch)) == 0) {
        step.events &= ~kJumps;
    } else if ((step.events & kJumps) == kJumps &&
               (step.retired < 2 || kept != bits_of(Event::Branch))) {
        step.events &= ~(first % 2 == 0 ? bits_of(Event::Call) : bits_of(Event::Return));
    }
    if ((step.events & bits_of(Event::L1DMiss)) == 0) {
        step.events &= ~bits_of(Event::L1DEviction);
    }
}

} // namespace pes::test

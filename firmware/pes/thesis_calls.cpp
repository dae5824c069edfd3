// SPDX-License-Identifier: Apache-2.0
// The thesis's four calls (a7 = 9 event, 10 threshold, 11 counter, 12 buffer), each of which sets
// one register. There is no start: a counter with an event counts, one with a threshold samples.
#include "firmware/pes/sampler.h"

#include "firmware/boot/csr.h"
#include "firmware/boot/frame.h"
#include "firmware/pes/thesis_numbers.h"
#include "firmware/sbi/event_map.h"
#include "firmware/sbi/machine.h"

namespace pes {

bool Sampler::set_thesis_event(uint64_t counter, uint64_t event) {
    if (!may_take(counter) || (event != 0 && !selects_event(event))) {
        return false;
    }
    const auto n = static_cast<unsigned>(counter);
    counters().set_event(n, event);
    modes_of_[n] = static_cast<uint8_t>(modes_);
    filter(n);
    if (event != 0) {
        counters().set_owner(n, CounterOwner::Sampler);
        counters().run(1U << n);
    } else {
        counters().hold(1U << n);
        if ((enabled_ >> n & 1) == 0) {
            counters().set_owner(n, CounterOwner::None);
        }
    }
    return true;
}

bool Sampler::set_thesis_threshold(uint64_t counter, uint64_t threshold) {
    if (!may_take(counter) || state_ == sbi::sampling::kHandedOver) {
        return false;
    }
    const auto n = static_cast<unsigned>(counter);
    const auto bit = 1U << n;
    if (threshold == 0) {
        hold(bit);
        counters().set_threshold(n, 0);
        counters().run(bit);
        enabled_ &= ~bit;
        if (counters().event(n) == 0) {
            counters().set_owner(n, CounterOwner::None);
        }
    } else {
        counters().set_owner(n, CounterOwner::Sampler);
        counters().set_threshold(n, threshold);
        modes_of_[n] = static_cast<uint8_t>(modes_);
        enabled_ |= bit;
    }
    wanted_[n] = threshold;
    period_[n] = threshold;
    if (state_ == sbi::sampling::kStopped) {
        throttle_.reset();
    }
    begin(enabled_);
    throttle_.leave(enabled_, Throttle::Way::Call);
    return true;
}

bool Sampler::set_thesis_counter(uint64_t counter, uint64_t value) {
    if (!may_take(counter)) {
        return false;
    }
    counters().set_value(static_cast<unsigned>(counter), value);
    return true;
}

bool Sampler::set_thesis_buffer(uint64_t size, uint64_t base) {
    // Sampling may be on already: the order of the four calls is the caller's.
    return size != 0 && state_ != sbi::sampling::kHandedOver &&
           attach(base, size).error == sbi::kSuccess;
}

int64_t thesis_call(uint64_t extension, uint64_t number, uint64_t value) {
    bool done = false;
    if (sampler().available()) {
        switch (extension) {
        case sbi::kThesisEvent:
            done = sampler().set_thesis_event(thesis::counter_of_event(number), value);
            break;
        case sbi::kThesisThreshold:
            done = sampler().set_thesis_threshold(thesis::counter_of_threshold(number), value);
            break;
        case sbi::kThesisCounter:
            done = sampler().set_thesis_counter(thesis::counter_of_event(number), value);
            break;
        case sbi::kThesisBuffer: {
            const thesis::Buffer buffer = thesis::buffer_of(number, value, supervisor_owns);
            done = sampler().set_thesis_buffer(buffer.size, buffer.address);
            break;
        }
        default:
            break;
        }
    }
    return done ? 0 : sbi::kThesisInvalid;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The thesis's four calls (a7 = 9 event, 10 threshold, 11 counter, 12 buffer), each of which sets
// one register. There is no start: a counter with an event counts, one with a threshold samples.
// The thesis gives the buffer call no size; here a0, an index without meaning for it, is the size.
#include "firmware/pes/sampler.h"

#include "firmware/boot/csr.h"
#include "firmware/boot/frame.h"
#include "firmware/sbi/event_map.h"
#include "hw/common/maps/sample_record.h"

namespace pes {

namespace {

constexpr uint64_t kDefaultBufferSize = 4096; ///< one page, for a0 = 0

/// Index 1 is hpmcounter3; anything out of range is no counter.
constexpr uint64_t counter_of(uint64_t index) {
    return index == 0 ? kCounterLimit : index + kFirstProgrammable - 1;
}

} // namespace

bool Sampler::set_thesis_event(uint64_t index, uint64_t event) {
    if (!may_take(counter_of(index)) || (event != 0 && !selects_event(event))) {
        return false;
    }
    const auto n = static_cast<unsigned>(counter_of(index));
    counters().set_event(n, event);
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

bool Sampler::set_thesis_threshold(uint64_t index, uint64_t threshold) {
    if (!may_take(counter_of(index)) || state_ == sbi::sampling::kHandedOver) {
        return false;
    }
    const auto n = static_cast<unsigned>(counter_of(index));
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
        enabled_ |= bit;
    }
    wanted_[n] = threshold;
    period_[n] = threshold;
    begin(enabled_);
    return true;
}

bool Sampler::set_thesis_counter(uint64_t index, uint64_t value) {
    if (!may_take(counter_of(index))) {
        return false;
    }
    counters().set_value(static_cast<unsigned>(counter_of(index)), value);
    return true;
}

bool Sampler::set_thesis_buffer(uint64_t size, uint64_t base) {
    if (state_ == sbi::sampling::kHandedOver) {
        return false;
    }
    // Sampling may be on already: the order of the four calls is the caller's.
    return attach(base, size == 0 ? kDefaultBufferSize : size).error == sbi::kSuccess;
}

int64_t thesis_call(uint64_t extension, uint64_t index, uint64_t value) {
    bool done = false;
    if (sampler().available()) {
        switch (extension) {
        case sbi::kThesisEvent:
            done = sampler().set_thesis_event(index, value);
            break;
        case sbi::kThesisThreshold:
            done = sampler().set_thesis_threshold(index, value);
            break;
        case sbi::kThesisCounter:
            done = sampler().set_thesis_counter(index, value);
            break;
        case sbi::kThesisBuffer:
            done = sampler().set_thesis_buffer(index, value);
            break;
        default:
            break;
        }
    }
    return done ? 0 : sbi::kThesisInvalid;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// What the arguments of the thesis's four calls mean, for both layers that serve them. The event
// and the counter call number the programmable counters as their CSRs do, 3..8; the threshold call
// numbers them from 1, as the thesis's comparators. docs/sbi.md has the whole list.
#pragma once

#include "hw/interface/maps/sample_record.h"
#include "hw/interface/pmu/counter_csr.h"

#include <stdint.h>

namespace pes::thesis {

/// For an argument that names no programmable counter.
inline constexpr uint64_t kNoCounter = kCounterLimit;

constexpr uint64_t counter_of_event(uint64_t number) {
    return number < kFirstProgrammable || number >= kCounterLimit ? kNoCounter : number;
}

constexpr uint64_t counter_of_threshold(uint64_t number) {
    return number == 0 ? kNoCounter : counter_of_event(number + kFirstProgrammable - 1);
}

struct Buffer {
    uint64_t address = 0;
    uint64_t size = 0; ///< 0: the call names no memory
};

/// The buffer call gives an address and, in the thesis, nothing else: whatever else is in a0 is not
/// looked at unless it can only be a size. `writable(address, size)`: the caller may write there.
template <typename Writable>
Buffer buffer_of(uint64_t first, uint64_t second, Writable writable) {
    constexpr uint64_t kPage = 4096;
    const auto usable = [writable](uint64_t address) { return writable(address, kSampleSize); };
    const auto in_page = [writable](uint64_t address) -> Buffer {
        const uint64_t to_end = kPage - address % kPage;
        return {address, writable(address, kPage) || to_end < kSampleSize ? kPage : to_end};
    };
    if (usable(second)) {
        if (first < kSampleSize || usable(first)) {
            return in_page(second);
        }
        return {second, writable(second, first) ? first : 0};
    }
    return usable(first) ? in_page(first) : Buffer{};
}

} // namespace pes::thesis

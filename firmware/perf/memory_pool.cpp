// SPDX-License-Identifier: Apache-2.0
#include "firmware/perf/memory_pool.h"

#include "firmware/perf/platform_facts.h"

namespace pes::perf {

namespace {

constexpr uint64_t kAlignment = 64; // a cache line, and twice the widest sink's word

uint64_t used = 0; // from the end, with what alignment costs

} // namespace

uint64_t left_in_pool() {
    return platform_facts().free_size - used;
}

uint64_t take_from_pool(uint64_t bytes) {
    const host_platform::Facts& facts = platform_facts();
    const uint64_t left = left_in_pool();
    if (bytes > left) {
        return 0;
    }
    const uint64_t place = (facts.free_base + left - bytes) / kAlignment * kAlignment;
    if (place < facts.free_base) {
        return 0;
    }
    used = facts.free_base + facts.free_size - place;
    return place;
}

void refill_pool() {
    used = 0;
}

} // namespace pes::perf

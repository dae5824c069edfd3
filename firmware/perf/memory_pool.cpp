// SPDX-License-Identifier: Apache-2.0
#include "firmware/perf/memory_pool.h"

#include "firmware/perf/perf.h"

namespace pes::perf {

namespace {

constexpr uint64_t kAlignment = 64; // a cache line, and twice the widest sink's word

alignas(kAlignment) uint8_t pool[PERF_MEM_POOL_SIZE];
uint64_t used = 0;

} // namespace

uint64_t take_from_pool(uint64_t bytes) {
    const uint64_t size = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (size > sizeof pool - used) {
        return 0;
    }
    const auto place = reinterpret_cast<uint64_t>(pool) + used;
    used += size;
    return place;
}

} // namespace pes::perf

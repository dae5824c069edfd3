// SPDX-License-Identifier: Apache-2.0
// PAPI_profil and PAPI_sprofil: histograms of the addresses at which an event overflows. A bucket
// is (address - offset) * scale / 2^17, so scale 0x20000 gives each address one of its own.
#include "firmware/papi/counting/counting.h"

namespace pes::papi {

namespace {

constexpr unsigned kScaleShift = 17;
constexpr unsigned kMaxScale = 0x20000;
constexpr unsigned kOneBucketScale = 2; ///< with offset 0: everything into the first bucket
constexpr uint64_t kMaxWeight = 255;
constexpr int kKnownFlags = PAPI_PROFIL_RANDOM | PAPI_PROFIL_WEIGHTED | PAPI_PROFIL_COMPRESS |
                            PAPI_PROFIL_BUCKETS | PAPI_PROFIL_FORCE_SW;

/// xorshift: the same numbers in every run.
uint64_t random_number() {
    static uint64_t state = 0x9E37'79B9'7F4A'7C15;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

unsigned bucket_bytes(int flags) {
    if ((flags & PAPI_PROFIL_BUCKET_64) != 0) {
        return 8;
    }
    return (flags & PAPI_PROFIL_BUCKET_32) != 0 ? 4 : 2;
}

/// What one sample adds to a bucket of this value.
uint64_t increment(int flags, uint64_t bucket, uint64_t excess) {
    if ((flags & PAPI_PROFIL_RANDOM) != 0 && random_number() % 4 == 0) {
        return 0;
    }
    if ((flags & PAPI_PROFIL_COMPRESS) != 0 && random_number() % (bucket + 1) != 0) {
        return 0;
    }
    if ((flags & PAPI_PROFIL_WEIGHTED) == 0 || excess <= 1) {
        return 1;
    }
    return excess < kMaxWeight ? excess : kMaxWeight;
}

template <typename Bucket>
void count_sample(const PAPI_sprofil_t& region, uint64_t index, int flags, uint64_t excess) {
    Bucket& bucket = static_cast<Bucket*>(region.pr_base)[index];
    const uint64_t sum = bucket + increment(flags, bucket, excess);
    bucket = sum < static_cast<Bucket>(~Bucket{0}) ? static_cast<Bucket>(sum)
                                                   : static_cast<Bucket>(~Bucket{0});
}

bool valid_flags(int flags) {
    const int buckets = flags & PAPI_PROFIL_BUCKETS;
    return (flags & ~kKnownFlags) == 0 && (buckets & (buckets - 1)) == 0;
}

bool valid_region(const PAPI_sprofil_t& region, int flags) {
    return region.pr_base != nullptr && region.pr_size >= bucket_bytes(flags) &&
           region.pr_scale >= kOneBucketScale && region.pr_scale <= kMaxScale;
}

} // namespace

void add_to_histograms(const EventSet& set, uint64_t address, uint64_t excess) {
    const int flags = set.profiling.flags;
    const unsigned bytes = bucket_bytes(flags);
    for (unsigned i = 0; i < set.profiling.count; ++i) {
        const PAPI_sprofil_t& region = set.profiling.region[i];
        const auto offset = reinterpret_cast<uint64_t>(region.pr_off);
        uint64_t index = (address - offset) * region.pr_scale >> kScaleShift;
        if (offset == 0 && region.pr_scale == kOneBucketScale) {
            index = 0;
        }
        if (address < offset || index >= region.pr_size / bytes) {
            continue;
        }
        switch (bytes) {
        case 8:
            count_sample<uint64_t>(region, index, flags, excess);
            break;
        case 4:
            count_sample<uint32_t>(region, index, flags, excess);
            break;
        default:
            count_sample<uint16_t>(region, index, flags, excess);
            break;
        }
        return; // the first region that holds the address
    }
}

} // namespace pes::papi

using namespace pes::papi;

extern "C" int PAPI_sprofil(PAPI_sprofil_t* prof, int profcnt, int EventSet, int EventCode,
                            int threshold, int flags) {
    pes::papi::EventSet* set = nullptr;
    if (const int error = check_set(EventSet, Want::Stopped, set); error != PAPI_OK) {
        return answer(error);
    }
    if (threshold == 0) {
        return answer((set->state & PAPI_PROFILING) == 0
                          ? PAPI_EINVAL
                          : change_overflow(*set, EventCode, 0, 0, nullptr));
    }
    if (prof == nullptr || profcnt < 1 || profcnt > static_cast<int>(kMaxProfileRegions) ||
        threshold < 0 || !valid_flags(flags)) {
        return answer(PAPI_EINVAL);
    }
    for (int i = 0; i < profcnt; ++i) {
        if (!valid_region(prof[i], flags)) {
            return answer(PAPI_EINVAL);
        }
    }
    if ((set->state & PAPI_OVERFLOWING) != 0) {
        return answer(PAPI_ECNFLCT); // one profiled event a set, and no handler beside it
    }
    const int source = (flags & PAPI_PROFIL_FORCE_SW) != 0 ? PAPI_OVERFLOW_FORCE_SW : 0;
    if (const int error = change_overflow(*set, EventCode, threshold, source, nullptr);
        error != PAPI_OK) {
        return answer(error);
    }
    set->profiling.flags = flags;
    set->profiling.count = static_cast<unsigned>(profcnt);
    for (int i = 0; i < profcnt; ++i) {
        set->profiling.region[i] = prof[i];
    }
    set->state |= PAPI_PROFILING;
    return PAPI_OK;
}

extern "C" int PAPI_profil(void* buf, unsigned bufsiz, vptr_t offset, unsigned scale, int EventSet,
                           int EventCode, int threshold, int flags) {
    PAPI_sprofil_t region{buf, bufsiz, offset, scale};
    return PAPI_sprofil(&region, 1, EventSet, EventCode, threshold, flags);
}

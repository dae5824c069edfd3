// SPDX-License-Identifier: Apache-2.0
// Four functions of different heat under PAPI_profil: prints every bucket that is not empty, by the
// address of its first byte.
#include "firmware/papi/console.h"
#include "firmware/papi/papi.h"

namespace {

constexpr unsigned kBytesPerBucket = 64;
constexpr unsigned kScale = 2 * 65536 / kBytesPerBucket;
constexpr unsigned kBuckets = 1024;
constexpr int kPeriod = 2003;

uint32_t buckets[kBuckets];
volatile uint64_t result;

[[gnu::noinline]] uint64_t multiply(uint64_t seed, unsigned rounds) {
    for (unsigned i = 0; i < rounds; ++i) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
    }
    return seed;
}

[[gnu::noinline]] uint64_t shift(uint64_t seed, unsigned rounds) {
    for (unsigned i = 0; i < rounds; ++i) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
    }
    return seed;
}

[[gnu::noinline]] uint64_t collatz(uint64_t seed, unsigned rounds) {
    for (unsigned i = 0; i < rounds; ++i) {
        seed = (seed & 1) != 0 ? 3 * seed + 1 : seed / 2;
    }
    return seed;
}

[[gnu::noinline]] uint64_t divide(uint64_t seed, unsigned rounds) {
    for (unsigned i = 0; i < rounds; ++i) {
        seed = 0xFFFF'FFFF'FFFFU / (seed % 1021 + 1);
    }
    return seed;
}

bool sample(int set, char* base) {
    return PAPI_create_eventset(&set) == PAPI_OK && PAPI_add_event(set, PAPI_TOT_INS) == PAPI_OK &&
           PAPI_profil(buckets, sizeof(buckets), base, kScale, set, PAPI_TOT_INS, kPeriod,
                       PAPI_PROFIL_BUCKET_32) == PAPI_OK &&
           PAPI_start(set) == PAPI_OK;
}

} // namespace

extern "C" const char supervisor_start[];

extern "C" void payload_main() {
    auto* base = const_cast<char*>(supervisor_start);
    if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT || !sample(PAPI_NULL, base)) {
        pes::print(pes::papi::console_put, "papi_profil: failed\n");
        pes::papi::end_run(1);
    }
    for (unsigned round = 0; round < 200; ++round) {
        result = multiply(round, 400);
        result = shift(round, 3000);
        result = collatz(round, 600);
        result = divide(round, 20);
    }
    PAPI_shutdown(); // stops the set
    for (unsigned i = 0; i < kBuckets; ++i) {
        if (buckets[i] != 0) {
            pes::print(pes::papi::console_put, "bucket ",
                       reinterpret_cast<uint64_t>(base) + uint64_t{kBytesPerBucket} * i, " ",
                       uint64_t{buckets[i]}, "\n");
        }
    }
    pes::papi::end_run(0);
}

// SPDX-License-Identifier: Apache-2.0
// Multiplexing, overflow and histograms: errors, and where the addresses lie.
#include "tests/guest/papi_test/check.h"
#include "tests/guest/papi_test/kernels.h"
#include "tests/guest/papi_test/tests.h"

namespace pes::papi_test {

namespace {

constexpr long kIterations = 40'000;
constexpr int kPeriod = 1009; // prime: in step with no loop

struct Seen {
    int set = PAPI_NULL;
    unsigned calls = 0;
    unsigned inside = 0; ///< addresses in the loop
    unsigned loads = 0;  ///< that are its load
    unsigned wrong_set = 0;
    long long vector = 0;
};
Seen seen;

void note_overflow(int set, void* address, long long vector, void* context) {
    const auto at = reinterpret_cast<uint64_t>(address);
    ++seen.calls;
    seen.inside += at >= reinterpret_cast<uint64_t>(mixed_loop) &&
                           at < reinterpret_cast<uint64_t>(mixed_loop_end)
                       ? 1
                       : 0;
    seen.loads += at == reinterpret_cast<uint64_t>(mixed_loop_load) ? 1 : 0;
    seen.wrong_set += set != seen.set || context == nullptr ? 1 : 0;
    seen.vector |= vector;
}

int set_with(int event) {
    int set = PAPI_NULL;
    expect("create", PAPI_create_eventset(&set), PAPI_OK);
    expect("add", PAPI_add_event(set, event), PAPI_OK);
    return set;
}

void drop(int set) {
    expect("cleanup", PAPI_cleanup_eventset(set), PAPI_OK);
    expect("destroy", PAPI_destroy_eventset(&set), PAPI_OK);
}

void check_overflow(int flags) {
    const int set = set_with(PAPI_LD_INS);
    seen = {};
    seen.set = set;
    expect("overflow", PAPI_overflow(set, PAPI_LD_INS, kPeriod, flags, note_overflow), PAPI_OK);
    int state = 0;
    expect("state", PAPI_state(set, &state), PAPI_OK);
    expect("overflowing", state, PAPI_STOPPED | PAPI_OVERFLOWING);
    long long loads = 0;
    expect("start", PAPI_start(set), PAPI_OK);
    mixed_loop(kIterations);
    expect("stop", PAPI_stop(set, &loads), PAPI_OK);
    expect_between("loads", loads, kIterations, kIterations + kIterations / 3);
    expect_between("calls of the handler", seen.calls, 5, loads / kPeriod);
    expect_between("addresses in the loop", seen.inside, seen.calls - 1, seen.calls);
    say("overflow: ", uint64_t{seen.inside}, " addresses in the loop, ", uint64_t{seen.loads},
        " of its load");
    expect("handler's set", seen.wrong_set, 0);
    int position[2] = {-1, -1};
    int count = 2;
    expect("event index", PAPI_get_overflow_event_index(set, seen.vector, position, &count),
           PAPI_OK);
    expect("one event", count, 1);
    expect("the first", position[0], 0);
    expect("event index of nothing", PAPI_get_overflow_event_index(set, 0, position, &count),
           PAPI_EINVAL);
    const unsigned calls = seen.calls;
    expect("overflow off", PAPI_overflow(set, PAPI_LD_INS, 0, 0, nullptr), PAPI_OK);
    expect("start", PAPI_start(set), PAPI_OK);
    mixed_loop(kIterations);
    expect("stop", PAPI_stop(set, nullptr), PAPI_OK);
    expect("no more calls", seen.calls, calls);
    drop(set);
}

template <typename Bucket>
void check_profil(const char* what, int flags) {
    constexpr unsigned kBuckets = 16;
    constexpr unsigned kBytesPerBucket = 64; // a loop has one
    constexpr unsigned kScale = 0x20000 / kBytesPerBucket;
    static Bucket buckets[kBuckets];
    for (Bucket& bucket : buckets) {
        bucket = 0;
    }
    // float_loop follows mixed_loop; it runs several times as long.
    auto* base = reinterpret_cast<char*>(mixed_loop);
    const int set = set_with(PAPI_TOT_CYC);
    expect("profil",
           PAPI_profil(buckets, sizeof(buckets), base, kScale, set, PAPI_TOT_CYC, kPeriod, flags),
           PAPI_OK);
    expect("start", PAPI_start(set), PAPI_OK);
    mixed_loop(kIterations / 4);
    float_loop(kIterations * 3 / 2);
    expect("stop", PAPI_stop(set, nullptr), PAPI_OK);
    unsigned hottest = 0;
    for (unsigned i = 1; i < kBuckets; ++i) {
        hottest = buckets[i] > buckets[hottest] ? i : hottest;
    }
    const auto address = reinterpret_cast<uint64_t>(base) + uint64_t{kBytesPerBucket} * hottest;
    expect_between(what, static_cast<long long>(address),
                   static_cast<long long>(reinterpret_cast<uint64_t>(float_loop)),
                   static_cast<long long>(reinterpret_cast<uint64_t>(float_loop_end)) - 1);
    expect_between("samples in it", static_cast<long long>(buckets[hottest]), 5, 255 * 1000);
    expect("profil off",
           PAPI_profil(buckets, sizeof(buckets), base, kScale, set, PAPI_TOT_CYC, 0, 0), PAPI_OK);
    drop(set);
}

/// One bucket for each loop, in two regions.
void check_regions() {
    uint32_t in_mixed = 0;
    uint32_t in_float = 0;
    constexpr unsigned kOneBucket = 0x20000 / 64; // 64 bytes, the size of a loop's place
    PAPI_sprofil_t regions[] = {
        {&in_float, sizeof(in_float), reinterpret_cast<char*>(float_loop), kOneBucket},
        {&in_mixed, sizeof(in_mixed), reinterpret_cast<char*>(mixed_loop), kOneBucket},
    };
    const int set = set_with(PAPI_TOT_INS);
    expect("no regions", PAPI_sprofil(regions, 0, set, PAPI_TOT_INS, kPeriod, 0), PAPI_EINVAL);
    expect("two regions",
           PAPI_sprofil(regions, 2, set, PAPI_TOT_INS, kPeriod, PAPI_PROFIL_BUCKET_32), PAPI_OK);
    int state = 0;
    expect("state", PAPI_state(set, &state), PAPI_OK);
    expect("profiling", state, PAPI_STOPPED | PAPI_OVERFLOWING | PAPI_PROFILING);
    expect("a handler beside it", PAPI_overflow(set, PAPI_TOT_INS, kPeriod, 0, note_overflow),
           PAPI_ECNFLCT);
    expect("start", PAPI_start(set), PAPI_OK);
    mixed_loop(kIterations);
    float_loop(kIterations / 4);
    expect("stop", PAPI_stop(set, nullptr), PAPI_OK);
    expect_between("samples in the longer loop", in_mixed, 2 * in_float, kIterations);
    expect_between("samples in the other", in_float, 1, kIterations);
    drop(set);
}

} // namespace

void test_multiplex_calls() {
    int set = PAPI_NULL;
    expect("create", PAPI_create_eventset(&set), PAPI_OK);
    expect("multiplex without its init", PAPI_set_multiplex(set), PAPI_ENOINIT);
    expect("multiplex init", PAPI_multiplex_init(), PAPI_OK);
    expect("multiplex of a set of no component", PAPI_set_multiplex(set), PAPI_ENOCMP);
    expect("assign to no component", PAPI_assign_eventset_component(set, 1), PAPI_ENOCMP);
    expect("assign", PAPI_assign_eventset_component(set, 0), PAPI_OK);
    expect("assign again", PAPI_assign_eventset_component(set, 0), PAPI_EINVAL);
    expect("not multiplexed", PAPI_get_multiplex(set), 0);
    expect("multiplex", PAPI_set_multiplex(set), PAPI_OK);
    expect("multiplexed", PAPI_get_multiplex(set), 1);
    expect("multiplex again", PAPI_set_multiplex(set), PAPI_EINVAL);
    constexpr const char* kEvents[] = {"load", "store",  "branch",   "integer", "floating-point",
                                       "call", "return", "l1d-miss", "l1i-miss"};
    for (const char* event : kEvents) {
        expect("more events than counters", PAPI_add_named_event(set, event), PAPI_OK);
    }
    int code = 0;
    PAPI_event_name_to_code("load", &code);
    expect("overflow of a multiplexed set", PAPI_overflow(set, code, kPeriod, 0, note_overflow),
           PAPI_ECNFLCT);
    PAPI_option_t option{};
    option.itimer.ns = 100;
    expect("slice too short", PAPI_set_opt(PAPI_DEF_MPX_NS, &option), PAPI_EINVAL);
    drop(set);
}

void test_overflow_calls() {
    const int set = set_with(PAPI_LD_INS);
    expect("overflow of an event not in the set",
           PAPI_overflow(set, PAPI_TOT_INS, kPeriod, 0, note_overflow), PAPI_ENOEVNT);
    expect("overflow without a handler", PAPI_overflow(set, PAPI_LD_INS, kPeriod, 0, nullptr),
           PAPI_EINVAL);
    expect("negative period", PAPI_overflow(set, PAPI_LD_INS, -1, 0, note_overflow), PAPI_EINVAL);
    expect("unknown flag", PAPI_overflow(set, PAPI_LD_INS, kPeriod, 1, note_overflow), PAPI_EINVAL);
    expect("off without on", PAPI_overflow(set, PAPI_LD_INS, 0, 0, nullptr), PAPI_EINVAL);
    expect("overflow", PAPI_overflow(set, PAPI_LD_INS, kPeriod, 0, note_overflow), PAPI_OK);
    expect("overflow again", PAPI_overflow(set, PAPI_LD_INS, kPeriod, 0, note_overflow),
           PAPI_ECNFLCT);
    expect("removal of its event", PAPI_remove_event(set, PAPI_LD_INS), PAPI_EINVAL);
    expect("multiplex of such a set", PAPI_set_multiplex(set), PAPI_ECNFLCT);
    expect("start", PAPI_start(set), PAPI_OK);
    expect("overflow while it runs", PAPI_overflow(set, PAPI_LD_INS, 0, 0, nullptr), PAPI_EISRUN);
    expect("stop", PAPI_stop(set, nullptr), PAPI_OK);
    drop(set);

    const int derived = set_with(PAPI_LST_INS);
    expect("overflow of a derived event",
           PAPI_overflow(derived, PAPI_LST_INS, kPeriod, 0, note_overflow), PAPI_EINVAL);
    drop(derived);

    static uint16_t buckets[16];
    const int other = set_with(PAPI_TOT_CYC);
    auto profil = [&](void* buffer, unsigned scale, int flags) {
        return PAPI_profil(buffer, sizeof(buckets), nullptr, scale, other, PAPI_TOT_CYC, kPeriod,
                           flags);
    };
    expect("profil into nothing", profil(nullptr, 0x10000, 0), PAPI_EINVAL);
    expect("profil with two bucket sizes",
           profil(buckets, 0x10000, PAPI_PROFIL_BUCKET_16 | PAPI_PROFIL_BUCKET_32), PAPI_EINVAL);
    expect("profil with an unknown flag", profil(buckets, 0x10000, 0x200), PAPI_EINVAL);
    expect("profil with address registers", profil(buckets, 0x10000, PAPI_PROFIL_DATA_EAR),
           PAPI_EINVAL);
    expect("profil with scale 0", profil(buckets, 0, 0), PAPI_EINVAL);
    expect("profil with scale beyond one", profil(buckets, 0x20001, 0), PAPI_EINVAL);
    expect("profil off without on",
           PAPI_profil(buckets, sizeof(buckets), nullptr, 0, other, PAPI_TOT_CYC, 0, 0),
           PAPI_EINVAL);
    drop(other);
}

void test_overflow() {
    check_overflow(0);
    check_overflow(PAPI_OVERFLOW_FORCE_SW);
}

void test_profil() {
    check_profil<uint16_t>("hottest of 16-bit buckets", PAPI_PROFIL_POSIX);
    check_profil<uint32_t>("hottest of 32-bit buckets", PAPI_PROFIL_BUCKET_32);
    check_profil<uint64_t>("hottest of 64-bit buckets", PAPI_PROFIL_BUCKET_64 | PAPI_PROFIL_RANDOM);
    check_profil<uint16_t>("hottest by weight", PAPI_PROFIL_BUCKET_16 | PAPI_PROFIL_WEIGHTED);
    check_profil<uint16_t>("hottest, compressed", PAPI_PROFIL_COMPRESS);
    check_profil<uint16_t>("hottest by timer", PAPI_PROFIL_FORCE_SW);
    check_regions();
}

} // namespace pes::papi_test

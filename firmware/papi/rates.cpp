// SPDX-License-Identifier: Apache-2.0
// Rates: one call starts to count, each further one returns what happened since the latest. Times
// are those of timers.cpp, in seconds.
#include "platform.h"

#include "firmware/papi/library.h"
#include "firmware/papi/ratio.h"

namespace pes::papi {

namespace {

enum class Kind : uint8_t { None, Flips, Flops, Ipc, Epc };

constexpr unsigned kMaxEvents = 3;

struct Rate {
    Kind kind = Kind::None;
    int set = PAPI_NULL;
    int event = 0; ///< the first of the set
    uint64_t real = 0;
    uint64_t virt = 0; ///< times of the latest call, units of `time`
    long long value[kMaxEvents] = {};
};
constinit Rate current;

/// Since the latest call.
struct Difference {
    uint64_t real = 0;
    uint64_t virt = 0;
    long long value[kMaxEvents] = {};
};

void store_ratio(float* where, Wide numerator, Wide denominator) {
    const uint32_t bits = float_ratio(numerator, denominator);
    __builtin_memcpy(where, &bits, sizeof bits);
}

Wide positive(long long count) {
    return count > 0 ? static_cast<Wide>(count) : 0;
}

void drop_set() {
    PAPI_cleanup_eventset(current.set);
    PAPI_destroy_eventset(&current.set);
    current = {};
}

int begin(Kind kind, const int* events, unsigned number) {
    int error = PAPI_create_eventset(&current.set);
    if (error != PAPI_OK) {
        return error;
    }
    for (unsigned i = 0; i < number && error == PAPI_OK; ++i) {
        error = PAPI_add_event(current.set, events[i]);
    }
    if (error == PAPI_OK) {
        error = PAPI_start(current.set);
    }
    if (error != PAPI_OK) {
        drop_set();
        return error;
    }
    current.kind = kind;
    current.event = events[0];
    current.real = now();
    current.virt = virtual_time();
    return PAPI_OK;
}

int advance(unsigned number, Difference& since) {
    long long value[kMaxEvents] = {};
    if (const int error = PAPI_read(current.set, value); error != PAPI_OK) {
        return error;
    }
    const uint64_t real = now();
    const uint64_t virt = virtual_time();
    since.real = real - current.real;
    since.virt = virt - current.virt;
    for (unsigned i = 0; i < number; ++i) {
        since.value[i] = value[i] - current.value[i];
        current.value[i] = value[i];
    }
    current.real = real;
    current.virt = virt;
    return PAPI_OK;
}

/// The first call, whose difference is zero, or a further one of the same kind and event.
int measure(Kind kind, const int* events, unsigned number, Difference& since) {
    if (library.initialized == PAPI_NOT_INITED) {
        if (const int version = PAPI_library_init(PAPI_VER_CURRENT); version != PAPI_VER_CURRENT) {
            return version;
        }
    }
    if (regions_running()) {
        PAPI_hl_stop(); // as PAPI: regions make room for a rate
    }
    if (current.kind == Kind::None) {
        return begin(kind, events, number);
    }
    if (current.kind != kind || current.event != events[0]) {
        return answer(PAPI_EINVAL);
    }
    return advance(number, since);
}

void store_times(const Difference& since, float* real, float* virt) {
    store_ratio(real, since.real, PES_TIMEBASE_HZ);
    store_ratio(virt, since.virt, PES_TIMEBASE_HZ);
}

/// Millions of events a second of virtual time.
int mega_rate(Kind kind, int event, float* rtime, float* ptime, long long* count, float* rate) {
    constexpr uint64_t kMillion = 1'000'000;
    if (rtime == nullptr || ptime == nullptr || count == nullptr || rate == nullptr) {
        return answer(PAPI_EINVAL);
    }
    Difference since;
    if (const int error = measure(kind, &event, 1, since); error != PAPI_OK) {
        return error;
    }
    store_times(since, rtime, ptime);
    *count = since.value[0];
    store_ratio(rate, positive(since.value[0]) * PES_TIMEBASE_HZ, Wide{since.virt} * kMillion);
    return PAPI_OK;
}

} // namespace

void forget_rates() {
    current = {};
}

} // namespace pes::papi

using namespace pes::papi;

extern "C" int PAPI_flips_rate(int event, float* rtime, float* ptime, long long* flpins,
                               float* mflips) {
    if (event != PAPI_FP_INS && event != PAPI_VEC_SP && event != PAPI_VEC_DP) {
        return answer(PAPI_ENOEVNT);
    }
    return mega_rate(Kind::Flips, event, rtime, ptime, flpins, mflips);
}

extern "C" int PAPI_flops_rate(int event, float* rtime, float* ptime, long long* flpops,
                               float* mflops) {
    if (event != PAPI_FP_OPS && event != PAPI_SP_OPS && event != PAPI_DP_OPS) {
        return answer(PAPI_ENOEVNT);
    }
    return mega_rate(Kind::Flops, event, rtime, ptime, flpops, mflops);
}

extern "C" int PAPI_ipc(float* rtime, float* ptime, long long* ins, float* ipc) {
    constexpr int kEvents[] = {PAPI_TOT_INS, PAPI_TOT_CYC};
    if (rtime == nullptr || ptime == nullptr || ins == nullptr || ipc == nullptr) {
        return answer(PAPI_EINVAL);
    }
    Difference since;
    if (const int error = measure(Kind::Ipc, kEvents, 2, since); error != PAPI_OK) {
        return error;
    }
    store_times(since, rtime, ptime);
    *ins = since.value[0];
    store_ratio(ipc, positive(since.value[0]), positive(since.value[1]));
    return PAPI_OK;
}

extern "C" int PAPI_epc(int event, float* rtime, float* ptime, long long* ref, long long* core,
                        long long* evt, float* epc) {
    if (rtime == nullptr || ptime == nullptr || ref == nullptr || core == nullptr ||
        evt == nullptr || epc == nullptr) {
        return answer(PAPI_EINVAL);
    }
    // No profile has a reference clock: *ref stays 0, as PAPI leaves it without PAPI_REF_CYC.
    const int events[] = {event != 0 ? event : PAPI_TOT_INS, PAPI_TOT_CYC};
    const unsigned number = events[0] == PAPI_TOT_CYC ? 1 : 2; // an event is in a set once
    Difference since;
    if (const int error = measure(Kind::Epc, events, number, since); error != PAPI_OK) {
        return error;
    }
    store_times(since, rtime, ptime);
    *ref = 0;
    *core = since.value[number - 1];
    *evt = since.value[0];
    store_ratio(epc, positive(*evt), positive(*core));
    return PAPI_OK;
}

extern "C" int PAPI_rate_stop(void) {
    if (current.kind == Kind::None) {
        return answer(PAPI_ENOEVNT); // PAPI's code for "none is running"
    }
    const int error = PAPI_stop(current.set, nullptr);
    drop_set();
    return error;
}

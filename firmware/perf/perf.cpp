// SPDX-License-Identifier: Apache-2.0
// The published functions, but for saving the trace (trace_save.cpp).
#include "firmware/perf/perf.h"

#include "firmware/perf/error.h"
#include "firmware/perf/platform_facts.h"
#include "firmware/perf/record.h"
#include "firmware/perf/timer.h"

namespace pes::perf {

namespace {

using perf_record::RecordKind;

constexpr int kOk = static_cast<int>(Status::Ok);
constexpr int kError = static_cast<int>(Status::Error);
constexpr const char* kNotTold = "perfInit comes before, with a number of harts that has this one";

int initialise(Collection collection, const perfEvent* events, int count, int channel,
               perfCountType_t type, uint32_t buffer_size) {
    HartState* hart = this_hart();
    if (hart == nullptr) {
        return static_cast<int>(fail(kNotTold));
    }
    if (set_up_hart(machine::hart_id(), events, count, channel, type, buffer_size) != Status::Ok) {
        return kError;
    }
    hart->collection = collection;
    return kOk;
}

/// The hart's state if it has been initialised; or else null, and why.
HartState* initialised_hart() {
    HartState* hart = this_hart();
    if (hart == nullptr) {
        (void)fail(kNotTold);
        return nullptr;
    }
    if (hart->collection == Collection::None) {
        (void)fail("this hart has not been initialised: perfManualInit, perfTimerISRInit or "
                   "perfFuncEntryExitInit comes before");
        return nullptr;
    }
    return hart;
}

void record_function(RecordKind kind, void* function, void* call_site) {
    HartState* hart = this_hart();
    if (hart == nullptr || hart->collection != Collection::FunctionEntryExit) {
        return;
    }
    const InterruptMask mask;
    const auto start = reinterpret_cast<uint64_t>(function);
    const uint64_t caller = kind == RecordKind::FunctionEnter ? hart->functions.enter(start)
                                                              : hart->functions.leave(start);
    if (hart->recording) {
        const bool start_known = caller != 0 && !hart->call_sites;
        (void)write_record(
            *hart, kind,
            {.address = start,
             .caller = start_known ? caller : reinterpret_cast<uint64_t>(call_site)});
    }
}

} // namespace

} // namespace pes::perf

using namespace pes::perf;

int perfInit(int num_cores, int num_funnels) {
    const bool possible = num_cores >= 1 && num_cores <= PERF_MAX_CORES && num_funnels >= 0 &&
                          num_funnels <= PERF_MAX_FUNNELS && num_funnels <= num_cores;
    if (!possible) {
        return static_cast<int>(fail("perfInit takes 1 to 8 harts and 0 to 8 funnels, and no more "
                                     "funnels than harts"));
    }
    if (library.harts != 0) {
        return static_cast<int>(fail("perfInit has been called before"));
    }
    learn_platform();
    library.harts = static_cast<unsigned>(num_cores);
    library.funnels = static_cast<unsigned>(num_funnels);
    if (reset_units() != Status::Ok) {
        library.harts = 0;
        return kError;
    }
    machine::order_memory();
    return kOk;
}

int perfManualInit(perfEvent* perfCntrList, int numCntrs, int itcChannel, perfCountType_t cntType,
                   uint32_t SBABufferSize) {
    return initialise(Collection::Manual, perfCntrList, numCntrs, itcChannel, cntType,
                      SBABufferSize);
}

int perfTimerISRInit(perfEvent* perfCntrList, int numCntrs, int itcChannel, perfCountType_t cntType,
                     uint32_t SBABufferSize, int interval) {
    if (check_timer() != Status::Ok) {
        return kError;
    }
    const int status =
        initialise(Collection::Timer, perfCntrList, numCntrs, itcChannel, cntType, SBABufferSize);
    if (status == kOk) {
        start_timer(*this_hart(), interval);
    }
    return status;
}

int perfFuncEntryExitInit(perfEvent* perfCntrList, int numCntrs, int itcChannel,
                          perfCountType_t cntType, uint32_t SBABufferSize) {
    HartState* hart = this_hart();
    if (hart != nullptr && hart->collection != Collection::FunctionEntryExit) {
        hart->functions = {}; // nobody has looked since
    }
    return initialise(Collection::FunctionEntryExit, perfCntrList, numCntrs, itcChannel, cntType,
                      SBABufferSize);
}

int perfTraceOn(void) {
    HartState* hart = initialised_hart();
    if (hart == nullptr) {
        return kError;
    }
    const InterruptMask mask;
    hart->recording = write_header(*hart) == Status::Ok;
    return hart->recording ? kOk : kError;
}

int perfTraceOff(void) {
    HartState* hart = initialised_hart();
    if (hart == nullptr) {
        return kError;
    }
    hart->recording = false;
    return kOk;
}

// The address is that of the call's return, which an inlined copy would not have.
[[gnu::noinline]] int perfWriteCntrs(void) {
    const auto pc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
    HartState* hart = initialised_hart();
    if (hart == nullptr) {
        return kError;
    }
    const InterruptMask mask;
    if (!hart->recording) {
        return kOk;
    }
    return static_cast<int>(write_record(*hart, RecordKind::Manual, {.address = pc, .caller = 0}));
}

unsigned long perfLostRecords(void) {
    HartState* hart = this_hart();
    if (hart == nullptr) {
        return 0;
    }
    if (hart->collection != Collection::None) {
        count_lost_records(*hart);
    }
    return hart->lost_records;
}

const char* perfLastError(void) {
    return error_text().sentence;
}

int perfSetCaller(perfCaller_t caller) {
    HartState* hart = this_hart();
    if (hart == nullptr) {
        return static_cast<int>(fail(kNotTold));
    }
    if (caller != perfCaller_FunctionStart && caller != perfCaller_CallSite) {
        return static_cast<int>(fail("perfSetCaller takes FunctionStart or CallSite"));
    }
    hart->call_sites = caller == perfCaller_CallSite;
    return kOk;
}

void __cyg_profile_func_enter(void* this_fn, void* call_site) {
    record_function(RecordKind::FunctionEnter, this_fn, call_site);
}

void __cyg_profile_func_exit(void* this_fn, void* call_site) {
    record_function(RecordKind::FunctionExit, this_fn, call_site);
}

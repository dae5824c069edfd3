// SPDX-License-Identifier: Apache-2.0
// The published functions, but for saving the trace (trace_save.cpp).
#include "firmware/perf/perf.h"

#include "firmware/perf/record.h"
#include "firmware/perf/timer.h"

namespace pes::perf {

namespace {

using perf_record::RecordKind;

constexpr int kOk = static_cast<int>(Status::Ok);
constexpr int kError = static_cast<int>(Status::Error);

int initialise(Collection collection, const perfEvent* events, int count, int channel,
               perfCountType_t type, uint32_t buffer_size) {
    HartState* hart = this_hart();
    if (hart == nullptr ||
        set_up_hart(machine::hart_id(), events, count, channel, type, buffer_size) != Status::Ok) {
        return kError;
    }
    hart->collection = collection;
    return kOk;
}

void record_function(RecordKind kind, void* function, void* call_site) {
    HartState* hart = this_hart();
    if (hart == nullptr || hart->collection != Collection::FunctionEntryExit) {
        return;
    }
    const InterruptMask mask;
    if (hart->recording) {
        (void)write_record(*hart, kind,
                           {.address = reinterpret_cast<uint64_t>(function),
                            .call_site = reinterpret_cast<uint64_t>(call_site)});
    }
}

} // namespace

} // namespace pes::perf

using namespace pes::perf;

int perfInit(int num_cores, int num_funnels) {
    const bool possible = num_cores >= 1 && num_cores <= PERF_MAX_CORES && num_funnels >= 0 &&
                          num_funnels <= PERF_MAX_FUNNELS && num_funnels <= num_cores;
    if (library.harts != 0 || !possible) {
        return kError;
    }
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
    const int status =
        initialise(Collection::Timer, perfCntrList, numCntrs, itcChannel, cntType, SBABufferSize);
    if (status == kOk) {
        start_timer(*this_hart(), interval);
    }
    return status;
}

int perfFuncEntryExitInit(perfEvent* perfCntrList, int numCntrs, int itcChannel,
                          perfCountType_t cntType, uint32_t SBABufferSize) {
    return initialise(Collection::FunctionEntryExit, perfCntrList, numCntrs, itcChannel, cntType,
                      SBABufferSize);
}

int perfTraceOn(void) {
    HartState* hart = this_hart();
    if (hart == nullptr || hart->collection == Collection::None) {
        return kError;
    }
    const InterruptMask mask;
    hart->recording = !hart->sink_unit.stopped() && write_header(*hart) == Status::Ok;
    return hart->recording ? kOk : kError;
}

int perfTraceOff(void) {
    HartState* hart = this_hart();
    if (hart == nullptr || hart->collection == Collection::None) {
        return kError;
    }
    hart->recording = false;
    return kOk;
}

// The address is that of the call's return, which an inlined copy would not have.
[[gnu::noinline]] int perfWriteCntrs(void) {
    const auto pc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
    HartState* hart = this_hart();
    if (hart == nullptr || hart->collection == Collection::None) {
        return kError;
    }
    const InterruptMask mask;
    if (!hart->recording) {
        return kOk;
    }
    return static_cast<int>(
        write_record(*hart, RecordKind::Manual, {.address = pc, .call_site = 0}));
}

unsigned long perfLostRecords(void) {
    const HartState* hart = this_hart();
    return hart == nullptr ? 0 : hart->lost_records;
}

void __cyg_profile_func_enter(void* this_fn, void* call_site) {
    record_function(RecordKind::FunctionEnter, this_fn, call_site);
}

void __cyg_profile_func_exit(void* this_fn, void* call_site) {
    record_function(RecordKind::FunctionExit, this_fn, call_site);
}

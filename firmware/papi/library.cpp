// SPDX-License-Identifier: Apache-2.0
// Start and end of the library, what it knows of the machine.
#include "platform.h"

#include "firmware/lib/placement_new.h"
#include "firmware/papi/counting/counting.h"
#include "firmware/supervisor/sbi_call.h"

namespace pes::papi {

constinit Library library;
constinit EventSet event_sets[kMaxSets];

namespace {

constexpr int kDefaultDomain = PAPI_DOM_USER | PAPI_DOM_KERNEL;
constexpr int kDefaultSlice = 2'000'000; // ns: switching adds some 2 %
constexpr int kMegahertz = PES_CLOCK_HZ / 1'000'000;
constexpr int kDefaultTick = 200'000; // ns

PAPI_hw_info_t hardware_info;

bool counts(const Native& native) {
    const int counter =
        library.counters.configure(native, domain_filters(kDefaultDomain), Need::Count);
    if (counter == kNoCounter) {
        return false;
    }
    library.counters.release(uint64_t{1} << counter);
    return true;
}

void find_natives() {
    // Cycles and instructions have counters 0 and 2, which run free for everybody: configuring one
    // would stop it for a moment.
    library.available |= library.counters.exists(0) ? 1U << kCyclesNative : 0;
    library.available |= library.counters.exists(2) ? 1U << kInstructionsNative : 0;
    for (unsigned i = kInstructionsNative + 1; i < library.profile->native_count; ++i) {
        library.available |= counts(library.profile->natives[i]) ? uint64_t{1} << i : 0;
    }
}

/// Copied, not computed: the library runs without floating point.
constexpr PAPI_hw_info_t kHardware{
    .ncpu = 1,
    .threads = 1,
    .cores = 1,
    .sockets = 1,
    .nnodes = 1,
    .totalcpus = 1,
    .vendor = PAPI_VENDOR_UNKNOWN,
    .vendor_string = "",
    .model = 0,
    .model_string = "",
    .revision = 0,
    .cpuid_family = 0,
    .cpuid_model = 0,
    .cpuid_stepping = 0,
    .cpu_max_mhz = kMegahertz,
    .cpu_min_mhz = kMegahertz,
    .mem_hierarchy = {},
    .virtualized = 0,
    .virtual_vendor_string = "",
    .virtual_vendor_version = "",
    .mhz = kMegahertz,
    .clock_mhz = kMegahertz,
};

void describe_hardware() {
    hardware_info = kHardware;
    set_text(hardware_info.vendor_string, library.profile->vendor);
    set_text(hardware_info.model_string, library.profile->model);
    hardware_info.model =
        static_cast<int>(sbi_call(sbi::kBase, sbi::base::kArchitectureId).value & 0x7FFF'FFFF);
}

} // namespace
} // namespace pes::papi

using namespace pes::papi;

extern "C" int PAPI_library_init(int version) {
    if (version != PAPI_VER_CURRENT) {
        return answer(PAPI_EINVAL);
    }
    if (library.initialized != PAPI_NOT_INITED) {
        return answer(version);
    }
    if (!library.counters.probe()) {
        return answer(PAPI_ENOCNTR);
    }
    library.profile = find_profile(counts);
    if (library.profile == nullptr) {
        return answer(PAPI_ENOSUPP); // counters, but events that no profile here knows
    }
    find_natives();
    describe_hardware();
    library.overflow_interrupt = probe_overflow_interrupt();
    library.overflow_cause = probe_overflow_cause();
    library.domain = kDefaultDomain;
    library.slice = time_units(kDefaultSlice);
    library.tick = time_units(kDefaultTick);
    library.start_time = now();
    library.thread_known = true;
    library.initialized = PAPI_LOW_LEVEL_INITED;
    return answer(version);
}

extern "C" int PAPI_is_initialized(void) {
    return library.initialized;
}

extern "C" void PAPI_shutdown(void) {
    if (library.initialized == PAPI_NOT_INITED) {
        return;
    }
    if (library.running != nullptr) {
        PAPI_stop(handle_of(*library.running), nullptr);
    }
    unmap_set();
    forget_regions();
    forget_rates();
    for (pes::papi::EventSet& set : event_sets) {
        if (set.exists()) {
            set.clear();
            set.state = 0;
        }
    }
    new (&library) Library();
}

extern "C" const PAPI_hw_info_t* PAPI_get_hardware_info(void) {
    return library.initialized == PAPI_NOT_INITED ? nullptr : &hardware_info;
}

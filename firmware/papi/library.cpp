// SPDX-License-Identifier: Apache-2.0
// Start and end of the library, what it knows of the machine, options.
#include "platform.h"

#include "firmware/lib/placement_new.h"
#include "firmware/papi/library.h"
#include "firmware/supervisor/sbi_call.h"

namespace pes::papi {

constinit Library library;
constinit EventSet event_sets[kMaxSets];

namespace {

constexpr int kDefaultDomain = PAPI_DOM_USER | PAPI_DOM_KERNEL;
constexpr uint64_t kNanoseconds = 1'000'000'000;
constexpr int kDefaultSlice = 2'000'000; // ns: switching adds some 2 %
constexpr int kDefaultTick = 200'000;    // ns
constexpr int kShortestSlice = 20'000;   // ns: below, switching costs more than it counts
constexpr int kMegahertz = PES_CLOCK_HZ / 1'000'000;

PAPI_hw_info_t hardware_info;

uint64_t time_units(int nanoseconds) {
    return static_cast<uint64_t>(nanoseconds) * PES_TIMEBASE_HZ / kNanoseconds;
}

int nanoseconds(uint64_t units) {
    return static_cast<int>(units * kNanoseconds / PES_TIMEBASE_HZ);
}

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
    .virtualized = 0,
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

constexpr const char* kErrors[] = {
    "no error",
    "invalid argument",
    "not enough memory",
    "a system call failed",
    "not supported by the component",
    "the counters were lost",
    "internal error",
    "no such event on this machine",
    "the event does not fit on the counters together with the others",
    "the event set is not running",
    "an event set is running",
    "no such event set",
    "not a preset event",
    "no performance counters",
    "unknown error",
    "not permitted",
    "the library is not initialized",
    "no such component",
    "not supported",
    "not implemented",
    "buffer too small",
    "no such domain",
    "invalid event attributes",
    "too many events",
    "features that do not go together",
    "the component is disabled",
    "initialization of the component is delayed",
    "the events need several passes",
};
static_assert(sizeof(kErrors) / sizeof(kErrors[0]) == PAPI_NUM_ERRORS);

int set_interval(uint64_t& interval, int nanoseconds) {
    if (nanoseconds < kShortestSlice) {
        return PAPI_EINVAL;
    }
    interval = time_units(nanoseconds);
    return PAPI_OK;
}

int set_multiplex(const PAPI_multiplex_option_t& option) {
    if (option.flags != PAPI_MULTIPLEX_DEFAULT && option.flags != PAPI_MULTIPLEX_FORCE_SW) {
        return PAPI_EINVAL;
    }
    if (option.ns != 0 && option.ns < kShortestSlice) {
        return PAPI_EINVAL;
    }
    const int result = PAPI_set_multiplex(option.eventset);
    if (result == PAPI_OK && option.ns != 0) {
        find_set(option.eventset)->slice_period = time_units(option.ns);
    }
    return result;
}

int set_domain(const PAPI_domain_option_t& option) {
    pes::papi::EventSet* set = nullptr;
    if (const int error = check_set(option.eventset, Want::Stopped, set); error != PAPI_OK) {
        return error;
    }
    if (option.domain < PAPI_DOM_MIN || option.domain > PAPI_DOM_MAX) {
        return PAPI_EINVAL_DOM;
    }
    if (library.mapped == set) {
        unmap_set(); // the filters are written when a counter is configured
    }
    set->domain = option.domain;
    return PAPI_OK;
}

} // namespace
} // namespace pes::papi

using namespace pes::papi;

extern "C" int PAPI_library_init(int version) {
    if (version != PAPI_VER_CURRENT) {
        return PAPI_EINVAL;
    }
    if (library.initialized != PAPI_NOT_INITED) {
        return version;
    }
    if (!library.counters.probe()) {
        return PAPI_ENOCNTR;
    }
    library.profile = find_profile(counts);
    if (library.profile == nullptr) {
        return PAPI_ENOSUPP; // counters, but events that no profile here knows
    }
    find_natives();
    describe_hardware();
    library.overflow_interrupt = probe_overflow_interrupt();
    library.overflow_cause = probe_overflow_cause();
    library.domain = kDefaultDomain;
    library.slice = time_units(kDefaultSlice);
    library.tick = time_units(kDefaultTick);
    library.start_time = now();
    library.initialized = PAPI_LOW_LEVEL_INITED;
    return version;
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
    for (pes::papi::EventSet& set : event_sets) {
        if (set.exists()) {
            set.clear();
            set.state = 0;
        }
    }
    new (&library) Library();
}

extern "C" const char* PAPI_strerror(int code) {
    return code <= 0 && code > -PAPI_NUM_ERRORS ? kErrors[-code] : nullptr;
}

extern "C" const PAPI_hw_info_t* PAPI_get_hardware_info(void) {
    return library.initialized == PAPI_NOT_INITED ? nullptr : &hardware_info;
}

extern "C" int PAPI_num_cmp_hwctrs(int cidx) {
    if (library.initialized == PAPI_NOT_INITED) {
        return PAPI_ENOINIT;
    }
    return cidx == 0 ? static_cast<int>(library.counters.hardware_count()) : PAPI_ENOCMP;
}

extern "C" int PAPI_num_hwctrs(void) {
    return PAPI_num_cmp_hwctrs(0);
}

extern "C" int PAPI_num_components(void) {
    return 1;
}

extern "C" int PAPI_set_domain(int domain) {
    if (library.initialized == PAPI_NOT_INITED) {
        return PAPI_ENOINIT;
    }
    if (domain < PAPI_DOM_MIN || domain > PAPI_DOM_MAX) {
        return PAPI_EINVAL;
    }
    library.domain = domain;
    return PAPI_OK;
}

extern "C" int PAPI_get_opt(int option, PAPI_option_t* ptr) {
    if (library.initialized == PAPI_NOT_INITED) {
        return PAPI_ENOINIT;
    }
    switch (option) {
    case PAPI_MAX_HWCTRS:
        return PAPI_num_hwctrs();
    case PAPI_MAX_MPX_CTRS:
        return kMaxSlots;
    case PAPI_CLOCKRATE:
        return kMegahertz;
    case PAPI_LIB_VERSION:
        return PAPI_VERSION;
    default:
        break;
    }
    if (ptr == nullptr) {
        return PAPI_EINVAL;
    }
    pes::papi::EventSet* set = nullptr;
    switch (option) {
    case PAPI_HWINFO:
        ptr->hw_info = &hardware_info;
        return PAPI_OK;
    case PAPI_DEFDOM:
        ptr->defdomain.domain = library.domain;
        return PAPI_OK;
    case PAPI_DOMAIN:
        if (const int error = check_set(ptr->domain.eventset, Want::Any, set); error != PAPI_OK) {
            return error;
        }
        ptr->domain.domain = set->domain;
        return PAPI_OK;
    case PAPI_MULTIPLEX:
        if (const int error = check_set(ptr->multiplex.eventset, Want::Any, set);
            error != PAPI_OK) {
            return error;
        }
        ptr->multiplex.flags = PAPI_MULTIPLEX_DEFAULT;
        ptr->multiplex.ns = nanoseconds(set->slice_period);
        return static_cast<int>(set->multiplexed());
    case PAPI_DEF_MPX_NS:
        ptr->multiplex.ns = nanoseconds(library.slice);
        return PAPI_OK;
    case PAPI_DEF_ITIMER_NS:
        ptr->itimer.ns = nanoseconds(library.tick);
        return PAPI_OK;
    default:
        return PAPI_EINVAL;
    }
}

extern "C" int PAPI_set_opt(int option, PAPI_option_t* ptr) {
    if (library.initialized == PAPI_NOT_INITED) {
        return PAPI_ENOINIT;
    }
    if (ptr == nullptr) {
        return PAPI_EINVAL;
    }
    switch (option) {
    case PAPI_DEF_MPX_NS:
        return set_interval(library.slice, ptr->multiplex.ns);
    case PAPI_DEF_ITIMER_NS:
        return set_interval(library.tick, ptr->itimer.ns);
    case PAPI_MULTIPLEX:
        return set_multiplex(ptr->multiplex);
    case PAPI_DEFDOM:
        return PAPI_set_domain(ptr->defdomain.domain);
    case PAPI_DOMAIN:
        return set_domain(ptr->domain);
    default:
        return PAPI_EINVAL;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Options of the library and of event sets.
#include "platform.h"

#include "firmware/papi/counting/counting.h"

namespace pes::papi {

namespace {

constexpr int kMegahertz = PES_CLOCK_HZ / 1'000'000;
constexpr uint64_t kNanoseconds = 1'000'000'000;
constexpr int kShortestSlice = 20'000; // ns: below, switching costs more than it counts

int nanoseconds(uint64_t units) {
    return static_cast<int>(units * kNanoseconds / PES_TIMEBASE_HZ);
}

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
    const int result = multiplex_set(option.eventset);
    if (result == PAPI_OK && option.ns != 0) {
        find_set(option.eventset)->slice_period = time_units(option.ns);
    }
    return result;
}

int set_domain(const PAPI_domain_option_t& option) {
    EventSet* set = nullptr;
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

int set_default_domain(int domain) {
    if (library.initialized == PAPI_NOT_INITED) {
        return PAPI_ENOINIT;
    }
    if (domain < PAPI_DOM_MIN || domain > PAPI_DOM_MAX) {
        return PAPI_EINVAL;
    }
    library.domain = domain;
    return PAPI_OK;
}

/// Counts are those of the one thread. PAPI_ECMP: PAPI knows it, the component does not have it.
int check_granularity(int granularity) {
    switch (granularity) {
    case PAPI_GRN_THR:
        return PAPI_OK;
    case PAPI_GRN_PROC:
    case PAPI_GRN_PROCG:
    case PAPI_GRN_SYS:
    case PAPI_GRN_SYS_CPU:
        return PAPI_ECMP;
    default:
        return PAPI_EINVAL;
    }
}

/// An option of a set that allows no value but the one it has: PAPI_OK for that one.
int keep(int handle, int error) {
    EventSet* set = nullptr;
    const int wrong = check_set(handle, Want::Stopped, set);
    return wrong != PAPI_OK ? wrong : error;
}

int set_inherit(const PAPI_inherit_option_t& option) {
    switch (option.inherit) {
    case PAPI_INHERIT_NONE:
        return keep(option.eventset, PAPI_OK);
    case PAPI_INHERIT_ALL:
        return keep(option.eventset, PAPI_ECMP);
    default:
        return PAPI_EINVAL;
    }
}

/// Options of PAPI that the library knows and has no way to serve.
int refuse_option(int option) {
    switch (option) {
    case PAPI_PROFIL:
    case PAPI_PRELOAD:
    case PAPI_DEF_ITIMER:
    case PAPI_USER_EVENTS_FILE:
        return PAPI_ENOSUPP;
    case PAPI_ATTACH:
    case PAPI_DETACH:
    case PAPI_CPU_ATTACH:
    case PAPI_DATA_ADDRESS:
    case PAPI_INSTR_ADDRESS:
        return PAPI_ECMP;
    default:
        return PAPI_EINVAL;
    }
}

/// The options that describe a set.
int get_set_option(int option, PAPI_option_t& value) {
    const int handle = option == PAPI_DOMAIN    ? value.domain.eventset
                       : option == PAPI_GRANUL  ? value.granularity.eventset
                       : option == PAPI_INHERIT ? value.inherit.eventset
                                                : value.multiplex.eventset;
    EventSet* set = nullptr;
    if (const int error = check_set(handle, Want::Any, set); error != PAPI_OK) {
        return error;
    }
    switch (option) {
    case PAPI_DOMAIN:
        value.domain.domain = set->domain;
        return PAPI_OK;
    case PAPI_GRANUL:
        value.granularity.granularity = PAPI_GRN_THR;
        return PAPI_OK;
    case PAPI_INHERIT:
        value.inherit.inherit = PAPI_INHERIT_NONE;
        return PAPI_OK;
    default:
        value.multiplex.flags = PAPI_MULTIPLEX_DEFAULT;
        value.multiplex.ns = nanoseconds(set->slice_period);
        return static_cast<int>(set->multiplexed());
    }
}

template <typename Info>
int give(const Info*& where, const Info* info) {
    where = info;
    return info != nullptr ? PAPI_OK : PAPI_ENOSUPP;
}

/// The options that come in a PAPI_option_t.
int get_structure(int option, PAPI_option_t& value) {
    switch (option) {
    case PAPI_HWINFO:
        return give(value.hw_info, PAPI_get_hardware_info());
    case PAPI_EXEINFO:
        return give(value.exe_info, describe_executable());
    case PAPI_SHLIBINFO:
        return give(value.shlib_info, describe_shared_libraries());
    case PAPI_COMPONENTINFO:
        return give(value.cmp_info, PAPI_get_component_info(0));
    case PAPI_DEFDOM:
        value.defdomain.domain = library.domain;
        return PAPI_OK;
    case PAPI_DEFGRN:
        value.defgranularity.granularity = PAPI_GRN_THR;
        return PAPI_OK;
    case PAPI_DEF_MPX_NS:
        value.multiplex.ns = nanoseconds(library.slice);
        return PAPI_OK;
    case PAPI_DEF_ITIMER_NS:
        value.itimer.ns = nanoseconds(library.tick);
        return PAPI_OK;
    case PAPI_DOMAIN:
    case PAPI_GRANUL:
    case PAPI_INHERIT:
    case PAPI_MULTIPLEX:
        return get_set_option(option, value);
    default:
        return refuse_option(option);
    }
}

int get_option(int option, PAPI_option_t* value) {
    if (library.initialized == PAPI_NOT_INITED) {
        return PAPI_ENOINIT;
    }
    switch (option) {
    case PAPI_MAX_HWCTRS:
        return PAPI_num_hwctrs();
    case PAPI_MAX_MPX_CTRS:
        return kMaxSlots;
    case PAPI_MAX_CPUS:
        return 1;
    case PAPI_CLOCKRATE:
        return kMegahertz;
    case PAPI_LIB_VERSION:
        return PAPI_VERSION;
    default:
        return value == nullptr ? PAPI_EINVAL : get_structure(option, *value);
    }
}

int set_option(int option, const PAPI_option_t& value) {
    switch (option) {
    case PAPI_DEF_MPX_NS:
        return set_interval(library.slice, value.multiplex.ns);
    case PAPI_DEF_ITIMER_NS:
        return set_interval(library.tick, value.itimer.ns);
    case PAPI_MULTIPLEX:
        return set_multiplex(value.multiplex);
    case PAPI_DEFDOM:
        return set_default_domain(value.defdomain.domain);
    case PAPI_DOMAIN:
        return set_domain(value.domain);
    case PAPI_DEFGRN:
        return check_granularity(value.defgranularity.granularity);
    case PAPI_GRANUL:
        return keep(value.granularity.eventset, check_granularity(value.granularity.granularity));
    case PAPI_INHERIT:
        return set_inherit(value.inherit);
    case PAPI_ATTACH:
    case PAPI_DETACH:
        return keep(value.attach.eventset, PAPI_ECMP);
    case PAPI_CPU_ATTACH:
        return keep(value.cpu.eventset, PAPI_ECMP);
    case PAPI_DATA_ADDRESS:
    case PAPI_INSTR_ADDRESS:
        return keep(value.addr.eventset, PAPI_ECMP);
    default:
        return refuse_option(option);
    }
}

} // namespace

uint64_t time_units(int nanoseconds) {
    return static_cast<uint64_t>(nanoseconds) * PES_TIMEBASE_HZ / kNanoseconds;
}

} // namespace pes::papi

using namespace pes::papi;

extern "C" int PAPI_get_opt(int option, PAPI_option_t* ptr) {
    return answer(get_option(option, ptr));
}

extern "C" int PAPI_get_cmp_opt(int option, PAPI_option_t* ptr, int cidx) {
    return answer(cidx == 0 ? get_option(option, ptr) : PAPI_ENOCMP);
}

extern "C" int PAPI_set_opt(int option, PAPI_option_t* ptr) {
    if (library.initialized == PAPI_NOT_INITED) {
        return answer(PAPI_ENOINIT);
    }
    return answer(ptr == nullptr ? PAPI_EINVAL : set_option(option, *ptr));
}

extern "C" int PAPI_set_domain(int domain) {
    return answer(set_default_domain(domain));
}

extern "C" int PAPI_set_cmp_domain(int domain, int cidx) {
    return answer(cidx == 0 ? set_default_domain(domain) : PAPI_ENOCMP);
}

extern "C" int PAPI_set_granularity(int granularity) {
    return PAPI_set_cmp_granularity(granularity, 0);
}

extern "C" int PAPI_set_cmp_granularity(int granularity, int cidx) {
    if (library.initialized == PAPI_NOT_INITED) {
        return answer(PAPI_ENOINIT);
    }
    return answer(cidx == 0 ? check_granularity(granularity) : PAPI_ENOCMP);
}

// SPDX-License-Identifier: Apache-2.0
// The one component: the PMU extension of the SBI.
#include "firmware/lib/text.h"
#include "firmware/papi/library.h"
#include "firmware/supervisor/sbi_call.h"

namespace pes::papi {

namespace {

constexpr const char* kName = "sbi";

PAPI_component_info_t component;

/// "MAJOR.MINOR" of the SBI specification that the firmware follows.
void describe_specification(char (&field)[PAPI_MIN_STR_LEN]) {
    constexpr unsigned kMajorShift = 24;
    constexpr uint64_t kMajor = 0x7F;
    constexpr uint64_t kMinor = 0xFF'FFFF;
    const uint64_t version = sbi_call(sbi::kBase, sbi::base::kSpecVersion).value;
    unsigned length = 0;
    print([&](char c) { field[length++] = c; }, version >> kMajorShift & kMajor, ".",
          version & kMinor);
    field[length] = '\0';
}

int available_presets() {
    int number = 0;
    for (unsigned i = 0; i < library.profile->preset_count; ++i) {
        number += find_preset(library.profile->presets[i].code) != nullptr ? 1 : 0;
    }
    return number;
}

/// What is known only after the start.
void describe_machine() {
    component.initialized = 1;
    component.pmu_names[0] = library.profile->name;
    component.num_cntrs = static_cast<int>(library.counters.hardware_count());
    component.num_mpx_cntrs = kMaxSlots;
    component.num_preset_events = available_presets();
    component.num_native_events = __builtin_popcountl(library.available);
    component.default_domain = library.domain;
    component.hardware_intr = library.overflow_interrupt ? 1 : 0;
    component.precise_intr = library.overflow_cause ? 1 : 0;
}

int component_named(const char* name) {
    if (name == nullptr) {
        return PAPI_EINVAL;
    }
    return same_text(name, kName) ? 0 : PAPI_ENOCMP;
}

/// Without its only component the library could serve nothing.
int refuse_disable(int cidx) {
    if (library.initialized != PAPI_NOT_INITED) {
        return PAPI_ENOINIT; // PAPI's code for "too late"
    }
    return cidx == 0 ? PAPI_ENOSUPP : PAPI_ENOCMP;
}

} // namespace
} // namespace pes::papi

using namespace pes::papi;

extern "C" int PAPI_num_components(void) {
    return 1;
}

extern "C" int PAPI_num_cmp_hwctrs(int cidx) {
    if (library.initialized == PAPI_NOT_INITED) {
        return answer(PAPI_ENOINIT);
    }
    return answer(cidx == 0 ? static_cast<int>(library.counters.hardware_count()) : PAPI_ENOCMP);
}

extern "C" int PAPI_num_hwctrs(void) {
    return PAPI_num_cmp_hwctrs(0);
}

extern "C" const PAPI_component_info_t* PAPI_get_component_info(int cidx) {
    if (cidx != 0) {
        remember_error(PAPI_ENOCMP);
        return nullptr;
    }
    component = {};
    set_text(component.name, kName);
    set_text(component.short_name, kName);
    set_text(component.description, "PMU extension of the supervisor binary interface");
    describe_specification(component.kernel_version);
    component.available_domains = PAPI_DOM_USER | PAPI_DOM_KERNEL | PAPI_DOM_SUPERVISOR;
    component.default_granularity = PAPI_GRN_THR;
    component.available_granularities = PAPI_GRN_THR;
    component.fast_counter_read = 1; // a CSR; `time` may be emulated by the firmware, so it is not
    if (library.initialized != PAPI_NOT_INITED) {
        describe_machine();
    }
    return &component;
}

extern "C" int PAPI_get_component_index(const char* name) {
    return answer(component_named(name));
}

extern "C" int PAPI_get_event_component(int EventCode) {
    if (library.initialized == PAPI_NOT_INITED) {
        return answer(PAPI_ENOINIT);
    }
    return answer(event_known(EventCode) ? 0 : PAPI_ENOCMP);
}

extern "C" int PAPI_get_eventset_component(int EventSet) {
    pes::papi::EventSet* set = nullptr;
    if (const int error = check_set(EventSet, Want::Any, set); error != PAPI_OK) {
        return answer(error);
    }
    return answer(set->bound ? 0 : PAPI_ENOCMP);
}

extern "C" int PAPI_disable_component(int cidx) {
    return answer(refuse_disable(cidx));
}

extern "C" int PAPI_disable_component_by_name(const char* name) {
    const int cidx = component_named(name);
    return answer(cidx == PAPI_EINVAL ? cidx : refuse_disable(cidx));
}

// SPDX-License-Identifier: Apache-2.0
// Library, events and event sets: return codes as PAPI's documentation gives them.
#include "firmware/papi/text_util.h"
#include "platform.h"
#include "tests/guest/papi_test/check.h"
#include "tests/guest/papi_test/tests.h"

namespace pes::papi_test {

namespace {

constexpr int kNoSuchSet = 5000;

int make_set() {
    int set = PAPI_NULL;
    expect("create", PAPI_create_eventset(&set), PAPI_OK);
    return set;
}

void drop_set(int set) {
    expect("cleanup", PAPI_cleanup_eventset(set), PAPI_OK);
    expect("destroy", PAPI_destroy_eventset(&set), PAPI_OK);
    expect("handle of a destroyed set", set, PAPI_NULL);
}

} // namespace

void test_before_init() {
    int set = PAPI_NULL;
    int code = 0;
    long long value = 0;
    expect("initialized before init", PAPI_is_initialized(), PAPI_NOT_INITED);
    expect("create before init", PAPI_create_eventset(&set), PAPI_ENOINIT);
    expect("start before init", PAPI_start(0), PAPI_ENOINIT);
    expect("name before init", PAPI_event_name_to_code("PAPI_TOT_CYC", &code), PAPI_ENOINIT);
    expect("query before init", PAPI_query_event(PAPI_TOT_CYC), PAPI_ENOINIT);
    expect("read before init", PAPI_read(0, &value), PAPI_ENOINIT);
    expect("multiplex before init", PAPI_multiplex_init(), PAPI_ENOINIT);
    expect("virtual time before init", PAPI_get_virt_usec(), PAPI_ENOINIT);
    expect("hardware before init", PAPI_get_hardware_info() == nullptr, 1);
}

void test_library() {
    expect("init with another version", PAPI_library_init(PAPI_VERSION_NUMBER(3, 0, 0, 0)),
           PAPI_EINVAL);
    expect("init", PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
    expect("init again", PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
    expect("initialized", PAPI_is_initialized(), PAPI_LOW_LEVEL_INITED);
    PAPI_shutdown();
    expect("initialized after shutdown", PAPI_is_initialized(), PAPI_NOT_INITED);
    expect("init after shutdown", PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
    if (PAPI_is_initialized() == PAPI_NOT_INITED) { // no counters that the library knows
        finish("papi_test");
    }
    const PAPI_hw_info_t* info = PAPI_get_hardware_info();
    expect("model", papi::same_text(info->model_string, "CVA6"), 1);
    expect("cpus", info->totalcpus, 1);
    expect("clock", info->cpu_max_mhz, PES_CLOCK_HZ / 1'000'000);
    expect("components", PAPI_num_components(), 1);
    expect("counters of another component", PAPI_num_cmp_hwctrs(1), PAPI_ENOCMP);
    expect("clock rate option", PAPI_get_opt(PAPI_CLOCKRATE, nullptr), PES_CLOCK_HZ / 1'000'000);
    expect("unknown option", PAPI_get_opt(999, nullptr), PAPI_EINVAL);
    expect("text of success", PAPI_strerror(PAPI_OK) != nullptr, 1);
    expect("text of no error", PAPI_strerror(-PAPI_NUM_ERRORS) == nullptr, 1);
}

void test_events() {
    int code = 0;
    char name[PAPI_MAX_STR_LEN];
    expect("preset name", PAPI_event_name_to_code("PAPI_L1_DCM", &code), PAPI_OK);
    expect("preset code", static_cast<unsigned>(code), 0x80000000U);
    expect("code of TOT_INS", static_cast<unsigned>(PAPI_TOT_INS), 0x80000032U);
    expect("code of TOT_CYC", static_cast<unsigned>(PAPI_TOT_CYC), 0x8000003BU);
    expect("code of FP_OPS", static_cast<unsigned>(PAPI_FP_OPS), 0x80000066U);
    expect("name of a preset", PAPI_event_code_to_name(PAPI_TOT_INS, name), PAPI_OK);
    expect("text of it", papi::same_text(name, "PAPI_TOT_INS"), 1);
    expect("native name", PAPI_event_name_to_code("load", &code), PAPI_OK);
    expect("native code", IS_NATIVE(code), 1);
    expect("name of a native", PAPI_event_code_to_name(code, name), PAPI_OK);
    expect("text of it", papi::same_text(name, "load"), 1);
    int prefixed = 0;
    expect("name with profile", PAPI_event_name_to_code("cva6::load", &prefixed), PAPI_OK);
    expect("same code", prefixed, code);
    expect("unknown name", PAPI_event_name_to_code("PAPI_NONSENSE", &code), PAPI_ENOEVNT);
    expect("no name", PAPI_event_name_to_code(nullptr, &code), PAPI_EINVAL);
    expect("unknown preset code", PAPI_event_code_to_name(PAPI_END, name), PAPI_ENOEVNT);
    expect("query of a preset", PAPI_query_event(PAPI_LST_INS), PAPI_OK);
    expect("query of one not here", PAPI_query_event(PAPI_L3_TCM), PAPI_ENOEVNT);
    expect("query of a native not here", PAPI_query_event(PAPI_NATIVE_MASK | 60), PAPI_ENOEVNT);
    expect("query by name", PAPI_query_named_event("store"), PAPI_OK);

    unsigned all = 0;
    code = PAPI_PRESET_MASK;
    for (int result = PAPI_enum_event(&code, PAPI_ENUM_FIRST); result == PAPI_OK;
         result = PAPI_enum_event(&code, PAPI_ENUM_EVENTS)) {
        ++all;
    }
    expect("all presets", all, PAPI_END_idx);
    unsigned available = 1; // the first is
    code = PAPI_PRESET_MASK;
    while (PAPI_enum_event(&code, PAPI_PRESET_ENUM_AVAIL) == PAPI_OK) {
        ++available;
        expect("an available preset", PAPI_query_event(code), PAPI_OK);
    }
    expect("available presets", available, 25);
    unsigned natives = 0;
    code = PAPI_NATIVE_MASK;
    for (int result = PAPI_enum_event(&code, PAPI_ENUM_FIRST); result == PAPI_OK;
         result = PAPI_enum_event(&code, PAPI_ENUM_EVENTS)) {
        ++natives;
    }
    expect_between("native events: cycles, instructions, 22 of the core and the firmware's",
                   natives, 24, 2 + 24 + 22);
    expect("enumeration of nothing", PAPI_enum_event(nullptr, PAPI_ENUM_EVENTS), PAPI_EINVAL);

    static PAPI_event_info_t info;
    expect("info", PAPI_get_event_info(PAPI_L1_DCH, &info), PAPI_OK);
    expect("terms", info.count, 3);
    expect("derived", papi::same_text(info.derived, "DERIVED_POSTFIX"), 1);
    expect("postfix", papi::same_text(info.postfix, "N0|N1|+|N2|-|"), 1);
    expect("third term", papi::same_text(info.name[2], "l1d-miss"), 1);
    expect("info of a preset not here", PAPI_get_event_info(PAPI_L3_TCM, &info), PAPI_OK);
    expect("has no terms", info.count, 0);
}

void test_event_sets() {
    int set = 3;
    expect("create without PAPI_NULL", PAPI_create_eventset(&set), PAPI_EINVAL);
    expect("create nowhere", PAPI_create_eventset(nullptr), PAPI_EINVAL);
    set = make_set();
    int state = 0;
    expect("state", PAPI_state(set, &state), PAPI_OK);
    expect("stopped", state, PAPI_STOPPED);
    expect("start of an empty set", PAPI_start(set), PAPI_EINVAL);
    expect("add to no set", PAPI_add_event(kNoSuchSet, PAPI_TOT_CYC), PAPI_ENOEVST);
    expect("add of an event not here", PAPI_add_event(set, PAPI_L3_TCM), PAPI_ENOEVNT);
    expect("add", PAPI_add_event(set, PAPI_TOT_CYC), PAPI_OK);
    expect("add again", PAPI_add_event(set, PAPI_TOT_CYC), PAPI_ECNFLCT);
    expect("add by name", PAPI_add_named_event(set, "load"), PAPI_OK);
    int two[] = {PAPI_SR_INS, PAPI_L3_TCM};
    expect("the second of two fails", PAPI_add_events(set, two, 2), 1);
    expect("events", PAPI_num_events(set), 3);
    int listed[4] = {};
    int count = 0;
    expect("number of events", PAPI_list_events(set, nullptr, &count), PAPI_OK);
    expect("listed number", count, 3);
    count = 2;
    expect("list of two", PAPI_list_events(set, listed, &count), PAPI_OK);
    expect("first listed", listed[0], PAPI_TOT_CYC);
    expect("destroy of a set with events", PAPI_destroy_eventset(&set), PAPI_EINVAL);
    expect("remove", PAPI_remove_event(set, PAPI_TOT_CYC), PAPI_OK);
    expect("remove again", PAPI_remove_event(set, PAPI_TOT_CYC), PAPI_EINVAL);
    expect("remove by name", PAPI_remove_named_event(set, "load"), PAPI_OK);
    expect("left", PAPI_num_events(set), 1);
    expect("stop of a stopped set", PAPI_stop(set, nullptr), PAPI_ENOTRUN);
    expect("start", PAPI_start(set), PAPI_OK);
    expect("start again", PAPI_start(set), PAPI_EISRUN);
    expect("state while it runs", PAPI_state(set, &state), PAPI_OK);
    expect("running", state, PAPI_RUNNING);
    expect("add while it runs", PAPI_add_event(set, PAPI_TOT_CYC), PAPI_EISRUN);
    expect("remove while it runs", PAPI_remove_event(set, PAPI_SR_INS), PAPI_EISRUN);
    expect("cleanup while it runs", PAPI_cleanup_eventset(set), PAPI_EISRUN);
    expect("destroy while it runs", PAPI_destroy_eventset(&set), PAPI_EISRUN);
    expect("read nowhere", PAPI_read(set, nullptr), PAPI_EINVAL);
    expect("stop", PAPI_stop(set, nullptr), PAPI_OK);
    drop_set(set);
    expect("state of a set that is gone", PAPI_state(set, &state), PAPI_ENOEVST);
    int many[64];
    int made = 0;
    int result = PAPI_OK;
    while (made < 64 &&
           (many[made] = PAPI_NULL, result = PAPI_create_eventset(&many[made])) == PAPI_OK) {
        ++made;
    }
    expect("no more sets", result, PAPI_ENOMEM);
    while (made > 0) {
        PAPI_destroy_eventset(&many[--made]);
    }
}

/// Different programmable events until the SBI has no counter left.
void test_conflicts() {
    constexpr const char* kEvents[] = {"load", "store",  "branch",   "integer", "floating-point",
                                       "call", "return", "l1d-miss", "l1i-miss"};
    const int programmable = PAPI_num_hwctrs() - 2; // cycle and instret count nothing else
    int set = make_set();
    int added = 0;
    int result = PAPI_OK;
    while (added < 9 && (result = PAPI_add_named_event(set, kEvents[added])) == PAPI_OK) {
        ++added;
    }
    expect("events that fit", added, programmable);
    expect("one more", result, PAPI_ECNFLCT);
    expect("the set is as before", PAPI_num_events(set), programmable);
    expect("cycles fit beside them", PAPI_add_event(set, PAPI_TOT_CYC), PAPI_OK);
    expect("instructions, too", PAPI_add_event(set, PAPI_TOT_INS), PAPI_OK);
    expect("a term that is there needs no counter", PAPI_add_event(set, PAPI_LD_INS), PAPI_OK);
    expect("start", PAPI_start(set), PAPI_OK);

    int other = make_set();
    expect("another set takes events meanwhile", PAPI_add_event(other, PAPI_BR_INS), PAPI_OK);
    expect("but does not run", PAPI_start(other), PAPI_EISRUN);
    expect("stop", PAPI_stop(set, nullptr), PAPI_OK);
    expect("now it does", PAPI_start(other), PAPI_OK);
    expect("and stops", PAPI_stop(other, nullptr), PAPI_OK);
    drop_set(other);
    drop_set(set);
}

} // namespace pes::papi_test

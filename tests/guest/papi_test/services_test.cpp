// SPDX-License-Identifier: Apache-2.0
// What surrounds counting: the one component, the one thread, options, the program, errors.
#include "firmware/papi/text_util.h"
#include "tests/guest/papi_test/check.h"
#include "tests/guest/papi_test/tests.h"

extern "C" char __bss_start[];

namespace pes::papi_test {

namespace {

constexpr int kNoSuchSet = 5000;
constexpr unsigned long kThread = 77;

unsigned long own_thread() {
    return kThread;
}

unsigned long other_thread() {
    return kThread + 1;
}

/// What a call tells before the library has started.
void test_thread_calls_before_init() {
    void* pointer = nullptr;
    int number = 0;
    expect("thread init before init", PAPI_thread_init(own_thread), PAPI_ENOINIT);
    expect("thread id before init", static_cast<long>(PAPI_thread_id()), PAPI_EMISC);
    expect("register before init", PAPI_register_thread(), PAPI_ENOINIT);
    expect("unregister before init", PAPI_unregister_thread(), PAPI_EMISC);
    expect("threads before init", PAPI_list_threads(nullptr, &number), PAPI_ENOINIT);
    expect("pointer before init", PAPI_get_thr_specific(PAPI_USR1_TLS, &pointer), PAPI_ENOINIT);
    expect("set pointer before init", PAPI_set_thr_specific(PAPI_USR1_TLS, nullptr), PAPI_ENOINIT);
    expect("attach before init", PAPI_attach(0, 1), PAPI_ENOINIT);
    expect("detach before init", PAPI_detach(0), PAPI_ENOINIT);
}

} // namespace

void test_services_before_init() {
    test_thread_calls_before_init();
    expect("component before init", PAPI_get_component_info(0)->initialized, 0);
    expect("disable the only component", PAPI_disable_component(0), PAPI_ENOSUPP);
    expect("disable it by name", PAPI_disable_component_by_name("sbi"), PAPI_ENOSUPP);
    expect("disable another", PAPI_disable_component(1), PAPI_ENOCMP);
    expect("disable another by name", PAPI_disable_component_by_name("cuda"), PAPI_ENOCMP);
    expect("disable no name", PAPI_disable_component_by_name(nullptr), PAPI_EINVAL);
    expect("component of an event before init", PAPI_get_event_component(PAPI_TOT_CYC),
           PAPI_ENOINIT);
    expect("component of a set before init", PAPI_get_eventset_component(0), PAPI_ENOINIT);
    expect("granularity before init", PAPI_set_granularity(PAPI_GRN_THR), PAPI_ENOINIT);
    expect("component's domain before init", PAPI_set_cmp_domain(PAPI_DOM_USER, 0), PAPI_ENOINIT);
    expect("component's option before init", PAPI_get_cmp_opt(PAPI_MAX_HWCTRS, nullptr, 0),
           PAPI_ENOINIT);
    int code = PAPI_PRESET_MASK;
    expect("enumeration before init", PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, 0), PAPI_ENOINIT);
    expect("program before init", PAPI_get_executable_info() == nullptr, 1);
    expect("libraries before init", PAPI_get_shared_lib_info() == nullptr, 1);
    float value = 0;
    long long count = 0;
    expect("rate stop before init", PAPI_rate_stop(), PAPI_ENOEVNT);
    expect("flips of another event", PAPI_flips_rate(PAPI_TOT_INS, &value, &value, &count, &value),
           PAPI_ENOEVNT);
}

void test_component() {
    const PAPI_component_info_t* info = PAPI_get_component_info(0);
    expect("component", papi::same_text(info->name, "sbi"), 1);
    expect("version of the SBI", info->kernel_version[0] >= '0' && info->kernel_version[1] == '.',
           1);
    expect("enabled", info->disabled, 0);
    expect("initialized", info->initialized, 1);
    expect("its counters", info->num_cntrs, PAPI_num_hwctrs());
    expect("its presets", info->num_preset_events, 25);
    expect_between("its native events", info->num_native_events, 24, 2 + 24 + 22);
    expect("default domain", info->default_domain, PAPI_DOM_USER | PAPI_DOM_KERNEL);
    expect("granularities", info->available_granularities, PAPI_GRN_THR);
    expect("PMU", papi::same_text(info->pmu_names[0], "cva6"), 1);
    expect("one PMU", info->pmu_names[1] == nullptr, 1);
    expect("no attach", info->attach, 0);
    expect("another component", PAPI_get_component_info(1) == nullptr, 1);
    expect("a negative one", PAPI_get_component_info(-1) == nullptr, 1);
    expect("its index", PAPI_get_component_index("sbi"), 0);
    expect("index of another", PAPI_get_component_index("perf_event"), PAPI_ENOCMP);
    expect("index of no name", PAPI_get_component_index(nullptr), PAPI_EINVAL);
    expect("disable after init", PAPI_disable_component(0), PAPI_ENOINIT);
    expect("by name, too", PAPI_disable_component_by_name("sbi"), PAPI_ENOINIT);
    expect("component of a preset", PAPI_get_event_component(PAPI_TOT_CYC), 0);
    expect("of a preset not here", PAPI_get_event_component(PAPI_L3_TCM), PAPI_ENOCMP);
    int set = PAPI_NULL;
    expect("create", PAPI_create_eventset(&set), PAPI_OK);
    expect("component of an empty set", PAPI_get_eventset_component(set), PAPI_ENOCMP);
    expect("add", PAPI_add_event(set, PAPI_TOT_CYC), PAPI_OK);
    expect("component of a set", PAPI_get_eventset_component(set), 0);
    expect("component of no set", PAPI_get_eventset_component(kNoSuchSet), PAPI_ENOEVST);
    PAPI_cleanup_eventset(set);
    PAPI_destroy_eventset(&set);
    int code = PAPI_PRESET_MASK;
    expect("first of the component", PAPI_enum_cmp_event(&code, PAPI_PRESET_ENUM_FIRST_COMP, 0),
           PAPI_OK);
    expect("is the first of all", code, PAPI_L1_DCM);
    expect("events of another", PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, 1), PAPI_ENOCMP);
    expect("masks of a preset", PAPI_enum_event(&code, PAPI_NTV_ENUM_UMASKS), PAPI_EINVAL);
    expect("native", PAPI_event_name_to_code("load", &code), PAPI_OK);
    expect("masks of a native event", PAPI_enum_event(&code, PAPI_NTV_ENUM_UMASKS), PAPI_ENOEVNT);
    expect("unknown modifier", PAPI_enum_event(&code, PAPI_NTV_ENUM_GROUPS + 1), PAPI_EINVAL);
}

namespace {

void test_thread_pointers() {
    int first = 1;
    void* pointer = &first;
    expect("no pointer yet", PAPI_get_thr_specific(PAPI_USR1_TLS, &pointer), PAPI_OK);
    expect("is null", pointer == nullptr, 1);
    expect("set", PAPI_set_thr_specific(PAPI_USR1_TLS, &first), PAPI_OK);
    expect("get", PAPI_get_thr_specific(PAPI_USR1_TLS, &pointer), PAPI_OK);
    expect("the same", pointer == &first, 1);
    expect("get the other", PAPI_get_thr_specific(PAPI_USR2_TLS, &pointer), PAPI_OK);
    expect("has none", pointer == nullptr, 1);
    unsigned long id = 0;
    PAPI_all_thr_spec_t all = {1, &id, &pointer};
    void* where = &all;
    expect("get of all threads",
           PAPI_get_thr_specific(PAPI_USR1_TLS | PAPI_TLS_ALL_THREADS,
                                 reinterpret_cast<void**>(where)),
           PAPI_OK);
    expect("there is one", all.num, 1);
    expect("it is this", static_cast<long>(id), kThread);
    expect("and its pointer", pointer == &first, 1);
    expect("unknown place", PAPI_set_thr_specific(PAPI_NUM_TLS, &first), PAPI_EINVAL);
    expect("unknown place", PAPI_get_thr_specific(PAPI_NUM_TLS, &pointer), PAPI_EINVAL);
    expect("get nowhere", PAPI_get_thr_specific(PAPI_USR1_TLS, nullptr), PAPI_EINVAL);
    expect("unregister", PAPI_unregister_thread(), PAPI_OK);
    expect("its pointer", PAPI_get_thr_specific(PAPI_USR1_TLS, &pointer), PAPI_OK);
    expect("is gone", pointer == nullptr, 1);
}

void test_attach() {
    int set = PAPI_NULL;
    expect("create", PAPI_create_eventset(&set), PAPI_OK);
    expect("add", PAPI_add_event(set, PAPI_TOT_CYC), PAPI_OK);
    expect("attach", PAPI_attach(set, kThread), PAPI_ECMP);
    expect("detach", PAPI_detach(set), PAPI_ECMP);
    expect("attach of no set", PAPI_attach(kNoSuchSet, kThread), PAPI_ENOEVST);
    expect("detach of no set", PAPI_detach(kNoSuchSet), PAPI_ENOEVST);
    expect("start", PAPI_start(set), PAPI_OK);
    expect("attach while it runs", PAPI_attach(set, kThread), PAPI_EISRUN);
    expect("detach while it runs", PAPI_detach(set), PAPI_EISRUN);
    expect("stop", PAPI_stop(set, nullptr), PAPI_OK);
    PAPI_cleanup_eventset(set);
    PAPI_destroy_eventset(&set);
}

} // namespace

void test_threads() {
    expect("id without a function", static_cast<long>(PAPI_thread_id()), PAPI_EMISC);
    expect("no function", PAPI_thread_init(nullptr), PAPI_EINVAL);
    expect("thread init", PAPI_thread_init(own_thread), PAPI_OK);
    expect("thread init again", PAPI_thread_init(other_thread), PAPI_OK);
    expect("id of the first function", static_cast<long>(PAPI_thread_id()), kThread);
    expect("initialized", PAPI_is_initialized(), PAPI_LOW_LEVEL_INITED | PAPI_THREAD_LEVEL_INITED);
    int number = 0;
    expect("threads", PAPI_list_threads(nullptr, &number), PAPI_OK);
    expect("one", number, 1);
    unsigned long id = 0;
    expect("list", PAPI_list_threads(&id, &number), PAPI_OK);
    expect("this one", static_cast<long>(id), kThread);
    number = 0;
    expect("list without room", PAPI_list_threads(&id, &number), PAPI_EINVAL);
    expect("list without a number", PAPI_list_threads(&id, nullptr), PAPI_EINVAL);
    test_thread_pointers();
    expect("threads", PAPI_list_threads(nullptr, &number), PAPI_OK);
    expect("none is registered", number, 0);
    expect("unregister twice", PAPI_unregister_thread(), PAPI_EMISC);
    expect("register", PAPI_register_thread(), PAPI_OK);
    expect("threads", PAPI_list_threads(nullptr, &number), PAPI_OK);
    expect("one again", number, 1);
    expect("lock", PAPI_lock(PAPI_USR1_LOCK), PAPI_OK);
    expect("unlock", PAPI_unlock(PAPI_USR1_LOCK), PAPI_OK);
    expect("unknown lock", PAPI_lock(PAPI_NUM_LOCK), PAPI_EINVAL);
    expect("unlock of an unknown lock", PAPI_unlock(-1), PAPI_EINVAL);
    test_attach();
}

namespace {

void test_options_of_a_set() {
    int set = PAPI_NULL;
    expect("create", PAPI_create_eventset(&set), PAPI_OK);
    PAPI_option_t option = {};
    option.granularity.eventset = set;
    expect("granularity of a set", PAPI_get_opt(PAPI_GRANUL, &option), PAPI_OK);
    expect("is the thread", option.granularity.granularity, PAPI_GRN_THR);
    expect("set it", PAPI_set_opt(PAPI_GRANUL, &option), PAPI_OK);
    option.granularity.granularity = PAPI_GRN_SYS;
    expect("of the system", PAPI_set_opt(PAPI_GRANUL, &option), PAPI_ECMP);
    option.granularity.eventset = kNoSuchSet;
    expect("of no set", PAPI_set_opt(PAPI_GRANUL, &option), PAPI_ENOEVST);
    option.inherit = {set, PAPI_INHERIT_NONE};
    expect("inherit nothing", PAPI_set_opt(PAPI_INHERIT, &option), PAPI_OK);
    option.inherit.inherit = PAPI_INHERIT_ALL;
    expect("inherit", PAPI_set_opt(PAPI_INHERIT, &option), PAPI_ECMP);
    expect("inheritance", PAPI_get_opt(PAPI_INHERIT, &option), PAPI_OK);
    expect("is none", option.inherit.inherit, PAPI_INHERIT_NONE);
    option.inherit = {set, 7};
    expect("inherit something else", PAPI_set_opt(PAPI_INHERIT, &option), PAPI_EINVAL);
    option.attach = {set, kThread};
    expect("attach by option", PAPI_set_opt(PAPI_ATTACH, &option), PAPI_ECMP);
    option.cpu = {set, 0};
    expect("attach to a hart", PAPI_set_opt(PAPI_CPU_ATTACH, &option), PAPI_ECMP);
    option.addr = {set, nullptr, nullptr, 0, 0};
    expect("address range", PAPI_set_opt(PAPI_DATA_ADDRESS, &option), PAPI_ECMP);
    option.attach.eventset = kNoSuchSet;
    expect("attach of no set by option", PAPI_set_opt(PAPI_ATTACH, &option), PAPI_ENOEVST);
    PAPI_destroy_eventset(&set);
}

} // namespace

void test_options() {
    PAPI_option_t option = {};
    expect("granularity", PAPI_set_granularity(PAPI_GRN_THR), PAPI_OK);
    expect("of the process", PAPI_set_granularity(PAPI_GRN_PROC), PAPI_ECMP);
    expect("unknown granularity", PAPI_set_granularity(3), PAPI_EINVAL);
    expect("of the component", PAPI_set_cmp_granularity(PAPI_GRN_THR, 0), PAPI_OK);
    expect("of another component", PAPI_set_cmp_granularity(PAPI_GRN_THR, 1), PAPI_ENOCMP);
    expect("default granularity", PAPI_get_opt(PAPI_DEFGRN, &option), PAPI_OK);
    expect("is the thread", option.defgranularity.granularity, PAPI_GRN_THR);
    option.defgranularity.granularity = PAPI_GRN_SYS_CPU;
    expect("another default", PAPI_set_opt(PAPI_DEFGRN, &option), PAPI_ECMP);
    expect("domain of the component", PAPI_set_cmp_domain(PAPI_DOM_USER | PAPI_DOM_KERNEL, 0),
           PAPI_OK);
    expect("no domain", PAPI_set_cmp_domain(0, 0), PAPI_EINVAL);
    expect("domain of another", PAPI_set_cmp_domain(PAPI_DOM_USER, 1), PAPI_ENOCMP);
    expect("option of the component", PAPI_get_cmp_opt(PAPI_MAX_HWCTRS, nullptr, 0),
           PAPI_num_hwctrs());
    expect("option of another", PAPI_get_cmp_opt(PAPI_MAX_HWCTRS, nullptr, 1), PAPI_ENOCMP);
    expect("harts", PAPI_get_opt(PAPI_MAX_CPUS, nullptr), 1);
    expect("component by option", PAPI_get_opt(PAPI_COMPONENTINFO, &option), PAPI_OK);
    expect("is the one", option.cmp_info == PAPI_get_component_info(0), 1);
    expect("without room", PAPI_get_opt(PAPI_COMPONENTINFO, nullptr), PAPI_EINVAL);
    expect("preload", PAPI_get_opt(PAPI_PRELOAD, &option), PAPI_ENOSUPP);
    expect("file of user events", PAPI_set_opt(PAPI_USER_EVENTS_FILE, &option), PAPI_ENOSUPP);
    expect("kind of timer", PAPI_get_opt(PAPI_DEF_ITIMER, &option), PAPI_ENOSUPP);
    expect("levels of memory", PAPI_get_hardware_info()->mem_hierarchy.levels, 0);
    test_options_of_a_set();
}

void test_program() {
    const PAPI_exe_info_t* program = PAPI_get_executable_info();
    expect("program", program != nullptr, 1);
    const PAPI_address_map_t& map = program->address_info;
    const auto* code = reinterpret_cast<const char*>(&test_program);
    expect("its name", program->fullname[0], '\0');
    expect("code starts before this", static_cast<const char*>(map.text_start) <= code, 1);
    expect("and ends behind", static_cast<const char*>(map.text_end) > code, 1);
    expect("bss", map.bss_start == __bss_start, 1);
    const auto* tally_place = reinterpret_cast<const char*>(&tally);
    expect("has the tally", static_cast<const char*>(map.bss_end) > tally_place, 1);
    expect("data between", map.data_start >= map.text_end && map.data_end <= map.bss_start, 1);
    PAPI_option_t option;
    expect("program by option", PAPI_get_opt(PAPI_EXEINFO, &option), PAPI_OK);
    expect("is the same", option.exe_info == program, 1);
    expect("shared libraries", PAPI_get_shared_lib_info()->count, 0);
    expect("without maps", PAPI_get_shared_lib_info()->map == nullptr, 1);
    PAPI_dmem_info_t memory;
    expect("dynamic memory", PAPI_get_dmem_info(&memory), PAPI_ECMP);
    expect("nowhere", PAPI_get_dmem_info(nullptr), PAPI_EINVAL);
}

/// tests/e2e/papi.sh looks for what is printed.
void test_errors() {
    expect("an error", PAPI_query_event(PAPI_L3_TCM), PAPI_ENOEVNT);
    expect("a success leaves it", PAPI_query_event(PAPI_TOT_CYC), PAPI_OK);
    PAPI_perror("perror");
    PAPI_perror(nullptr);
    expect("level", PAPI_set_debug(PAPI_VERB_ESTOP + 1), PAPI_EINVAL);
    PAPI_perror("level");
    expect("report and go on", PAPI_set_debug(PAPI_VERB_ECONT), PAPI_OK);
    expect("an error that is reported", PAPI_num_events(kNoSuchSet), PAPI_ENOEVST);
    expect("quiet", PAPI_set_debug(PAPI_QUIET), PAPI_OK);
    expect("an error that is not", PAPI_num_events(kNoSuchSet), PAPI_ENOEVST);
    expect("text of a partial component", PAPI_strerror(PAPI_PARTIAL) != nullptr, 1);
}

} // namespace pes::papi_test

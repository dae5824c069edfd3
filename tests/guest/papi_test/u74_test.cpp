// SPDX-License-Identifier: Apache-2.0
// The PAPI layer on the counters of the SiFive U74: two that are programmable, and the presets of
// T. Rocha's thesis (2023). The loops are those of kernels.S.
#include "firmware/papi/text_util.h"
#include "tests/guest/papi_test/check.h"
#include "tests/guest/papi_test/kernels.h"
#include "tests/guest/papi_test/tests.h"

namespace pes::papi_test {

namespace {

constexpr long kIterations = 1000;

int make_set() {
    int set = PAPI_NULL;
    expect("create", PAPI_create_eventset(&set), PAPI_OK);
    return set;
}

void drop_set(int set) {
    expect("cleanup", PAPI_cleanup_eventset(set), PAPI_OK);
    expect("destroy", PAPI_destroy_eventset(&set), PAPI_OK);
}

void test_presets() {
    constexpr int kThesis[] = {
        PAPI_TOT_CYC, PAPI_TOT_INS, PAPI_BR_CN,  PAPI_BR_UCN,  PAPI_BR_INS,  PAPI_BR_MSP,
        PAPI_BR_PRC,  PAPI_INT_INS, PAPI_FP_INS, PAPI_FP_OPS,  PAPI_FML_INS, PAPI_FAD_INS,
        PAPI_FMA_INS, PAPI_L1_DCM,  PAPI_L1_ICM, PAPI_L1_TCM,  PAPI_TLB_DM,  PAPI_TLB_IM,
        PAPI_TLB_TL,  PAPI_LD_INS,  PAPI_SR_INS, PAPI_LST_INS,
    };
    for (const int preset : kThesis) {
        expect("a preset of the thesis", PAPI_query_event(preset), PAPI_OK);
    }
    unsigned available = 0;
    int code = PAPI_PRESET_MASK;
    for (int result = PAPI_enum_event(&code, PAPI_ENUM_FIRST); result == PAPI_OK;
         result = PAPI_enum_event(&code, PAPI_ENUM_EVENTS)) {
        available += PAPI_query_event(code) == PAPI_OK ? 1 : 0;
    }
    expect("presets available", available, sizeof(kThesis) / sizeof(kThesis[0]));
    int native = 0;
    int prefixed = 0;
    expect("native name", PAPI_event_name_to_code("integer-load", &native), PAPI_OK);
    expect("name with profile", PAPI_event_name_to_code("u74::integer-load", &prefixed), PAPI_OK);
    expect("same code", prefixed, native);
    expect("a name of another profile", PAPI_query_named_event("load"), PAPI_ENOEVNT);
}

/// What a third event gets, alone and as a term of a preset.
void test_two_counters() {
    const int set = make_set();
    expect("counters", PAPI_num_hwctrs(), 2 + 2); // cycle and instret
    expect("first", PAPI_add_named_event(set, "integer-load"), PAPI_OK);
    expect("second", PAPI_add_named_event(set, "integer-store"), PAPI_OK);
    expect("third", PAPI_add_named_event(set, "conditional-branch"), PAPI_ECNFLCT);
    expect("the set is as before", PAPI_num_events(set), 2);
    expect("cycles have a counter", PAPI_add_event(set, PAPI_TOT_CYC), PAPI_OK);
    expect("instructions, too", PAPI_add_event(set, PAPI_TOT_INS), PAPI_OK);
    drop_set(set);
    const int preset = make_set();
    expect("a preset of two terms", PAPI_add_event(preset, PAPI_LD_INS), PAPI_OK);
    expect("another event", PAPI_add_event(preset, PAPI_BR_CN), PAPI_ECNFLCT);
    expect("overflow of a derived event", PAPI_overflow(preset, PAPI_LD_INS, 100, 0, nullptr),
           PAPI_EINVAL);
    drop_set(preset);
    const int large = make_set();
    constexpr int kLarge[] = {PAPI_BR_INS, PAPI_BR_PRC, PAPI_INT_INS, PAPI_FP_INS, PAPI_LST_INS};
    for (const int event : kLarge) {
        expect("more terms than counters", PAPI_add_event(large, event), PAPI_ECNFLCT);
    }
    expect("multiplex init", PAPI_multiplex_init(), PAPI_OK);
    expect("assign", PAPI_assign_eventset_component(large, 0), PAPI_OK);
    expect("multiplex", PAPI_set_multiplex(large), PAPI_OK);
    expect("three terms in slices", PAPI_add_event(large, PAPI_BR_INS), PAPI_OK);
    expect("five terms in slices", PAPI_add_event(large, PAPI_INT_INS), PAPI_OK);
    drop_set(large);
}

/// What 2 n iterations count less what n count: without the library's share.
long long difference(int event, void (*loop)(long)) {
    const int set = make_set();
    expect("add", PAPI_add_event(set, event), PAPI_OK);
    long long value[2] = {};
    constexpr int kRounds[] = {0, 0, 1}; // the first fills the caches
    for (const int round : kRounds) {
        expect("start", PAPI_start(set), PAPI_OK);
        loop((1 + round) * kIterations);
        expect("stop", PAPI_stop(set, &value[round]), PAPI_OK);
    }
    drop_set(set);
    return value[1] - value[0];
}

void test_counts() {
    struct Case {
        const char* what;
        int event;
        long long mixed, floating; ///< an iteration
    };
    // mixed_loop: ld, addi, sd, addi, bnez. float_loop: fadd.d, addi, bnez.
    constexpr Case kCases[] = {
        {"instructions", PAPI_TOT_INS, 5, 3},    {"loads", PAPI_LD_INS, 1, 0},
        {"stores", PAPI_SR_INS, 1, 0},           {"conditional branches", PAPI_BR_CN, 1, 1},
        {"other branches", PAPI_BR_UCN, 0, 0},   {"additions", PAPI_FAD_INS, 0, 1},
        {"multiplications", PAPI_FML_INS, 0, 0}, {"fused", PAPI_FMA_INS, 0, 0},
    };
    for (const Case& row : kCases) {
        expect(row.what, difference(row.event, mixed_loop), row.mixed * kIterations);
        expect(row.what, difference(row.event, float_loop), row.floating * kIterations);
    }
}

/// FP_OPS has more terms than there are counters; what was begun is taken back.
void test_rates_of_two() {
    float real = 0;
    float virt = 0;
    float rate = 0;
    long long count = 0;
    expect("flops", PAPI_flops_rate(PAPI_FP_OPS, &real, &virt, &count, &rate), PAPI_ECNFLCT);
    expect("none is counted", PAPI_rate_stop(), PAPI_ENOEVNT);
    expect("ipc", PAPI_ipc(&real, &virt, &count, &rate), PAPI_OK);
    mixed_loop(kIterations);
    expect("ipc again", PAPI_ipc(&real, &virt, &count, &rate), PAPI_OK);
    expect_between("instructions", count, 5 * kIterations, 5 * kIterations + 3000);
    expect("stop", PAPI_rate_stop(), PAPI_OK);
}

} // namespace

} // namespace pes::papi_test

extern "C" void payload_main() {
    using namespace pes::papi_test;
    expect("init", PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
    if (PAPI_is_initialized() == PAPI_NOT_INITED) { // no counters that the library knows
        finish("papi_u74_test");
    }
    const PAPI_hw_info_t* info = PAPI_get_hardware_info();
    expect("vendor", pes::papi::same_text(info->vendor_string, "SiFive"), 1);
    expect("model", pes::papi::same_text(info->model_string, "U74"), 1);
    test_presets();
    test_two_counters();
    test_counts();
    test_rates_of_two();
    test_user_mode();
    finish("papi_u74_test");
}

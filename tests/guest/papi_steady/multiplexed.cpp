// SPDX-License-Identifier: Apache-2.0
// The steady kernel with more events than counters: prints the estimates of one multiplexed set,
// one a line.
#include "firmware/papi/console.h"
#include "firmware/papi/papi.h"
#include "tests/guest/papi_steady/steady.h"

namespace {

constexpr unsigned kCount = 9;
constexpr const char* kCva6[kCount] = {"cycles", "instructions", "load",
                                       "store",  "branch",       "call",
                                       "return", "integer",      "floating-point"};
constexpr const char* kU74[kCount] = {"cycles",        "instructions",       "integer-load",
                                      "integer-store", "conditional-branch", "jal",
                                      "jalr",          "integer-arithmetic", "fp-add"};

void require(int result, const char* what) {
    if (result != PAPI_OK) {
        pes::print(pes::papi::console_put, "papi_multiplex: ", what, " failed\n");
        pes::papi::end_run(1);
    }
}

} // namespace

extern "C" void payload_main() {
    int set = PAPI_NULL;
    long long values[kCount] = {};
    if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT) {
        require(PAPI_EINVAL, "init");
    }
    const bool u74 = PAPI_query_named_event(kU74[2]) == PAPI_OK;
    const char* const* const events = u74 ? kU74 : kCva6;
    require(PAPI_multiplex_init(), "multiplex init");
    require(PAPI_create_eventset(&set), "create");
    require(PAPI_assign_eventset_component(set, 0), "assign");
    require(PAPI_set_multiplex(set), "multiplex");
    for (unsigned i = 0; i < kCount; ++i) {
        require(PAPI_add_named_event(set, events[i]), events[i]);
    }
    require(PAPI_start(set), "start");
    pes::papi_steady::run_rounds();
    require(PAPI_stop(set, values), "stop");
    for (unsigned i = 0; i < kCount; ++i) {
        pes::print(pes::papi::console_put, "estimate ", events[i], " ",
                   static_cast<uint64_t>(values[i]), "\n");
    }
    pes::papi::end_run(0);
}

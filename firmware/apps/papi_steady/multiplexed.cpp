// SPDX-License-Identifier: Apache-2.0
// The steady kernel with more events than counters: prints the estimates of one multiplexed set,
// one a line.
#include "firmware/apps/papi_steady/steady.h"
#include "firmware/papi/console.h"
#include "firmware/papi/papi.h"

namespace {

constexpr const char* kEvents[] = {"cycles", "instructions", "load",    "store",         "branch",
                                   "call",   "return",       "integer", "floating-point"};
constexpr unsigned kCount = sizeof(kEvents) / sizeof(kEvents[0]);

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
    require(PAPI_multiplex_init(), "multiplex init");
    require(PAPI_create_eventset(&set), "create");
    require(PAPI_assign_eventset_component(set, 0), "assign");
    require(PAPI_set_multiplex(set), "multiplex");
    for (const char* event : kEvents) {
        require(PAPI_add_named_event(set, event), event);
    }
    require(PAPI_start(set), "start");
    pes::papi_steady::run_rounds();
    require(PAPI_stop(set, values), "stop");
    for (unsigned i = 0; i < kCount; ++i) {
        pes::print(pes::papi::console_put, "estimate ", kEvents[i], " ",
                   static_cast<uint64_t>(values[i]), "\n");
    }
    pes::papi::end_run(0);
}

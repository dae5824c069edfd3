// SPDX-License-Identifier: Apache-2.0
// Counting with the PAPI layer.
#include "firmware/papi/papi.h"
#include "tests/guest/pmu_overhead/ways.h"

namespace pes::overhead {

namespace {

int set = PAPI_NULL;

void initialise(const Event* events, unsigned count) {
    require(PAPI_library_init(PAPI_VER_CURRENT) == PAPI_VER_CURRENT, "PAPI_library_init");
    require(PAPI_create_eventset(&set) == PAPI_OK, "PAPI_create_eventset");
    for (unsigned i = 0; i < count; ++i) {
        require(PAPI_add_named_event(set, events[i].name) == PAPI_OK, events[i].name);
    }
}

void start() {
    require(PAPI_start(set) == PAPI_OK, "PAPI_start");
}

void read(long long* values) {
    require(PAPI_read(set, values) == PAPI_OK, "PAPI_read");
}

void stop_and_read(long long* values) {
    require(PAPI_stop(set, values) == PAPI_OK, "PAPI_stop");
}

void terminate() {
    PAPI_cleanup_eventset(set);
    PAPI_destroy_eventset(&set);
    PAPI_shutdown();
}

} // namespace

const Way kPapi{"PAPI", initialise, start, read, stop_and_read, terminate};

} // namespace pes::overhead

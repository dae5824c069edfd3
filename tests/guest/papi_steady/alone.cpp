// SPDX-License-Identifier: Apache-2.0
// The steady kernel alone. Runs of different lengths differ by the exact counts of the rounds
// between them, which the platform knows.
#include "firmware/papi/console.h"
#include "tests/guest/papi_steady/steady.h"

extern "C" void payload_main() {
    pes::papi_steady::run_rounds();
    pes::papi::end_run(0);
}

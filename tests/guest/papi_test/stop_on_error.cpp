// SPDX-License-Identifier: Apache-2.0
// PAPI_VERB_ESTOP: the first error is printed and ends the run with exit code 1.
#include "tests/guest/papi_test/check.h"

extern "C" void payload_main() {
    using namespace pes::papi_test;
    constexpr int kNoSuchSet = 5000;
    expect("report and stop", PAPI_set_debug(PAPI_VERB_ESTOP), PAPI_OK);
    expect("init", PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
    PAPI_num_events(kNoSuchSet);
    finish("papi_stop_on_error"); // exit code 0: the error did not end the run
}

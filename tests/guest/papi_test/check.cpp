// SPDX-License-Identifier: Apache-2.0
#include "tests/guest/papi_test/check.h"

namespace pes::papi_test {

Tally tally;

void finish(const char* program) {
    say(program, ": ", uint64_t{tally.checks}, " checks, ", uint64_t{tally.failures}, " failures");
    papi::end_run(tally.failures == 0 ? 0 : 1);
}

} // namespace pes::papi_test

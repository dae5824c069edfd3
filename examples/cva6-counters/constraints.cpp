// SPDX-License-Identifier: Apache-2.0
// CVA6's counters look at two commit ports: no more classes of instructions than retire.
#include "tests/unit/hpm/rtl/stream_constraints.h"

namespace pes::test {

void constrain(Step& step) {
    as_a_hart(step);
}

} // namespace pes::test

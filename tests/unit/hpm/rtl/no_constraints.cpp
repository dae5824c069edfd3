// SPDX-License-Identifier: Apache-2.0
// A pin map without `constraints`.
#include "tests/unit/hpm/rtl/stream_constraints.h"

namespace pes::test {

void constrain(Step&) {}

} // namespace pes::test

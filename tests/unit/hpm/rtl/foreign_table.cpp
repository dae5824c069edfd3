// SPDX-License-Identifier: Apache-2.0
// A build with PES_FOREIGN_RTL, whichever the present one is.
#include "tests/unit/hpm/rtl/test_models.h"

namespace pes {

std::span<const BuiltModel> built_models() {
    return foreign_models();
}

} // namespace pes

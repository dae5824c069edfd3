// SPDX-License-Identifier: Apache-2.0
// pes-vp with a block that decodes events from the class pins: the command's own sources and this
// table.
#include "tests/unit/hpm/rtl/test_models.h"

namespace pes {

std::span<const BuiltModel> built_models() {
    return few_class_models();
}

} // namespace pes

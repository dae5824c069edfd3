// SPDX-License-Identifier: Apache-2.0
// Built without Verilator.
#include "hw/hpm/rtl/built_models.h"

namespace pes {

std::span<const BuiltModel> built_models() {
    return {};
}

} // namespace pes

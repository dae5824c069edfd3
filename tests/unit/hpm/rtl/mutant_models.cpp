// SPDX-License-Identifier: Apache-2.0
// pes-vp as it would be with a wrong RTL in it: the command's own sources and this table.
#include "tests/unit/hpm/rtl/test_models.h"

#include <algorithm>
#include <string_view>

namespace pes {

std::span<const BuiltModel> built_models() {
    constexpr std::string_view kMutant = "threshold_one_too_high";
    static const BuiltModel model{2, 40, true,
                                  std::ranges::find(mutants(), kMutant, [](const Mutant& mutant) {
                                      return std::string_view(mutant.name);
                                  })->make};
    return {&model, 1};
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// pes-vp as it would be with a wrong RTL in it: the command's own sources and this table. The
// environment variable PES_MUTANT names the error.
#include "tests/unit/hpm/rtl/test_models.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace pes {

std::span<const BuiltModel> built_models() {
    const char* chosen = std::getenv("PES_MUTANT");
    const std::string_view name = chosen != nullptr ? chosen : "threshold_one_too_high";
    static const BuiltModel model{2, 40, true, RtlOrigin::Own,
                                  std::ranges::find(mutants(), name, [](const Mutant& mutant) {
                                      return std::string_view(mutant.name);
                                  })->make};
    return {&model, 1};
}

} // namespace pes

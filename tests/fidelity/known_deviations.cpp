// SPDX-License-Identifier: Apache-2.0
#include "tests/fidelity/comparison.h"

namespace pes::fidelity {

std::span<const KnownDeviation> known_deviations() {
    using When = KnownDeviation::When;
    static const std::vector<KnownDeviation> list = {
        {"v5.3.0",
         When::Warm,
         columns({16}),
         {"csrw_hpmevent", "csrrw_hpmctr9"},
         "a request is counted when its instruction leaves a full queue, so a write that stops "
         "all counters for a cycle hides other requests"},
        {"v5.3.0",
         When::Cold,
         columns({15}),
         {"csrw_hpmevent", "csrrw_hpmctr9"},
         "a write that stops all counters for a cycle hides other empty cycles"},
        {"v5.3.0",
         When::Warm,
         columns({14}),
         {"fdivd", "fsqrtd"},
         "instructions that enter the pipeline after the one that stops the counters are not "
         "seen before it"},
    };
    return list;
}

} // namespace pes::fidelity

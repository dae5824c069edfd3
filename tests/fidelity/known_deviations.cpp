// SPDX-License-Identifier: Apache-2.0
#include "tests/fidelity/comparison.h"

namespace pes::fidelity {

std::span<const KnownDeviation> known_deviations() {
    using When = KnownDeviation::When;
    constexpr std::string_view kHiddenRequests =
        "a request is counted when its instruction leaves a full queue, so a write that stops "
        "all counters for a cycle hides other requests";
    constexpr std::string_view kHiddenEmptyCycles =
        "a write that stops all counters for a cycle hides other empty cycles";
    const std::vector<std::string_view> stoppers = {"csrw_hpmevent", "csrrw_hpmctr9"};
    static const std::vector<KnownDeviation> list = {
        {"", When::Warm, columns({16}), stoppers, kHiddenRequests},
        {"", When::Cold, columns({15}), stoppers, kHiddenEmptyCycles},
        {"deep-v5.3.0",
         When::Always,
         columns({22}),
         {"lr_sc"},
         "with a store pipe register, what waits for LR or SC counts as waiting for two cycles "
         "more"},
        {"deep-v5.3.0",
         When::Cold,
         columns({15}),
         {"store_2words"},
         "39 cycles of the first pass, not explained"},
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

// SPDX-License-Identifier: Apache-2.0
// The names of the pulse sources, for files and messages; hw/common/event_id.h says what they are.
// An event table may call what a source feeds by another name. Freestanding.
#pragma once

#include "hw/common/event_id.h"

namespace pes {

/// In the order of the enumeration, the two that have no pulse at the end.
inline constexpr const char* kSourceNames[] = {
    "none",
    "l1i-miss",
    "l1d-miss",
    "itlb-miss",
    "dtlb-miss",
    "load",
    "store",
    "exception",
    "exception-return",
    "branch",
    "branch-mispredict",
    "branch-exception",
    "call",
    "return",
    "scoreboard-full",
    "fetch-empty",
    "l1i-access",
    "l1d-access",
    "l1d-eviction",
    "tlb-flush",
    "integer",
    "floating-point",
    "pipeline-stall",

    "integer-load",
    "integer-store",
    "float-load",
    "float-store",
    "atomic",
    "system",
    "integer-arithmetic",
    "integer-multiply",
    "integer-divide",
    "conditional-branch",
    "jal",
    "jalr",
    "float-add",
    "float-multiply",
    "float-fused-multiply-add",
    "float-divide-sqrt",
    "float-other",

    "unconditional-jump",
    "taken-branch",
    "compressed",
    "external-load",
    "external-store",
    "flush-by-csr-write",
    "flush-by-other",

    "direction-mispredict",
    "target-mispredict",
    "data-miss-or-io",

    "load-use-stall",
    "multiply-stall",
    "divide-stall",
    "float-stall",
    "csr-stall",
    "address-stall",
    "jump-register-stall",
    "fetch-busy",
    "data-busy",
    "external-load-wait",
    "external-store-wait",

    "instructions",
    "cycles",
};
static_assert(sizeof(kSourceNames) / sizeof(kSourceNames[0]) ==
              static_cast<size_t>(Event::Cycles) + 1);

constexpr const char* to_string(Event source) {
    return kSourceNames[static_cast<size_t>(source)];
}

} // namespace pes

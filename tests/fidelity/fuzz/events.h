// SPDX-License-Identifier: Apache-2.0
// The counts of a warm pass: what the judge counted, what the model did, event by event.
#pragma once

#include "tests/fidelity/fuzz/findings.h"

#include <string>
#include <vector>

namespace pes::cycle_fuzz {

/// A table by event over the programs that both sides go through in the same way, and one of the
/// programs for each event outside its bar: none of what retires may differ, of the rest 1 % or 4
/// counts.
std::string events_of(const std::vector<Finding>& findings);

} // namespace pes::cycle_fuzz

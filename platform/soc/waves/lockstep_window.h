// SPDX-License-Identifier: Apache-2.0
// The file for what the RTL counters did before they differed from the model.
#pragma once

#include "hw/hpm/lockstep_bank.h"

#include <string>

namespace pes {

/// For LockstepBank::Hooks::keep_window; empty without a file. Leaves the whole file or none.
/// Without it there is still the report, so that a full disk adds one sentence and changes nothing
/// else.
std::function<std::string(const LockstepBank::Dump&)> lockstep_window(std::string file);

} // namespace pes

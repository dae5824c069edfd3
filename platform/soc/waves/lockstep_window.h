// SPDX-License-Identifier: Apache-2.0
// The files for what the RTL counters did before they differed from the model.
#pragma once

#include "hw/hpm/lockstep_bank.h"

#include <functional>
#include <string>

namespace pes {

/// The save file of GTKWave that belongs to a window: ".gtkw" in the place of ".vcd", or behind the
/// name.
std::string lockstep_save_file(const std::string& window);

/// For LockstepBank::Hooks::keep_window; empty without a file. Leaves both files whole or none.
/// Without them there is still the report, so that a full disk adds one sentence and changes
/// nothing else.
std::function<std::string(const LockstepBank::Dump&, const CounterDifference&)>
lockstep_window(std::string file);

} // namespace pes

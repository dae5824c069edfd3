// SPDX-License-Identifier: Apache-2.0
// The bank that a configuration asks for: the model, the RTL, or both in lockstep.
#pragma once

#include "hw/hpm/counter_config.h"
#include "hw/hpm/hpm_bank.h"
#include "hw/hpm/lockstep_bank.h"
#include "hw/hpm/stimulus_bank.h"

#include <memory>

namespace pes {

/// Throws UserError if this build has no RTL of that shape. `lockstep` is for
/// CounterModel::Lockstep, and a `stimulus` receives the file of a bank that is recorded.
std::unique_ptr<HpmBank> make_counter_bank(const CounterConfig& config,
                                           LockstepBank::Hooks lockstep = {},
                                           StimulusWriter::Sink stimulus = {});

} // namespace pes

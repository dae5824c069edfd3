// SPDX-License-Identifier: Apache-2.0
// The messages of the modules about their guest go to the program's log, as often as those of
// pes-vp go to its own: the first ones of a kind, and at the end how many there were.
#pragma once

#include <memory>

namespace pes::kit {

/// From here on the loggers of modules write so. What is returned belongs to everything that may
/// still log; when the last one lets go of it, the repetitions are told.
std::shared_ptr<const void> limit_repetitions();

} // namespace pes::kit

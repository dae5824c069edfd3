// SPDX-License-Identifier: Apache-2.0
// `pes-vp events`: the events of a PMU profile.
#pragma once

#include "hw/interface/pmu/profile.h"

#include <string>

namespace pes {

/// A table with a line for each event: code, name, meaning.
std::string event_table(const PmuProfile& profile);

/// `profile`: a name, or a file with a dot or a slash in its name. Throws UserError.
int events_command(const std::string& profile);

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// `pes-vp pmu-events`: a PMU profile as files for the build of perf.
#pragma once

#include <string>

namespace pes {

/// `profile` as for events_command(); `directory` is made if it is not there. Throws UserError.
int pmu_events_command(const std::string& profile, const std::string& directory);

} // namespace pes

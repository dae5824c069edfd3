// SPDX-License-Identifier: Apache-2.0
// `pes-vp pmu-events`: a PMU profile as files for the build of perf, of libpfm4 or of PAPI.
#pragma once

#include <string>
#include <vector>

namespace pes {

/// What `--format` takes.
const std::vector<std::string>& pmu_event_formats();

/// `profile` as for events_command(); `directory` is made if it is not there. Throws UserError.
int pmu_events_command(const std::string& profile, const std::string& format,
                       const std::string& directory);

} // namespace pes

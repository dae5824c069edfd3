// SPDX-License-Identifier: Apache-2.0
// Names of what was sampled, from the event table of a PMU profile.
#pragma once

#include "hw/interface/pmu/profile.h"
#include "platform/profile/sample_profile.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

/// "cycle", "instret", the name in the event table, "jal+jalr" for a selector that chooses several
/// events, or "event-0x1f" for one that the table does not know.
std::string event_name(const PmuProfile& pmu, const EventId& event);

/// A few words for a headline: "Floating-point instruction".
std::string event_title(const PmuProfile& pmu, const EventId& event);

/// The reverse of event_name(); also takes the bare selector ("21", "0x15").
std::optional<EventId> parse_event(const PmuProfile& pmu, std::string_view text);

/// Every name that parse_event() takes.
std::vector<std::string> event_names(const PmuProfile& pmu);
/// The same, separated by ", ".
std::string known_event_names(const PmuProfile& pmu);

/// Of the PMU profiles that are built in, and of their events those that something counts, each
/// once: for completions, which do not know the profile that a command line chooses.
std::vector<std::string> built_in_profile_names();
std::vector<std::string> built_in_event_names();

} // namespace pes

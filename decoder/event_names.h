// SPDX-License-Identifier: Apache-2.0
// Names of what was sampled, from the PMU's event table.
#pragma once

#include "decoder/sample_profile.h"

#include <optional>
#include <string>
#include <string_view>

namespace pes {

/// "cycle", "instret", the name in the event table, or "event-0x1f" for a selector without a row.
std::string event_name(const EventId& event);

/// A few words for a headline: "Floating-point instruction".
std::string event_title(const EventId& event);

/// The reverse of event_name(); also takes the bare selector ("21", "0x15").
std::optional<EventId> parse_event(std::string_view text);

/// Every name that parse_event() takes, separated by ", ".
std::string known_event_names();

} // namespace pes

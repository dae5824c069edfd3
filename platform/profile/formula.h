// SPDX-License-Identifier: Apache-2.0
// Formulas of events, in the language of the MetricExpr of perf's pmu-events: numbers, names,
// + - * / and parentheses.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

/// The count of an event; none: it was not counted.
using EventCount = std::function<std::optional<double>(std::string_view)>;

/// None if an event was not counted, or the divisor is 0. A formula that cannot be read aborts:
/// formulas are part of the program.
std::optional<double> evaluate(std::string_view formula, const EventCount& count);

/// The events, each once, in the order of the formula.
std::vector<std::string> events_in(std::string_view formula);

/// With `rename` of each event in its place.
std::string with_events(std::string_view formula,
                        const std::function<std::string(std::string_view)>& rename);

} // namespace pes

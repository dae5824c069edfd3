// SPDX-License-Identifier: Apache-2.0
// Metrics: formulas of events, with the names of the RISC-V performance events specification. The
// same rows give the values of a run and the metrics of perf's pmu-events. docs/metrics.md
// describes them.
#pragma once

#include "hw/interface/pmu/pulse_sources.h"
#include "platform/profile/formula.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pes {

struct RunFacts;

enum class MetricUnit : std::uint8_t { Ratio, PerThousand, MispredictsPerThousand, Share };

struct Metric {
    const char* name;
    const char* formula; ///< of standard events and slots
    const char* group;
    MetricUnit unit;
    const char* meaning;
    const char* difference = ""; ///< from the specification's formula; empty: none
    const char* part = nullptr;  ///< of top-down: what it is called there
};

/// In the order in which they are shown: those of events, then top-down, where each class of the
/// first level stands before its parts.
std::span<const Metric> metrics();

/// "100%": ScaleUnit in pmu-events; empty for a plain ratio.
const char* scale_of(MetricUnit unit);
/// "12.34", "5.6 %".
std::string metric_text(MetricUnit unit, double value);

struct MetricValue {
    const Metric* metric;
    double value;
};

/// By the specification's name of the event.
using CountsByName = std::map<std::string, double, std::less<>>;

/// The slots of a run: cycles in which the hart does not sleep, and the classes they belong to.
/// Empty without a cycle stack.
CountsByName slots_of(const RunFacts& run);

/// Those whose events the run has counted, and whose divisor is not 0.
std::vector<MetricValue> metrics_of(const RunFacts& run);

/// A class of top-down. The parts of a class add up to it, and the classes to all slots.
struct TopDownClass {
    std::string name; ///< "backend bound"
    double share = 0; ///< of all slots
    std::vector<TopDownClass> parts{};
};

/// The four classes; empty if the run has no slots.
std::vector<TopDownClass> top_down(const std::vector<MetricValue>& values);

} // namespace pes

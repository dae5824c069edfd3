// SPDX-License-Identifier: Apache-2.0
#include "platform/sampling/method.h"

#include "hw/core/feed/counter_feed.h"

#include <algorithm>
#include <array>

namespace pes {
namespace {

using Trigger = SamplingMethod::Trigger;

/// From the pulse that makes a counter cross to the first decode that sees the interrupt.
constexpr Cycle kCounterToDecode = CounterFeed::kMarkDistance;

/// spdisfilter.LATSEL.
constexpr unsigned kTotalLatency = 0, kOldestLatency = 4;

constexpr std::array kMethods{
    SamplingMethod{"ideal", Trigger::Draw, Sight::Cause, 0, "drawn from the truth",
                   "nobody: the statistical limit"},
    SamplingMethod{"exact", Trigger::Events, Sight::Cause, 0, "who caused the event",
                   "Sspesa: hardware that latches the cause of the last event of a period"},
    SamplingMethod{"threshold", Trigger::Events, Sight::Decoded, kCounterToDecode,
                   "threshold interrupt", "precise event sampling with thresholds: mepc"},
    SamplingMethod{"lcofi", Trigger::Events, Sight::Decoded, kCounterToDecode,
                   "counter overflow interrupt", "Sscofpmf: xepc of interrupt 13"},
    SamplingMethod{"tag-at-dispatch", Trigger::Events, Sight::Decoded, 0, "next to be decoded",
                   "AMD IBS, Arm SPE"},
    SamplingMethod{"last-committed", Trigger::Events, Sight::LastRetired, 0, "last that retired",
                   "Arm CoreSight and other samplers of the last commit"},
    SamplingMethod{"next-committed", Trigger::Events, Sight::NextRetired, 0, "next that retires",
                   "Intel PEBS"},
    SamplingMethod{"pc-trace", Trigger::HalfWords, Sight::LastRetired, 0, "PC samples of the trace",
                   "N-Trace periodic PC messages"},
    SamplingMethod{"timer", Trigger::Cycles, Sight::Decoded, kTimerToDecode, "timer interrupt",
                   "timer records of the performance library"},
    SamplingMethod{"pdis", Trigger::Decoded, Sight::Decoded, 0, "decoded, by total latency",
                   "Smpdis: records weighted by TOTAL", kTotalLatency},
    SamplingMethod{"pdis-oldest", Trigger::Decoded, Sight::Decoded, 0, "decoded, by oldest latency",
                   "Smpdis: records weighted by OLDEST", kOldestLatency},
};

} // namespace

std::span<const SamplingMethod> sampling_methods() {
    return kMethods;
}

const SamplingMethod* find_method(std::string_view name) {
    const auto* const found = std::ranges::find(kMethods, name, &SamplingMethod::name);
    return found == kMethods.end() ? nullptr : &*found;
}

std::string method_names() {
    std::string names;
    for (const SamplingMethod& method : kMethods) {
        names += (names.empty() ? "" : ", ") + std::string(method.name);
    }
    return names;
}

} // namespace pes

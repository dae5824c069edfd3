// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/event_choice.h"

#include "hw/interface/pmu/counter_csr.h"
#include "platform/host/user_error.h"
#include "platform/profile/event_names.h"

namespace pes {
namespace {

ChosenEvent chosen(const EventId& event, const PlatformConfig& config) {
    switch (event.kind) {
    case CounterKind::Cycles:
        return {.counter = kCycleIndex, .selector = 0, .sources = event_bit(Event::Cycles)};
    case CounterKind::Instret:
        return {.counter = kInstretIndex, .selector = 0, .sources = event_bit(Event::Instructions)};
    case CounterKind::Programmable:
        break;
    }
    return {.counter = kFirstProgrammable,
            .selector = event.selector,
            .sources = sources_of(config.counters, event.selector)};
}

} // namespace

ChosenEvent choose_event(const std::string& option, std::string_view text,
                         const PlatformConfig& config) {
    const PmuProfile& pmu = *config.counters.profile;
    const std::optional<EventId> event = parse_event(pmu, text);
    const ChosenEvent choice = event ? chosen(*event, config) : ChosenEvent{};
    if (!choice.sources.any()) {
        throw UserError(option + " got '" + std::string(text) +
                        "', expected an event of profile '" + pmu.name +
                        "': " + known_event_names(pmu));
    }
    return choice;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/host_recording.h"

#include "hw/interface/pmu/counter_csr.h"
#include "platform/cli/event_choice.h"
#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <sstream>

namespace pes {
namespace {

constexpr std::uint32_t kRoomyFifo = 0x1'0000;

Cycle timer_cycles(const std::string& when, const PlatformConfig& config) {
    constexpr std::string_view kTimer = "timer=";
    constexpr std::uint64_t kMicroseconds = 1'000'000;
    if (when == "functions") {
        return 0;
    }
    const auto microseconds = when.starts_with(kTimer)
                                  ? parse_digits(std::string_view(when).substr(kTimer.size()))
                                  : std::nullopt;
    const bool possible = microseconds && *microseconds <= kMicroseconds;
    const Cycle cycles = possible ? *microseconds * config.clock_hz / kMicroseconds : 0;
    if (cycles == 0) {
        throw UserError("--records got '" + when +
                        "', expected functions, or timer=US with 1 to 1000000 microseconds that "
                        "are at least one cycle");
    }
    return cycles;
}

RecordPlan plan_of(const RecordOptions& options, const PlatformConfig& config) {
    RecordPlan plan{.counters = {}, .timer = timer_cycles(options.when, config)};
    unsigned next = kFirstProgrammable;
    std::istringstream names(options.events);
    for (std::string name; std::getline(names, name, ',');) {
        const ChosenEvent event = choose_event("--events", name, config);
        const bool programmable = event.counter == kFirstProgrammable;
        plan.counters.push_back({.number = programmable ? next++ : event.counter,
                                 .selector = event.selector,
                                 .sources = event.sources});
    }
    std::ranges::sort(plan.counters, {}, &RecordPlan::Counter::number);
    const auto same = std::ranges::adjacent_find(plan.counters, {}, &RecordPlan::Counter::number);
    if (same != plan.counters.end() || next > perf_record::kMostCounters) {
        throw UserError("--events got '" + options.events +
                        "', expected cycle and instret once each and at most 29 others");
    }
    return plan;
}

} // namespace

/// Records come in bursts, and no program waits for them: the FIFO is as large as it can be.
void HostRecording::prepare(const RecordOptions& options, PlatformConfig& config) {
    const bool asks = plan_of(options, config).timer != 0;
    config.trace.fifo_bytes = std::max(config.trace.fifo_bytes, kRoomyFifo);
    config.hart.window = config.hart.window || asks;
}

HostRecording::HostRecording(const RecordOptions& options, const PlatformConfig& config)
    : plan_(plan_of(options, config)) {
    for (unsigned hart = 0; hart < config.harts; ++hart) {
        recorders_.push_back(std::make_unique<HostRecords>(plan_));
    }
}

void HostRecording::connect(TraceSystem& trace) {
    for (unsigned hart = 0; hart < recorders_.size(); ++hart) {
        recorders_[hart]->connect(trace.encoder(hart));
    }
}

std::uint64_t HostRecording::written() const {
    std::uint64_t sum = 0;
    for (const auto& recorder : recorders_) {
        sum += recorder->written();
    }
    return sum;
}

} // namespace pes

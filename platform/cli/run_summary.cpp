// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/run_summary.h"

#include "platform/host/numbers.h"

#include <algorithm>
#include <array>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

constexpr int kNumberColumns = 18;
constexpr int kNameColumns = 24;

std::string line(std::uint64_t value, const std::string& name, const std::string& note = {}) {
    if (note.empty()) {
        return fmt::format("{:>{}} {}\n", grouped(value), kNumberColumns, name);
    }
    return fmt::format("{:>{}} {:<{}} # {}\n", grouped(value), kNumberColumns, name, kNameColumns,
                       note);
}

double ratio(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

struct Sum {
    std::uint64_t instructions = 0;
    std::uint64_t traps = 0;
    EventTotals totals{};

    std::uint64_t of(Event event) const { return totals.events[static_cast<std::size_t>(event)]; }
};

Sum sum_of(const std::vector<RunStatistics::OfHart>& harts) {
    Sum sum;
    for (const RunStatistics::OfHart& hart : harts) {
        sum.instructions += hart.instret;
        sum.traps += hart.traps;
        for (std::size_t source = 0; source < kEventCount; ++source) {
            sum.totals.events[source] += hart.totals.events[source];
        }
    }
    return sum;
}

/// A count without a scale says little: mispredictions go with branches, misses with instructions.
std::string scaled(const Sum& sum, const EventRow& row, bool mispredict) {
    const std::uint64_t count = sum.of(row.source);
    if (mispredict && sum.of(Event::Branch) != 0) {
        return fmt::format("{:.2f} % of all jumps and branches",
                           100 * ratio(count, sum.of(Event::Branch)));
    }
    return fmt::format("{:.2f} per 1000 instructions", 1000 * ratio(count, sum.instructions));
}

/// Those of the profile's events that a first look is for.
std::string events(const Sum& sum, const PmuProfile& profile) {
    constexpr std::array kBranches{Event::Branch, Event::ConditionalBranch};
    constexpr std::array kMispredicts{Event::BranchMispredict, Event::DirectionMispredict,
                                      Event::TargetMispredict};
    constexpr std::array kMisses{Event::L1IMiss, Event::L1DMiss, Event::DataMissOrIo,
                                 Event::ItlbMiss, Event::DtlbMiss};
    std::string text;
    for (const EventRow& row : profile) {
        const bool mispredict = std::ranges::find(kMispredicts, row.source) != kMispredicts.end();
        if (mispredict || std::ranges::find(kBranches, row.source) != kBranches.end() ||
            std::ranges::find(kMisses, row.source) != kMisses.end()) {
            text += line(sum.of(row.source), row.name, scaled(sum, row, mispredict));
        }
    }
    return text;
}

/// Of counters in lockstep: how much of what they can do the run has seen.
std::string coverage(const std::vector<RunStatistics::OfHart>& harts) {
    CounterCoverage::Seen sum;
    for (const RunStatistics::OfHart& hart : harts) {
        sum.points += hart.seen ? hart.seen->points : 0;
        sum.of += hart.seen ? hart.seen->of : 0;
    }
    return sum.of == 0 ? std::string()
                       : line(sum.points, "counter points seen",
                              "of " + grouped(sum.of) + " in lockstep, --counter-coverage");
}

std::string records(const RunStatistics& statistics, const SampleChannel& samples) {
    std::string text;
    if (samples.records() + samples.lost() + samples.malformed() != 0) {
        text +=
            line(samples.records(), "samples",
                 grouped(samples.lost()) + " lost, " + grouped(samples.malformed()) + " malformed");
    }
    trace::SenderCounts sent;
    for (const trace::SenderCounts& encoder :
         statistics.trace ? statistics.trace->encoders : std::vector<trace::SenderCounts>{}) {
        sent.messages += encoder.messages;
        sent.bytes += encoder.bytes;
        sent.lost += encoder.lost;
    }
    if (sent.messages + sent.lost != 0) {
        text += line(sent.messages, "trace messages",
                     grouped(sent.bytes) + " bytes, " + grouped(sent.lost) + " messages lost");
    }
    return text;
}

} // namespace

std::string how_it_ended(const RunEnd& end) {
    switch (end.reason) {
    case ExitReason::Guest:
        return "ended by the guest, exit code " + std::to_string(end.guest_code);
    case ExitReason::MaxCycles:
        return "stopped by --max-cycles";
    case ExitReason::TrapLoop:
    case ExitReason::DeadWait:
        return "the guest could not go on";
    case ExitReason::CountersDiffer:
        return "ended where model and RTL of the counters differ";
    case ExitReason::Interrupted:
        return "interrupted";
    case ExitReason::OutOfMemory:
        return "ended because the host is out of memory";
    case ExitReason::Running:
        break;
    }
    return {};
}

std::string run_summary(const std::string& program, const RunStatistics& statistics,
                        const SampleChannel& samples, const PlatformConfig& config) {
    const Sum sum = sum_of(statistics.harts);
    const Cycle cycles = statistics.end.cycles;
    const double seconds = static_cast<double>(cycles) / static_cast<double>(config.clock_hz);
    std::string text = fmt::format("\n '{}': {}\n\n", program, how_it_ended(statistics.end));
    text += line(
        cycles, "cycles",
        fmt::format("{:.6f} s at {:g} MHz", seconds, static_cast<double>(config.clock_hz) / 1e6));
    text += line(sum.instructions, "instructions",
                 fmt::format("{:.2f} per cycle", ratio(sum.instructions, cycles)));
    for (std::size_t hart = 0; statistics.harts.size() > 1 && hart < statistics.harts.size();
         ++hart) {
        text += line(statistics.harts[hart].instret, fmt::format("  of hart {}", hart));
    }
    text += line(sum.traps, "traps");
    text += events(sum, *config.counters.profile);
    text += coverage(statistics.harts);
    text += records(statistics, samples);
    return text + fmt::format("\n {:.3f} s on the host, {:.1f} million instructions a second\n\n",
                              statistics.host_seconds,
                              mips(own_instructions(statistics), statistics.host_seconds));
}

} // namespace pes

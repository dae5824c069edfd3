// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/run_report.h"

#include "hw/core/arch/causes.h"
#include "platform/host/numbers.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>

namespace pes {
namespace {

constexpr double kMillion = 1e6;
constexpr std::chrono::milliseconds kProgressInterval{250};

std::string_view mode_name(Privilege privilege) {
    switch (privilege) {
    case Privilege::User:
        return "U";
    case Privilege::Supervisor:
        return "S";
    case Privilege::Machine:
        return "M";
    }
    return "";
}

nlohmann::ordered_json trace_json(const TraceReport& trace) {
    nlohmann::ordered_json document{{"encoders", nlohmann::json::array()},
                                    {"sinks", nlohmann::json::array()},
                                    {"dropped_by_funnels", 0},
                                    {"probe_bytes_unread", trace.probe_bytes_unread}};
    for (const trace::SenderCounts& counts : trace.encoders) {
        document["encoders"].push_back({{"messages", counts.messages},
                                        {"bytes", counts.bytes},
                                        {"lost", counts.lost},
                                        {"overflows", counts.overflows},
                                        {"stalls", counts.stalls},
                                        {"stall_cycles", counts.stall_cycles}});
    }
    for (const TraceReport::Sink& sink : trace.sinks) {
        document["sinks"].push_back({{"of", sink.name},
                                     {"written_bytes", sink.statistics.written},
                                     {"overwritten_bytes", sink.statistics.overwritten},
                                     {"refused_bytes", sink.statistics.refused},
                                     {"discarded_bytes", sink.statistics.discarded}});
    }
    std::uint64_t dropped = 0;
    for (const std::uint64_t messages : trace.funnels) {
        dropped += messages;
    }
    document["dropped_by_funnels"] = dropped;
    document["software"] = nlohmann::json::array();
    for (const trace::SoftwareTraceCounts& counts : trace.software) {
        document["software"].push_back({{"events", counts.events},
                                        {"missed", counts.missed},
                                        {"overflows", counts.overflows},
                                        {"words", counts.words}});
    }
    document["software_bytes_unread"] = trace.software_bytes_unread;
    return document;
}

nlohmann::ordered_json events_json(const RunStatistics::OfHart& hart, const PmuProfile& profile) {
    nlohmann::ordered_json events;
    for (const EventRow& row : profile) {
        const auto source = static_cast<std::size_t>(row.source);
        const bool is_event = row.source != Event::None || row.selector != 0;
        if (is_event && source < kEventCount) { // cycles and instructions stand above
            events[row.name] = hart.totals.events[source];
        }
    }
    return events;
}

/// What only some harts have to tell.
void add_rare(nlohmann::ordered_json& document, const RunStatistics::OfHart& hart) {
    if (hart.uncounted_level_cycles != 0) {
        document["uncounted_level_cycles"] = hart.uncounted_level_cycles;
    }
    if (hart.skidless) {
        document["skidless_flushes"] = hart.skidless->flushes;
        document["skidless_cycles"] = hart.skidless->cycles;
    }
}

double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// How the host simulated it: docs/performance.md.
nlohmann::ordered_json path_json(const RunStatistics::OfHart& hart) {
    const PathStatistics& path = hart.path;
    const std::uint64_t blocks = path.blocks_replayed + path.blocks_recorded;
    nlohmann::ordered_json left = nlohmann::json::object();
    for (std::size_t reason = 0; reason < path.left.size(); ++reason) {
        if (path.left[reason] != 0) {
            left[std::string(kLeftForNames[reason])] = path.left[reason];
        }
    }
    return {{"replayed", path.in_blocks - path.recorded},
            {"recorded", path.recorded},
            {"stepped", hart.instret - hart.restored - path.in_blocks},
            {"blocks", blocks},
            {"blocks_known", share(path.blocks_replayed, blocks)},
            {"successors_known", share(blocks - path.nodes_looked_up, blocks)},
            {"memo_cleared", path.memo_cleared},
            {"native_nodes", path.native_nodes},
            {"native_bytes", path.native_bytes},
            {"left_for", left}};
}

} // namespace

std::uint64_t own_instructions(const RunStatistics& statistics) {
    std::uint64_t sum = 0;
    for (const RunStatistics::OfHart& hart : statistics.harts) {
        sum += hart.instret - hart.restored;
    }
    return sum;
}

double mips(std::uint64_t instructions, double seconds) {
    return seconds > 0 ? static_cast<double>(instructions) / kMillion / seconds : 0;
}

std::string statistics_json(const RunStatistics& statistics, const SampleChannel& samples,
                            const PmuProfile& profile) {
    const RunStatistics::OfHart& first = statistics.harts.front();
    nlohmann::ordered_json document{
        {"cycles", statistics.end.cycles},
        {"instret", first.instret},
        {"traps", first.traps},
        {"profile", profile.name},
        {"events", events_json(first, profile)},
        {"samples", samples.records()},
        {"lost_samples", samples.lost()},
        {"malformed_samples", samples.malformed()},
        {"partial_sample_bytes", samples.partial()},
        {"late_wave_changes", statistics.late_wave_changes},
        {"exit_reason", name_of(statistics.end.reason)},
        {"exit_code", statistics.end.guest_code},
        {"host_seconds", statistics.host_seconds},
        {"mips", mips(own_instructions(statistics), statistics.host_seconds)},
    };
    add_rare(document, first);
    if (statistics.harts.size() > 1) {
        for (const RunStatistics::OfHart& hart : statistics.harts) {
            nlohmann::ordered_json row{{"cycles", hart.cycles},
                                       {"instret", hart.instret},
                                       {"traps", hart.traps},
                                       {"events", events_json(hart, profile)}};
            add_rare(row, hart);
            document["harts"].push_back(std::move(row));
        }
    }
    if (statistics.trace) {
        document["trace"] = trace_json(*statistics.trace);
    }
    document["host_path"] = nlohmann::json::array();
    for (const RunStatistics::OfHart& hart : statistics.harts) {
        document["host_path"].push_back(path_json(hart));
    }
    return document.dump(2) + "\n";
}

std::string where(Soc& soc) {
    std::ostringstream out;
    for (unsigned index = 0; index < soc.hart_count(); ++index) {
        out << (index == 0 ? "pc " : ", ") << hex(soc.hart(index).state().pc);
        if (soc.hart_count() > 1) {
            out << " (hart " << index << ")";
        }
    }
    return out.str();
}

std::string cannot_go_on(const RunEnd& end, Soc& soc) {
    std::ostringstream out;
    if (end.reason == ExitReason::DeadWait) {
        out << "pes-vp: the guest waits for an interrupt at " << where(soc)
            << " that nothing can raise\n";
        return out.str();
    }
    const TrapReport report = soc.hart(end.hart).trap_report();
    out << "pes-vp: the guest cannot continue: the handler of a trap traps on its first "
           "instruction\n"
        << (soc.hart_count() > 1 ? "  hart   " + std::to_string(end.hart) + "\n" : std::string())
        << "  cause  " << hex(report.cause) << " (" << cause_name(report.cause) << ")\n"
        << "  pc     " << hex(report.pc) << "\n"
        << "  tval   " << hex(report.tval) << "\n"
        << "  mode   " << mode_name(report.privilege) << "\n"
        << "  trap handler at " << hex(report.handler) << ": " << cause_name(report.handler_cause)
        << "\n"
        << "  last instructions, oldest first:\n";
    for (const Address pc : report.last_instructions) {
        out << "    " << hex(pc) << "\n";
    }
    return out.str();
}

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
    if (shown_) {
        std::fputs("\r\033[K", stderr);
    }
}

void ProgressLine::show(Cycle cycles, std::uint64_t instret) {
    const Clock::time_point now = Clock::now();
    if (!terminal_ || now < next_) {
        return;
    }
    next_ = now + kProgressInterval;
    shown_ = true;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    std::fprintf(stderr, "\r\033[K%.0f M cycles, %.1f MIPS\r",
                 static_cast<double>(cycles) / kMillion, mips(instret, seconds));
}

} // namespace pes

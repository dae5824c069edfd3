// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/trace/trace_report.h"

#include "hw/interface/trace/etrace/packet.h"

#include <algorithm>
#include <spdlog/fmt/fmt.h>
#include <sstream>
#include <toml++/toml.h>

namespace pes {
namespace {

std::string things(std::uint64_t count, const char* name) {
    return std::to_string(count) + " " + name + (count == 1 ? "" : "s");
}

std::string bytes(std::uint64_t count) {
    return things(count, "byte");
}

std::string messages(std::uint64_t count) {
    return things(count, "message");
}

/// The parameters by the names that E-Trace gives them.
void add_packets(toml::table& description) {
    const trace::etrace::Parameters parameters;
    description.erase("timestamps"); // they are whole
    for (const trace::etrace::NamedParameter& one : trace::etrace::kNamedParameters) {
        description.emplace(one.name, static_cast<std::int64_t>(parameters.*one.member));
    }
}

} // namespace

std::vector<std::string> TraceReport::losses() const {
    std::vector<std::string> lines;
    for (std::size_t hart = 0; hart < encoders.size(); ++hart) {
        const trace::SenderCounts& counts = encoders[hart];
        if (counts.lost != 0) {
            lines.push_back("encoder " + std::to_string(hart) + " lost " + messages(counts.lost) +
                            " in " + std::to_string(counts.overflows) +
                            " overflows of its FIFO or at its stop");
        }
    }
    for (std::size_t index = 0; index < funnels.size(); ++index) {
        if (funnels[index] != 0) {
            lines.push_back("funnel " + std::to_string(index) +
                            (standard_registers ? " or an input of it" : "") +
                            " was off and dropped " + messages(funnels[index]));
        }
    }
    for (const Sink& sink : sinks) {
        if (sink.statistics.overwritten != 0) {
            lines.push_back("the buffer of " + sink.name +
                            " wrapped: " + bytes(sink.statistics.overwritten) + " overwritten");
        }
        if (sink.statistics.refused != 0) {
            lines.push_back("the bus refused " + bytes(sink.statistics.refused) + " of " +
                            sink.name);
        }
        if (sink.statistics.discarded != 0) {
            lines.push_back("the sink of " + sink.name +
                            " was off or full: " + bytes(sink.statistics.discarded) + " lost");
        }
    }
    if (probe_bytes_unread != 0) {
        lines.push_back(bytes(probe_bytes_unread) +
                        " left through a probe that nobody reads (run --trace FILE)");
    }
    for (std::size_t hart = 0; hart < software.size(); ++hart) {
        if (software[hart].missed != 0) {
            lines.push_back("software trace module " + std::to_string(hart) + " missed " +
                            things(software[hart].missed, "event") + " in " +
                            things(software[hart].overflows, "overflow") + " of its FIFO");
        }
    }
    if (software_bytes_unread != 0) {
        lines.push_back(bytes(software_bytes_unread) +
                        " left a software trace module that nobody reads (run --osd-trace FILE)");
    }
    return lines;
}

std::string program_line(const std::vector<std::string>& programs) {
    toml::array array;
    for (const std::string& program : programs) {
        array.push_back(program);
    }
    std::ostringstream out;
    if (array.size() == 1) {
        out << toml::table{{"program", *array[0].as_string()}} << "\n";
    } else if (!array.empty()) {
        out << "program = " << toml::toml_formatter{array, toml::format_flags::none} << "\n";
    }
    return out.str();
}

std::string trace_description(const PlatformConfig& config,
                              const std::vector<std::string>& programs, const TraceReport& report) {
    const bool sifive = dialect(config.trace) == trace::TimestampDialect::SiFive;
    const bool packets = config.trace.protocol == trace::Protocol::ETrace;
    toml::table description{
        {"protocol", packets ? "e-trace" : "nexus"},
        {"timestamps", sifive ? "sifive" : "n-trace"},
        {"timestamp_bits", static_cast<std::int64_t>(config.trace.timestamp_bits)},
        {"source_bits", static_cast<std::int64_t>(source_bits(config.trace, config.harts))},
        {"clock_hz", static_cast<std::int64_t>(config.clock_hz)},
        {"bytes", static_cast<std::int64_t>(report.probe_bytes)}};
    if (std::ranges::any_of(report.encoders, &trace::SenderCounts::extended_addresses)) {
        description.emplace("extended_addresses", true);
    }
    if (report.probe_begins_inside) {
        description.emplace("wrapped", true); // the first bytes may be the end of a message
    }
    if (report.probe_ends_inside) {
        description.emplace("stopped", true);
    }
    if (packets) {
        add_packets(description);
    }
    std::ostringstream out;
    out << "# How to read the trace file of this name.\n"
        << description << fmt::format("\ncrc32 = {:#x}\n", report.probe_crc32)
        << program_line(programs);
    return out.str();
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// What the trace blocks did in a run, and what was lost on the way.
#pragma once

#include "hw/trace/encoder/message_sender.h"
#include "hw/trace/sinks/trace_sink.h"
#include "hw/trace/software/software_trace.h"
#include "platform/config/config.h"

#include <string>
#include <vector>

namespace pes {

struct TraceReport {
    struct Sink {
        std::string name; ///< "encoder 0", "funnel 0"
        trace::SinkStatistics statistics;
    };
    std::vector<trace::SenderCounts> encoders; ///< by hart
    std::vector<std::uint64_t> funnels;        ///< messages dropped while off
    bool standard_registers = false;           ///< funnels have inputs that can be off
    std::vector<Sink> sinks;
    std::uint64_t probe_bytes = 0;        ///< that reached the file of the trace
    std::uint32_t probe_crc32 = 0;        ///< of these bytes
    bool probe_begins_inside = false;     ///< the bytes before are those of another run's file
    bool probe_ends_inside = false;       ///< likewise those behind
    std::uint64_t probe_bytes_unread = 0; ///< sent to a probe that nobody reads
    std::vector<trace::SoftwareTraceCounts> software; ///< by hart; empty without the modules
    std::uint64_t software_bytes_unread = 0;          ///< sent over links that nobody reads

    /// Anything that a person should hear of, a line each; empty if nothing was lost.
    std::vector<std::string> losses() const;
};

/// What a reader of the trace file has to know, as TOML. `programs`: ELF files that the harts run.
std::string trace_description(const PlatformConfig& config,
                              const std::vector<std::string>& programs, const TraceReport& report);

/// The line of it that names the programs: a string or, of several, an array; empty without any.
std::string program_line(const std::vector<std::string>& programs);

} // namespace pes

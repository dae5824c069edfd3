// SPDX-License-Identifier: Apache-2.0
// pes-decode trace: options as typed data, and the work. Returns the exit code; throws UserError.
#pragma once

#include "decoder/trace/flow_products.h"
#include "decoder/trace/output/pc_samples.h"
#include "decoder/trace/perf_products.h"
#include "decoder/trace/trace_settings.h"

#include <string>

namespace pes {

enum class TraceFormat : std::uint8_t {
    Messages, ///< Nexus, in byte slices
    Packets,  ///< of Open SoC Debug's software trace module
};

struct TraceCommand {
    std::string file;
    std::vector<std::string> more_files; ///< of packets: the other harts
    TraceFormat format = TraceFormat::Messages;
    std::string log;              ///< path, of the events in packets
    std::string messages;         ///< path, "-" = standard output, empty = none
    std::string itc_print;        ///< the same for the text of a stimulus
    unsigned itc_stimulus = 0;    ///< of packets: the id of the events that are characters
    bool no_load_strings = true;  ///< in itc_print, formats from the program
    trace::TraceSettings options; ///< as given; the first program names the files of perf
    trace::FlowOptions flow;
    trace::PerfOptions perf;
    trace::HotSpotOptions hot_spots;
    std::vector<std::string> source_path; ///< directories, of flow.source_lines
    bool strict = false;
};

int run_trace(const TraceCommand& command);

} // namespace pes

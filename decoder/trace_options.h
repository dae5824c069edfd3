// SPDX-License-Identifier: Apache-2.0
// The options of pes-decode trace.
#pragma once

#include "decoder/trace/trace_command.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace pes {

/// The words as typed.
struct RawTraceOptions {
    TraceCommand command;
    std::vector<std::string> programs;
    std::vector<std::string> files;
    std::string itc_channel;
    std::string source_bits;
    std::string timestamps;
    std::string timestamp_bits;
    std::string address_bits;
    std::vector<std::string> context_maps;
    std::string no_load_strings;
    std::string perf_channel;
    std::string format;
    std::string folded_weight;
    std::string clock_hz;
    std::string hot_spots_by;
    std::string hot_spots_top;
    std::vector<std::string> only_addresses;
    std::vector<std::string> only_times;
    std::vector<std::string> only_sources;
    std::vector<std::string> source_path;
    bool fixed = false;
};

void add_trace_options(CLI::App& command, RawTraceOptions& raw);

/// Once the line is parsed. Throws UserError for words that mean nothing.
TraceCommand trace_command(const RawTraceOptions& raw, const CLI::App& trace);

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The options of pes-decode, as typed data.
#pragma once

#include "decoder/compare/exclusion.h"
#include "decoder/trace/trace_command.h"
#include "hw/interface/pmu/profile_cva6.h"
#include "platform/host/profile_file.h"
#include "platform/profile/hot_spots.h"
#include "platform/program/program_file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pes {

/// What the subcommands on samples share.
struct CommonOptions {
    std::string samples; ///< empty: none (skid)
    std::vector<ProgramFile> programs;
    const PmuProfile* pmu = &kCva6Profile;       ///< names the events
    std::shared_ptr<const ProfileFile> pmu_file; ///< owns it, if it comes from a file
    std::optional<EventId> event;
    std::optional<std::size_t> top; ///< 0 = all; unset = 10 on the terminal, all in files
    std::string csv;                ///< path, "-" = standard output, empty = none
    std::string json;
    std::string records; ///< path of the records as CSV (samples)
    bool strict = false;
    bool ascii = false;
    bool no_color = false;
};

struct SamplesCommand {
    CommonOptions common;
    std::vector<GroupBy> by;
};

struct CompareCommand {
    CommonOptions common;
    std::string truth;
    GroupBy by = GroupBy::Function;
    std::size_t require_top = 0; ///< 0 = no requirement
    Exclusion exclusion{{}};
};

struct SkidCommand {
    CommonOptions common;
    std::string crossings;
};

struct ExportFormat;

struct ExportCommand {
    CommonOptions common;
    const ExportFormat* format = nullptr;
    std::string output; ///< path, "-" = standard output
    std::string truth;  ///< empty: none
    std::uint32_t clock_hz = 1'000'000'000;
};

struct ReportCommand {
    CommonOptions common;
    std::string output; ///< path, "-" = standard output
    std::string truth;  ///< empty: none
    std::string baseline;
    std::string trace;
    std::vector<std::string> source_path; ///< directories
};

/// --help and --version: text for the standard output, nothing else to do.
struct PrintCommand {
    std::string text;
};

using Command = std::variant<SamplesCommand, CompareCommand, SkidCommand, ExportCommand,
                             ReportCommand, TraceCommand, PrintCommand>;

/// Throws UserError for anything that is not a valid command line.
Command parse_command_line(int argc, const char* const* argv);

} // namespace pes

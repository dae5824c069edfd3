// SPDX-License-Identifier: Apache-2.0
// What takes part in a measurement: a command that is run several times, of which the cheapest run
// counts; and the commands themselves.
#pragma once

#include "tests/bench/measurement.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace pes::bench {

inline constexpr int kCycleLimitExit = 124; ///< of pes-vp run --max-cycles

struct Contender {
    std::vector<std::string> command;
    int exit_code = 0;
    double cpu_seconds = std::numeric_limits<double>::max();
    double peak_mebibytes = 0;
    std::vector<double> wall_seconds{};

    void take_turn();
    /// CPU time beyond that of the empty program; at least what the clock can tell.
    double net_seconds(const Contender& empty) const;
};

/// A directory of this process for files that a measurement leaves behind; gone with the object.
class ScratchDirectory {
  public:
    ScratchDirectory();
    ~ScratchDirectory();
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;

    std::string file(const char* name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

/// bench_PROGRAM.elf of the settings.
std::string program_file(const Settings& settings, const std::string& program);

std::vector<std::string> on_platform(const Settings& settings, const std::string& program,
                                     const char* path);

/// `command` with more options.
std::vector<std::string> with(std::vector<std::string> command,
                              const std::vector<std::string>& options);

/// What pes-vp says of a run with --stats; the same in every run. Of all harts, except the cycles.
struct Counts {
    std::uint64_t instructions = 0;
    std::uint64_t cycles = 0;
    std::uint64_t traps = 0;
    std::uint64_t trace_bytes = 0; ///< of all encoders
};

Counts count(const std::vector<std::string>& command, int exit_code = 0);

} // namespace pes::bench

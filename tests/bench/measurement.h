// SPDX-License-Identifier: Apache-2.0
// How fast the platform is, next to QEMU in the same run on the same machine: absolute figures do
// not travel, ratios do. CPU time counts, start-up taken away by that of the empty program. Other
// work on the machine only ever adds, so the best of several runs is taken, and the variants take
// turns, so that a slow minute hits them all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pes::bench {

struct Settings {
    std::string platform;
    std::string qemu; ///< empty: no ratio
    std::string programs;
    unsigned runs = 3;
    bool rtl = false;                      ///< the platform has counters in RTL
    std::vector<std::string> rtl_settings; ///< key=value, their shape
};

/// What the issue of a release promises for one program: fast path : QEMU at least this.
struct ProgramBar {
    const char* name;
    double of_qemu;
};
inline constexpr ProgramBar kPrograms[] = {
    {"int_mix", 1 / 6.5},
    {"mem_walk", 1 / 3.5},
    {"fp_matmul", 1.0 / 3},
};
inline constexpr double kStepOfFastBar = 1.0 / 12;
inline constexpr double kSamplingCostBar = 10;    ///< percent
inline constexpr double kMemoryBar = 200;         ///< MiB beside guest RAM
inline constexpr double kEmptyBar = 10;           ///< ms, wall, start to end
inline constexpr double kRtlBar = 3;              ///< million cycles a second with counters in RTL
inline constexpr double kLockstepBar = 2;         ///< the same, model and RTL in lockstep
inline constexpr double kIdleTraceBar = 2;        ///< percent: nothing, as far as CPU time can tell
inline constexpr double kRecordsBar = 5;          ///< percent
inline constexpr double kBranchTraceBar = 10;     ///< MIPS
inline constexpr double kRecordsDecoderBar = 100; ///< MB/s
inline constexpr double kFlowDecoderBar = 20;     ///< million instructions a second

/// One program on one path: six counters live, one of them sampling every 10,000 events.
struct PathSpeed {
    std::uint64_t instructions = 0;
    std::uint64_t cycles = 0;
    std::uint64_t samples = 0;
    double mips = 0;
    double counting_mips = 0;  ///< the same without sampling
    double sampling_cost = 0;  ///< percent of the CPU time without sampling
    double peak_mebibytes = 0; ///< of the process, touched guest RAM included
};

struct ProgramSpeed {
    ProgramBar bar{};
    PathSpeed fast;
    PathSpeed step;
    std::optional<double> qemu_mips;
    std::optional<double> rtl_megacycles;      ///< million cycles a second of CPU time
    std::optional<double> lockstep_megacycles; ///< likewise
};

/// Performance records of so many counters.
struct RecordsSpeed {
    unsigned counters = 0;
    std::uint64_t records = 0;
    double distance = 0; ///< instructions from record to record
    double mips = 0;
};

/// What trace costs one program.
struct ProgramTrace {
    const char* name = "";
    double no_blocks_mips = 0; ///< fast path, six counters, without trace blocks
    double idle_mips = 0;      ///< the same with an encoder that nobody has turned on
    double timer_mips = 0;     ///< with the interrupts of the records, but none written
    std::vector<RecordsSpeed> records{};
    double branch_mips = 0; ///< branch trace to a file
    double branch_bits = 0; ///< an instruction
    double history_mips = 0;
    double history_bits = 0;

    /// Percent of simulation speed lost.
    double idle_cost() const { return 100 * (1 - idle_mips / no_blocks_mips); }
    double cost(const RecordsSpeed& of) const { return 100 * (1 - of.mips / timer_mips); }
};

struct TraceResults {
    std::vector<ProgramTrace> programs;
    double records_megabytes = 0;     ///< a second of decoding performance records
    double flow_megainstructions = 0; ///< a second of reconstruction from history trace
};

struct Results {
    std::string machine; ///< processors, from /proc/cpuinfo
    std::string qemu_version;
    unsigned runs = 0;
    std::vector<ProgramSpeed> programs;
    double empty_milliseconds = 0; ///< wall, median
    TraceResults trace;
};

/// Its processors, from /proc/cpuinfo.
std::string machine_description();

/// Throws std::runtime_error.
Results measure(const Settings& settings);

} // namespace pes::bench

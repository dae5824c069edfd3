// SPDX-License-Identifier: Apache-2.0
// The command line of pes-vp.
#pragma once

#include "hw/interface/types.h"
#include "platform/boot/boot.h"
#include "platform/cli/host_profile.h"
#include "platform/cli/host_recording.h"
#include "platform/exec/program_parts.h"
#include "platform/soc/trace/trace_setup.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace pes {

enum class Action : std::uint8_t { Run, ShowConfig, DumpDeviceTree, Events, PmuEvents };

/// --checkpoint-at: one of the three.
struct CheckpointPlace {
    std::optional<Cycle> cycle{};
    std::string place; ///< a symbol, or the address of an instruction
    bool on_request = false;
    std::string file;
};

/// `exec`: a program on the booted Linux.
struct ExecOptions {
    bool prepare = false; ///< make that Linux
    std::string suites;   ///< of --prepare: names with commas; empty: those of the script
    std::string mirror;   ///< likewise
    std::string firmware; ///< likewise; empty: pes_firmware.elf
    std::vector<std::string> modules; ///< likewise: of the kernel, loaded before the checkpoint
    std::string cache;                ///< folder of the Linux; empty: in the user's cache folder
    std::vector<std::string> command;
    std::string directory; ///< of the host, in which the program runs
    bool write = false;    ///< it may write there
    std::string root;      ///< folder that is the root of its file system; empty: the agent's
    std::vector<std::string> environment; ///< NAME=VALUE
    std::string perf; ///< words of the guest's perf, which runs the program; empty: it does not
    std::string perf_data;                  ///< file for what it records
    std::set<Part> profiled{Part::Program}; ///< what a profile is of
    std::set<Part> exact{Part::Program, Part::Perf, Part::Kernel, Part::Firmware,
                         Part::Agent}; ///< what the exact profile is of
    std::string maps;                  ///< file for the mappings of all processes; empty: none
    std::string threads;               ///< file for what each thread has done; empty: none
};

struct Options {
    Action action = Action::Run;
    BootFiles boot;
    std::string dump_device_tree; ///< path, with Action::DumpDeviceTree
    std::string config;
    std::string core_package;             ///< is the first of the assignments, once they are parsed
    std::vector<std::string> assignments; ///< key=value
    std::string samples;
    std::string vcd;
    std::string vcd_groups; ///< names with commas; empty: all
    Cycle vcd_from = 0;
    Cycle vcd_to = kNever;
    std::string pipeline; ///< log of the pipeline; empty: none
    Cycle pipeline_from = 0;
    Cycle pipeline_to = kNever;
    std::vector<std::string> dumps; ///< SYMBOL[:BYTES]@FILE
    Cycle max_cycles = kNever;
    std::optional<CheckpointPlace> checkpoint{};
    std::string gdb;     ///< where gdb is waited for; empty: it is not
    std::string restore; ///< file of a checkpoint; empty: from reset
    std::string stats;
    std::string truth;
    std::string crossings;
    std::optional<ProfileOptions> profiling{}; ///< of the command `profile`, ...
    std::optional<RecordOptions> recording{};  ///< ... of which it is one or the other
    std::optional<ExecOptions> exec{};
    std::string console;
    std::string console_input;  ///< "-": the standard input; empty: none
    std::string virtio_console; ///< empty: there is no such device
    std::string path;           ///< empty: as configured
    std::string counters;       ///< likewise
    std::string lockstep_vcd;
    std::string counter_coverage; ///< of lockstep; empty: none
    std::string counter_stimulus; ///< what a testbench replays; empty: none
    std::string trace;            ///< file of the trace probe; empty: the host sets nothing up
    TraceSetup trace_setup;       ///< without the ranges of its filter
    std::vector<std::string> trace_ranges; ///< of --trace-range
    std::string osd_trace;                 ///< file of the software trace modules; empty: likewise
    ThreadTracking osd_threads = ThreadTracking::Off;
    std::string guest_files; ///< directory; empty: guests get no files
    std::string share;       ///< directory for the guest's 9P; empty: none
    bool share_write = false;
    std::string disk; ///< image; empty: none
    bool disk_write = false;
    std::string log_level = "warn";
    bool quiet = false;                ///< no summary at the end
    std::string profile = "cva6";      ///< with Action::Events and PmuEvents: name or file
    std::string event_format = "perf"; ///< with Action::PmuEvents: one of pmu_event_formats()
    std::string directory;             ///< with Action::PmuEvents
};

/// What to do, or nothing if the command line only asked for help or the version, which are printed
/// then. Throws UserError.
std::optional<Options> parse_command_line(int argc, char** argv);

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/options.h"

#include "platform/cli/exec_command.h"
#include "platform/cli/option_kinds.h"
#include "platform/cli/option_words.h"
#include "platform/cli/osd_options.h"
#include "platform/cli/pmu_events_command.h"
#include "platform/cli/profile_options.h"
#include "platform/cli/trace_filter_options.h"

#include "platform/config/core_package.h"
#include "platform/config/settings.h"
#include "platform/host/numbers.h"
#include "platform/host/output_file.h"
#include "platform/host/subcommand.h"
#include "platform/host/user_error.h"
#include "platform/manual/generate_option.h"
#include "platform/sampling/method.h"
#include "platform/soc/guest/console_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <sstream>

namespace pes {
namespace {

void check(const std::string& command, const BootFiles& boot, Action action) {
    if (boot.program.empty() && boot.firmware.empty()) {
        if (!boot.device_tree.empty()) {
            throw UserError("--dtb needs PROGRAM or --firmware FILE, which gets it");
        }
        if (action == Action::DumpDeviceTree) {
            return;
        }
        throw UserError(command +
                        ": PROGRAM is missing, expected an RV64 ELF file (or --firmware FILE)");
    }
    if (!boot.program.empty() && !boot.firmware.empty()) {
        throw UserError(command + ": got PROGRAM '" + boot.program + "' and --firmware '" +
                        boot.firmware + "', expected one of them");
    }
    if (!boot.kernel.empty() && boot.firmware.empty()) {
        throw UserError("--kernel needs --firmware FILE, which starts it");
    }
    if (boot.kernel.empty() && (!boot.initrd.empty() || !boot.append.empty())) {
        throw UserError("--initrd and --append need --kernel FILE");
    }
    if (!boot.words.empty() && boot.program.empty()) {
        throw UserError(command + ": the words behind -- are for PROGRAM, expected --append TEXT "
                                  "for what --firmware starts");
    }
}

/// Options whose meaning hangs on another one are an error without it: nothing is ignored silently.
void check(const std::string& command, const Options& options, bool windowed) {
    if (options.vcd.empty() && (windowed || !options.vcd_groups.empty())) {
        throw UserError("--vcd-groups, --vcd-from and --vcd-to need --vcd FILE");
    }
    if (options.vcd_from >= options.vcd_to) {
        throw UserError("--vcd-from " + std::to_string(options.vcd_from) +
                        " is not before --vcd-to " + std::to_string(options.vcd_to));
    }
    if (options.action != Action::ShowConfig) {
        check(command, options.boot, options.action);
    }
}

void add_trace_options(CLI::App& run, Options& options) {
    begin_group(run, "Trace");
    static const std::map<std::string, ProgramTrace> kPrograms{
        {"htm", ProgramTrace::History},
        {"htm-plain", ProgramTrace::PlainHistory},
        {"btm", ProgramTrace::Branches},
        {"events", ProgramTrace::Events},
        {"none", ProgramTrace::None}};
    static const std::map<std::string, bool> kSwitch{{"on", true}, {"off", false}};
    add_word(run, "--trace", options.trace, "FILE",
             "Trace from the first instruction on; FILE.toml describes the trace");
    add_choice(run, "--trace-program", options.trace_setup.program, kPrograms, "KIND",
               "Program trace: htm (default), htm-plain, btm, events, none");
    run.add_flag("--trace-counters", options.trace_setup.counters,
                 "Counters after each event and PC sample of --trace-program events");
    add_choice(run, "--trace-itc", options.trace_setup.instrumentation, kSwitch, "on|off",
               "Whether writes to stimuli send messages; default on");
    add_choice(run, "--trace-stall", options.trace_setup.stall, kSwitch, "on|off",
               "Full FIFO: on stalls the hart (default), off drops messages");
    add_trace_filter_options(run, options);
}

void add_boot_options(CLI::App& run, Options& options) {
    BootFiles& boot = options.boot;
    add_word(run, "--firmware", boot.firmware, "FILE",
             "Machine-mode firmware in place of PROGRAM: ELF, or raw at the start of main memory");
    add_word(run, "--kernel", boot.kernel, "FILE",
             "Supervisor payload of the firmware: ELF, or raw at the next multiple of 2 MiB");
    add_word(run, "--initrd", boot.initrd, "FILE", "Initial RAM disk of the kernel");
    add_word(run, "--append", boot.append, "TEXT", "Command line of the kernel");
    add_word(run, "--dtb", boot.device_tree, "FILE", "Device tree in place of the platform's own");
    add_word(run, "--dump-dtb", options.dump_device_tree, "FILE",
             "Write the device tree that the program would get, and stop")
        ->each([&options](const std::string&) { options.action = Action::DumpDeviceTree; });
}

void add_wave_options(CLI::App& run, Options& options) {
    begin_group(run, "Waves");
    add_word(run, "--vcd", options.vcd, "FILE", "Waveform: VCD, or FST if the name ends in .fst");
    add_word(run, "--vcd-groups", options.vcd_groups, "NAME,...", "Signal groups; default all");
    add_cycles(run, "--vcd-from", options.vcd_from, "First cycle of the waveform");
    add_cycles(run, "--vcd-to", options.vcd_to, "Cycle after the last one of the waveform");
    add_word(
        run, "--pipeline", options.pipeline, "FILE",
        "The way of each instruction through the pipeline, for Konata; as gem5's O3PipeView if "
        "the name ends in .o3");
    add_cycles(run, "--pipeline-from", options.pipeline_from, "First cycle of --pipeline");
    add_cycles(run, "--pipeline-to", options.pipeline_to, "Cycle after its last one");
    add_word(run, "--lockstep-vcd", options.lockstep_vcd, "FILE",
             "Waveform of the RTL if it differs from the model (lockstep.vcd)");
}

/// WHEN is a number of cycles, pc=ADDRESS, guest-request, or a symbol.
CheckpointPlace checkpoint_place(const std::string& when, const std::string& file) {
    constexpr std::string_view kPc = "pc=";
    if (file.empty() || file == "-") {
        throw UserError("--checkpoint-at got '" + file + "', expected a file name");
    }
    CheckpointPlace place{.place = {}, .file = file};
    if (when == "guest-request") {
        place.on_request = true;
    } else if (when.starts_with(kPc)) {
        place.place = when.substr(kPc.size());
        if (!parse_number(place.place, Format::Count)) {
            throw UserError("--checkpoint-at got '" + when + "', expected an address behind pc=");
        }
    } else if (when.empty() || (when.front() >= '0' && when.front() <= '9')) {
        place.cycle = cycles_of("--checkpoint-at", when);
    } else {
        place.place = when;
    }
    return place;
}

void add_checkpoint_options(CLI::App& run, Options& options) {
    begin_group(run, "Checkpoints");
    run.add_option_function<std::vector<std::string>>(
           "--checkpoint-at",
           [&options](const std::vector<std::string>& words) {
               options.checkpoint = checkpoint_place(words[0], words[1]);
           },
           "Save the whole platform at cycle N, before the instruction at a SYMBOL or pc=ADDRESS, "
           "or on a guest-request; the run goes on")
        ->type_name("WHEN FILE")
        ->type_size(2);
    add_word(run, "--restore", options.restore, "FILE",
             "Go on from a checkpoint of the same program and platform");
}

void add_run_options(CLI::App& run, Options& options) {
    begin_group(run, "Program");
    run.add_option("PROGRAM", options.boot.program,
                   "Static RV64 ELF executable; words behind -- go to its main()");
    add_boot_options(run, options);
    add_word(run, "--guest-files", options.guest_files, "DIR",
             "The guest may write and read files in this directory");
    add_word(run, "--share", options.share, "DIR",
             "Directory that the guest may mount: a virtio 9P device with mount tag 'host'");
    run.add_flag("--share-write", options.share_write, "The guest may change what is in --share");
    add_word(run, "--disk", options.disk, "IMAGE",
             "Raw image of a virtio disk; what the guest writes is gone after the run");
    run.add_flag("--disk-write", options.disk_write, "What the guest writes goes into --disk");
    begin_group(run, "Platform");
    add_word(run, "--config", options.config, "FILE", "Configuration file (TOML)");
    add_core_package(run, options.core_package);
    run.add_option("--set", options.assignments, "Change one setting; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    run.add_flag_callback(
        "--show-config", [&options] { options.action = Action::ShowConfig; },
        "Print the configuration as TOML and stop");
    add_word(run, "--path", options.path, "PATH", "Execution path: auto, step, fast");
    add_word(run, "--counters", options.counters, "KIND",
             "Counters: tlm (model), rtl, lockstep (both)");
    add_cycles(run, "--max-cycles", options.max_cycles, "End after N cycles, exit code 124");
    add_word(run, "--console-input", options.console_input, "FILE",
             "What the guest reads from its console; - is the standard input, where on a terminal "
             "Ctrl-A x ends the run");
    add_word(run, "--gdb", options.gdb, "PORT",
             "Wait for gdb before the first instruction: a port of this machine, 0 for any, or "
             "unix:PATH");
    begin_group(run, "Outputs");
    add_word(run, "--console", options.console, "FILE",
             "Console output, in place of stdout; or the whole console: pty, or tcp:PORT or "
             "unix:PATH for one client on this machine");
    add_word(run, "--virtio-console", options.virtio_console, "FILE",
             "The same for a virtio console, a second one beside the UART");
    if (!options.profiling) {
        add_word(run, "--samples", options.samples, "FILE", "Sample records, for pes-decode");
    }
    add_word(run, "--stats", options.stats, "FILE", "Cycles, events, samples, speed as JSON");
    add_word(run, "--truth", options.truth, "FILE",
             "The exact profile: cycles and events of each instruction, as CSV");
    run.add_option("--dump", options.dumps,
                   "Write the memory of a symbol at the end; may be repeated")
        ->type_name("SYMBOL[:BYTES]@FILE")
        ->allow_extra_args(false);
    add_word(run, "--crossings", options.crossings, "FILE",
             "Threshold crossings and overflows with cause and interrupt, as CSV");
    add_word(run, "--counter-coverage", options.counter_coverage, "FILE",
             "What a lockstep run has seen of the counters, as CSV");
    add_word(run, "--counter-stimulus", options.counter_stimulus, "FILE",
             "Pins of the counters in each cycle and what they must show, for a testbench");
    add_word(run, "--log-level", options.log_level, "LEVEL", "Messages about the guest, on stderr")
        ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}));
    run.add_flag("--quiet", options.quiet, "No summary on stderr at the end");
    if (!options.profiling) {
        add_checkpoint_options(run, options);
    }
    add_wave_options(run, options);
    add_trace_options(run, options);
    add_osd_options(run, options);
}

void add_events_command(CLI::App& app, Options& options) {
    CLI::App* events = app.add_subcommand("events", "List the events that counters can count");
    add_word(*events, "--profile", options.profile, "PROFILE",
             "PMU profile, by name or as a TOML file; default cva6");
    events->callback([&options] { options.action = Action::Events; });
}

void add_pmu_events_command(CLI::App& app, Options& options) {
    CLI::App* files =
        app.add_subcommand("pmu-events", "Write the events as files for perf, libpfm4 or PAPI");
    add_word(*files, "--profile", options.profile, "PROFILE",
             "PMU profile, by name or as a TOML file; default cva6");
    add_word(*files, "--format", options.event_format, "FORMAT",
             "JSON for perf, sources for libpfm4 or presets for PAPI; default perf")
        ->check(CLI::IsMember(pmu_event_formats()));
    add_word(
        *files, "-o,--output", options.directory, "DIR",
        "Directory for the files; perf's belong into tools/perf/pmu-events/arch/riscv of Linux");
    files->callback([&options] { options.action = Action::PmuEvents; });
}

constexpr const char* kRunExamples =
    "Examples:\n"
    "  pes-vp run a.elf --stats stats.json\n"
    "  pes-vp run a.elf -- first second\n"
    "  pes-vp run a.elf --vcd run.vcd --vcd-groups hpm,commit --vcd-to 20000\n"
    "  pes-vp run --firmware fw_dynamic.bin --kernel Image --initrd initramfs --set harts=2\n\n";
constexpr const char* kProfileExamples =
    "Examples:\n"
    "  pes-vp profile a.elf --annotate\n"
    "  pes-vp profile a.elf --event l1d-miss --by address --json profile.json\n"
    "  pes-vp profile a.elf --method threshold --period 1009 --samples s.bin --truth t.csv\n\n";

/// Of `run`, or of `profile`.
void add_run_command(CLI::App& run, Options& options) {
    run.footer(
        std::string(options.profiling ? kProfileExamples : kRunExamples) +
        "Exit code: the guest's; 2 for a mistake on the command line, in a file or in the\n"
        "configuration; 123 if the host is out of memory; 124 if --max-cycles is reached; 125 if\n"
        "the guest cannot continue; 126 if model and RTL of the counters differ; 130 if "
        "interrupted.");
    add_run_options(run, options);
}

/// As a shell would take it.
std::string command_of(int argc, char** argv) {
    std::string command = "pes-vp";
    for (const std::string_view word : std::span(argv, static_cast<std::size_t>(argc)).subspan(1)) {
        const bool plain = !word.empty() && word.find_first_of(" \t\n'\"$\\*?[]();&|<>`!#~") ==
                                                std::string_view::npos;
        command += plain ? " " + std::string(word) : " '" + std::string(word) + "'";
    }
    return command;
}

/// The words behind `--`, which are for the program: argc then counts those before them. Nothing:
/// there is no `--`, or the command has no program.
std::optional<std::vector<std::string>> split_program_words(int& argc, const char* const* argv) {
    const std::span words(argv, static_cast<std::size_t>(argc));
    const std::set<std::string_view> commands{"run", "profile", "exec"};
    const auto dashes = std::ranges::find(words, std::string_view("--"));
    if (dashes == words.end() || words.size() < 2 || !commands.contains(words[1])) {
        return std::nullopt;
    }
    argc = static_cast<int>(dashes - words.begin());
    return std::vector<std::string>(dashes + 1, words.end());
}

/// Its name, without the folder: a run does not hang on where its files are.
void give_words(BootFiles& boot, const std::optional<std::vector<std::string>>& words) {
    if (words) {
        boot.words = {std::filesystem::path(boot.program).filename().string()};
        boot.words.insert(boot.words.end(), words->begin(), words->end());
    }
}

/// The command line has one more key then, before the others.
void give_core_package(Options& options) {
    if (!options.core_package.empty()) {
        options.assignments.insert(options.assignments.begin(),
                                   std::string(kCorePackageKey) + "=" + options.core_package);
    }
}

/// Options of a device that the platform does not have.
void check_devices(const Options& options) {
    if (options.share_write && options.share.empty()) {
        throw UserError("--share-write needs --share DIR");
    }
    if (options.disk_write && options.disk.empty()) {
        throw UserError("--disk-write needs --disk IMAGE");
    }
}

/// Of `run` and `profile`: options that need another one, and a program.
void check_run(const CLI::App& run, const Options& options) {
    check(run.get_name(), options, run.count("--vcd-from") + run.count("--vcd-to") != 0);
    if (options.pipeline.empty() &&
        run.count("--pipeline-from") + run.count("--pipeline-to") != 0) {
        throw UserError("--pipeline-from and --pipeline-to need --pipeline FILE");
    }
    if (options.pipeline_from >= options.pipeline_to) {
        throw UserError("--pipeline-from " + std::to_string(options.pipeline_from) +
                        " is not before --pipeline-to " + std::to_string(options.pipeline_to));
    }
    if (options.trace.empty() && run.count("--trace-program") + run.count("--trace-counters") +
                                         run.count("--trace-itc") + run.count("--trace-stall") !=
                                     0) {
        throw UserError(
            "--trace-program, --trace-counters, --trace-itc and --trace-stall need --trace FILE");
    }
    if (options.trace.empty() && filters_trace(options)) {
        throw UserError("--trace-range, --trace-mode and --trace-traps need --trace FILE");
    }
    if (options.trace_setup.counters && options.trace_setup.program != ProgramTrace::Events) {
        throw UserError("--trace-counters needs --trace-program events");
    }
    check_osd_options(run, options);
    if (ConsoleLine::is_name(options.console) && !options.console_input.empty()) {
        throw UserError("--console " + options.console +
                        " excludes --console-input: its other end is the input too");
    }
    check_devices(options);
}

/// The trace is for them alone unless something else is asked for, and never holds the hart.
void use_records(const CLI::App& profile, const RecordOptions& recording, Options& options) {
    if (options.trace.empty() || !options.trace_setup.instrumentation) {
        throw UserError("--records needs --trace FILE, with --trace-itc on");
    }
    if (profile.count("--trace-program") == 0) {
        options.trace_setup.program = ProgramTrace::None;
    }
    options.trace_setup.stall = profile.count("--trace-stall") != 0 && options.trace_setup.stall;
    options.recording = recording;
    options.profiling.reset();
}

/// What the options of each command go into.
struct CommandOptions {
    Options run; ///< of `events` and `pmu-events` too
    Options profile;
    RecordOptions recording; ///< of `profile`
    Options exec;
    ExecOptions linux_program; ///< of `exec`
    ProfileOptions linux_profile;
};

/// `command`: the one that is there, if any. Only that one gets its options: adding all takes a
/// tenth of a short run.
void add_commands(CLI::App& app, std::string_view command, CommandOptions& options) {
    const auto gets_options = [command](const char* name) {
        return command.empty() || command == name;
    };
    CLI::App& run = *app.add_subcommand("run", "Run a program on the modelled hart");
    if (gets_options("run")) {
        add_run_command(run, options.run);
    }
    ProfileOptions& profiling = options.profile.profiling.emplace();
    CLI::App& profile =
        *app.add_subcommand("profile", "Run a program and sample it from the host side");
    if (gets_options("profile")) {
        add_run_command(profile, options.profile);
        add_profile_options(profile, profiling, "--report");
        add_call_graph_option(profile, profiling);
        add_record_options(profile, options.recording);
    }
    add_events_command(app, options.run);
    add_pmu_events_command(app, options.run);
    CLI::App& exec =
        *app.add_subcommand("exec", "Run a Linux program, exactly measured, on a booted Debian");
    if (gets_options("exec")) {
        add_exec_options(exec, options.exec, options.linux_program, options.linux_profile);
    }
}

/// False: it was a request that has been answered, such as --help.
bool parse(CLI::App& app, int argc, char** argv, std::string_view command) {
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& request) {
        std::ostringstream text;
        app.exit(request, text, text);
        print(text.str());
        return false;
    } catch (const CLI::ParseError& error) {
        throw UserError(first_line(error.what()) + " (pes-vp " +
                        std::string(command.empty() ? "run" : command) +
                        " --help lists the options)");
    }
    return true;
}

Options finish_profile(const CLI::App& profile, CommandOptions options,
                       const std::string& whole_command) {
    Options sampled = std::move(options.profile);
    check_run(profile, sampled);
    check_profile(*sampled.profiling, "--report");
    if (!options.recording.when.empty()) {
        use_records(profile, options.recording, sampled);
    }
    if (sampled.profiling) {
        sampled.profiling->command = whole_command;
        sampled.profiling->settings = sampled.assignments;
    }
    return sampled;
}

} // namespace

std::optional<Options> parse_command_line(int argc, char** argv) {
    CLI::App app{"Virtual platform for RISC-V performance monitoring and precise event sampling",
                 "pes-vp"};
    app.set_version_flag("--version", "pes-vp " PES_VERSION);
    add_generate_option(app, "pes-vp " PES_VERSION, option_words);
    app.require_subcommand(1);
    require_known_subcommand(argc, argv, {"run", "profile", "exec", "events", "pmu-events"});
    const std::string_view command = argc > 1 && *argv[1] != '-' ? argv[1] : "";
    CommandOptions options;
    add_commands(app, command, options);
    const std::string whole_command = command_of(argc, argv);
    const auto words = split_program_words(argc, argv);
    if (!parse(app, argc, argv, command)) {
        return std::nullopt;
    }
    if (app.got_subcommand("exec")) {
        give_core_package(options.exec);
        ExecOptions exec = std::move(options.linux_program);
        if (words) {
            exec.command.insert(exec.command.end(), words->begin(), words->end());
        }
        options.linux_profile.command = whole_command;
        return finish_exec(*app.get_subcommand("exec"), std::move(exec), std::move(options.exec),
                           options.linux_profile);
    }
    give_core_package(options.run);
    give_core_package(options.profile);
    give_words(options.run.boot, words);
    give_words(options.profile.boot, words);
    if (app.got_subcommand("profile")) {
        return finish_profile(*app.get_subcommand("profile"), std::move(options), whole_command);
    }
    if (app.got_subcommand("run")) {
        check_run(*app.get_subcommand("run"), options.run);
    }
    return std::move(options.run);
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/options.h"

#include "hw/common/host/user_error.h"

#include <CLI/CLI.hpp>

namespace pes {
namespace {

/// Options whose meaning hangs on another one are an error without it: nothing is ignored silently.
void check(const Options& options, bool windowed) {
    if (options.vcd.empty() && (windowed || !options.vcd_groups.empty())) {
        throw UserError("--vcd-groups, --vcd-from and --vcd-to need --vcd FILE");
    }
    if (options.vcd_from >= options.vcd_to) {
        throw UserError("--vcd-from " + std::to_string(options.vcd_from) +
                        " is not before --vcd-to " + std::to_string(options.vcd_to));
    }
    if (options.action == Action::Run && options.program.empty()) {
        throw UserError("run: PROGRAM is missing, expected an RV64 ELF file");
    }
}

void add_run_options(CLI::App& run, Options& options) {
    run.add_option("PROGRAM", options.program, "Static RV64 ELF executable");
    run.add_option("--config", options.config, "Configuration file (TOML)")->type_name("FILE");
    run.add_option("--set", options.assignments, "Change one setting; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    run.add_flag_callback(
        "--show-config", [&options] { options.action = Action::ShowConfig; },
        "Print the configuration as TOML and stop");
    run.add_option("--max-cycles", options.max_cycles, "End after so many cycles, exit code 124")
        ->type_name("N");
    run.add_option("--console", options.console, "Console output goes there, not to stdout")
        ->type_name("FILE");
    run.add_option("--samples", options.samples, "Sample records, for pes-decode")
        ->type_name("FILE");
    run.add_option("--stats", options.stats, "Cycles, events, samples, speed as JSON")
        ->type_name("FILE");
    run.add_option("--truth", options.truth, "Exact retired-instruction histogram as CSV")
        ->type_name("FILE");
    run.add_option("--dump", options.dumps, "Memory of a symbol at the end; may be repeated")
        ->type_name("SYMBOL[:BYTES]@FILE")
        ->allow_extra_args(false);
    run.add_option("--vcd", options.vcd, "Waveform")->type_name("FILE");
    run.add_option("--vcd-groups", options.vcd_groups, "Signal groups; all if absent")
        ->type_name("NAME,...");
    run.add_option("--vcd-from", options.vcd_from, "First cycle of the waveform")->type_name("N");
    run.add_option("--vcd-to", options.vcd_to, "Cycle after its last one")->type_name("N");
    run.add_option("--log-level", options.log_level, "Messages about the guest, on stderr")
        ->type_name("LEVEL")
        ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}));
}

} // namespace

std::optional<Options> parse_command_line(int argc, char** argv) {
    Options options;
    CLI::App app{"Virtual platform for RISC-V performance monitoring and precise event sampling",
                 "pes-vp"};
    app.set_version_flag("--version", "pes-vp " PES_VERSION);
    app.require_subcommand(1);
    CLI::App* run = app.add_subcommand("run", "Run a program on the modelled hart");
    run->footer(
        "Exit code: the guest's; 2 for a mistake on the command line, in a file or in the\n"
        "configuration; 124 if --max-cycles is reached; 125 if the guest cannot go on; 130 if "
        "interrupted.");
    add_run_options(*run, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& request) {
        app.exit(request);
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        throw UserError(error.what());
    }
    check(options, run->count("--vcd-from") + run->count("--vcd-to") != 0);
    return options;
}

} // namespace pes

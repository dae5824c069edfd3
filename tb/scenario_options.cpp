// SPDX-License-Identifier: Apache-2.0
#include "tb/scenario_options.h"

#include "platform/host/output_file.h"
#include "platform/host/user_error.h"

#include <CLI/CLI.hpp>

#include <map>
#include <sstream>

namespace pes {

std::optional<ScenarioOptions> parse_scenario_options(int argc, char** argv) {
    static const std::map<std::string, RtlFigures> kFigures{{"interrupt", RtlFigures::Interrupt},
                                                            {"loop", RtlFigures::Loop}};
    ScenarioOptions options;
    bool counter_runs = false;
    CLI::App app{"Records a sample of a program as waveform and checks its steps against CVA6 RTL",
                 "pes-scenario"};
    app.add_option("--program", options.program, "Program that samples (RV64 ELF)")
        ->type_name("ELF")
        ->capture_default_str();
    app.add_option("--output", options.output,
                   "Where pes_scenario.vcd, .gtkw and .console go; made if absent")
        ->type_name("DIR")
        ->capture_default_str();
    app.add_option("--svg", options.svg, "Timing diagram of the figures")->type_name("FILE");
    app.add_option("--config", options.config, "Configuration file (TOML)")->type_name("FILE");
    app.add_option("--set", options.assignments, "Change one setting; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    app.add_option("--sample", options.sample, "Which sample triggers the recording, from 1")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--before", options.before, "Cycles recorded before its threshold line rises")
        ->capture_default_str();
    app.add_option("--after", options.after, "Cycles recorded behind that")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--max-cycles", options.max_cycles, "Give up after so many")
        ->capture_default_str();
    app.add_option("--minimum-samples", options.minimum_samples,
                   "Samples that the window must have")
        ->capture_default_str();
    app.add_option_function<std::string>(
           "--figures",
           [&options](const std::string& name) { options.check.figures = kFigures.at(name); },
           "Which RTL figures are demanded: interrupt (any program) or loop (the RTL's own loop in "
           "steady state)")
        ->check(CLI::IsMember(kFigures));
    app.add_flag("--counter-runs", counter_runs, "The handler does not inhibit the counter");
    app.footer("Exit code: 0 if every check holds, 1 if one fails, 2 for a mistake in the call, "
               "123 if the "
               "host is out of memory.");
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& request) {
        std::ostringstream text;
        app.exit(request, text, text);
        print(text.str());
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        throw UserError(error.what());
    }
    options.check.handler_inhibits = !counter_runs;
    return options;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/exec_command.h"

#include "platform/cli/option_kinds.h"
#include "platform/cli/osd_options.h"
#include "platform/cli/profile_options.h"
#include "platform/cli/run_exec.h"
#include "platform/config/core_package.h"
#include "platform/exec/prepared_linux.h"
#include "platform/host/numbers.h"
#include "platform/host/user_error.h"
#include "platform/sampling/decode_sampler.h"
#include "platform/soc/guest/guest_log.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <string_view>

namespace pes {
namespace {

constexpr const char* kPage = "--profile"; ///< the option of the HTML page

/// Any option of the profile asks for one.
bool wants_profile(const CLI::App& command) {
    return std::ranges::any_of(command.get_options([](const CLI::Option* option) {
        return option->get_group() == kProfileGroup;
    }),
                               [](const CLI::Option* option) { return option->count() != 0; });
}

bool records(const ExecOptions& exec) {
    std::string first;
    std::istringstream(exec.perf) >> first;
    return first == "record";
}

/// Each name once, with the last value that it is given.
std::vector<std::string> with_usual(const std::vector<std::string>& given) {
    std::vector<std::string> all{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/root", "TERM=dumb",
                                 "LANG=C.UTF-8"};
    for (const std::string& variable : given) {
        const std::string name = variable.substr(0, variable.find('=') + 1);
        const auto known = std::ranges::find_if(
            all, [&name](const std::string& other) { return other.starts_with(name); });
        if (known == all.end()) {
            all.push_back(variable);
        } else {
            *known = variable;
        }
    }
    return all;
}

void check_program(const ExecOptions& exec, const Options& options) {
    if (exec.prepare != exec.command.empty()) {
        throw UserError(exec.prepare
                            ? "exec --prepare takes no program"
                            : "exec needs a program: pes-vp exec -- PROGRAM [ARGUMENT...]");
    }
    if (exec.prepare && (!exec.perf.empty() || !options.gdb.empty())) {
        throw UserError("exec --prepare takes neither --perf nor --gdb");
    }
    if (!exec.prepare && !(exec.suites.empty() && exec.mirror.empty() && exec.firmware.empty() &&
                           exec.modules.empty())) {
        throw UserError("--suite, --mirror, --firmware and --module need exec --prepare");
    }
}

void add_parts(CLI::App& command, const char* name, std::set<Part>& parts, const char* text) {
    static const std::map<std::string, Part> kParts = [] {
        std::map<std::string, Part> by_name;
        for (std::size_t index = 0; index < kPartNames.size(); ++index) {
            by_name[kPartNames[index]] = static_cast<Part>(index);
        }
        return by_name;
    }();
    command
        .add_option_function<std::vector<std::string>>(
            name,
            [&parts](const std::vector<std::string>& words) {
                parts.clear();
                for (const std::string& word : words) {
                    parts.insert(kParts.at(word));
                }
            },
            text)
        ->type_name("PART,...")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::IsMember(kParts));
}

} // namespace

void add_exec_options(CLI::App& command, Options& options, ExecOptions& exec,
                      ProfileOptions& profiling) {
    command.footer(
        "Examples:\n"
        "  pes-vp exec --prepare\n"
        "  pes-vp exec -- ./a.out args < in > out\n"
        "  pes-vp exec --write --env OMP_NUM_THREADS=1 -- ./a.out\n\n"
        "Exit code: the program's; 128 and the signal that ended it; 127 if it is not there, 126\n"
        "if it cannot be started; otherwise as pes-vp run.");
    command.option_defaults()->group("Linux");
    command.add_flag("--prepare", exec.prepare,
                     "Fetch Debian's kernel and programs, boot them, and keep a checkpoint");
    command.add_option("--suite", exec.suites, "With --prepare: Debian releases, with commas")
        ->type_name("NAME,...");
    command.add_option("--mirror", exec.mirror, "With --prepare: where its packages are")
        ->type_name("URL");
    add_word(command, "--firmware", exec.firmware, "FILE",
             "With --prepare: SBI firmware; default this project's");
    command
        .add_option("--module", exec.modules,
                    "With --prepare: a module of that kernel to load; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false);
    command
        .add_option("--cache", exec.cache,
                    "Folder of that Linux; default pes-vp/linux in the "
                    "user's cache folder")
        ->type_name("DIR");
    command.option_defaults()->group("Program");
    command.add_option("PROGRAM", exec.command,
                       "With its arguments; behind -- they may begin with a dash");
    command.add_flag("--write", exec.write,
                     "The program may write in the current folder, which else is read-only");
    command
        .add_option("--root", exec.root,
                    "Root of the program's file system: a Debian for riscv64, for example")
        ->type_name("DIR");
    command.add_option("--env", exec.environment, "A variable of the environment; may be repeated")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    command.option_defaults()->group("Platform");
    add_core_package(command, options.core_package);
    command
        .add_option("--set", options.assignments,
                    "Change one setting, with --prepare any; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    add_word(command, "--gdb", options.gdb, "PORT",
             "Wait for gdb where the agent starts the program: a port of this machine, 0 for any, "
             "or unix:PATH");
    command.option_defaults()->group("Outputs");
    command.add_option("--stats", options.stats, "Cycles, events, speed of the whole run as JSON")
        ->type_name("FILE");
    command
        .add_option("--truth", options.truth,
                    "The exact profile: cycles and events of each instruction, as CSV")
        ->type_name("FILE");
    command
        .add_option("--maps", exec.maps,
                    "Which files each process had mapped at its end, and where")
        ->type_name("FILE");
    add_word(command, "--threads", exec.threads, "FILE",
             "What each thread has done in user mode, as CSV");
    add_word(command, "--perf", exec.perf, "ARGS",
             "Run the program under the guest's perf: 'stat -e cycles', 'record -c 10007'");
    add_word(command, "--perf-data", exec.perf_data, "FILE",
             "What perf records; default perf.data. FILE.symbols has what perf here needs for it");
    add_osd_options(command, options);
    command.add_flag("--quiet", options.quiet, "No summary and no tables on stderr");
    add_profile_options(command, profiling, kPage);
    add_parts(command, "--profile-of", exec.profiled,
              "What the profile is of: program (default), perf, kernel, firmware, agent");
    command.option_defaults()->group("Outputs");
    add_parts(command, "--truth-of", exec.exact,
              "What the exact profile is of; default all, also that of the agent");
}

Options finish_exec(const CLI::App& command, ExecOptions exec, Options options,
                    const ProfileOptions& profiling) {
    if (wants_profile(command)) {
        if (exec.prepare) {
            throw UserError("exec --prepare takes no options of a profile");
        }
        check_profile(profiling, kPage);
        const SamplingMethod* const method = find_method(profiling.method);
        if (method != nullptr && samples_decoded(*method)) {
            throw UserError("--method " + profiling.method +
                            " follows decoded instructions from reset on, expected another one "
                            "for a program that begins with a checkpoint");
        }
        options.profiling = profiling;
    }
    check_program(exec, options);
    check_osd_options(command, options);
    if (exec.prepare && !options.osd_trace.empty()) {
        throw UserError("exec --prepare takes no --osd-trace");
    }
    for (const std::string& variable : exec.environment) {
        if (variable.find('=') == std::string::npos) {
            throw UserError("--env " + variable + ", expected NAME=VALUE");
        }
    }
    if (command.count("--truth-of") != 0 && options.truth.empty()) {
        throw UserError("--truth-of needs --truth");
    }
    if (!exec.perf_data.empty() && !records(exec)) {
        throw UserError("--perf-data needs --perf 'record ...'");
    }
    if (records(exec) && exec.perf_data.empty()) {
        exec.perf_data = "perf.data";
    }
    exec.directory = std::filesystem::current_path();
    if (exec.directory == "/" && !exec.prepare) {
        throw UserError("exec: the current folder is '/', where the guest has its own root, "
                        "expected a folder below it");
    }
    exec.environment = with_usual(exec.environment);
    if (exec.prepare) {
        const GuestLog log("pes-vp", options.log_level);
        // Its settings are kept, not its name: the file may change.
        options.assignments = with_core_package(options.assignments);
        PreparedLinux(exec.cache)
            .build({.suites = exec.suites,
                    .mirror = exec.mirror,
                    .firmware = exec.firmware,
                    .modules = exec.modules});
    }
    return exec_options(exec, std::move(options));
}

} // namespace pes

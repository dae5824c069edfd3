// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/options.h"

#include "platform/host/numbers.h"
#include "platform/host/output_file.h"
#include "platform/host/subcommand.h"
#include "platform/host/user_error.h"
#include "platform/manual/generate_option.h"

#include <CLI/CLI.hpp>

#include <map>
#include <sstream>

namespace pes::lab {
namespace {

constexpr std::size_t kMostTasks = 1000;
constexpr unsigned kMostJobs = 1024;

std::uint64_t number(const char* option, const std::string& text, std::uint64_t most) {
    const auto value = parse_digits(text);
    if (!value || *value == 0 || *value > most) {
        throw UserError(std::string(option) + " got '" + text + "', expected a number from 1 to " +
                        std::to_string(most));
    }
    return *value;
}

/// "I/N", I from 0.
Share parse_shard(const std::string& text) {
    const std::size_t slash = text.find('/');
    const auto index = parse_digits(text.substr(0, slash));
    const auto count =
        slash == std::string::npos ? std::nullopt : parse_digits(text.substr(slash + 1));
    if (!index || !count || *index >= *count || *count > kMostTasks) {
        throw UserError("--shard got '" + text + "', expected I/N with I from 0 to N - 1");
    }
    return {.index = *index, .count = *count};
}

void add_options(CLI::App& app, Options& options) {
    static const std::map<std::string, Engine> kEngines{{"local", Engine::Local},
                                                        {"slurm", Engine::Slurm}};
    app.add_option("MATRIX", options.matrix, "The matrix to run (TOML, docs/lab.md)")->required();
    app.add_option("--out", options.out, "Directory for the results")->type_name("DIR")->required();
    app.add_option("--programs", options.programs,
                   "Directory of the ELF files; default: that of the matrix")
        ->type_name("DIR");
    app.add_option("--platform", options.pes_vp,
                   "The pes-vp to run; default: the one next to pes-lab")
        ->type_name("FILE");
    app.add_option_function<std::string>(
           "--jobs",
           [&options](const std::string& text) {
               options.jobs = static_cast<unsigned>(number("--jobs", text, kMostJobs));
           },
           "Parallel runs; default: one per processor")
        ->type_name("N");
    app.add_flag("--quiet", options.quiet, "No progress line");
    app.add_option_function<std::string>(
           "--engine", [&options](const std::string& word) { options.engine = kEngines.at(word); },
           "local (default), or slurm: submit a job array and return")
        ->type_name("ENGINE")
        ->check(CLI::IsMember(kEngines));
    app.add_option_function<std::string>(
           "--tasks",
           [&options](const std::string& text) {
               options.tasks = number("--tasks", text, kMostTasks);
           },
           "Tasks of the job array; default 8")
        ->type_name("N");
    app.add_option("--slurm-options", options.slurm_options, "Further options for sbatch")
        ->type_name("WORDS");
    app.add_option_function<std::string>(
           "--shard", [&options](const std::string& text) { options.shard = parse_shard(text); },
           "Run share I of N without a report, as a task of the array does")
        ->type_name("I/N");
    app.add_flag("--collect", options.collect,
                 "Merge the results of all shards and write the report");
}

void check(const CLI::App& app, const Options& options) {
    if (options.engine == Engine::Local &&
        app.count("--tasks") + app.count("--slurm-options") != 0) {
        throw UserError("--tasks and --slurm-options need --engine slurm");
    }
    if (options.shard && (options.engine == Engine::Slurm || options.collect)) {
        throw UserError("--shard excludes --engine slurm and --collect");
    }
    if (options.engine == Engine::Slurm && options.collect) {
        throw UserError(
            "--engine slurm excludes --collect, which is for when the job array has ended");
    }
}

} // namespace

std::optional<Options> parse_command_line(int argc, char** argv) {
    Options options;
    CLI::App app{"Measures sampling methods: programs x methods x events x rates", "pes-lab"};
    app.set_version_flag("--version", "pes-lab " PES_VERSION);
    add_generate_option(app, "pes-lab " PES_VERSION);
    app.footer(
        "Exit code: 0 when all points are complete; 1 if a run failed; 2 for a mistake on the\n"
        "command line or in the matrix; 130 if interrupted: the same command continues.");
    add_options(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& request) {
        std::ostringstream text;
        app.exit(request, text, text);
        print(text.str());
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        throw UserError(first_line(error.what()) + " (pes-lab --help lists the options)");
    }
    check(app, options);
    return options;
}

} // namespace pes::lab

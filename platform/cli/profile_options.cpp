// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/profile_options.h"

#include "platform/cli/option_kinds.h"
#include "platform/sampling/method.h"

#include <map>
#include <set>
#include <vector>

namespace pes {

namespace {

/// What is made of the samples.
void add_report_options(CLI::App& profile, ProfileOptions& options, const char* page) {
    static const std::map<std::string, GroupBy> kTables = [] {
        std::map<std::string, GroupBy> tables;
        for (const GroupBy by : kGroupings) {
            tables[std::string(to_string(by))] = by;
        }
        return tables;
    }();
    profile
        .add_option_function<std::string>(
            "--by", [&options](const std::string& word) { options.by = kTables.at(word); },
            "One table: function, line, block or address; default functions and lines")
        ->type_name("WHAT")
        ->check(CLI::IsMember(kTables));
    profile
        .add_option_function<std::string>(
            "--top",
            [&options](const std::string& text) {
                options.top = parse_digits(text);
                if (!options.top) {
                    throw UserError("--top got '" + text + "', expected a number of rows");
                }
            },
            "Rows of each table, 0 = all; default 10 on the terminal, all in files")
        ->type_name("N");
    profile
        .add_option("--annotate", options.annotate,
                    "Source and disassembly of a function with samples, exact shares and reasons; "
                    "default the hottest function")
        ->type_name("[FUNCTION]")
        ->expected(0, 1)
        ->default_str("");
    add_word(profile, page, options.report, "FILE",
             "The run as an HTML page: cycle stack, timeline, flame graph, functions, code");
    add_word(profile, "--baseline", options.baseline, "FILE",
             "Page of an earlier run, with which tables and page compare this one");
    profile
        .add_option("--source-path", options.source_path,
                    "Where sources are that the page and --annotate show and that are not where "
                    "the program says; may be repeated")
        ->type_name("DIR")
        ->allow_extra_args(false);
    add_word(profile, "--csv", options.csv, "FILE", "Tables as CSV; - is the standard output");
    add_word(profile, "--json", options.json, "FILE", "Tables as JSON; - is the standard output");
    profile.add_flag("--ascii", options.ascii, "Draw bars with #");
    profile.add_flag("--no-color", options.no_color, "No colours");
}

} // namespace

void add_profile_options(CLI::App& profile, ProfileOptions& options, const char* page) {
    constexpr std::uint64_t kMostSpread = 100;
    static const std::string kMethods = "Sampling method: " + method_names() + "; default exact";
    begin_group(profile, kProfileGroup);
    add_word(profile, "--method", options.method, "METHOD", kMethods.c_str());
    add_word(profile, "--event", options.event, "NAME",
             "Event of the PMU profile (pes-vp events), cycle (default) or instret");
    add_number(profile, "--period", options.period, 1, kNever,
               "Events, cycles or half-words between two samples; default: such that there are "
               "5,000 to 10,000 samples");
    add_number(profile, "--spread", options.spread, 0, kMostSpread,
               "Random variation of the period in percent; default 0, without --period 10");
    add_number(
        profile, "--seed", options.seed, 0, kNever,
        "Seed of random numbers; other than 0 (default) the first period begins at a random place");
    add_word(profile, "--samples", options.samples, "FILE", "Sample records, for pes-decode");
    add_report_options(profile, options, page);
}

void add_call_graph_option(CLI::App& command, ProfileOptions& options) {
    command.add_flag("--call-graph", options.call_graph,
                     "With the call stack of each sample, from the programs' debug information");
}

void add_record_options(CLI::App& profile, RecordOptions& options) {
    const std::vector<CLI::Option*> of_samples = profile.get_options([](const CLI::Option* option) {
        static const std::set<std::string> kNames{
            "method", "event", "period", "spread",   "seed",   "samples",  "by",
            "top",    "csv",   "json",   "annotate", "report", "baseline", "source-path"};
        return kNames.contains(option->get_single_name());
    });
    CLI::Option* const when =
        add_word(profile, "--records", options.when, "WHEN",
                 "Performance records into --trace, in place of samples: functions (calls and "
                 "returns) or timer=US");
    for (CLI::Option* option : of_samples) {
        when->excludes(option);
    }
    add_word(profile, "--events", options.events, "NAME,...",
             "Counters of the records; default cycle,instret")
        ->needs(when);
}

void check_profile(const ProfileOptions& options, const std::string& page) {
    if (options.call_graph && options.samples.empty()) {
        throw UserError("--call-graph needs --samples FILE, whose records get the call stacks");
    }
    if (!options.source_path.empty() && options.report.empty() && !options.annotate) {
        throw UserError("--source-path needs " + page + " FILE or --annotate, which show sources");
    }
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// pes-bench: measures simulation speed on the benchmark programs, on both paths and beside QEMU,
// what trace costs, and how fast it is decoded. docs/performance.md says what the columns mean. A
// report, not a test: a missed bar is no error.
#include "tests/bench/command.h"
#include "tests/bench/report.h"
#include "tests/pages/page.h"

#include <iostream>

int main(int argc, char** argv) {
    using namespace pes::bench;
    CLI::App app{"Measures simulation speed on the benchmark programs, next to QEMU", "pes-bench"};
    Settings settings;
    std::string json_file;
    std::string markdown;
    add_platform_options(app, settings);
    app.add_option("--qemu", settings.qemu, "qemu-system-riscv64; without it no ratio is printed");
    add_runs_option(app, settings);
    app.add_flag("--rtl", settings.rtl, "also counters in RTL and in lockstep");
    app.add_option("--rtl-set", settings.rtl_settings,
                   "KEY=VALUE for these runs: the shape of the RTL that is built; may be repeated")
        ->allow_extra_args(false);
    app.add_option("--json", json_file, "file for the results");
    add_page_option(app, markdown);
    return run_command(app, argc, argv, [&] {
        const std::string page = markdown.empty() ? "" : pes::pages::read_file(markdown);
        const Results results = measure(settings);
        std::cout << text_table(results);
        if (!json_file.empty()) {
            pes::pages::write_file(json_file, json(results));
        }
        if (!markdown.empty()) {
            pes::pages::write_file(markdown, with_results(page, results));
        }
    });
}

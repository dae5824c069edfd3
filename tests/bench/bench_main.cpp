// SPDX-License-Identifier: Apache-2.0
// pes-bench: measures simulation speed on the benchmark programs, on both paths and beside QEMU,
// what trace costs, and how fast it is decoded. docs/performance.md says what the columns mean. A
// report, not a test: a missed bar is no error.
#include "tests/bench/measurement.h"
#include "tests/bench/report.h"
#include "tests/pages/page.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <stdexcept>
#include <string>

int main(int argc, char** argv) {
    CLI::App app{"Measures simulation speed on the benchmark programs, next to QEMU", "pes-bench"};
    pes::bench::Settings settings;
    std::string json;
    std::string markdown;
    app.add_option("--platform", settings.platform, "pes-vp to measure")
        ->required()
        ->check(CLI::ExistingFile);
    app.add_option("--qemu", settings.qemu, "qemu-system-riscv64; without it no ratio is printed");
    app.add_option("--programs", settings.programs, "folder with bench_*.elf")
        ->required()
        ->check(CLI::ExistingDirectory);
    app.add_option("--runs", settings.runs, "runs of each variant, the best counts")
        ->check(CLI::Range(1, 100));
    app.add_flag("--rtl", settings.rtl, "also counters in RTL and in lockstep");
    app.add_option("--rtl-set", settings.rtl_settings,
                   "KEY=VALUE for these runs: the shape of the RTL that is built; may be repeated")
        ->allow_extra_args(false);
    app.add_option("--json", json, "file for the results");
    app.add_option("--markdown", markdown, "page whose results section is written again")
        ->check(CLI::ExistingFile);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    try {
        const std::string page = markdown.empty() ? "" : pes::pages::read_file(markdown);
        const pes::bench::Results results = pes::bench::measure(settings);
        std::cout << text_table(results);
        if (!json.empty()) {
            pes::pages::write_file(json, pes::bench::json(results));
        }
        if (!markdown.empty()) {
            pes::pages::write_file(markdown, with_results(page, results));
        }
    } catch (const std::exception& error) {
        std::cerr << "pes-bench: " << error.what() << '\n';
        return 1;
    }
    return 0;
}

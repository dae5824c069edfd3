// SPDX-License-Identifier: Apache-2.0
// pes-bench-work: what trace costs in host instructions, by valgrind. A report, not a test.
#include "tests/bench/work.h"
#include "tests/pages/page.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <stdexcept>
#include <string>

namespace {

constexpr const char* kBeginMark = "<!-- work: written by pes-bench-work --markdown -->";
constexpr const char* kEndMark = "<!-- end of work -->";

} // namespace

int main(int argc, char** argv) {
    CLI::App app{"Counts the host instructions that trace costs on the benchmark programs",
                 "pes-bench-work"};
    pes::bench::Settings settings;
    std::string valgrind = "valgrind";
    std::string markdown;
    app.add_option("--platform", settings.platform, "pes-vp to measure")
        ->required()
        ->check(CLI::ExistingFile);
    app.add_option("--programs", settings.programs, "folder with bench_*.elf")
        ->required()
        ->check(CLI::ExistingDirectory);
    app.add_option("--valgrind", valgrind, "valgrind");
    app.add_option("--markdown", markdown, "page whose section of counted work is written again")
        ->check(CLI::ExistingFile);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    try {
        const std::string page = markdown.empty() ? "" : pes::pages::read_file(markdown);
        const pes::bench::Table table =
            pes::bench::work_table(pes::bench::measure_work(settings, valgrind));
        std::cout << text(table);
        if (!markdown.empty()) {
            pes::pages::write_file(markdown, pes::pages::with_section(page, kBeginMark, kEndMark,
                                                                      pes::bench::markdown(table)));
        }
    } catch (const std::exception& error) {
        std::cerr << "pes-bench-work: " << error.what() << '\n';
        return 1;
    }
    return 0;
}

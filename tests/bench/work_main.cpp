// SPDX-License-Identifier: Apache-2.0
// pes-bench-work: what sampling and trace cost in host instructions, by valgrind. A report, not a
// test.
#include "tests/bench/command.h"
#include "tests/bench/work.h"

#include <iostream>

namespace {

constexpr const char* kBeginMark = "<!-- work: written by pes-bench-work --markdown -->";
constexpr const char* kEndMark = "<!-- end of work -->";

} // namespace

int main(int argc, char** argv) {
    using namespace pes::bench;
    CLI::App app{
        "Counts the host instructions that sampling and trace cost on the benchmark programs",
        "pes-bench-work"};
    Settings settings;
    std::string valgrind = "valgrind";
    std::string page;
    add_platform_options(app, settings);
    app.add_option("--valgrind", valgrind, "valgrind");
    add_page_option(app, page);
    return run_command(app, argc, argv, [&] {
        const PageSection section(page, kBeginMark, kEndMark);
        const Table table = work_table(measure_work(settings, valgrind));
        std::cout << text(table);
        section.write(markdown(table));
    });
}

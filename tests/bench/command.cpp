// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/command.h"

#include "tests/pages/page.h"

#include <fmt/format.h>

#include <iostream>
#include <utility>

namespace pes::bench {

void add_platform_options(CLI::App& app, Settings& settings) {
    app.add_option("--platform", settings.platform, "pes-vp to measure")
        ->required()
        ->check(CLI::ExistingFile);
    app.add_option("--programs", settings.programs, "folder with bench_*.elf")
        ->required()
        ->check(CLI::ExistingDirectory);
}

void add_runs_option(CLI::App& app, Settings& settings) {
    app.add_option("--runs", settings.runs, "runs of each variant, the best counts")
        ->check(CLI::Range(1, 100));
}

void add_page_option(CLI::App& app, std::string& page) {
    app.add_option("--markdown", page, "page whose section of this command is written again")
        ->check(CLI::ExistingFile);
}

PageSection::PageSection(std::string file, std::string begin, std::string end)
    : file_(std::move(file)), begin_(std::move(begin)), end_(std::move(end)) {
    if (file_.empty()) {
        return;
    }
    page_ = pages::read_file(file_);
    try {
        pages::with_section(page_, begin_, end_, "");
    } catch (const std::runtime_error& error) { // there are no marks
        throw UsageError(fmt::format("--markdown {}: {}", file_, error.what()));
    }
}

void PageSection::write(const std::string& text) const {
    if (!file_.empty()) {
        pages::write_file(file_, pages::with_section(page_, begin_, end_, text));
    }
}

int run_command(CLI::App& app, int argc, char** argv, const std::function<void()>& command) {
    const auto fail = [&app](const std::exception& error, int exit_code) {
        std::cerr << app.get_name() << ": " << error.what() << '\n';
        return exit_code;
    };
    try {
        app.parse(argc, argv);
        command();
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& error) {
        return fail(error, 2);
    } catch (const UsageError& error) {
        return fail(error, 2);
    } catch (const std::exception& error) {
        return fail(error, 1);
    }
    return 0;
}

} // namespace pes::bench

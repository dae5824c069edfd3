// SPDX-License-Identifier: Apache-2.0
// What the commands of this folder share: the options that name the platform and the programs, the
// page that they write a section of, and how they end.
#pragma once

#include "tests/bench/measurement.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <stdexcept>
#include <string>

namespace pes::bench {

/// Of the command line: one sentence, exit code 2.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// --platform and --programs.
void add_platform_options(CLI::App& app, Settings& settings);
/// --runs.
void add_runs_option(CLI::App& app, Settings& settings);
/// --markdown; empty if it is not given.
void add_page_option(CLI::App& app, std::string& page);

/// The section of a page between the two marks of a command. Reads the page at once: one without
/// the marks is no reason to measure in vain.
class PageSection {
  public:
    /// `file` empty: writes nothing.
    PageSection(std::string file, std::string begin, std::string end);
    void write(const std::string& text) const;

  private:
    std::string file_, begin_, end_, page_;
};

/// Parses the command line, then does what the command is for. Returns its exit code.
int run_command(CLI::App& app, int argc, char** argv, const std::function<void()>& command);

} // namespace pes::bench

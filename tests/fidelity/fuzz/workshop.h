// SPDX-License-Identifier: Apache-2.0
// From a program to what both sides did with it.
#pragma once

#include "tests/differential/process.h"
#include "tests/fidelity/fuzz/program.h"
#include "tests/fidelity/fuzz/run_log.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace pes::cycle_fuzz {

struct Runs {
    RunLog judge;
    RunLog model;
};

struct Workshop {
    std::string compiler;              ///< riscv64-unknown-elf-g++
    std::string judge;                 ///< runs an ELF on the core's RTL; empty: there is none
    std::filesystem::path runtime;     ///< runtime.S
    std::filesystem::path script;      ///< link.ld
    std::filesystem::path directory;   ///< for what it builds
    bool warm = false;                 ///< compares the steps of the last pass only
    std::vector<std::string> settings; ///< key=value, what the RTL has beside the default

    /// Assembles the runtime. Throws std::runtime_error.
    void prepare() const;
    std::filesystem::path build(const Program& program, const std::string& name) const;
    /// Empty if the program does not assemble or link, as one from which a line is missing.
    std::optional<std::filesystem::path> try_build(const Program& program,
                                                   const std::string& name) const;
    void remove(const std::string& name) const;
    /// `timer_phase`: cycles that the first measured instruction retires behind a step of mtime.
    RunLog judge_run(const std::filesystem::path& elf, unsigned timer_phase) const;
    /// Both sides, from the first measured instruction on.
    Runs both(const std::filesystem::path& elf) const;
    /// What differs between the stepping and the fast path; empty: nothing.
    std::string path_difference(const std::filesystem::path& elf) const;

  private:
    std::optional<std::filesystem::path> build(const Program& program, const std::string& name,
                                               differential::ErrorStream errors) const;
};

/// Where two runs part: the first step whose cycle, place or kind is not the same.
struct Difference {
    std::size_t step = 0;
    bool path = false; ///< they went different ways; otherwise only the cycle differs
    std::string kind;  ///< of the instruction: kind_of(), or "trap"
};

std::optional<Difference> first_difference(const RunLog& judge, const RunLog& model);

/// The first instruction of this kind whose distance from the step before is not the same, as long
/// as both go the same way: what came before it may have gone wrong as well.
std::optional<Difference> first_of_kind(const RunLog& judge, const RunLog& model,
                                        std::string_view kind);

/// The steps around a difference side by side.
std::string describe(const Difference& difference, const RunLog& judge, const RunLog& model);

} // namespace pes::cycle_fuzz

// SPDX-License-Identifier: Apache-2.0
// Two runs of a program side by side: what each function and each source line took before and now,
// though the program may have been built in another folder or its files may have other names now.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pes {

/// What a run has spent, by function and by instruction's line; places may repeat.
struct RunCosts {
    struct OfFunction {
        std::string name;
        std::string place; ///< its source file; of code without one, the program's
        double cycles = 0;
    };
    struct OfLine {
        std::string file;
        std::int64_t number = 0;
        std::string text; ///< empty: the file was not there
        double cycles = 0;
    };
    std::string title{};
    std::string command{};
    std::uint64_t cycles = 0;
    std::uint64_t instructions = 0;
    std::vector<OfFunction> functions{};
    std::vector<OfLine> lines{};
};

struct ComparedRow {
    std::string name; ///< function, text of the line, or "line 12"
    std::string file; ///< as it is called now, if it is there
    double before = 0;
    double now = 0;

    double change() const { return now - before; }
};

struct RunComparison {
    RunCosts before{}; ///< without functions and lines
    RunCosts now{};
    std::vector<ComparedRow> functions{}; ///< by the size of the change
    std::vector<ComparedRow> lines{};

    const std::vector<ComparedRow>& rows(bool by_line) const { return by_line ? lines : functions; }
};

/// Rows without cycles in both runs are left out.
RunComparison compare_runs(const RunCosts& before, const RunCosts& now);

/// "1.25 times faster", for two numbers of cycles.
std::string speed_text(std::uint64_t before, std::uint64_t now);

} // namespace pes

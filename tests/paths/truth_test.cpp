// SPDX-License-Identifier: Apache-2.0
// Whose every cycle and pulse is, of every program of the tree: the same on both paths, and the
// sums are what the run counts. Interrupts, traps, sleep, modes and several harts are among them.
#include "tests/paths/outputs.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>
#include <sstream>

namespace pes::paths {
namespace {

std::vector<std::string> split(const std::string& line, char at) {
    std::vector<std::string> items;
    std::istringstream text(line);
    for (std::string item; std::getline(text, item, at);) {
        items.push_back(item);
    }
    return items;
}

/// Of each column with numbers; each row's cycles must be those of its reasons.
std::map<std::string, double> sums_of(const std::string& truth) {
    constexpr std::size_t kKeys = 4; // hart, privilege, satp, pc
    const std::vector<std::string> lines = split(truth, '\n');
    const std::vector<std::string> names = split(lines.at(0), ',');
    std::map<std::string, double> sums;
    for (std::size_t line = 1; line < lines.size(); ++line) {
        const std::vector<std::string> fields = split(lines[line], ',');
        EXPECT_EQ(fields.size(), names.size());
        double cycles = 0;
        double reasons = 0;
        for (std::size_t column = kKeys; column < names.size(); ++column) {
            const double value = std::stod(fields.at(column));
            EXPECT_GE(value, 0) << lines[line];
            EXPECT_LT(value, 1e15) << lines[line];
            sums[names[column]] += value;
            cycles += names[column] == "cycles" ? value : 0;
            reasons += names[column].starts_with("cycles_") ? value : 0;
        }
        EXPECT_EQ(cycles, reasons) << lines[line];
    }
    return sums;
}

std::string harts_of(const std::string& program) {
    const bool two = program.ends_with("_2") && program.starts_with("harts");
    const bool four = program.ends_with("_4") && program.starts_with("harts");
    if (program.starts_with("trace_four_harts")) {
        return "4";
    }
    if (two || program.starts_with("trace_harts") || program == "trace_stimuli_2") {
        return "2";
    }
    return four || program == "harts_sbi" ? "4" : "1";
}

struct Program {
    std::string name;
    std::filesystem::path file;
};

void PrintTo(const Program& program, std::ostream* out) {
    *out << program.name;
}

std::vector<Program> programs() {
    std::vector<Program> all;
    for (const std::string& folder : {std::string(PES_FIRMWARE), std::string(PES_DIRECTED)}) {
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            if (entry.path().extension() == ".elf") {
                all.push_back({entry.path().stem(), entry.path()});
            }
        }
    }
    std::ranges::sort(all, {}, &Program::name);
    return all;
}

class TruthOf : public testing::TestWithParam<Program> {
  protected:
    static Outputs run(const std::string& path) {
        const std::string harts = harts_of(GetParam().name);
        Invocation run{.program = GetParam().file,
                       .options = {"--max-cycles", "250007", "--set", "harts=" + harts},
                       .files = {"--truth", "--crossings"},
                       .memory = {}};
        if (GetParam().name.starts_with("trace_four_harts")) {
            run.options.insert(run.options.end(), {"--set", "trace.funnel.count=2"});
        }
        return execute(PES_VP_PATH, run, {"--path", path},
                       std::filesystem::path(PES_WORK) / ("truth_" + GetParam().name));
    }
};

TEST_P(TruthOf, IsTheSameOnBothPathsAndAddsUp) {
    const Outputs stepped = run("step");
    const auto found = difference(stepped, run("fast"));
    EXPECT_FALSE(found) << found.value_or("");
    const auto stats = nlohmann::json::parse(stepped.at("stats"));
    const auto harts = stats.contains("harts") ? stats["harts"] : nlohmann::json::array({stats});
    for (std::size_t hart = 0; hart < harts.size(); ++hart) {
        const std::string name = hart == 0 ? "truth" : "truth.hart" + std::to_string(hart);
        auto sums = sums_of(stepped.at(name));
        EXPECT_EQ(sums["count"], harts[hart]["instret"]) << name;
        EXPECT_EQ(sums["cycles"], harts[hart]["cycles"]) << name;
        for (const auto& [event, count] : harts[hart]["events"].items()) {
            EXPECT_EQ(sums[event], count) << name << ' ' << event;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, TruthOf, testing::ValuesIn(programs()),
                         [](const testing::TestParamInfo<Program>& info) {
                             return info.param.name;
                         });

} // namespace
} // namespace pes::paths

// SPDX-License-Identifier: Apache-2.0
// The table of what a lockstep run has seen, against the cover properties of the RTL that Verilator
// counts.
#include "hw/hpm/counter_names.h"
#include "hw/hpm/lockstep_bank.h"
#include "hw/hpm/rtl/verilated_model.h"
#include "platform/soc/outputs/counter_coverage_file.h"
#include "tests/unit/common/run_command.h"
#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/hpm/rtl/counter_stream.h"

#include <Vrtl_points_rtl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace pes::test {
namespace {

/// "mhpmcounter3 counted" -> cycles.
using Hits = std::map<std::string, std::uint64_t>;

constexpr unsigned kStreams = 10;
constexpr std::size_t kCycles = 4000;

const CounterConfig kConfig{.programmable = 6, .width = 40};

/// The name of the table for a scope of the RTL; empty: none.
std::string table_name(const std::string& scope) {
    static const std::regex kPlace(R"(\.(gen_event|gen_counter|gen_threshold)(?:__BRA__|\[)(\d+))");
    std::smatch place;
    if (std::regex_search(scope, place, kPlace)) {
        const auto index = static_cast<unsigned>(std::stoul(place[2]));
        return place[1] == "gen_event" ? find_selector(*kConfig.profile, index)
                                             ->name // CVA6's selectors are its sources
                                       : counter_name(index);
    }
    if (scope.find(".i_cycle.") != std::string::npos) {
        return "mcycle";
    }
    return scope.find(".i_instret.") != std::string::npos ? "minstret" : "pes_hpm";
}

/// What Verilator has written: C '...\1h\2<scope>.cover_<point>...' <count>
Hits points_of_rtl(const std::filesystem::path& file) {
    static const std::regex kPoint("\x01h\x02([^\x01']*)\\.cover_(\\w+)[\x01'].* (\\d+)$");
    Hits hits;
    std::istringstream in(read_file(file));
    for (std::string line; std::getline(in, line);) {
        std::smatch point;
        if (std::regex_search(line, point, kPoint)) {
            std::string name = point[2];
            std::ranges::replace(name, '_', '-');
            hits[table_name(point[1].str() + '.') + ' ' + name] += std::stoull(point[3]);
        }
    }
    return hits;
}

Hits points_of_table(const std::filesystem::path& file) {
    static const std::regex kRow("^\\w+,([^,]*),([^,]*),(\\d+)$");
    Hits hits;
    std::istringstream in(read_file(file));
    for (std::string line; std::getline(in, line);) {
        std::smatch row;
        if (std::regex_match(line, row, kRow)) {
            hits[row[1].str() + ' ' + row[2].str()] = std::stoull(row[3]);
        }
    }
    return hits;
}

/// One stream out of several, which a reset separates.
Stream long_stream() {
    Stream stream;
    for (unsigned seed = 1; seed <= kStreams; ++seed) {
        const Stream part = random_stream(seed, kConfig, kCycles);
        stream.insert(stream.end(), part.begin(), part.end());
        stream.push_back({.reset = true});
    }
    return stream;
}

/// True if model and RTL agree. The RTL's counts are taken when the bank goes.
bool write_table(const std::filesystem::path& file) {
    LockstepBank bank(kConfig, make_verilated<Vrtl_points_rtl>, {});
    play(long_stream(), bank);
    std::ofstream out(file);
    write_counter_coverage(out, *bank.coverage());
    return !bank.difference();
}

class CoveragePoints : public testing::Test {
  protected:
    /// Once, in a process of its own: Verilator's counts are written when it ends.
    void SetUp() override {
        if (!table_.empty()) {
            return;
        }
        const TemporaryDirectory directory;
        const std::filesystem::path table = directory / "table.csv";
        const std::filesystem::path rtl = directory / "coverage.dat";
        setenv("PES_RTL_COVERAGE", rtl.c_str(), 1);
        EXPECT_EXIT({ std::exit(write_table(table) ? 0 : 1); }, testing::ExitedWithCode(0), "");
        unsetenv("PES_RTL_COVERAGE");
        table_ = points_of_table(table);
        rtl_ = points_of_rtl(rtl);
    }

    inline static Hits table_, rtl_;
};

TEST_F(CoveragePoints, EveryPropertyOfTheRtlHasThePointOfTheTableWithItsCount) {
    // 6 programmable counters, 2 fixed ones, 8 thresholds, 22 events, the block
    EXPECT_EQ(rtl_.size(), 6U * 17 + 2 * 8 + 8 * 3 + 22 + 3);
    for (const auto& [point, hits] : rtl_) {
        ASSERT_TRUE(table_.contains(point)) << point;
        EXPECT_EQ(table_.at(point), hits) << point;
    }
}

// Streams reach nearly all of it: equal counts are not all 0.
TEST_F(CoveragePoints, RandomStreamsHitThem) {
    const auto hit =
        std::ranges::count_if(rtl_, [](const auto& point) { return point.second != 0; });
    EXPECT_GT(hit, static_cast<long>(rtl_.size() * 9 / 10));
}

// What software reads and which event it was only the table knows.
TEST_F(CoveragePoints, TheTableKnowsWhatTheRtlCannot) {
    for (const char* point : {"mhpmcounter3 read", "mcycle read-on-pulse", "load counted",
                              "load wrapped", "mcycle user-filter-set"}) {
        ASSERT_TRUE(table_.contains(point)) << point;
        EXPECT_FALSE(rtl_.contains(point)) << point;
    }
    EXPECT_GT(table_.at("mhpmcounter3 read"), 0U);
    EXPECT_GT(table_.at("load counted"), 0U);
}

} // namespace
} // namespace pes::test

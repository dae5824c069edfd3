// SPDX-License-Identifier: Apache-2.0
#include "decoder/compare/truth.h"

#include "hw/interface/pmu/profiles.h"
#include "platform/host/user_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace pes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const TruthMeasure kInCycles = measure_of(kCva6Profile, {CounterKind::Cycles, 0});

Truth truth_of(const std::string& text, const TruthMeasure& measure = retired_instructions()) {
    std::istringstream input(text);
    return read_truth(input, "truth.csv", measure);
}

TruthMeasure measure_of_selector(const PmuProfile& pmu, std::uint64_t selector) {
    return measure_of(pmu, {CounterKind::Programmable, selector});
}

TEST(Truth, ReadsInstructionsOrCycles) {
    const std::string text = "pc,count,cycles\n0x80000000,17,40\n80000004,3,0\r\n0x10,0,0\n";
    const Truth retired = truth_of(text);
    EXPECT_EQ(retired.exact.size(), 2u);
    EXPECT_EQ(retired.exact.at(0x80000000).samples, 17u);
    EXPECT_EQ(retired.exact.at(0x80000004).samples, 3u);
    const Truth cycles = truth_of(text, kInCycles);
    EXPECT_EQ(cycles.exact.size(), 1u);
    EXPECT_EQ(cycles.exact.at(0x80000000).samples, 40u);
    EXPECT_EQ(cycles.measure.name, "cycles");
    EXPECT_EQ(cycles.why_retired, "");
}

TEST(Truth, EachEventIsMeasuredByThePulseSourcesThatItsSelectorCounts) {
    EXPECT_EQ(measure_of_selector(kCva6Profile, 5).name, "load events");
    EXPECT_THAT(measure_of_selector(kCva6Profile, 5).columns, ElementsAre("load"));
    EXPECT_THAT(measure_of_selector(kCva6Profile, 23).columns, ElementsAre("cycles"));
    EXPECT_EQ(measure_of_selector(kCva6Profile, 24), retired_instructions());
    EXPECT_EQ(measure_of(kCva6Profile, {CounterKind::Instret, 0}), retired_instructions());
    EXPECT_THAT(measure_of_selector(kCva6Profile, 0).columns, ElementsAre());
    EXPECT_EQ(measure_of_selector(kU74Profile, 0x1'8000).name, "jal+jalr events");
    EXPECT_EQ(measure_of_selector(kU74Profile, 0x1'8000).columns.size(), 2u);
}

TEST(Truth, SumsTheColumnsOfAnEvent) {
    const TruthMeasure both{"both", {"load", "store"}};
    const Truth truth =
        truth_of("pc,count,cycles,load,x,store\n0x10,9,9,2,7,3\n0x14,9,9,0,7,0\n", both);
    EXPECT_EQ(truth.exact.size(), 1u);
    EXPECT_EQ(truth.exact.at(0x10).samples, 5u);
}

TEST(Truth, CountsBelowZeroAreTakenFromTheAddressesBehindThem) {
    const TruthMeasure floats{"floats", {"floating-point"}};
    const Truth truth =
        truth_of("pc,count,floating-point\n0x10,1,4\n0x14,1,-2\n0x18,1,1\n0x20,1,5\n", floats);
    EXPECT_EQ(truth.exact.at(0x10).samples, 4u);
    EXPECT_FALSE(truth.exact.contains(0x14));
    EXPECT_FALSE(truth.exact.contains(0x18));
    EXPECT_EQ(truth.exact.at(0x20).samples, 4u); // 8 in all
    const Truth wrapped =
        truth_of("pc,count,floating-point\n0x10,1,18446744073709551615\n0x14,1,3\n", floats);
    EXPECT_EQ(wrapped.exact.at(0x14).samples, 2u);
    EXPECT_THROW(truth_of("pc,count,floating-point\n0x10,1,--1\n", floats), UserError);
    EXPECT_THROW(truth_of("pc,count,floating-point\n0x10,1,-\n", floats), UserError);
}

TEST(Truth, FallsBackToInstructionsIfAColumnIsMissing) {
    const Truth cycles = truth_of("pc,count\n0x80000000,17\n", kInCycles);
    EXPECT_EQ(cycles.exact.at(0x80000000).samples, 17u);
    EXPECT_EQ(cycles.measure, retired_instructions());
    EXPECT_EQ(cycles.why_retired, "the truth has no column cycles");
    const Truth load =
        truth_of("pc,count,cycles\n0x10,1,2\n", measure_of_selector(kCva6Profile, 5));
    EXPECT_EQ(load.why_retired, "the truth has no column load");
    const Truth none = truth_of("pc,count\n0x10,1\n", measure_of_selector(kCva6Profile, 0x1F));
    EXPECT_EQ(none.why_retired, "no pulse source counts the event");
}

TEST(Truth, TellsMachineModeApartIfTheFileDoes) {
    const std::string header = "pc,count,cycles,machine_count,machine_cycles\n";
    const std::string text = header + "0x10,5,9,2,4\n0x20,1,1,0,0\n";
    const Truth truth = truth_of(text);
    EXPECT_TRUE(truth.tells_machine);
    EXPECT_EQ(truth.exact.at(0x10).samples, 5u);
    EXPECT_EQ(truth.machine.at(0x10).samples, 2u);
    EXPECT_FALSE(truth.machine.contains(0x20));
    EXPECT_EQ(truth_of(text, kInCycles).machine.at(0x10).samples, 4u);
    EXPECT_FALSE(truth_of("pc,count,cycles\n0x10,1,2\n").tells_machine);
    EXPECT_THROW(truth_of(header + "0x10,5,9,6,4\n"), UserError);
    EXPECT_THROW(truth_of(header + "0x10,5,9,2,10\n", kInCycles), UserError);
    EXPECT_THROW(truth_of(header + "0x10,5,9,2\n"), UserError);
}

TEST(Truth, ReadsTheColumnsByNameAndTellsMachineModeByPrivilege) {
    const std::string text = "hart,privilege,satp,pc,count,cycles,cycles_base,load\n"
                             "0,U,0x0,0x10,5,9,9,1\n0,M,0x0,0x10,2,4,4,0\n";
    const Truth retired = truth_of(text);
    EXPECT_TRUE(retired.tells_machine);
    EXPECT_EQ(retired.exact.at(0x10).samples, 7u);
    EXPECT_EQ(retired.machine.at(0x10).samples, 2u);
    const Truth cycles = truth_of(text, kInCycles);
    EXPECT_EQ(cycles.exact.at(0x10).samples, 13u);
    EXPECT_EQ(cycles.machine.at(0x10).samples, 4u);
}

TEST(Truth, HalfCyclesAreCarriedToALaterAddressSoThatTheSumIsExact) {
    const Truth truth = truth_of("pc,count,cycles\n0x14,1,0.5\n0x10,1,2.5\n0x20,1,3\n", kInCycles);
    EXPECT_EQ(truth.exact.at(0x10).samples, 2u);
    EXPECT_EQ(truth.exact.at(0x14).samples, 1u);
    EXPECT_EQ(truth.exact.at(0x20).samples, 3u);
}

TEST(Truth, HeaderAloneIsAnEmptyProfile) {
    EXPECT_TRUE(truth_of("pc,count,cycles\n").exact.empty());
}

TEST(Truth, WrongOrMissingHeaderIsRefused) {
    EXPECT_THROW(truth_of("address,n\n0x1,1\n"), UserError);
    EXPECT_THROW(truth_of(""), UserError);
}

TEST(Truth, BadLineIsNamedByItsNumber) {
    const TruthMeasure both{"both", {"count", "cycles"}};
    for (const char* line : {"0x10", "0x10,", "0x10,5", ",5,1", "zz,5,1", "0x10,5x,1", "0x10,-5,1",
                             "0x10,5,6,7", "0x10,5,", "0x10,5,.5", "0x10,5,1.25", ""}) {
        try {
            truth_of(std::string("pc,count,cycles\n0x1,1,1\n") + line + "\n", both);
            ADD_FAILURE() << line;
        } catch (const UserError& error) {
            EXPECT_THAT(error.what(), HasSubstr("'truth.csv' line 3")) << line;
        }
    }
}

} // namespace
} // namespace pes

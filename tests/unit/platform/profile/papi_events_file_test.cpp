// SPDX-License-Identifier: Apache-2.0
// Presets for PAPI under Linux. Expected values by hand: the grammar from the comments and rows of
// PAPI's own papi_events.csv (7.2), selectors' names from CVA6's and the U74's manual, the U74's
// terms from T. Rocha's thesis (2023).
#include "platform/profile/papi_events_file.h"

#include "firmware/papi/papi_presets.h"
#include "hw/interface/pmu/profiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <vector>

namespace pes {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// The fields of the rows that are not comments.
std::vector<std::vector<std::string>> rows_of(const std::string& text) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("#")) {
            continue;
        }
        std::vector<std::string> fields;
        std::istringstream row(line);
        for (std::string field; std::getline(row, field, ',');) {
            fields.push_back(field);
        }
        rows.push_back(fields);
    }
    return rows;
}

TEST(PapiEventsFile, HasTheRowsOfCva6) {
    EXPECT_THAT(
        papi_events_csv(kCva6Profile),
        AllOf(StartsWith("#\n# PMU profile cva6: written by pes-vp pmu-events --format papi\n#\n"
                         "CPU,riscv_cva6\n"
                         "PRESET,PAPI_TOT_CYC,NOT_DERIVED,perf::PERF_COUNT_HW_CPU_CYCLES\n"
                         "PRESET,PAPI_TOT_INS,NOT_DERIVED,perf::PERF_COUNT_HW_INSTRUCTIONS\n"
                         "PRESET,PAPI_L1_DCM,NOT_DERIVED,L1D_MISS,NOTE,"
                         "'Reads only: stores do not allocate.'\n"),
              HasSubstr("\nPRESET,PAPI_L1_TCM,DERIVED_ADD,L1D_MISS,L1I_MISS\n"),
              HasSubstr("\nPRESET,PAPI_L1_ICH,DERIVED_SUB,L1I_ACCESS,L1I_MISS,NOTE,"),
              HasSubstr("\nPRESET,PAPI_L1_DCH,DERIVED_POSTFIX,N0|N1|+|N2|-|,LOAD,STORE,L1D_MISS,"
                        "NOTE,'A store counts as a hit.'\n"),
              // A comma would end the note.
              HasSubstr("\nPRESET,PAPI_FP_INS,NOT_DERIVED,FLOATING_POINT,NOTE,"
                        "'No loads; stores.'\n")));
}

TEST(PapiEventsFile, HasTheRowsOfTheU74) {
    EXPECT_THAT(papi_events_csv(kU74Profile),
                AllOf(HasSubstr("\nCPU,riscv_u74\n"),
                      HasSubstr("\nPRESET,PAPI_BR_UCN,DERIVED_ADD,JAL,JALR\n"),
                      HasSubstr("\nPRESET,PAPI_BR_PRC,DERIVED_SUB,CONDITIONAL_BRANCH,"
                                "DIRECTION_MISPREDICT,TARGET_MISPREDICT\n"),
                      HasSubstr("\nPRESET,PAPI_FMA_INS,NOT_DERIVED,FP_FUSED_MULTIPLY_ADD\n"),
                      Not(HasSubstr("PAPI_RES_STL"))));
    EXPECT_EQ(rows_of(papi_events_csv(kU74Profile)).size(), 1U + 22U);
}

TEST(PapiEventsFile, TakesPresetsOfOtherProfilesByTheSource) {
    static constexpr EventRow kEvents[] = {
        {0, "nothing", "None", Event::None, "Nothing."},
        {7, "data-refill", "Refill", Event::L1DMiss},
        {8, "beq-and-such", "Branch", Event::ConditionalBranch},
        {9, "unknown", "Unknown", Event::None, "Not modelled."},
    };
    PmuProfile profile = kCva6Profile;
    profile.name = "my-core";
    profile.events = kEvents;
    profile.event_count = std::size(kEvents);
    EXPECT_EQ(papi_events_csv(profile),
              "#\n# PMU profile my-core: written by pes-vp pmu-events --format papi\n#\n"
              "CPU,riscv_my_core\n"
              "PRESET,PAPI_TOT_CYC,NOT_DERIVED,perf::PERF_COUNT_HW_CPU_CYCLES\n"
              "PRESET,PAPI_TOT_INS,NOT_DERIVED,perf::PERF_COUNT_HW_INSTRUCTIONS\n"
              "PRESET,PAPI_L1_DCM,NOT_DERIVED,DATA_REFILL,NOTE,"
              "'Reads only: stores do not allocate.'\n"
              "PRESET,PAPI_L1_LDM,NOT_DERIVED,DATA_REFILL,NOTE,'Page walks included.'\n"
              "PRESET,PAPI_BR_CN,NOT_DERIVED,BEQ_AND_SUCH\n");
}

TEST(PapiEventsFile, HasEachPresetOnceAndOnlyNamesThatPapiHas) {
    std::set<std::string> known;
#define PES_NAME(name, category, text) known.insert("PAPI_" #name);
    PES_PAPI_PRESETS(PES_NAME)
#undef PES_NAME
    for (const PmuProfile* profile : {&kCva6Profile, &kU74Profile, &kCva6PdisProfile}) {
        std::set<std::string> seen;
        for (const auto& row : rows_of(papi_events_csv(*profile))) {
            if (row.front() == "PRESET") {
                EXPECT_TRUE(known.contains(row.at(1))) << row.at(1);
                EXPECT_TRUE(seen.insert(row.at(1)).second) << row.at(1);
            }
        }
        EXPECT_GE(seen.size(), 22U) << profile->name;
    }
}

} // namespace
} // namespace pes

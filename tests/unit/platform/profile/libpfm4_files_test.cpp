// SPDX-License-Identifier: Apache-2.0
// Sources for libpfm4. Expected values by hand: the shape of a table from libpfm4 4.13
// (lib/events/, lib/pfmlib_priv.h), selectors from CVA6's and the U74's manual.
#include "platform/profile/libpfm4_files.h"

#include "hw/interface/pmu/profiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace pes {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

std::map<std::string, std::string> files_of(const PmuProfile& profile, const char* core = "core") {
    std::map<std::string, std::string> files;
    for (const PmuEventFile& file : libpfm4_files(profile, core)) {
        files.emplace(file.name, file.text);
    }
    return files;
}

TEST(Libpfm4Files, AreATableAPmuAndAScript) {
    using testing::_;
    EXPECT_THAT(files_of(kCva6PdisProfile),
                UnorderedElementsAre(Pair("lib/events/riscv_cva6_pdis_events.h", _),
                                     Pair("lib/pfmlib_riscv_cva6_pdis.c", _),
                                     Pair("register.sh", _)));
}

TEST(Libpfm4Files, HaveEachEventWithItsSelector) {
    const std::string u74 = files_of(kU74Profile).at("lib/events/riscv_u74_events.h");
    EXPECT_THAT(u74, AllOf(HasSubstr("static const riscv_u74_entry_t riscv_u74_pe[] = {\n"
                                     "\t{ .name = \"EXCEPTION_TAKEN\",\n\t  .desc = \""),
                           HasSubstr("\t  .code = 0x100,\n\t},\n\t{ .name = \"INTEGER_LOAD\",\n"),
                           HasSubstr("\t  .code = 0x2000000,\n\t},\n"
                                     "\t{ .name = \"ADDRESS_INTERLOCK\",\n")));
    const std::string cva6 = files_of(kCva6Profile).at("lib/events/riscv_cva6_events.h");
    EXPECT_THAT(cva6, AllOf(HasSubstr("\t{ .name = \"L1I_MISS\",\n"), HasSubstr(".code = 0x1,\n"),
                            Not(HasSubstr(".code = 0x0,"))));
}

TEST(Libpfm4Files, SayWhatThePmuIs) {
    const std::string pmu = files_of(kU74Profile, "sifive,u74-mc").at("lib/pfmlib_riscv_u74.c");
    EXPECT_THAT(pmu, AllOf(HasSubstr("core[] = \"sifive,u74-mc\";"),
                           HasSubstr("pfmlib_pmu_t riscv_u74_support = {\n"),
                           HasSubstr("\t.pmu = PFM_PMU_RISCV_U74,\n"),
                           HasSubstr("\t.name = \"riscv_u74\",\n"),
                           HasSubstr("\t.num_cntrs = 2,\n"), Not(HasSubstr("@"))));
    EXPECT_THAT(files_of(kCva6Profile).at("lib/pfmlib_riscv_cva6.c"),
                HasSubstr("\t.num_cntrs = 6,\n"));
}

TEST(Libpfm4Files, QuoteWhatCWouldTakeForSomethingElse) {
    static constexpr EventRow kEvents[] = {
        {3, "odd", "Odd", Event::None, "A \"quote\", a \\ and @pmu@."}};
    PmuProfile profile = kCva6Profile;
    profile.events = kEvents;
    profile.event_count = 1;
    const auto files = files_of(profile, "a\"b\\c");
    EXPECT_THAT(
        files.at("lib/events/riscv_cva6_events.h"),
        HasSubstr("\t{ .name = \"ODD\",\n\t  .desc = \"A \\\"quote\\\", a \\\\ and @pmu@.\","
                  "\n\t  .code = 0x3,\n\t},\n};\n"));
    EXPECT_THAT(files.at("lib/pfmlib_riscv_cva6.c"), HasSubstr("core[] = \"a\\\"b\\\\c\";"));
}

} // namespace
} // namespace pes

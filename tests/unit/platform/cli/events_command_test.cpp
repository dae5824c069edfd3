// SPDX-License-Identifier: Apache-2.0
// `pes-vp events` beside the tables of the profiles.
#include "hw/interface/pmu/profiles.h"
#include "tests/unit/platform/cli/command_line.h"

#include <sstream>

namespace pes {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Events : public CommandLine {
  protected:
    /// The line of a code, with runs of blanks made one.
    std::string line(const std::string& arguments, const std::string& code) {
        const CommandResult result = pes_vp("events" + arguments);
        EXPECT_EQ(result.exit_code, 0);
        EXPECT_EQ(result.err, "");
        std::istringstream lines(result.out);
        std::string text;
        while (std::getline(lines, text)) {
            const auto squeezed =
                std::ranges::unique(text, [](char a, char b) { return a == ' ' && b == ' '; });
            text.erase(squeezed.begin(), squeezed.end());
            if (text.starts_with(code + " ")) {
                return text;
            }
        }
        return "";
    }
};

TEST_F(Events, HaveTheCodesAndMeaningsOfCva6) {
    // CVA6's user manual, CSR_Performance_Counters: 2 is the L1 data cache's miss, 22 the stall.
    EXPECT_THAT(line("", "0x2"), StartsWith("0x2 l1d-miss "));
    EXPECT_THAT(line("", "0x16"), StartsWith("0x16 pipeline-stall "));
    EXPECT_EQ(line("", "0x2"), line(" --profile cva6", "0x2"));
    EXPECT_EQ(line("", "0x2").substr(13),
              std::string(find_event(kCva6Profile, "l1d-miss")->meaning()));
}

TEST_F(Events, OfEveryProfileAreAllThere) {
    for (const PmuProfile* profile : kProfiles) {
        const std::string out = pes_vp(std::string("events --profile ") + profile->name).out;
        EXPECT_THAT(out, StartsWith(std::string("profile ") + profile->name + ": "));
        for (const EventRow& row : *profile) {
            EXPECT_THAT(out, HasSubstr(std::string(row.name))) << profile->name;
            EXPECT_THAT(out, HasSubstr(std::string("  ") + row.meaning() + "\n")) << profile->name;
        }
    }
}

TEST_F(Events, OfAClassHaveTheClassAndABit) {
    // SiFive U74 manual: class 0, bit 9 is a retired integer load.
    EXPECT_THAT(line(" --profile u74", "0x200"), StartsWith("0x200 "));
    EXPECT_THAT(pes_vp("events --profile u74").out, HasSubstr("events of one class may be ORed"));
    EXPECT_THAT(pes_vp("events --profile cv32e40p").out, HasSubstr("bit of PCER"));
}

TEST_F(Events, OfAProfileFileAreListedToo) {
    EXPECT_EQ(line(" --profile " PES_EXAMPLE_PROFILE, "0x101"), "0x101 cycles Every cycle.");
}

TEST_F(Events, OfAProfileThatIsNotThereAreAMistake) {
    expect_refused("events --profile u75", "'u75'");
    expect_refused("events --profile ''", "--profile");
    expect_refused("events --bogus", "--bogus");
    expect_refused("events cva6", "cva6");
}

} // namespace
} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Mistakes in a pin map: one sentence, exit code 2, nothing written.
#include "tests/unit/common/run_command.h"
#include "tests/unit/common/temporary_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace pes::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class ForeignPins : public testing::Test {
  protected:
    CommandResult convert(const std::string& map) const {
        directory_.write("pins.toml", map);
        directory_.write("block.sv", "module block(input wire clock); endmodule\n");
        return run_command("cd '" + directory_.path().string() +
                           "' && '" PES_FOREIGN_RTL_PATH "' pins.toml out Vblock models");
    }

    void expect_refused(const std::string& map, const std::string& reason) const {
        const CommandResult result = convert(map);
        EXPECT_EQ(result.exit_code, 2) << map;
        EXPECT_THAT(result.err, AllOf(StartsWith("pes-foreign-rtl: "), HasSubstr("pins.toml"),
                                      HasSubstr(reason)));
        EXPECT_FALSE(std::filesystem::exists(directory_ / "out")) << map;
    }

    TemporaryDirectory directory_;
    const std::string top_ = "top = \"block\"\n";
    const std::string sources_ = "sources = [\"block.sv\"]\n";
    const std::string shape_ = "counters = 2\nwidth = 40\n";
    const std::string value_ = "value = \"i_foreign.q[{n}-3]\"\n";
    const std::string pins_ = "[pins]\nclock = \"clk_i\"\n";
};

TEST_F(ForeignPins, AreConnectedAndEachCounterHasItsRegister) {
    const CommandResult result = convert(top_ + sources_ + shape_ + value_ + pins_);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::string wrapper = read_file(directory_ / "out/pes_counter_file.sv");
    EXPECT_THAT(wrapper, AllOf(HasSubstr("block #("), HasSubstr(".clock(clk_i)"),
                               HasSubstr("assign value_o[2] = '0;"),
                               HasSubstr("assign value_o[3] = 64'(i_foreign.q[3-3]);"),
                               HasSubstr("assign value_o[4] = 64'(i_foreign.q[4-3]);"),
                               HasSubstr("assign value_o[5] = '0;")));
    EXPECT_THAT(read_file(directory_ / "out/arguments.f"),
                AllOf(HasSubstr("-GNumCounters=2\n"), HasSubstr("-GCounterWidth=40\n"),
                      HasSubstr("/block.sv\n")));
}

TEST_F(ForeignPins, MistakesAreNamed) {
    expect_refused("top = ", "TOML");
    expect_refused(sources_ + shape_ + value_ + pins_, "top is missing");
    expect_refused(top_ + shape_ + value_ + pins_, "sources is missing");
    expect_refused(top_ + "sources = [\"absent.sv\"]\n" + shape_ + value_ + pins_, "absent.sv");
    expect_refused(top_ + sources_ + "counters = 30\nwidth = 40\n" + value_ + pins_,
                   "counters is missing or not valid, expected 0 to 29");
    expect_refused(top_ + sources_ + shape_ + pins_, "value is missing");
    expect_refused(top_ + sources_ + shape_ + value_, "pins is missing");
    expect_refused("pin = 1\n" + top_ + sources_ + shape_ + value_ + pins_, "unknown key 'pin'");
}

} // namespace
} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
// The files for GTKWave: an FST has what the VCD of the same run has, as GTKWave's fst2vcd reads
// it; a save file names signals and times of its wave.
#include "tb/vcd_reader.h"
#include "tests/unit/common/gtkwave_check.h"
#include "tests/unit/common/run_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pes::test {
namespace {

constexpr std::uint64_t kPeriod = 20'000; // ps, the default clock

class WaveFiles : public testing::Test {
  protected:
    CommandResult run(const std::string& command) const {
        return run_command("cd '" + directory_.path().string() + "' && " + command);
    }
    /// The same run as VCD, as FST, and the FST as VCD.
    void record(const std::string& program, const std::string& options) const {
        const std::string vp = "'" PES_VP "' run '" PES_FIRMWARE_DIR "/" + program +
                               ".elf' --quiet --console /dev/null " + options;
        ASSERT_EQ(run(vp + " --vcd run.vcd").exit_code, 0);
        ASSERT_EQ(run(vp + " --vcd run.fst").exit_code, 0);
        const CommandResult back = run("'" PES_FST2VCD "' -f run.fst -o back.vcd");
        ASSERT_EQ(back.exit_code, 0) << back.err;
    }
    VcdFile read(const std::string& name) const {
        return VcdFile::read(directory_ / name, kPeriod);
    }
    void expect_equal(const std::string& program, const std::string& options) const {
        record(program, options);
        const VcdFile vcd = read("run.vcd");
        const VcdFile fst = read("back.vcd");
        EXPECT_EQ(vcd.names(), fst.names());
        EXPECT_EQ(vcd.from(), fst.from());
        EXPECT_EQ(vcd.to(), fst.to());
        for (const std::string& name : vcd.names()) {
            expect_equal(name, vcd.signal(name), fst.signal(name));
        }
    }
    /// Texts by their characters, since each file numbers its own.
    static void expect_equal(const std::string& name, const WaveSignal& one,
                             const WaveSignal& other) {
        ASSERT_EQ(one.width(), other.width()) << name;
        ASSERT_EQ(one.changes().size(), other.changes().size()) << name;
        for (std::size_t index = 0; index < one.changes().size(); ++index) {
            const WaveSignal::Change& a = one.changes()[index];
            const WaveSignal::Change& b = other.changes()[index];
            ASSERT_EQ(a.at, b.at) << name;
            if (one.is_text()) {
                ASSERT_EQ(one.text_of(a.value), other.text_of(b.value)) << name << " " << a.at;
            } else {
                ASSERT_EQ(a.value, b.value) << name << " " << a.at;
            }
        }
    }

    TemporaryDirectory directory_;
};

TEST_F(WaveFiles, AnFstOfAWholeRunIsItsVcd) {
    expect_equal("pes_test", "");
    EXPECT_LT(5 * std::filesystem::file_size(directory_ / "run.fst"),
              std::filesystem::file_size(directory_ / "run.vcd"));
}

TEST_F(WaveFiles, AnFstOfAWindowIsItsVcd) {
    expect_equal("harts_counters_2", "--set harts=2 --vcd-from 1000 --vcd-to 3000");
}

TEST_F(WaveFiles, AnFstOfFewGroupsIsItsVcd) {
    expect_equal("pes_test", "--vcd-groups plic,commit --vcd-to 20000");
    EXPECT_EQ(read("back.vcd").find("hart0.hpm.cycle_q"), nullptr);
}

TEST_F(WaveFiles, TheSameRunWritesTheSameFst) {
    record("pes_test", "--vcd-to 20000");
    const std::string first = read_file(directory_ / "run.fst");
    record("pes_test", "--vcd-to 20000");
    EXPECT_TRUE(first == read_file(directory_ / "run.fst"));
}

TEST_F(WaveFiles, AnFstThatDoesNotFitIsNotLeft) {
    const CommandResult result =
        run("ulimit -f 8 && '" PES_VP "' run '" PES_FIRMWARE_DIR "/pes_test.elf' --quiet "
            "--console /dev/null --vcd run.fst");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.err, "pes-vp: cannot write 'run.fst': File too large\n");
    EXPECT_EQ(directory_.count(), 0U);
}

TEST_F(WaveFiles, TheFunctionIsThatOfTheYoungestRetiredInstruction) {
    record("pes_test", "--vcd-groups commit");
    const VcdFile wave = read("run.vcd");
    const WaveSignal& function = wave.signal("hart0.commit.function");
    ASSERT_TRUE(function.is_text());
    EXPECT_EQ(function.text_of(function.changes().front().value), "-");
    std::set<std::string> names;
    for (const WaveSignal::Change& change : function.changes()) {
        names.insert(function.text_of(change.value));
    }
    EXPECT_THAT(names, testing::IsSupersetOf({"main", "trap_entry", "machine_trap"}));
}

TEST_F(WaveFiles, TheScenariosSaveFileShowsTheSample) {
    const CommandResult scenario =
        run("'" PES_SCENARIO "' --program '" PES_FIRMWARE_DIR "/pes_test.elf' --output out");
    ASSERT_EQ(scenario.exit_code, 0) << scenario.out << scenario.err;
    const auto save = directory_ / "out/pes_scenario.gtkw";
    EXPECT_EQ(problems_of_save(directory_ / "out/pes_scenario.vcd", save), "");
    const SaveOutline shown = outline_of_save(save);
    EXPECT_THAT(shown.marker_names,
                testing::ElementsAre("Aevent", "Bthreshold line", "Ctrap", "Dhandler", "Einhibit",
                                     "Fclaim", "Gstore", "Hreset", "Icomplete", "Jmret",
                                     "Kresume"));
    EXPECT_EQ(shown.markers.size(), 1 + shown.marker_names.size());
    EXPECT_THAT(shown.signals, testing::Contains("hart0.commit.function"));
}

} // namespace
} // namespace pes::test

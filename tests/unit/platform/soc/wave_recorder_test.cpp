// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/wave_recorder.h"

#include "platform/soc/waves/commit_wave.h"
#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/common/user_error.h"

#include <gmock/gmock.h>

namespace pes {
namespace {

using test::user_error;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t kClock = 1'000'000'000; // one cycle is 1 ns: times read as cycles
constexpr Cycle kSlack = 10;
constexpr Cycle kEnd = 100;

class Vcd : public ::testing::Test {
  protected:
    /// What `record` does to a writer, as the finished file.
    template <typename Record>
    std::string file_of(const WaveSelection& selection, Record record,
                        std::uint64_t clock = kClock) {
        OutputFile file(directory_ / "wave.vcd");
        WaveRecorder writer(make_vcd_format(file), selection, clock, kSlack);
        record(writer);
        writer.finish(kEnd);
        late_ = writer.late();
        file.commit();
        return test::read_file(directory_ / "wave.vcd");
    }

    /// The part after the header.
    template <typename Record>
    std::string changes_of(const WaveSelection& selection, Record record) {
        const std::string text = file_of(selection, record);
        const std::string mark = "$enddefinitions $end\n";
        return text.substr(text.find(mark) + mark.size());
    }

    test::TemporaryDirectory directory_;
    std::uint64_t late_ = 0;
};

TEST_F(Vcd, ScopesNestByTheirDots) {
    const std::string text = file_of({}, [](WaveRecorder& writer) {
        writer.declare("a", "hart0.hpm", "count_q(1)", 64, 0);
        writer.declare("b", "plic", "ip", 31, 0);
        writer.declare("a", "hart0", "pc", 64, 0);
    });
    EXPECT_EQ(text.substr(0, text.find("$enddefinitions")), "$version pes-vp $end\n"
                                                            "$timescale 1 ns $end\n"
                                                            "$scope module hart0 $end\n"
                                                            "$var wire 64 # pc $end\n"
                                                            "$scope module hpm $end\n"
                                                            "$var wire 64 ! count_q(1) $end\n"
                                                            "$upscope $end\n"
                                                            "$upscope $end\n"
                                                            "$scope module plic $end\n"
                                                            "$var wire 31 \" ip $end\n"
                                                            "$upscope $end\n");
}

TEST_F(Vcd, InitialValuesComeFirst) {
    EXPECT_EQ(changes_of({},
                         [](WaveRecorder& writer) {
                             writer.declare("a", "s", "word", 8, 5);
                             writer.declare("a", "s", "bit", 1, 1);
                         }),
              "#0\n$dumpvars\nb101 !\n1\"\n$end\n#100\n");
}

TEST_F(Vcd, ChangesOutOfOrderAreWrittenInOrderOfTime) {
    EXPECT_EQ(changes_of({},
                         [](WaveRecorder& writer) {
                             const SignalId a = writer.declare("g", "s", "a", 8, 0);
                             const SignalId b = writer.declare("g", "s", "b", 1, 0);
                             writer.change(a, 12, 2);
                             writer.change(b, 11, 1);
                             writer.change(a, 7, 1);
                             writer.change(b, 30, 0);
                             writer.change(a, 20, 3);
                         }),
              "#0\n$dumpvars\nb0 !\n0\"\n$end\n"
              "#7\nb1 !\n#11\n1\"\n#12\nb10 !\n#20\nb11 !\n#30\n0\"\n#100\n");
    EXPECT_EQ(late_, 0U);
}

TEST_F(Vcd, TheLastReportOfACycleHoldsAndNoChangeIsNoLine) {
    EXPECT_EQ(changes_of({},
                         [](WaveRecorder& writer) {
                             const SignalId a = writer.declare("g", "s", "a", 1, 0);
                             writer.change(a, 5, 1);
                             writer.change(a, 6, 0);
                             writer.change(a, 6, 1);
                             writer.change(a, 8, 1);
                         }),
              "#0\n$dumpvars\n0!\n$end\n#5\n1!\n#100\n");
}

TEST_F(Vcd, ChangesLaterThanTheSlackAreCountedAndShownAtTheTimeReached) {
    EXPECT_EQ(changes_of({},
                         [](WaveRecorder& writer) {
                             const SignalId a = writer.declare("g", "s", "a", 8, 0);
                             writer.change(a, 50, 1);
                             writer.change(a, 20, 2);
                         }),
              "#0\n$dumpvars\nb0 !\n$end\n#40\nb10 !\n#50\nb1 !\n#100\n");
    EXPECT_EQ(late_, 1U);
}

TEST_F(Vcd, AChangeIsNotLateWhileTheKernelIsNoFurther) {
    EXPECT_EQ(changes_of({},
                         [](WaveRecorder& writer) {
                             Cycle kernel = 20;
                             writer.follow([&kernel] { return kernel; });
                             const SignalId a = writer.declare("g", "s", "a", 8, 0);
                             writer.change(a, 50, 1); // a hart that slept until then
                             writer.change(a, 20, 2);
                             kernel = 60;
                             writer.change(a, 60, 3);
                             writer.change(a, 30, 4);
                             writer.follow([] { return kNever; });
                         }),
              "#0\n$dumpvars\nb0 !\n$end\n#20\nb10 !\n#50\nb100 !\n#60\nb11 !\n#100\n");
    EXPECT_EQ(late_, 1U);
}

TEST_F(Vcd, AWindowBeginsWithTheValuesOfItsFirstCycle) {
    const WaveSelection window{{}, 20, 40};
    EXPECT_EQ(changes_of(window,
                         [](WaveRecorder& writer) {
                             const SignalId a = writer.declare("g", "s", "a", 8, 0);
                             for (const Cycle at : {5, 19, 20, 25, 39, 40, 41}) {
                                 writer.change(a, at, at);
                             }
                         }),
              "#20\n$dumpvars\nb10100 !\n$end\n#25\nb11001 !\n#39\nb100111 !\n#40\n");
}

TEST_F(Vcd, AWindowWithoutChangesStillShowsTheValues) {
    const WaveSelection window{{}, 50, 60};
    EXPECT_EQ(changes_of(window,
                         [](WaveRecorder& writer) {
                             const SignalId a = writer.declare("g", "s", "a", 8, 0);
                             writer.change(a, 3, 7);
                         }),
              "#50\n$dumpvars\nb111 !\n$end\n#60\n");
}

TEST_F(Vcd, OnlySelectedGroupsAreRecorded) {
    const WaveSelection selection{parse_groups("hpm"), 0, kNever};
    const std::string text = file_of(selection, [](WaveRecorder& writer) {
        EXPECT_TRUE(writer.wants("hpm"));
        EXPECT_FALSE(writer.wants("plic"));
        const SignalId unwanted = writer.declare("plic", "plic", "ip", 31, 0);
        writer.declare("hpm", "hart0.hpm", "cycle_q", 64, 0);
        writer.change(unwanted, 3, 1);
    });
    EXPECT_THAT(text, AllOf(HasSubstr("cycle_q"), Not(HasSubstr("plic")), Not(HasSubstr("#3\n"))));
}

TEST_F(Vcd, AnUnknownGroupIsRefusedWithTheKnownNames) {
    const WaveSelection selection{parse_groups("hpm,plik"), 0, kNever};
    file_of(selection, [](WaveRecorder& writer) {
        writer.declare("hpm", "s", "a", 1, 0);
        writer.declare("plic", "s", "b", 1, 0);
        EXPECT_EQ(user_error([&] { writer.check_groups(); }),
                  "--vcd-groups: unknown group 'plik', expected one of hpm, plic");
    });
}

TEST_F(Vcd, GroupListsAreSplitAtCommas) {
    EXPECT_EQ(parse_groups("hpm,plic"), (std::set<std::string, std::less<>>{"hpm", "plic"}));
    for (const char* list : {"hpm,,plic", ",hpm", "hpm,", ","}) {
        EXPECT_THAT(user_error([list] { parse_groups(list); }), HasSubstr("empty name")) << list;
    }
}

TEST_F(Vcd, TimeIsCycleTimesPeriod) {
    const auto record = [](WaveRecorder& writer) {
        writer.change(writer.declare("g", "s", "a", 1, 0), 3, 1);
    };
    EXPECT_THAT(file_of({}, record, 50'000'000), // 20 ns
                AllOf(HasSubstr("$timescale 1 ns"), HasSubstr("#60\n")));
    EXPECT_THAT(file_of({}, record, 800'000'000), // 1250 ps
                AllOf(HasSubstr("$timescale 1 ps"), HasSubstr("#3750\n")));
}

TEST_F(Vcd, ManySignalsHaveDistinctCodes) {
    const std::string text = file_of({}, [](WaveRecorder& writer) {
        for (int index = 0; index < 95; ++index) {
            writer.declare("g", "s", std::string("a").append(std::to_string(index)), 1, 0);
        }
    });
    EXPECT_THAT(text, AllOf(HasSubstr("$var wire 1 ! a0 $end"), HasSubstr("$var wire 1 ~ a93 $end"),
                            HasSubstr("$var wire 1 !\" a94 $end")));
}

class Names final : public WaveTexts {
  public:
    std::string_view text_of(std::uint64_t value) const override {
        return value == 0 ? "-" : "f(int, \"a\\\")";
    }
};

// A text more leaves the other lines as they are: its code is behind theirs.
TEST_F(Vcd, TextsAreWordsAsGtkwaveReadsThem) {
    const std::string text = file_of({}, [](WaveRecorder& writer) {
        const SignalId name =
            writer.declare_text("g", "s", "name", std::make_shared<const Names>(), 0);
        const SignalId a = writer.declare("g", "s", "a", 1, 0);
        writer.change(name, 3, 7);
        writer.change(a, 3, 1);
        writer.change(name, 9, 0);
    });
    EXPECT_THAT(text, HasSubstr("$var string 1 \" name $end\n$var wire 1 ! a $end\n"));
    EXPECT_THAT(text, testing::EndsWith("$dumpvars\ns- \"\n0!\n$end\n"
                                        "#3\nsf(int,\\040\\\"a\\\\\\\") \"\n1!\n"
                                        "#9\ns- \"\n#100\n"));
}

TEST_F(Vcd, TheCommitWaveShowsTheFunctionOfTheYoungestInstruction) {
    const auto names = std::make_shared<FunctionNames>([](Address pc) {
        return pc == 0x1000 ? std::string("main") : pc == 0x2000 ? std::string("trap") : "";
    });
    const std::string text = file_of(WaveSelection{}, [&names](WaveRecorder& writer) {
        CommitWave wave(writer, "hart0.commit", names);
        for (const Retirement& retired : {Retirement{.cycle = 5,
                                         .pc = 0x1000,
                                         .next_pc = 0,
                                         .raw = 0,
                                         .length = 4,
                                         .privilege = Privilege::Machine},
                                          Retirement{.cycle = 5,
                                          .pc = 0x2000,
                                          .next_pc = 0,
                                          .raw = 0,
                                          .length = 4,
                                          .privilege = Privilege::Machine},
                                          Retirement{.cycle = 8,
                                          .pc = 0x3000,
                                          .next_pc = 0,
                                          .raw = 0,
                                          .length = 4,
                                          .privilege = Privilege::Machine}}) {
            wave.retired(retired);
        }
    });
    EXPECT_THAT(text, HasSubstr("\nstrap "));
    EXPECT_THAT(text, Not(HasSubstr("smain")));
    EXPECT_LT(text.find("strap"), text.rfind("\ns- "));
}

TEST_F(Vcd, ChangeBehindTheEndOfTheRunIsTheLastTime) {
    const std::string text = changes_of({}, [](WaveRecorder& writer) {
        const SignalId signal = writer.declare("g", "top", "line", 1, 0);
        writer.change(signal, kEnd + 3, 1); // what retires may lie ahead of the end
    });
    EXPECT_THAT(text, testing::EndsWith("#103\n1!\n#103\n"));
}

TEST_F(Vcd, CommitWaveUsesASecondPortForASecondRetirementInACycle) {
    const std::string text = changes_of({}, [](WaveRecorder& writer) {
        CommitWave wave(writer, "hart0.commit"); // ! priv, " mepc, # mcause, ports, * trap
        wave.retired({5, 0x100, 0x104, 0x13, 4, Privilege::Machine});
        wave.retired({5, 0x104, 0x108, 0x33, 4, Privilege::Machine});
        wave.retired({6, 0x108, 0x10C, 0x73, 4, Privilege::Machine});
    });
    EXPECT_THAT(text, HasSubstr("#5\n1$\nb100000000 %\nb10011 &\n1'\nb100000100 (\nb110011 )\n"
                                "#6\nb100001000 %\nb1110011 &\n0'\n#7\n0$\n"));
}

TEST_F(Vcd, CommitWaveShowsTrapRegistersInTheCycleAfterTheTrap) {
    const std::string text = changes_of({}, [](WaveRecorder& writer) {
        CommitWave wave(writer, "hart0.commit");
        wave.trapped({9, 11, 0x80, 0, 0x40, Privilege::User, Privilege::Machine});
        wave.trapped({20, 8, 0x90, 0, 0x40, Privilege::User, Privilege::Supervisor});
    });
    EXPECT_THAT(text,
                HasSubstr("#9\n1*\n#10\nb10000000 \"\nb1011 #\n0*\n#20\n1*\n#21\nb1 !\n0*\n"));
}

} // namespace
} // namespace pes

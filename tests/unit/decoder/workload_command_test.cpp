// SPDX-License-Identifier: Apache-2.0
// pes-decode on a cross-compiled program: what a user sees of a profile.
#include "platform/program/symbolizer.h"
#include "tests/unit/common/run_command.h"
#include "tests/unit/decoder/sample_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace pes {
namespace {

using test::bytes_of;
using test::CommandResult;
using testing::HasSubstr;
using testing::StartsWith;

/// First bytes of the program's functions, by binutils.
Address address_of(const std::string& symbol) {
    const std::string line = test::run_command(NM " " GUEST_PROGRAM " | grep -w " + symbol).out;
    return std::stoull(line, nullptr, 16);
}

/// 6 samples in sort and 3 in sum_of_squares by cycle, 1 in copy_words by loads.
class WorkloadProfile : public testing::Test {
  protected:
    void SetUp() override {
        std::string bytes;
        const auto add = [&](Address pc, std::uint8_t counter, std::uint64_t event, int times) {
            for (int i = 0; i < times; ++i) {
                bytes += bytes_of(test::event_at(pc, counter, event));
            }
        };
        add(sort_, 0, 0, 6);
        add(sum_, 0, 0, 3);
        add(copy_, 3, 5, 1);
        directory_.write("samples.bin", bytes);
    }

    CommandResult decode(const std::string& arguments) const {
        return test::run_command("cd " + directory_.path().string() + " && " PES_DECODE " " +
                                 arguments + " --elf " GUEST_PROGRAM);
    }

    void write_truth(Address hottest, Address second) const {
        std::ostringstream text;
        text << "pc,count,cycles\n0x" << std::hex << hottest << ",70,700\n0x" << second
             << ",30,300\n";
        directory_.write("truth.csv", text.str());
    }

    /// Beside the two functions, copy_words in machine mode and in part outside of it.
    void write_truth_with_handler() const {
        std::ostringstream text;
        text << "pc,count,cycles,machine_count,machine_cycles\n0x" << std::hex << sort_
             << ",60,600,0,0\n0x" << sum_ << ",30,300,0,0\n0x" << copy_ << ",210,1100,200,1000\n";
        directory_.write("truth.csv", text.str());
    }

    /// Two samples of cycles in copy_words beside the others, in a mode.
    void sample_copy(Privilege privilege) const {
        SampleRecord record = test::event_at(copy_, 0, 0);
        record.privilege = static_cast<std::uint8_t>(privilege);
        directory_.write("more.bin", test::read_file(directory_ / "samples.bin") +
                                         bytes_of(record) + bytes_of(record));
    }

    nlohmann::json compared(const std::string& arguments) const {
        const CommandResult result = decode("compare --truth truth.csv --json - " + arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return nlohmann::json::parse(result.out);
    }

    Address sort_ = address_of("_ZN5guest6Sorter4sortEPll");
    Address sum_ = address_of("_ZN5guest14sum_of_squaresEPKll");
    Address copy_ = address_of("copy_words");
    test::TemporaryDirectory directory_;
};

TEST_F(WorkloadProfile, ShowsFunctionsAndLinesOfEachEvent) {
    const CommandResult result = decode("samples samples.bin --ascii");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("cycle (Clock cycle): 9 samples by function\n"
                                      "          6   66.7 %  ########################  "
                                      "guest::Sorter::sort(long*, long)\n"
                                      "          3   33.3 %  ############              "
                                      "guest::sum_of_squares(long const*, long)\n"));
    EXPECT_THAT(result.out, HasSubstr("cycle (Clock cycle): 9 samples by line\n"));
    EXPECT_THAT(result.out, HasSubstr("guest/program.cpp:"));
    EXPECT_THAT(result.out, HasSubstr("load (Load): 1 samples by function\n"));
    EXPECT_THAT(result.out, HasSubstr("outside symbols  0\n"));
}

TEST_F(WorkloadProfile, ChosenEventAndGroupingGiveOneTable) {
    const CommandResult result = decode("samples samples.bin --event load --by function --csv -");
    EXPECT_THAT(result.out, StartsWith("event,by,"));
    EXPECT_THAT(result.out, HasSubstr("\nload,function,1,1,1.000000,100,copy_words,"));
    EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 2);
}

TEST_F(WorkloadProfile, CompareShowsTheExactRankBesideTheSampledOne) {
    write_truth(sort_, sum_);
    const CommandResult result =
        decode("compare samples.bin --truth truth.csv --require-top 2 --json -");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto json = nlohmann::json::parse(result.out);
    EXPECT_EQ(json["event"], "cycle");
    EXPECT_EQ(json["measure"], "cycles");
    EXPECT_EQ(json["exact"], 1000);
    EXPECT_EQ(json["rows"][0]["function"], "guest::Sorter::sort(long*, long)");
    EXPECT_EQ(json["rows"][0]["exact_rank"], 1);
    EXPECT_EQ(json["rows"][0]["sampled_rank"], 1);
}

TEST_F(WorkloadProfile, CompareSaysInTextWhetherTheTopAgrees) {
    write_truth(sort_, sum_);
    const CommandResult result = decode("compare samples.bin --truth truth.csv");
    EXPECT_THAT(result.out, HasSubstr("9 samples of cycle against 1000 cycles"));
    EXPECT_THAT(result.out, HasSubstr("2 of the top 2 functions in common, the hottest one is the "
                                      "same; shares overlap by 96.7 %"));
}

TEST_F(WorkloadProfile, CompareGivesTheErrorAndWhatChanceMakesOfIt) {
    write_truth(sort_, sum_);
    EXPECT_THAT(decode("compare samples.bin --truth truth.csv").out,
                HasSubstr("profile error: 3.33 % by function; a perfect sampler with 9 samples "
                          "makes 12.45 % on average, at most "));
    const auto good = compared("samples.bin");
    EXPECT_EQ(good["by"], "function");
    EXPECT_NEAR(good["error"].get<double>(), 1 - good["overlap"].get<double>(), 1e-12);
    EXPECT_EQ(good["systematic_error"], 0);
    EXPECT_EQ(good["beyond_chance"], false);
    write_truth(copy_, sum_);
    for (const char* by : {"function", "line", "block", "address"}) {
        const auto bad = compared(std::string("samples.bin --by ") + by);
        EXPECT_EQ(bad["by"], by);
        EXPECT_NEAR(bad["error"].get<double>(), 0.7, 1e-12) << by; // 3 of 9 are where 0.3 are
        EXPECT_EQ(bad["beyond_chance"], true) << by;
        EXPECT_GT(bad["statistical_error_95"], bad["statistical_error"]) << by;
        EXPECT_EQ(bad["rows"][0]["function"], "copy_words") << by;
        EXPECT_GT(bad["rows"][0]["line"], 0) << by;
    }
    EXPECT_THAT(decode("compare samples.bin --truth truth.csv --by address --csv -").out,
                HasSubstr("start.S,"));
}

TEST_F(WorkloadProfile, CompareTakesSamplesAsLinesOfText) {
    write_truth(sort_, sum_);
    std::ostringstream lines; // one of 600 cycles, and two of 150
    lines << std::hex << sort_ << std::dec << " 600\n";
    for (int i = 0; i < 2; ++i) {
        lines << std::hex << sum_ << std::dec << " 150\n";
    }
    directory_.write("perf.txt", lines.str());
    EXPECT_NEAR(compared("perf.txt --event cycle")["error"].get<double>(), 0.7 - 2.0 / 3, 1e-12);
    const CommandResult unnamed = decode("compare perf.txt --truth truth.csv");
    EXPECT_EQ(unnamed.exit_code, 2);
    EXPECT_THAT(unnamed.err, HasSubstr("expected --event to say what they count"));
}

TEST_F(WorkloadProfile, CompareTakesTheColumnOfTheEvent) {
    std::ostringstream text;
    text << std::hex << "privilege,pc,count,cycles,load\nU,0x" << copy_ << ",9,9,4\nU,0x" << sum_
         << ",90,90,12\n";
    directory_.write("truth.csv", text.str());
    const auto load = compared("samples.bin --event load");
    EXPECT_EQ(load["measure"], "load events");
    EXPECT_EQ(load["exact"], 16);
    EXPECT_NEAR(load["error"].get<double>(), 0.75, 1e-12);
    EXPECT_TRUE(load["why_retired"].is_null());
    write_truth(sort_, sum_); // a file without the column
    EXPECT_EQ(compared("samples.bin --event load")["measure"], "retired instructions");
    EXPECT_THAT(decode("compare samples.bin --truth truth.csv --event load").out,
                HasSubstr("  compared with retired instructions: the truth has no column load\n"));
}

TEST_F(WorkloadProfile, RequiredTopAndExclusionsGoWithAnyGrouping) {
    write_truth(sort_, sum_);
    for (const std::string by : {"function", "line", "block", "address"}) {
        const std::string compare = "compare samples.bin --truth truth.csv --by " + by;
        EXPECT_EQ(decode(compare + " --require-top 2").exit_code, 0) << by;
        EXPECT_EQ(decode(compare + " --require-top 3").exit_code, 1) << by;
        EXPECT_EQ(compared("samples.bin --exclude 'guest::sum*' --by " + by)["samples"], 6) << by;
    }
}

TEST_F(WorkloadProfile, RequiredTopThatDiffersExitsWithOne) {
    write_truth(copy_, sort_);
    const CommandResult result = decode("compare samples.bin --truth truth.csv --require-top 1");
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, StartsWith("pes-decode: only 0 of the 1 hottest"));
    EXPECT_THAT(result.out, HasSubstr("the hottest one differs"));
}

TEST_F(WorkloadProfile, CompareTakesTheChosenEvent) {
    write_truth(copy_, sort_);
    const CommandResult result =
        decode("compare samples.bin --truth truth.csv --event load --csv -");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr("\n1,1,70,0.700000,1,1.000000,copy_words,"));
}

TEST_F(WorkloadProfile, MachineModeIsLeftOutOfTheTruthByDefault) {
    write_truth_with_handler();
    const CommandResult result = decode("compare samples.bin --truth truth.csv --require-top 2");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("9 samples of cycle against 1000 cycles"));
    EXPECT_THAT(result.out, HasSubstr("left out: machine mode: 50.00 % of 2000 cycles, 0.00 % of 9 "
                                      "samples\n"));
    EXPECT_EQ(compared("samples.bin")["left_out"]["exact"], 1000);
    EXPECT_EQ(compared("samples.bin --event load")["exact"], 100); // instructions
    EXPECT_THAT(decode("compare samples.bin --truth truth.csv --csv -").err,
                HasSubstr("left out: machine mode: 50.00 %"));
}

TEST_F(WorkloadProfile, ExcludeNoneLeavesNothingOut) {
    write_truth_with_handler();
    const CommandResult result = decode("compare samples.bin --truth truth.csv --exclude none");
    EXPECT_THAT(result.out, HasSubstr("9 samples of cycle against 2000 cycles"));
    EXPECT_THAT(result.out, HasSubstr("left out: nothing (--exclude none)\n"));
}

TEST_F(WorkloadProfile, SamplesOfMachineModeAreLeftOutWithIt) {
    write_truth_with_handler();
    sample_copy(Privilege::Machine);
    EXPECT_EQ(compared("more.bin")["samples"], 9);
    EXPECT_EQ(compared("more.bin")["left_out"]["samples"], 2);
    sample_copy(Privilege::User);
    EXPECT_EQ(compared("more.bin")["samples"], 11);
}

TEST_F(WorkloadProfile, AProgramInMachineModeIsLeftOutOnlyIfAskedFor) {
    write_truth_with_handler();
    sample_copy(Privilege::Machine);
    const std::string all = test::read_file(directory_ / "more.bin");
    directory_.write("machine.bin", all.substr(all.size() - 2 * kSampleSize));
    EXPECT_THAT(decode("compare machine.bin --truth truth.csv").out,
                HasSubstr("left out: nothing (all samples are of machine mode)\n"));
    EXPECT_EQ(compared("machine.bin")["exact"], 2000);
    EXPECT_EQ(compared("machine.bin --exclude machine")["exact"], 1000);
}

TEST_F(WorkloadProfile, OlderTruthDoesNotTellMachineMode) {
    write_truth(sort_, sum_);
    EXPECT_THAT(
        decode("compare samples.bin --truth truth.csv").out,
        HasSubstr("left out: nothing (the truth does not tell what ran in machine mode)\n"));
    const CommandResult result = decode("compare samples.bin --truth truth.csv --exclude machine");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("the column privilege"));
}

TEST_F(WorkloadProfile, ExcludesFunctionsGlobsAndRangesOnBothSides) {
    write_truth_with_handler();
    for (const char* name : {"'guest::sum_of_squares(long const*, long)'", "'guest::sum*'"}) {
        const auto json = compared(std::string("samples.bin --exclude ") + name);
        EXPECT_EQ(json["exact"], 700) << name; // sort, and copy_words outside of machine mode
        EXPECT_EQ(json["samples"], 6) << name;
        EXPECT_EQ(json["left_out"]["what"].size(), 2u) << name;
    }
    std::ostringstream range;
    range << std::hex << "0x" << sort_ << "-0x" << sort_ + 1;
    const auto json =
        compared("samples.bin --exclude none --exclude copy_words --exclude " + range.str());
    EXPECT_EQ(json["exact"], 300);
    EXPECT_EQ(json["samples"], 3);
    EXPECT_EQ(json["left_out"]["what"], (nlohmann::json{"copy_words", range.str()}));
}

TEST_F(WorkloadProfile, RefusesAnExclusionThatMatchesNothingOrIsNoRange) {
    write_truth_with_handler();
    for (const char* word : {"copy_word", "0x10", "0x20-0x10", "0x10-0x10", "0x10-", "16-32",
                             "0x10-0x2g", "''", "none --exclude machine"}) {
        const CommandResult result =
            decode(std::string("compare samples.bin --truth truth.csv --exclude ") + word);
        EXPECT_EQ(result.exit_code, 2) << word;
        EXPECT_THAT(result.err, StartsWith("pes-decode: --exclude got ")) << word;
        EXPECT_EQ(result.out, "") << word;
    }
}

} // namespace
} // namespace pes

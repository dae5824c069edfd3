// SPDX-License-Identifier: Apache-2.0
// Random programs there and back, and what damage does to them.
#include "tests/unit/decoder/trace/random_flow.h"

#include <gtest/gtest.h>
#include <sstream>

namespace pes::trace {
namespace {

using namespace test;
using Mode = EncoderSettings::Mode;

void decode(const std::string& bytes, unsigned source_bits, TimestampFormat timestamps,
            Flow& flow) {
    std::istringstream input(bytes);
    TraceReader reader(input, source_bits);
    ContextTracker contexts(timestamps);
    TraceItem item;
    while (reader.next(item)) {
        flow.add(item, contexts.next(item));
    }
}

/// "start a b gap:x start c stop" -> {{a, b}, {c}}
std::vector<std::vector<std::string>> segments_of(const std::vector<std::string>& words) {
    std::vector<std::vector<std::string>> segments;
    for (const std::string& word : words) {
        if (word == "start") {
            segments.emplace_back();
        } else if (word != "stop" && !word.starts_with("gap")) {
            segments.back().push_back(word);
        }
    }
    return segments;
}

struct Case {
    Mode mode;
    TimestampDialect dialect;
    bool implicit_returns;
};

class RandomFlow : public ::testing::TestWithParam<Case> {
  protected:
    EncoderSettings settings(std::mt19937_64& random) const {
        EncoderSettings settings;
        settings.mode = GetParam().mode;
        settings.timestamps = {GetParam().dialect, kSiFiveTimestampBits};
        settings.implicit_returns = GetParam().implicit_returns;
        settings.history_bits = static_cast<unsigned>(2 + random() % 30);
        settings.count_limit = 8U << random() % 10;
        settings.sync_messages = 4U << random() % 6;
        return settings;
    }
};

TEST_P(RandomFlow, ComesBackAsItWent) {
    std::size_t instructions = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        std::mt19937_64 random(seed);
        const RandomProgram program(0x80000000, random, 20 + seed * 5);
        ProgramImage image;
        program.add_to(image);
        const EncoderSettings chosen = settings(random);
        const std::vector<EncodedFlow> flows = {encode_random_run(program, chosen, random, 2000),
                                                encode_random_run(program, chosen, random, 1000)};
        Recorder seen(image);
        Flow flow(image);
        flow.add_sink(seen);
        decode(pack(flows, 2, chosen.timestamps, random), 2, chosen.timestamps, flow);
        for (std::uint16_t source = 0; source < 2; ++source) {
            const auto segments = segments_of(seen.words(source));
            ASSERT_EQ(segments.size(), 1U) << "seed " << seed;
            ASSERT_EQ(segments[0], flows[source].segments[0].words) << "seed " << seed;
        }
        ASSERT_TRUE(seen.gaps.empty()) << "seed " << seed << ": " << seen.gaps[0].detail;
        ASSERT_EQ(seen.runs.back().time, std::max(flows[0].times.back(), flows[1].times.back()));
        instructions += flows[0].instructions + flows[1].instructions;
    }
    EXPECT_EQ(instructions, 60U * 3000);
}

TEST_P(RandomFlow, LossesCostWhatWasNotToldAndNoMore) {
    std::size_t losses = 0;
    for (unsigned seed = 0; seed < 30; ++seed) {
        std::mt19937_64 random(1000 + seed);
        const RandomProgram program(0x80000000, random, 200);
        ProgramImage image;
        program.add_to(image);
        EncoderSettings chosen = settings(random);
        chosen.losses_of_1000 = 10;
        const std::vector<EncodedFlow> flows = {encode_random_run(program, chosen, random, 2000)};
        Recorder seen(image);
        Flow flow(image);
        flow.add_sink(seen);
        decode(pack(flows, 0, chosen.timestamps, random), 0, chosen.timestamps, flow);
        const auto segments = segments_of(seen.words());
        const auto& truth = flows[0].segments;
        ASSERT_EQ(segments.size(), truth.size()) << "seed " << seed;
        for (std::size_t i = 0; i < truth.size(); ++i) {
            ASSERT_GE(segments[i].size(), truth[i].told) << "seed " << seed;
            ASSERT_LE(segments[i].size(), truth[i].words.size()) << "seed " << seed;
            ASSERT_TRUE(std::equal(segments[i].begin(), segments[i].end(), truth[i].words.begin()))
                << "seed " << seed;
        }
        ASSERT_EQ(seen.gaps.size(), truth.size() - 1);
        losses += seen.gaps.size();
    }
    EXPECT_GT(losses, 300U);
}

INSTANTIATE_TEST_SUITE_P(Modes, RandomFlow,
                         ::testing::Values(Case{Mode::Branches, TimestampDialect::SiFive, false},
                                           Case{Mode::Branches, TimestampDialect::NTrace, true},
                                           Case{Mode::History, TimestampDialect::SiFive, false},
                                           Case{Mode::History, TimestampDialect::SiFive, true},
                                           Case{Mode::History, TimestampDialect::NTrace, false},
                                           Case{Mode::History, TimestampDialect::NTrace, true}));

/// Whatever the bytes: each run begins where the flow went before it, inside the program.
class Continuity : public FlowSink {
  public:
    explicit Continuity(const ProgramImage& image) : image_(image) {}

    void started(const FlowStart& start) override { next_[start.source] = start.address; }
    void ran(const InstructionRun& run) override {
        ASSERT_EQ(next_[run.source], run.begin);
        ASSERT_NE(image_.find(run.begin), nullptr);
        ASSERT_GT(run.instructions, 0U);
        next_[run.source] = run.next;
        instructions += run.instructions;
    }
    void trapped(const FlowTrap& trap) override {
        ASSERT_EQ(next_[trap.source], trap.from);
        next_[trap.source] = trap.to;
    }
    void gap(const FlowGap& gap) override {
        ASSERT_TRUE(next_[gap.source]) << "two gaps in a row";
        next_[gap.source].reset();
    }
    void stopped(const FlowStop& stop) override { next_[stop.source].reset(); }

    std::uint64_t instructions = 0;

  private:
    const ProgramImage& image_;
    std::map<std::uint16_t, std::optional<Address>> next_;
};

class DamagedFlow : public ::testing::TestWithParam<Case> {
  protected:
    DamagedFlow() {
        program_.add_to(image_);
        EncoderSettings settings;
        settings.mode = GetParam().mode;
        settings.timestamps = format_;
        settings.implicit_returns = GetParam().implicit_returns;
        settings.sync_messages = 10;
        bytes_ = pack({encode_random_run(program_, settings, random_, 1500)}, 0, format_, random_);
    }

    std::uint64_t instructions(const std::string& bytes) {
        Continuity check(image_);
        Flow flow(image_);
        flow.add_sink(check);
        decode(bytes, 0, format_, flow);
        return check.instructions;
    }

    TimestampFormat format_{GetParam().dialect, kSiFiveTimestampBits};
    std::mt19937_64 random_{7};
    RandomProgram program_{0x1000, random_, 300};
    ProgramImage image_;
    std::string bytes_;
};

TEST_P(DamagedFlow, EveryTruncationTellsNoMoreThanTheWhole) {
    const std::uint64_t whole = instructions(bytes_);
    ASSERT_EQ(whole, 1500U);
    std::uint64_t before = 0;
    for (std::size_t size = 0; size < bytes_.size(); ++size) {
        const std::uint64_t now = instructions(bytes_.substr(0, size));
        ASSERT_GE(now, before) << size;
        before = now;
    }
    EXPECT_LE(before, whole);
}

TEST_P(DamagedFlow, FlippedBitsNeverBreakTheFlow) {
    std::uint64_t told = 0;
    constexpr int kTrials = 1500;
    for (int trial = 0; trial < kTrials; ++trial) {
        std::string bytes = bytes_;
        for (int flips = 0; flips < 3; ++flips) {
            bytes[random_() % bytes.size()] ^= static_cast<char>(1U << random_() % 8);
        }
        told += instructions(bytes);
        ASSERT_FALSE(HasFatalFailure());
    }
    // Synchronisation comes every ten messages: three flips cost a small part.
    EXPECT_GT(told, std::uint64_t{kTrials} * 1500 / 2);
}

TEST_P(DamagedFlow, RandomBytesAreSurvived) {
    std::string bytes(4096, '\0');
    for (int trial = 0; trial < 50; ++trial) {
        for (char& byte : bytes) {
            byte = static_cast<char>(random_());
        }
        instructions(bytes);
        ASSERT_FALSE(HasFatalFailure());
    }
}

INSTANTIATE_TEST_SUITE_P(Modes, DamagedFlow,
                         ::testing::Values(Case{Mode::Branches, TimestampDialect::SiFive, false},
                                           Case{Mode::History, TimestampDialect::SiFive, true},
                                           Case{Mode::History, TimestampDialect::NTrace, false}));

} // namespace
} // namespace pes::trace

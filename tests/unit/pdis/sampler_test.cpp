// SPDX-License-Identifier: Apache-2.0
// The registers of Smpdis and Sspdis by the draft's text, counting, selection and filters.
#include "hw/pdis/sampler.h"

#include <gtest/gtest.h>

namespace pes::pdis {
namespace {

constexpr std::uint64_t kAllBits = ~std::uint64_t{0};
constexpr std::uint64_t kOne = 1;
const SamplerConfig kConfig;
const std::uint16_t kMpdisctl = kConfig.mpdisctl;
const std::uint16_t kSpdisctl = kConfig.spdisctl;
const auto kSpdiscounter = static_cast<std::uint16_t>(kSpdisctl + 1);
const auto kSpdisevmask = static_cast<std::uint16_t>(kSpdisctl + 2);
const auto kSpdisevmatch = static_cast<std::uint16_t>(kSpdisctl + 3);
const auto kSpdisfilter = static_cast<std::uint16_t>(kSpdisctl + 4);

/// A sampler and the stream of instructions that a hart reports.
class Bench {
  public:
    Sampler sampler;

    void write(std::uint16_t number, std::uint64_t value) {
        sampler.write({.number = number, .value = value, .argument = 0, .at = 0});
    }
    std::uint64_t read(std::uint16_t number) const { return sampler.read(number); }
    std::uint64_t count() const { return read(kSpdiscounter) & 0xFFFF'FFFF; }

    /// An instruction is decoded, five cycles after the one before. True if it is sampled.
    bool decode(DecodedType type = DecodedType::Other) {
        now_ += 5;
        for (std::size_t group = 0; group < kDecodedGroups; ++group) {
            totals_[group] += belongs_to(type, static_cast<DecodedGroup>(group)) ? 1U : 0U;
        }
        last_ = {.pc = 0x8000'0000 + now_, .type = type, .cycle = now_};
        verdict_ = sampler.decoded(last_, totals_);
        return verdict_ == DecodeVerdict::Sampled;
    }
    bool collides() const { return verdict_ == DecodeVerdict::Collides; }
    SampledInstruction in_hand(Cycle latency = 4) const {
        SampledInstruction instruction;
        instruction.decoded = last_;
        instruction.times = {.decoded = now_,
                             .dispatched = now_ + 1,
                             .issued = now_ + 2,
                             .completed = now_ + latency,
                             .oldest = now_ + latency,
                             .ended = now_ + latency};
        return instruction;
    }
    SampleEffect end(Cycle latency = 4) { return sampler.ended(in_hand(latency)); }
    void enter(Privilege mode) { sampler.entered(mode, totals_); }
    /// Something that is not reported one by one.
    void pass(std::uint64_t instructions) { totals_[0] += instructions; }
    std::uint64_t word(unsigned alias, std::uint64_t select = 0x60) const {
        return sampler.read({.level = IndirectLevel::Supervisor, .select = select, .alias = alias});
    }

  private:
    Cycle now_ = 1000;
    DecodeVerdict verdict_ = DecodeVerdict::Passes; ///< on the last one
    DecodedTotals totals_{};
    DecodedInstruction last_;
};

// --- Legal values -------------------------------------------------------------------------------

TEST(Sampler, ControlKeepsWhatIsImplemented) {
    Bench bench;
    EXPECT_EQ(bench.read(kMpdisctl), 0U);
    bench.write(kMpdisctl, kAllBits & ~std::uint64_t{7});
    // ACC 33, TS 34, PA 35, U 60, S 61, M 62, OF 63; MEM, EPT, HPM and custom bits are hardwired.
    EXPECT_EQ(bench.read(kMpdisctl), std::uint64_t{0xF} << 60 | std::uint64_t{7} << 33);
    bench.write(kMpdisctl, 0);
    EXPECT_EQ(bench.read(kMpdisctl), 0U);
}

TEST(Sampler, SelectionKeepsItsValueWhenAReservedOneIsWritten) {
    for (std::uint64_t legal = 0; legal <= 4; ++legal) {
        for (std::uint64_t reserved = 5; reserved <= 7; ++reserved) {
            Bench bench;
            bench.write(kMpdisctl, legal);
            EXPECT_EQ(bench.read(kMpdisctl), legal);
            bench.write(kMpdisctl, reserved | kOne << 60);
            EXPECT_EQ(bench.read(kMpdisctl), legal | kOne << 60);
        }
    }
}

TEST(Sampler, SupervisorControlHasAllButM) {
    Bench bench;
    bench.write(kSpdisctl, kAllBits & ~std::uint64_t{7});
    EXPECT_EQ(bench.read(kMpdisctl) >> 60, 0xBU);
    bench.write(kMpdisctl, kOne << 62);
    EXPECT_EQ(bench.read(kSpdisctl), 0U);
    bench.write(kSpdisctl, kOne << 61);
    EXPECT_EQ(bench.read(kMpdisctl), kOne << 62 | kOne << 61);
}

TEST(Sampler, FiltersKeepTheirFields) {
    Bench bench;
    bench.write(kSpdisevmask, kAllBits);
    bench.write(kSpdisevmatch, kAllBits);
    EXPECT_EQ(bench.read(kSpdisevmask), (kOne << 56) - 1);
    EXPECT_EQ(bench.read(kSpdisevmatch), (kOne << 56) - 1);
    bench.write(kSpdisfilter, kAllBits & ~(std::uint64_t{7} << 13));
    EXPECT_EQ(bench.read(kSpdisfilter), 0x1FFFU);
    bench.write(kSpdisfilter, std::uint64_t{4} << 13);
    EXPECT_EQ(bench.read(kSpdisfilter), std::uint64_t{4} << 13);
    bench.write(kSpdisfilter, std::uint64_t{5} << 13 | 1); // LATSEL 5 is reserved
    EXPECT_EQ(bench.read(kSpdisfilter), std::uint64_t{4} << 13 | 1);
}

TEST(Sampler, CounterHoldsBothHalves) {
    Bench bench;
    bench.write(kSpdiscounter, 0x1234'5678'9ABC'DEF0);
    EXPECT_EQ(bench.read(kSpdiscounter), 0x1234'5678'9ABC'DEF0U);
}

// --- Counting -----------------------------------------------------------------------------------

TEST(Sampler, CountsTheSelectedInstructions) {
    constexpr DecodedType kTypes[] = {DecodedType::Other, DecodedType::Load, DecodedType::Store,
                                      DecodedType::LoadStore, DecodedType::Transfer};
    constexpr bool kCounted[5][5] = {{true, true, true, true, true},
                                     {false, true, false, true, false},
                                     {false, false, true, true, false},
                                     {false, true, true, true, false},
                                     {false, false, false, false, true}};
    for (std::uint64_t selection = 0; selection < 5; ++selection) {
        for (std::size_t type = 0; type < 5; ++type) {
            Bench bench;
            bench.write(kMpdisctl, kOne << 62 | selection);
            bench.decode(kTypes[type]);
            EXPECT_EQ(bench.count(), kCounted[selection][type] ? 1U : 0U) << selection << type;
        }
    }
}

TEST(Sampler, CountsInTheEnabledModes) {
    constexpr Privilege kModes[] = {Privilege::User, Privilege::Supervisor, Privilege::Machine};
    for (unsigned enabled = 0; enabled < 8; ++enabled) {
        for (unsigned mode = 0; mode < 3; ++mode) {
            Bench bench;
            bench.write(kMpdisctl, std::uint64_t{enabled} << 60);
            bench.enter(kModes[mode]);
            bench.decode();
            EXPECT_EQ(bench.count(), enabled >> mode & 1) << enabled << mode;
        }
    }
}

TEST(Sampler, InhibitStopsTheCount) {
    Bench bench;
    bench.write(kMpdisctl, kOne << 62);
    bench.decode();
    bench.sampler.inhibit(true);
    EXPECT_TRUE(bench.sampler.inhibited());
    bench.decode();
    EXPECT_EQ(bench.count(), 1U);
    EXPECT_EQ(bench.sampler.indifferent_to(), kNever);
    bench.sampler.inhibit(false);
    bench.decode();
    EXPECT_EQ(bench.count(), 2U);
}

TEST(Sampler, CountsWhatIsNotReported) {
    Bench bench;
    bench.write(kMpdisctl, kOne << 62);
    bench.write(kSpdiscounter, 0xFFFF'FF00);
    EXPECT_EQ(bench.sampler.indifferent_to(), 0xFFU);
    bench.pass(0xFF);
    bench.enter(Privilege::Machine);
    EXPECT_EQ(bench.count(), 0xFFFF'FFFFU);
    EXPECT_EQ(bench.sampler.indifferent_to(), 0U);
    EXPECT_TRUE(bench.decode());
}

// --- Selection ----------------------------------------------------------------------------------

TEST(Sampler, OverflowSelectsAndReloads) {
    Bench bench;
    bench.write(kMpdisctl, kOne << 62);
    bench.write(kSpdiscounter, std::uint64_t{0xFFFF'FFFE} << 32 | 0xFFFF'FFFD);
    EXPECT_FALSE(bench.decode());
    EXPECT_FALSE(bench.decode());
    EXPECT_TRUE(bench.decode());
    EXPECT_EQ(bench.count(), 0xFFFF'FFFEU);
    bench.end();
    EXPECT_FALSE(bench.decode());
    EXPECT_TRUE(bench.decode());
    EXPECT_EQ(bench.sampler.counts().overflows, 2U);
}

TEST(Sampler, OverflowCollidesWithAnActiveSample) {
    Bench bench;
    bench.write(kMpdisctl, kOne << 62);
    bench.write(kSpdiscounter, std::uint64_t{0xFFFF'FFFF} << 32 | 0xFFFF'FFFF); // every one
    EXPECT_TRUE(bench.decode());
    EXPECT_FALSE(bench.decode()); // not ended
    bench.end(14);                // 14 cycles after this decode
    EXPECT_FALSE(bench.decode()); // ends later
    EXPECT_FALSE(bench.decode());
    EXPECT_TRUE(bench.decode());
    EXPECT_EQ(bench.sampler.counts().collisions, 3U);
    EXPECT_EQ(bench.sampler.counts().overflows, 5U);
}

/// "A sample is discarded, due to backpressure or sample filtering, and mpdisctl.ACC=1".
TEST(Sampler, AcceleratesBehindADiscardedSample) {
    for (const bool accelerate : {false, true}) {
        Bench bench;
        bench.write(kMpdisctl, kOne << 62 | (accelerate ? kOne << 33 : 0) | 1);
        bench.write(kSpdisevmask, kOne << 44);
        bench.write(kSpdisevmatch, kOne << 44);
        bench.write(kSpdiscounter, 0xFFFF'FFFF);
        EXPECT_TRUE(bench.decode(DecodedType::Load));
        EXPECT_FALSE(bench.end().overflow_interrupt);
        EXPECT_EQ(bench.sampler.counts().filtered, 1U);
        EXPECT_FALSE(bench.decode()); // no load
        EXPECT_EQ(bench.decode(DecodedType::Load), accelerate);
        EXPECT_EQ(bench.sampler.counts().accelerated, accelerate ? 1U : 0U);
    }
}

// --- The end of a sample ------------------------------------------------------------------------

TEST(Sampler, TheFirstQualifiedSampleInterrupts) {
    Bench bench;
    bench.write(kMpdisctl, kOne << 62);
    bench.write(kSpdiscounter, std::uint64_t{0xFFFF'FFFF} << 32 | 0xFFFF'FFFF);
    EXPECT_TRUE(bench.decode());
    EXPECT_FALSE(bench.sampler.overflowed());
    const SampleEffect first = bench.end();
    EXPECT_TRUE(first.overflow_interrupt);
    EXPECT_TRUE(first.skidless);
    EXPECT_TRUE(bench.sampler.overflowed());
    EXPECT_EQ(bench.read(kMpdisctl) >> 62, 3U);
    EXPECT_TRUE(bench.decode());
    EXPECT_FALSE(bench.end().overflow_interrupt); // OF = 1
    EXPECT_EQ(bench.sampler.counts().samples, 2U);
    bench.write(kMpdisctl, kOne << 62);
    EXPECT_TRUE(bench.decode());
    EXPECT_TRUE(bench.end().overflow_interrupt);
}

/// "If filtering is not applied to the sample ..., and the sampled instruction neither traps nor is
/// flushed, the LCOFI is guaranteed to be skidless."
TEST(Sampler, IsSkidlessForUnfilteredInstructionsThatRetire) {
    using End = SampledInstruction::End;
    struct Case {
        End end;
        std::uint64_t mask, filter;
        bool skidless;
    };
    for (const Case& one :
         {Case{End::Retired, 0, 0, true}, Case{End::Trapped, 0, 0, false},
          Case{End::Flushed, 0, 0, false}, Case{End::Retired, kOne << 50, 0, false},
          Case{End::Retired, 0, 1, false}}) {
        Bench bench;
        bench.write(kMpdisctl, kOne << 62);
        bench.write(kSpdisevmask, one.mask);
        bench.write(kSpdisfilter, one.filter);
        bench.write(kSpdiscounter, 0xFFFF'FFFF);
        bench.decode();
        SampledInstruction instruction = bench.in_hand();
        instruction.end = one.end;
        const SampleEffect effect = bench.sampler.ended(instruction);
        EXPECT_TRUE(effect.overflow_interrupt);
        EXPECT_EQ(effect.skidless, one.skidless);
    }
}

TEST(Sampler, EventFilterComparesTheHeader) {
    for (const std::uint64_t match : {std::uint64_t{1}, std::uint64_t{2}}) {
        for (const std::uint64_t mask : {std::uint64_t{0}, std::uint64_t{7}}) {
            Bench bench;
            bench.write(kMpdisctl, kOne << 62);
            bench.write(kSpdisevmask, mask);
            bench.write(kSpdisevmatch, match);
            bench.write(kSpdiscounter, 0xFFFF'FFFF);
            bench.decode(DecodedType::Store);
            bench.end();
            const bool passes = mask == 0 || match == 2;
            EXPECT_EQ(bench.sampler.counts().samples, passes ? 1U : 0U);
            EXPECT_EQ(bench.sampler.counts().filtered, passes ? 0U : 1U);
        }
    }
}

TEST(Sampler, LatencyFilterComparesTheChosenLatency) {
    // Of in_hand(9): total 9, dispatch 1, issue 1, execution 7, oldest 0.
    constexpr std::uint64_t kLatencies[] = {9, 1, 1, 7, 0};
    for (std::uint64_t number = 0; number < 5; ++number) {
        for (std::uint64_t threshold = 0; threshold < 12; ++threshold) {
            for (const bool invert : {false, true}) {
                Bench bench;
                bench.write(kMpdisctl, kOne << 62);
                bench.write(kSpdisfilter, number << 13 | (invert ? 1U << 12 : 0U) | threshold);
                bench.write(kSpdiscounter, 0xFFFF'FFFF);
                bench.decode();
                bench.end(9);
                const bool passes = (kLatencies[number] >= threshold) != invert;
                EXPECT_EQ(bench.sampler.counts().samples, passes ? 1U : 0U)
                    << number << " " << threshold << invert;
            }
        }
    }
}

TEST(Sampler, ShowsTheLastRecordBehindSiselect) {
    Bench bench;
    bench.write(kMpdisctl, kOne << 62 | kOne << 34);
    bench.write(kSpdiscounter, 0xFFFF'FFFF);
    bench.decode(DecodedType::Load);
    SampledInstruction instruction = bench.in_hand();
    instruction.time = 77;
    instruction.data = 0x1234;
    bench.sampler.ended(instruction);
    const Record record = make_record(instruction, bench.read(kMpdisctl));
    EXPECT_EQ(record[kTime], 77U);
    for (unsigned alias = 1; alias <= 6; ++alias) {
        EXPECT_EQ(bench.word(alias), record[alias - 1]);
        EXPECT_EQ(bench.word(alias, 0x61), 0U);
    }
    bench.sampler.write({.level = IndirectLevel::Supervisor, .select = 0x60, .alias = 2},
                        {.number = 0, .value = 1, .argument = 0, .at = 0});
    EXPECT_EQ(bench.word(2), record[kPc]);
}

} // namespace
} // namespace pes::pdis

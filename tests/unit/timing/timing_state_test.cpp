// SPDX-License-Identifier: Apache-2.0
// A state written in one moment and read back in another is the same state, as far as it can still
// make a difference: values, runs of zeros, cycles that are past, and whole units.
#include "hw/common/archive.h"
#include "hw/core/timing/issue/scoreboard.h"
#include "hw/core/timing/memory/write_buffer_state.h"
#include "hw/core/timing/timing_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace pes {
namespace {

/// With room for its words.
class Writer : public StateWriter {
  public:
    explicit Writer(Cycle base) : StateWriter(base, room_) {}

  private:
    Words room_;
};

TEST(TimingState, KeepsValuesAndRunsOfZeros) {
    Writer writer(1000);
    for (const std::uint64_t value : {0, 0, 7, 0, 0, 0, 0x7FFF, 0}) {
        writer.number(value);
    }
    ASSERT_TRUE(writer.complete());
    EXPECT_EQ(writer.words().size(), 5u); // 2 zeros, 7, 3 zeros, 0x7FFF, 1 zero
    StateReader reader(1000, writer.words());
    for (const std::uint64_t value : {0, 0, 7, 0, 0, 0, 0x7FFF, 0}) {
        std::uint64_t read = 99;
        reader.number(read);
        EXPECT_EQ(read, value);
    }
}

TEST(TimingState, KeepsAllBitsOfAMask) {
    constexpr std::uint64_t kMask = 0x8000'0000'0001'8000;
    Writer writer(0);
    writer.bits(0);
    writer.bits(kMask);
    writer.flag(true);
    ASSERT_TRUE(writer.complete());
    StateReader reader(0, writer.words());
    std::uint64_t none = 1, mask = 0;
    bool flag = false;
    reader.bits(none);
    reader.bits(mask);
    reader.flag(flag);
    EXPECT_EQ(none, 0u);
    EXPECT_EQ(mask, kMask);
    EXPECT_TRUE(flag);
}

TEST(TimingState, ACycleMovesWithTheMomentAndAPastOneIsItsFloor) {
    Writer writer(1000);
    writer.cycle(1007, 1002);
    writer.cycle(12, 1002);
    writer.cycle(998);
    ASSERT_TRUE(writer.complete());
    EXPECT_EQ(writer.latest(), 1007u);
    StateReader reader(5000, writer.words());
    Cycle coming = 0, past = 0, near = 0;
    reader.cycle(coming, 5002);
    reader.cycle(past, 5002);
    reader.cycle(near);
    EXPECT_EQ(coming, 5007u);
    EXPECT_EQ(past, 5002u);
    EXPECT_EQ(near, 4998u);
}

TEST(TimingState, TwoPastsAreTheSameWords) {
    Writer first(1000);
    first.cycle(999, 1000);
    ASSERT_TRUE(first.complete());
    Writer second(2000);
    second.cycle(3, 2000);
    ASSERT_TRUE(second.complete());
    EXPECT_TRUE(std::ranges::equal(first.words(), second.words()));
}

TEST(TimingState, WhatIsTooFarAwayIsRefused) {
    Writer writer(0);
    writer.cycle(0x8000, 0);
    EXPECT_FALSE(writer.complete());
    Writer second(0);
    second.give_up();
    EXPECT_FALSE(second.complete());
}

// --- A whole unit -------------------------------------------------------------------------------

struct Buffer : WriteBuffer {
    explicit Buffer(const TimingConfig& config) : WriteBuffer(config, tables), tables(config) {}
    Tables tables;
};

/// A few stores and refills from `now` on; what the buffer answered, relative to `now`.
std::vector<Cycle> exercise(Buffer& buffer, std::mt19937 random, Cycle now, Cycle& asked) {
    std::vector<Cycle> answers;
    const Cycle begin = now;
    for (int step = 0; step < 12; ++step) {
        now += random() % 4;
        const Address address = 0x8000'0000 + random() % 12 * 8;
        switch (random() % 5) {
        case 0:
            answers.push_back(std::max(buffer.code_before_data(now), now - 1) - begin);
            answers.push_back(buffer.refill_data(now) - begin);
            break;
        case 1:
            answers.push_back(buffer.refill_instructions(now) - begin);
            break;
        default:
            asked = std::max(asked + 1, now);
            asked = buffer.accept(address, 8, asked, random() % 8 == 0 ? 5 : 0);
            answers.push_back(asked - begin);
            break;
        }
    }
    return answers;
}

/// A past that differs only in what is over leaves a buffer that answers the same later.
TEST(TimingState, ARestoredWriteBufferGoesOnAsTheOldOne) {
    constexpr Cycle kShift = 123'457;
    for (unsigned seed = 0; seed < 2000; ++seed) {
        std::mt19937 random(seed);
        TimingConfig config;
        config.write_buffer_words = 1 + random() % 8;
        config.writes_in_flight = 1 + random() % 8;
        config.write_interval = 1 + random() % 8;
        config.read_interval = 1 + random() % 8;
        config.port_queue = 1 + random() % 4;
        Buffer old(config);
        Buffer restored(config);
        Cycle asked = 100, ignored = 100;
        exercise(old, random, 100, asked);
        exercise(restored, random, 100, ignored); // the same words in the tables
        const Cycle next = asked + 1 + random() % 12;

        Writer writer(next);
        old.relative_state(writer, next);
        ASSERT_TRUE(writer.complete());
        StateReader reader(next + kShift, writer.words());
        restored.relative_state(reader, next + kShift);

        random.discard(100);
        Cycle later = next, shifted = next + kShift;
        EXPECT_EQ(exercise(old, random, next, later),
                  exercise(restored, random, next + kShift, shifted))
            << "seed " << seed;
    }
}

template <typename Unit>
std::vector<std::uint16_t> words_of(Unit& unit, Cycle now) {
    Writer writer(now);
    unit.relative_state(writer, now);
    EXPECT_TRUE(writer.complete());
    return {writer.words().begin(), writer.words().end()};
}

/// `other` may have anything in flight.
template <typename Unit>
void expect_restored(Unit& unit, Unit& other, Cycle now) {
    const std::vector<std::uint16_t> words = words_of(unit, now);
    ASSERT_NE(words_of(other, now), words) << "nothing to see";
    StateReader reader(now, words);
    other.relative_state(reader, now);
    EXPECT_EQ(words_of(other, now), words);
}

constexpr RegisterIndex kRegister = 5;

TEST(TimingState, ARestoredWriteBufferHasNothingOfItsOwnBefore) {
    Buffer idle{TimingConfig{}}, busy{TimingConfig{}};
    busy.accept(0x8000'0000, 8, 100, 0);
    busy.accept(0x8000'0008, 8, 101, 0);
    expect_restored(idle, busy, 103);
}

TEST(TimingState, ARestoredScoreboardHasNothingOfItsOwnBefore) {
    Scoreboard idle(8, 2), busy(8, 2);
    busy.retire(kRegister, 110, 160, RetirePort::Any);
    words_of(busy, 109);
    busy.retire(kRegister + 1, 112, 180, RetirePort::Any);
    expect_restored(idle, busy, 110);
    EXPECT_LE(busy.register_ready(kRegister), 112u);
    EXPECT_LE(busy.register_ready(kRegister + 1), 112u);
}

TEST(TimingState, AScoreboardOfACheckpointHasTheRegistersInFlight) {
    Scoreboard saved(8, 2), loaded(8, 2);
    saved.retire(kRegister, 110, 160, RetirePort::Any);
    Archive out;
    out(saved);
    Archive in{std::span<const std::byte>(out.bytes())};
    in(loaded);
    EXPECT_EQ(words_of(loaded, 110), words_of(saved, 110));
    EXPECT_EQ(loaded.register_ready(kRegister), 160u);
}

} // namespace
} // namespace pes

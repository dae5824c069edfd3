// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/guest/no_progress.h"

#include <gtest/gtest.h>

#include <array>

namespace pes {
namespace {

using Guest = NoProgress::Guest;
using Look = NoProgress::Look;

constexpr Cycle kPiece = 5'000'000;
constexpr Address kLoop = 0x8020'0000;

/// Looks once a piece for `cycles`, each time with what `change` makes of the look before; the
/// number of times that the watch said something.
template <typename Change>
int told(NoProgress& watch, Cycle cycles, Change change) {
    Look look{.pc = kLoop};
    int count = 0;
    for (Cycle now = kPiece; now <= cycles; now += kPiece) {
        look.now = now;
        change(look);
        count += watch.look(std::array{look}) ? 1 : 0;
    }
    return count;
}

constexpr Cycle kLongEnough = NoProgress::kLong + 10 * kPiece;

TEST(NoProgress, IsToldOnceWithTheHartAndItsPc) {
    NoProgress watch(Guest::Program);
    EXPECT_EQ(told(watch, NoProgress::kLong - kPiece, [](Look&) {}), 0);
    const std::array look{Look{.hart = 1, .now = kLongEnough, .pc = kLoop}};
    const auto stuck = watch.look(look);
    ASSERT_TRUE(stuck);
    EXPECT_EQ(stuck->hart, 1U);
    EXPECT_EQ(stuck->pc, kLoop);
    EXPECT_GE(stuck->cycles, NoProgress::kLong);
    EXPECT_FALSE(watch.look(look));
}

TEST(NoProgress, AnythingThatHappensIsProgress) {
    NoProgress traps(Guest::UnderFirmware);
    EXPECT_EQ(
        told(traps, kLongEnough, [](Look& look) { look.happened += look.now % 400'000'000 == 0; }),
        0);
    NoProgress open(Guest::Program);
    EXPECT_EQ(told(open, kLongEnough, [](Look& look) { look.takes_interrupts = true; }), 0);
    NoProgress walks(Guest::UnderFirmware);
    EXPECT_EQ(told(walks, kLongEnough, [](Look& look) { look.pc += 64; }), 0);
}

/// A delay loop reads the time: its registers never repeat. An operating system does not wait so
/// long with interrupts off; a program may compute.
TEST(NoProgress, ALoopThatComputesIsProgressOfAProgramOnly) {
    const auto computes = [](Look& look) { ++look.registers; };
    NoProgress program(Guest::Program);
    EXPECT_EQ(told(program, kLongEnough, computes), 0);
    NoProgress kernel(Guest::UnderFirmware);
    EXPECT_EQ(told(kernel, kLongEnough, computes), 1);
}

TEST(NoProgress, IsToldAgainAfterProgress) {
    NoProgress watch(Guest::Program);
    const auto moves_in_the_middle = [](Look& look) { look.happened = look.now > kLongEnough; };
    EXPECT_EQ(told(watch, 2 * kLongEnough, moves_in_the_middle), 2);
}

TEST(NoProgress, HartsThatAllSleepAreNotStuck) {
    NoProgress watch(Guest::UnderFirmware);
    EXPECT_FALSE(watch.look({}));
    EXPECT_EQ(told(watch, NoProgress::kLong - kPiece, [](Look&) {}), 0);
}

} // namespace
} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/program/basic_blocks.h"

#include "tests/unit/decoder/trace/code_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pes {
namespace {

using testing::ElementsAre;
using trace::test::image_of;

constexpr std::uint32_t kNop = 0x00000013;
constexpr std::uint32_t kShortNop = 0x0001;
constexpr std::uint32_t kEcall = 0x00000073;
constexpr std::uint32_t kReturn = 0x8082;        // c.jr ra
constexpr std::uint32_t kBranchBy8 = 0x00050463; // beq a0, x0, +8
constexpr std::uint32_t kJumpBack8 = 0xFF9FF06F; // jal x0, -8

TEST(BasicBlocks, StraightCodeIsOneBlock) {
    const BasicBlocks blocks(image_of({{0x100, kNop}, {0x104, kEcall}, {0x108, kShortNop}}), {});
    EXPECT_THAT(blocks.all(), ElementsAre(BasicBlock{0x100, 0x10A}));
}

TEST(BasicBlocks, BeginAtTargetsAndBehindTransfers) {
    const BasicBlocks blocks(image_of({{0x100, kNop},
                                       {0x104, kBranchBy8},
                                       {0x108, kNop},
                                       {0x10C, kNop},
                                       {0x110, kReturn},
                                       {0x112, kNop}}),
                             {});
    EXPECT_THAT(blocks.all(), ElementsAre(BasicBlock{0x100, 0x108}, BasicBlock{0x108, 0x10C},
                                          BasicBlock{0x10C, 0x112}, BasicBlock{0x112, 0x116}));
}

TEST(BasicBlocks, ALoopBeginsInsideOfStraightCode) {
    const BasicBlocks blocks(
        image_of({{0x100, kNop}, {0x104, kNop}, {0x108, kNop}, {0x10C, kJumpBack8}}), {});
    EXPECT_THAT(blocks.all(), ElementsAre(BasicBlock{0x100, 0x104}, BasicBlock{0x104, 0x110}));
}

TEST(BasicBlocks, FunctionsBeginBlocksWhateverIsBeforeThem) {
    // The half-word before the function looks like the first of an instruction of four bytes.
    const BasicBlocks blocks(
        image_of({{0x100, kNop}, {0x104, 0x0013}, {0x106, kShortNop}, {0x108, kReturn}}), {0x106});
    EXPECT_EQ(blocks.find(0x106)->begin, 0x106u);
    EXPECT_EQ(blocks.find(0x108)->begin, 0x106u);
    EXPECT_EQ(blocks.find(0x108)->end, 0x10Au);
    EXPECT_EQ(blocks.find(0x104)->end, 0x106u);
}

TEST(BasicBlocks, PaddingAndOtherAddressesHaveNone) {
    const BasicBlocks blocks(image_of({{0x100, kReturn}, {0x104, kNop}}), {0x50, 0x200, 0x103});
    EXPECT_THAT(blocks.all(), ElementsAre(BasicBlock{0x100, 0x102}, BasicBlock{0x104, 0x108}));
    EXPECT_EQ(blocks.find(0xFE), nullptr);
    EXPECT_EQ(blocks.find(0x102), nullptr); // zeros
    EXPECT_EQ(blocks.find(0x108), nullptr);
    EXPECT_EQ(blocks.find(0x106)->begin, 0x104u);
}

TEST(BasicBlocks, ATargetOutsideOfTheCodeIsPassedOver) {
    const BasicBlocks blocks(image_of({{0x100, kJumpBack8}, {0x104, kNop}}), {});
    EXPECT_THAT(blocks.all(), ElementsAre(BasicBlock{0x100, 0x104}, BasicBlock{0x104, 0x108}));
}

} // namespace
} // namespace pes

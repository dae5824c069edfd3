// SPDX-License-Identifier: Apache-2.0
#include "hw/common/register_block.h"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace pes {
namespace {

/// A block with one register of every kind.
class Block : public testing::Test {
  protected:
    RegisterBlock block{
        "block",
        0x40,
        {
            {.name = "storage", .offset = 0x00, .reset = 0x1234, .write_mask = 0x0000'FFFF},
            {.name = "wide", .offset = 0x08, .width = 8, .parts = RegisterParts::Words},
            {.name = "low", .offset = 0x10, .parts = RegisterParts::Low},
            {.name = "identity",
             .offset = 0x14,
             .rights = RegisterRights::ReadOnly,
             .reset = 0xC0DE},
            {.name = "pop",
             .offset = 0x18,
             .read = [this](unsigned, Cycle) { return pops++; },
             .write =
                 [this](unsigned, std::uint64_t value, Cycle at) {
                     pushed = value;
                     pushed_at = at;
                 },
             .peek = [this](unsigned, Cycle) { return pops; }},
            {.name = "command", .offset = 0x1C, .rights = RegisterRights::WriteOnly},
            {.name = "array",
             .offset = 0x20,
             .width = 2,
             .count = 4,
             .stride = 8,
             .write = [this](unsigned index, std::uint64_t, Cycle) { written_index = index; }},
        }};
    std::uint64_t pops = 0;
    std::uint64_t pushed = 0;
    Cycle pushed_at = 0;
    unsigned written_index = 99;

    std::uint64_t read(Address offset, unsigned size) {
        std::uint64_t value = 0;
        EXPECT_EQ(block.read(offset, size, value, 0), AccessStatus::Ok);
        return value;
    }
    AccessStatus read_status(Address offset, unsigned size) {
        std::uint64_t value = 0;
        return block.read(offset, size, value, 0);
    }
};

using RegisterBlockAccess = Block;

TEST_F(RegisterBlockAccess, StorageStartsAtItsResetValueAndKeepsBitsOutsideTheWriteMask) {
    EXPECT_EQ(read(0x00, 4), 0x1234U);
    EXPECT_EQ(block.write(0x00, 4, 0xFFFF'0000 | 0xABCD, 0), AccessStatus::Ok);
    EXPECT_EQ(read(0x00, 4), 0xABCDU);
    block.reset();
    EXPECT_EQ(read(0x00, 4), 0x1234U);
}

TEST_F(RegisterBlockAccess, WordsOfAWideRegisterCanBeAccessedAlone) {
    ASSERT_EQ(block.write(0x08, 8, 0x1111'2222'3333'4444, 0), AccessStatus::Ok);
    ASSERT_EQ(block.write(0x0C, 4, 0xAAAA'BBBB, 0), AccessStatus::Ok);
    EXPECT_EQ(read(0x08, 8), 0xAAAA'BBBB'3333'4444U);
    EXPECT_EQ(read(0x08, 4), 0x3333'4444U);
    EXPECT_EQ(read(0x0C, 4), 0xAAAA'BBBBU);
    EXPECT_EQ(read_status(0x08, 2), AccessStatus::SizeError);
    EXPECT_EQ(read_status(0x0A, 2), AccessStatus::AddressError);
    EXPECT_EQ(read_status(0x0C, 8), AccessStatus::SizeError);
}

TEST_F(RegisterBlockAccess, LowPartsReadAndWriteTheRestAsZero) {
    ASSERT_EQ(block.write(0x10, 4, 0xFFFF'FFFF, 0), AccessStatus::Ok);
    ASSERT_EQ(block.write(0x10, 1, 0x55, 0), AccessStatus::Ok);
    EXPECT_EQ(read(0x10, 4), 0x55U);
    EXPECT_EQ(read_status(0x11, 1), AccessStatus::AddressError);
    EXPECT_EQ(read_status(0x10, 8), AccessStatus::SizeError);
}

TEST_F(RegisterBlockAccess, AnAccessOfNoBytesIsRefusedEvenAsTheFirstOne) {
    EXPECT_EQ(read_status(0x00, 0), AccessStatus::SizeError);
    EXPECT_EQ(block.write(0x00, 0, 0, 0), AccessStatus::SizeError);
}

TEST_F(RegisterBlockAccess, ARegisterThatTakesOnlyItsWidthRefusesOtherSizes) {
    EXPECT_EQ(read_status(0x00, 1), AccessStatus::SizeError);
    EXPECT_EQ(read_status(0x00, 8), AccessStatus::SizeError);
    EXPECT_EQ(read_status(0x00, 3), AccessStatus::SizeError);
    EXPECT_EQ(read_status(0x02, 2), AccessStatus::AddressError);
    EXPECT_EQ(block.write(0x00, 2, 0, 0), AccessStatus::SizeError);
    EXPECT_EQ(read(0x00, 4), 0x1234U);
}

TEST_F(RegisterBlockAccess, AnOffsetWithoutRegisterIsAnAddressError) {
    EXPECT_EQ(read_status(0x04, 4), AccessStatus::AddressError);
    EXPECT_EQ(read_status(0x22, 2), AccessStatus::AddressError); // the gap in the array
    EXPECT_EQ(read_status(0x3C, 4), AccessStatus::AddressError);
    EXPECT_EQ(read_status(0x40, 2), AccessStatus::AddressError); // the array's fifth element
    EXPECT_EQ(block.write(~Address{0}, 1, 0, 0), AccessStatus::AddressError);
}

TEST_F(RegisterBlockAccess, RightsAreEnforced) {
    EXPECT_EQ(block.write(0x14, 4, 1, 0), AccessStatus::RightsError);
    EXPECT_EQ(read(0x14, 4), 0xC0DEU);
    EXPECT_EQ(read_status(0x1C, 4), AccessStatus::RightsError);
    EXPECT_EQ(block.write(0x1C, 4, 1, 0), AccessStatus::Ok);
}

TEST_F(RegisterBlockAccess, MethodsReceiveValueIndexAndCycle) {
    EXPECT_EQ(block.write(0x18, 4, 0x1'0000'0007, 42), AccessStatus::Ok);
    EXPECT_EQ(pushed, 7U); // the upper half is not part of a 32-bit access
    EXPECT_EQ(pushed_at, 42U);
    EXPECT_EQ(block.write(0x20 + 2 * 8, 2, 0xBEEF, 0), AccessStatus::Ok);
    EXPECT_EQ(written_index, 2U);
    EXPECT_EQ(read(0x30, 2), 0xBEEFU);
    EXPECT_EQ(block.stored(0x30), 0xBEEFU);
    EXPECT_EQ(read(0x28, 2), 0U);
}

TEST_F(RegisterBlockAccess, DebugAccessesHaveNoSideEffect) {
    std::uint64_t value = 0;
    EXPECT_EQ(block.peek(0x18, 4, value, 0), AccessStatus::Ok);
    EXPECT_EQ(block.peek(0x18, 4, value, 0), AccessStatus::Ok);
    EXPECT_EQ(value, 0U);
    EXPECT_EQ(read(0x18, 4), 0U);
    EXPECT_EQ(read(0x18, 4), 1U);
    EXPECT_EQ(block.poke(0x18, 4, 3), AccessStatus::RightsError);
    EXPECT_EQ(block.poke(0x20, 2, 3), AccessStatus::RightsError); // it would have to react
    EXPECT_EQ(block.poke(0x00, 4, 0xFFFF'FFFF), AccessStatus::Ok);
    EXPECT_EQ(read(0x00, 4), 0xFFFFU);
    EXPECT_EQ(block.poke(0x0C, 4, 0x77), AccessStatus::Ok);
    EXPECT_EQ(read(0x08, 8), 0x77'0000'0000U);
}

TEST(RegisterBlock, EveryRefusedAccessLeavesOneWarningThatNamesTheRegister) {
    std::ostringstream text;
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_st>(text);
    spdlog::register_logger(std::make_shared<spdlog::logger>("talker", sink));
    RegisterBlock block("talker", 4,
                        {{.name = "identity", .offset = 0, .rights = RegisterRights::ReadOnly}});
    EXPECT_EQ(block.write(0, 4, 1, 0), AccessStatus::RightsError);
    const std::string once = text.str();
    EXPECT_NE(once.find("talker"), std::string::npos);
    EXPECT_NE(once.find("identity"), std::string::npos);
    EXPECT_NE(once.find("warning"), std::string::npos);
    EXPECT_EQ(std::count(once.begin(), once.end(), '\n'), 1);
    std::uint64_t value = 0;
    EXPECT_EQ(block.read(0, 4, value, 0), AccessStatus::Ok);
    EXPECT_EQ(text.str(), once);
    spdlog::drop("talker");
}

/// A computed register whose high parts can be written alone.
Register stimulus(Register::WritePart write) {
    return {.name = "stimulus",
            .offset = 0x10,
            .parts = RegisterParts::High,
            .count = 2,
            .read = [](unsigned index, Cycle) { return 0x1234'5678U + index; },
            .write_part = std::move(write)};
}

TEST(RegisterBlockHighParts, ReachTheirMethodWithSizeAndValueAsWritten) {
    struct Written {
        unsigned index, bytes;
        std::uint64_t value;
        Cycle at;
    } last{};
    RegisterBlock block(
        "high", 0x20, {stimulus([&](unsigned index, unsigned bytes, std::uint64_t value, Cycle at) {
            last = {index, bytes, value, at};
        })});
    const auto written = [&](Address offset, unsigned size) {
        EXPECT_EQ(block.write(offset, size, 0xAABB'CCDD, 7), AccessStatus::Ok);
        EXPECT_EQ(last.at, 7U);
        return std::tuple{last.index, last.bytes, last.value};
    };
    EXPECT_EQ(written(0x10, 4), (std::tuple{0U, 4U, 0xAABB'CCDDU}));
    EXPECT_EQ(written(0x12, 2), (std::tuple{0U, 2U, 0xCCDDU}));
    EXPECT_EQ(written(0x17, 1), (std::tuple{1U, 1U, 0xDDU}));
    std::uint64_t value = 0;
    EXPECT_EQ(block.read(0x16, 2, value, 0), AccessStatus::Ok);
    EXPECT_EQ(value, 0x1234U);
    EXPECT_EQ(block.write(0x10, 2, 0, 0), AccessStatus::SizeError);
    EXPECT_EQ(block.write(0x12, 1, 0, 0), AccessStatus::SizeError);
    EXPECT_EQ(block.write(0x11, 1, 0, 0), AccessStatus::AddressError);
}

TEST(RegisterBlockHighParts, AreOnlyForComputedRegistersWithWritePart) {
    const auto refused = [](Register definition) {
        EXPECT_THROW(RegisterBlock("high", 0x20, {std::move(definition)}), std::invalid_argument);
    };
    const auto ignore = [](unsigned, unsigned, std::uint64_t, Cycle) {};
    Register storage = stimulus(ignore);
    storage.read = nullptr;
    refused(storage);
    refused(stimulus(nullptr));
    Register whole = stimulus(ignore);
    whole.parts = RegisterParts::Whole;
    refused(whole);
    Register both = stimulus(ignore);
    both.write = [](unsigned, std::uint64_t, Cycle) {};
    refused(both);
}

std::string refusal(std::uint64_t size, std::vector<Register> registers) {
    try {
        const RegisterBlock block("block", size, std::move(registers));
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

TEST(RegisterBlock, OverlappingRegistersAreRefusedAtConstruction) {
    EXPECT_EQ(refusal(16, {{.name = "a", .offset = 0, .width = 8}, {.name = "b", .offset = 4}}),
              "block: registers a and b overlap");
    EXPECT_EQ(refusal(64, {{.name = "b", .offset = 8}, {.name = "a", .offset = 0, .count = 3}}),
              "block: registers a and b overlap");
    EXPECT_EQ(refusal(16, {{.name = "a", .offset = 0}, {.name = "b", .offset = 4}}), "accepted");
}

TEST(RegisterBlock, ARegisterBeyondTheEndOfTheBlockIsRefused) {
    EXPECT_EQ(refusal(8, {{.name = "a", .offset = 4, .count = 2}}),
              "block.a: lies beyond the end of the block");
}

TEST(RegisterBlock, ContradictoryDefinitionsAreRefused) {
    const auto read = [](unsigned, Cycle) { return std::uint64_t{0}; };
    const auto write = [](unsigned, std::uint64_t, Cycle) {};
    EXPECT_NE(refusal(16, {{.name = "a", .offset = 2}}), "accepted");
    EXPECT_NE(refusal(16, {{.name = "a", .width = 3}}), "accepted");
    EXPECT_NE(refusal(16, {{.name = "a", .count = 0}}), "accepted");
    EXPECT_NE(refusal(16, {{.name = "a", .width = 8, .count = 2, .stride = 4}}), "accepted");
    EXPECT_NE(refusal(16, {{.name = "a", .rights = RegisterRights::ReadOnly, .write = write}}),
              "accepted");
    EXPECT_NE(refusal(16, {{.name = "a", .read = read}}), "accepted");
    EXPECT_NE(refusal(16, {{.name = "a", .peek = read}}), "accepted");
}

} // namespace
} // namespace pes

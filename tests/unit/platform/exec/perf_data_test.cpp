// SPDX-License-Identifier: Apache-2.0
// Attributes of a perf.data, as tools/perf/Documentation/perf.data-file-format.txt lays them out.
#include "platform/exec/perf_data.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace pes {
namespace {

constexpr std::size_t kHeader = 104, kAttribute = 144, kIds = 16;

/// Two attributes of 144 bytes and a word of data behind them.
class PerfData : public testing::Test {
  protected:
    PerfData() : file_(kHeader + 2 * (kAttribute + kIds) + 8) {
        std::memcpy(file_.data(), "PERFILE2", 8);
        put(8, kHeader);
        put(16, kAttribute + kIds);
        put(24, kHeader);
        put(32, 2 * (kAttribute + kIds));
        for (std::size_t number = 0; number < 2; ++number) {
            const std::size_t at = kHeader + number * (kAttribute + kIds);
            put(at, std::uint64_t{kAttribute} << 32 | number); // size, type
            put(at + 120, 0x1111 * (number + 1));              // the last word that perf 6.1 knows
            put(at + kAttribute, 0x5000 + number);             // where its numbers are
            put(at + kAttribute + 8, 8);
        }
        put(file_.size() - 8, 0xDA7A);
    }
    void put(std::size_t at, std::uint64_t value) {
        std::memcpy(file_.data() + at, &value, sizeof value);
    }
    std::uint64_t get(std::size_t at) const {
        std::uint64_t value = 0;
        std::memcpy(&value, file_.data() + at, sizeof value);
        return value;
    }
    std::vector<std::byte> file_;
};

TEST_F(PerfData, ZerosAtTheEndOfAttributesAreTakenOff) {
    shorten_attributes(file_);
    EXPECT_EQ(get(16), 128 + kIds);
    EXPECT_EQ(get(24), kHeader);
    EXPECT_EQ(get(32), 2 * (128 + kIds));
    for (std::size_t number = 0; number < 2; ++number) {
        const std::size_t at = kHeader + number * (128 + kIds);
        EXPECT_EQ(get(at), std::uint64_t{128} << 32 | number);
        EXPECT_EQ(get(at + 120), 0x1111 * (number + 1));
        EXPECT_EQ(get(at + 128), 0x5000 + number);
        EXPECT_EQ(get(at + 136), 8U);
    }
    EXPECT_EQ(get(file_.size() - 8), 0xDA7AU) << "what lies behind stays where it is";
}

TEST_F(PerfData, WhatIsUsedStays) {
    put(kHeader + kAttribute + kIds + 128, 7); // config3 of the second one
    shorten_attributes(file_);
    EXPECT_EQ(get(16), 136 + kIds);
    EXPECT_EQ(get(kHeader + 136 + kIds + 128), 7U);
}

TEST_F(PerfData, OtherFilesAreLeftAlone) {
    for (const auto& [at, value] : {std::pair<std::size_t, std::uint64_t>{0, 1},
                                    {16, 0},
                                    {16, 80},
                                    {24, ~std::uint64_t{0}},
                                    {32, 1'000'000},
                                    {32, 161}}) {
        std::vector<std::byte> other = file_;
        std::memcpy(other.data() + at, &value, sizeof value);
        const std::vector<std::byte> before = other;
        shorten_attributes(other);
        EXPECT_EQ(other, before) << at << ", " << value;
    }
    std::vector<std::byte> nothing(20);
    shorten_attributes(nothing);
    EXPECT_EQ(nothing, std::vector<std::byte>(20));
}

} // namespace
} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "hw/bus/memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>

namespace pes {
namespace {

TEST(Memory, StartsZeroAndReadsBackWhatWasWritten) {
    Memory memory(4096);
    std::uint64_t value = 1;
    ASSERT_TRUE(memory.read(4088, &value, sizeof value));
    EXPECT_EQ(value, 0U);
    value = 0x0807'0605'0403'0201;
    ASSERT_TRUE(memory.write(8, &value, sizeof value));
    EXPECT_EQ(memory.bytes()[8], std::byte{1});
    EXPECT_EQ(memory.data()[15], std::byte{8});
    EXPECT_EQ(memory.bytes().size(), 4096U);
}

TEST(Memory, RefusesEveryByteOutside) {
    Memory memory(4096);
    std::uint64_t value = ~std::uint64_t{0};
    EXPECT_FALSE(memory.write(4089, &value, sizeof value));
    EXPECT_EQ(memory.data()[4095], std::byte{0}) << "nothing of it may be written";
    EXPECT_FALSE(memory.read(4096, &value, 1));
    EXPECT_FALSE(memory.contains(~Address{0} - 3, 8)) << "the end must not wrap around";
    EXPECT_TRUE(memory.contains(4096, 0));
}

TEST(Memory, UntouchedPagesCostNothing) {
    constexpr std::uint64_t kSize = std::uint64_t{64} << 30; // more than a host has to give
    Memory memory(kSize);
    const std::uint8_t value = 0x5A;
    ASSERT_TRUE(memory.write(kSize - 1, &value, 1));
    EXPECT_EQ(memory.data()[kSize - 1], std::byte{0x5A});
}

TEST(Memory, RefusesAnEmptyMemory) {
    EXPECT_THROW(Memory(0), std::invalid_argument);
}

} // namespace
} // namespace pes

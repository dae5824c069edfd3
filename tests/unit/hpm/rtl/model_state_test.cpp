// SPDX-License-Identifier: Apache-2.0
// A foreign block may have memories: its state is saved and restored whole, whatever its size.
#include "hw/hpm/rtl/verilated_model.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace pes::test {
namespace {

/// Odd sizes, so that no member ends where a buffer does.
constexpr std::size_t kMembers = 1000;

std::vector<std::uint8_t> member(std::size_t index, std::uint8_t salt) {
    std::vector<std::uint8_t> bytes(1 + index * 7 % 2999);
    std::iota(bytes.begin(), bytes.end(), static_cast<std::uint8_t>(index + salt));
    return bytes;
}

std::string saved(StateSave& saver, std::size_t members, std::uint8_t salt) {
    std::string state;
    saver.begin(state);
    for (std::size_t index = 0; index < members; ++index) {
        const std::vector<std::uint8_t> bytes = member(index, salt);
        saver.write(bytes.data(), bytes.size());
    }
    saver.flush();
    return state;
}

void expect_restored(const std::string& state, std::size_t members, std::uint8_t salt) {
    StateRestore restorer(state);
    for (std::size_t index = 0; index < members; ++index) {
        std::vector<std::uint8_t> bytes(member(index, salt).size());
        restorer.read(bytes.data(), bytes.size());
        ASSERT_EQ(bytes, member(index, salt)) << index;
    }
}

TEST(ModelState, IsKeptIfItIsLargerThanVerilatorsBuffer) {
    StateSave saver;
    const std::string state = saved(saver, kMembers, 0);
    EXPECT_GT(state.size(), std::size_t{1} << 20);
    expect_restored(state, kMembers, 0);
}

TEST(ModelState, IsKeptAsOneMemoryLargerThanVerilatorsBuffer) {
    const std::vector<std::uint8_t> memory(600'001, 0x5A);
    StateSave saver;
    std::string state;
    saver.begin(state);
    saver.write(memory.data(), memory.size());
    saver.flush();
    EXPECT_EQ(state.size(), memory.size());
    std::vector<std::uint8_t> copy(memory.size());
    StateRestore(state).read(copy.data(), copy.size());
    EXPECT_EQ(copy, memory);
}

TEST(ModelState, HasNothingOfTheStateSavedBefore) {
    StateSave saver;
    saved(saver, kMembers, 0);
    const std::string state = saved(saver, 3, 1);
    EXPECT_EQ(state.size(), 1U + 8U + 15U);
    expect_restored(state, 3, 1);
}

} // namespace
} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
#include "hw/interface/trace/crc32.h"

#include <gtest/gtest.h>

#include <string_view>

namespace pes::trace {
namespace {

std::uint32_t crc32_of(std::string_view bytes) {
    Crc32 sum;
    sum.add(bytes.data(), bytes.size());
    return sum.value();
}

/// The check value of the catalogues of CRCs, and what `crc32` and zlib say.
TEST(Crc32, IsTheOneOfZip) {
    EXPECT_EQ(crc32_of("123456789"), 0xCBF4'3926U);
    EXPECT_EQ(crc32_of(""), 0U);
    EXPECT_EQ(crc32_of("\xFF\xFF\xFF\xFF"), 0xFFFF'FFFFU);
}

TEST(Crc32, DoesNotDependOnThePieces) {
    Crc32 sum;
    sum.add("12345", 5);
    sum.add("", 0);
    sum.add("6789", 4);
    EXPECT_EQ(sum.value(), crc32_of("123456789"));
}

} // namespace
} // namespace pes::trace

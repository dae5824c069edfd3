// SPDX-License-Identifier: Apache-2.0
#include "platform/host/numbers.h"

#include <gtest/gtest.h>

namespace pes {
namespace {

TEST(Numbers, AreAllOfTheTextOrNone) {
    EXPECT_EQ(parse_digits("0"), 0U);
    EXPECT_EQ(parse_digits("18446744073709551615"), ~std::uint64_t{0});
    EXPECT_EQ(parse_digits("fF", 16), 255U);
    for (const char* text : {"", " 1", "1 ", "+1", "-1", "1a", "0x1", "18446744073709551616"}) {
        EXPECT_FALSE(parse_digits(text)) << text;
    }
    EXPECT_FALSE(parse_digits<std::uint8_t>("256"));
}

TEST(Numbers, OfAddressesAreHexadecimalAfter0x) {
    EXPECT_EQ(parse_address("0x10"), 16U);
    EXPECT_EQ(parse_address("0X1f"), 31U);
    EXPECT_EQ(parse_address("10"), 10U);
    for (const char* text : {"", "0x", "x10", "1f", "0x10g"}) {
        EXPECT_FALSE(parse_address(text)) << text;
    }
}

TEST(Numbers, ArePrintedForPeople) {
    EXPECT_EQ(hex(0x8000'0000), "0x80000000");
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(27'311'018), "27,311,018");
}

} // namespace
} // namespace pes

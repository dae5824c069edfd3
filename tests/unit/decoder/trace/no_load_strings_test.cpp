// SPDX-License-Identifier: Apache-2.0
// Arguments in one word, the first in the highest bits: 32, 16+16, 11+11+10, 8+8+8+8.
#include "decoder/trace/program/no_load_strings.h"

#include <gtest/gtest.h>

namespace pes::trace {
namespace {

TEST(NoLoadStrings, TakeTheirArgumentsOutOfOneWord) {
    const NoLoadStrings strings({"1:nothing to say", "2:bytes %u %u %u %u, and %%",
                                 "7:three %u %d %u", "13:hex 0x%04x 0x%04X", "15:word %d",
                                 "6:%c%c%c%c", "5:octal %o"});
    EXPECT_EQ(strings.text(1, 0), "nothing to say");
    EXPECT_EQ(strings.text(2, 0x01020304), "bytes 1 2 3 4, and %");
    EXPECT_EQ(strings.text(7, 0x7FFU << 21 | 0x7FFU << 10 | 42), "three 2047 -1 42");
    EXPECT_EQ(strings.text(13, 0x00125ABC), "hex 0x0012 0x5ABC");
    EXPECT_EQ(strings.text(15, 0xFFFFFFD6), "word -42");
    EXPECT_EQ(strings.text(6, 0x61626364), "abcd");
    EXPECT_EQ(strings.text(5, 8), "octal 10");
}

TEST(NoLoadStrings, ExtendTheSignOfTheirPartOfTheWord) {
    const NoLoadStrings strings({"3:%d %d %d %d", "8:%d %d %d"});
    EXPECT_EQ(strings.text(3, 0xFF02FD80), "-1 2 -3 -128");
    EXPECT_EQ(strings.text(8, 1U << 21 | 0x7FEU << 10 | 0x3FD), "1 -2 -3"); // 10 bits
}

TEST(NoLoadStrings, SixteenAndMoreAreAliases) {
    const NoLoadStrings strings({"15:n %u"});
    EXPECT_TRUE(strings.has(31));
    EXPECT_FALSE(strings.has(14));
    EXPECT_EQ(strings.text(31, 7), "n 7");
}

TEST(NoLoadStrings, TheFirstOfAChannelCounts) {
    const NoLoadStrings strings({"4:first", "4:second"});
    EXPECT_EQ(strings.text(4, 0), "first");
}

TEST(NoLoadStrings, OtherStringsArePassedOver) {
    const NoLoadStrings strings({"GCC: (Debian 12.2.0) 12.2.0", "", ":x", "16:x", "-1:x", "1",
                                 "2:%s", "3:%d %d %d %d %d", "4:%", "5:%n", "6:%123456789d",
                                 "7:%*d", "8 :x"});
    for (unsigned channel = 0; channel < NoLoadStrings::kChannels; ++channel) {
        EXPECT_FALSE(strings.has(channel)) << channel;
    }
}

} // namespace
} // namespace pes::trace

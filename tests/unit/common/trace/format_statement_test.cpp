// SPDX-License-Identifier: Apache-2.0
#include "hw/common/trace/format_statement.h"

#include "hw/common/trace/message_packer.h"

#include <gtest/gtest.h>

#include <vector>

namespace pes::trace {
namespace {

TraceMessage ownership(std::uint64_t process) {
    return make_message(MessageCode::Ownership).set(Field::Process, process);
}

TEST(FormatStatement, IsAnOwnershipMessageOfFormatOneWithDialectAndWidth) {
    const TraceMessage message =
        format_statement({.dialect = TimestampDialect::NTrace, .bits = 40});
    EXPECT_EQ(message.code, MessageCode::Ownership);
    EXPECT_EQ(message.value(Field::Process), 0b10'0111'0101U); // 39, 1, 1
    const PackedMessage packed = pack_message(message, 0);
    // TCODE 2; 0x275 = 001001 110101, the low slice first.
    EXPECT_EQ((std::vector<std::uint8_t>(packed.view().begin(), packed.view().end())),
              (std::vector<std::uint8_t>{0x08, 0xD4, 0x27}));
}

TEST(FormatStatement, EveryFormatComesBack) {
    for (const TimestampDialect dialect : {TimestampDialect::SiFive, TimestampDialect::NTrace}) {
        for (unsigned bits = 1; bits <= kMostTimestampBits; ++bits) {
            const auto stated = stated_format(format_statement({.dialect = dialect, .bits = bits}));
            ASSERT_TRUE(stated);
            EXPECT_EQ(stated->dialect, dialect);
            EXPECT_EQ(stated->bits, bits);
        }
    }
}

TEST(FormatStatement, OtherMessagesStateNothing) {
    for (const std::uint64_t format : {0U, 2U, 3U}) {
        EXPECT_FALSE(stated_format(ownership(0x270 | format))) << format;
    }
    EXPECT_FALSE(stated_format(make_message(MessageCode::DirectBranch)));
}

TEST(FormatStatement, AnUnknownDialectOrMoreBitsStateNothing) {
    EXPECT_FALSE(stated_format(ownership(1 | 2U << 2)));
    EXPECT_FALSE(stated_format(ownership(1 | 3U << 2)));
    EXPECT_FALSE(stated_format(ownership(1 | 1U << 10)));
}

} // namespace
} // namespace pes::trace

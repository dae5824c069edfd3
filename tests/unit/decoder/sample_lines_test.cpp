// SPDX-License-Identifier: Apache-2.0
// Samples as lines of text.
#include "decoder/sample_lines.h"
#include "platform/host/user_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace pes {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

auto sample(Address pc, std::uint64_t period) {
    return testing::AllOf(Field(&SampleLine::pc, pc), Field(&SampleLine::period, period));
}

TEST(SampleLines, TakeTheFirstHexadecimalWordOfEachLineAndANumberBehindIt) {
    std::istringstream input("# perf script -F ip,sym\n\n    ffffffff80001234 do_sys_open+0x4\n"
                             "0x10062 10007\nhrtimer 80000010: 1\n10064\t0x5\n10066");
    EXPECT_THAT(read_sample_lines(input, "perf.txt"),
                ElementsAre(sample(0xffffffff80001234, 0), sample(0x10062, 10007),
                            sample(0x80000010, 1), sample(0x10064, 0), sample(0x10066, 0)));
}

TEST(SampleLines, ALineWithoutAnAddressIsNamedByItsNumber) {
    std::istringstream input("0x10\nno such word\n");
    try {
        read_sample_lines(input, "perf.txt");
        ADD_FAILURE();
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), HasSubstr("'perf.txt' line 2: expected a hexadecimal address"));
    }
}

TEST(SampleLines, AreRecordsOfTheirEvent) {
    for (const EventId& event : {EventId{CounterKind::Cycles, 0}, EventId{CounterKind::Instret, 0},
                                 EventId{CounterKind::Programmable, 5}}) {
        const SampleRecord record = record_of({.pc = 0x10062, .period = 7}, event);
        EXPECT_EQ(event_of(record), event);
        EXPECT_EQ(record.pc, 0x10062U);
        EXPECT_EQ(record.threshold, 7U);
        EXPECT_EQ(record.privilege, 0U);
    }
}

} // namespace
} // namespace pes

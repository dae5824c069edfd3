// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/outputs/truth_file.h"

#include <gmock/gmock.h>

#include <sstream>
#include <string>

namespace pes {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

std::vector<std::string> truth_lines(unsigned hart, const TruthTable& table,
                                     const TruthContexts& contexts = {}) {
    std::ostringstream out;
    write_truth(out, hart, table, contexts);
    return lines_of(out.str());
}

TEST(TruthFile, NamesEveryReasonAndEverySource) {
    const std::vector<std::string> lines = truth_lines(0, TruthTable());
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_THAT(lines[0], StartsWith("hart,privilege,satp,pc,count,cycles,cycles_base,"));
    EXPECT_THAT(lines[0],
                AllOf(HasSubstr(",cycles_idle,l1i-miss,l1d-miss,"), EndsWith(",pdis-dropped")));
}

TEST(TruthFile, HasALineForEachModeSpaceAndAddressInThisOrder) {
    TruthTable table;
    const std::uint32_t user =
        table.number_of({.privilege = Privilege::User, .satp = 0x8000'0000'0008'0001});
    const TruthRow machine = table.row(0, 0x8000'1000);
    const TruthRow later = table.row(user, 0xFFFF'FFFF'8000'0000);
    const TruthRow sooner = table.row(user, 0x8000'1000);
    table.row(user, 0x8000'2000); // nothing is charged to it
    constexpr std::uint16_t kBase = TruthTable::column_of(CycleReason::Base);
    constexpr std::uint16_t kIdle = TruthTable::column_of(CycleReason::Idle);
    table.add({machine, TruthTable::kRetired, 1}, 3);
    table.add({machine, kBase, 2}, 3);
    table.add({machine, kBase, -1}, 1);
    table.add({machine, kIdle, 20}, 1);
    table.add({later, kBase, 4}, 1);
    table.add({sooner, TruthTable::column_of(Event::L1IMiss), 1}, 7);
    const std::vector<std::string> lines = truth_lines(1, table);
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_THAT(lines[1], StartsWith("1,U,0x8000000000080001,0x80001000,0,0,0,"));
    EXPECT_THAT(lines[1], HasSubstr(",0,7,0,"));
    EXPECT_THAT(lines[2], StartsWith("1,U,0x8000000000080001,0xffffffff80000000,0,2,2,0,"));
    EXPECT_THAT(lines[3], StartsWith("1,M,0x0,0x80001000,3,12.5,2.5,0,0,0,0,0,0,0,0,0,0,0,10,0,"));
    const auto in_machine_mode = [](const TruthTable::Context& context) {
        return context.privilege == Privilege::Machine;
    };
    EXPECT_THAT(truth_lines(1, table, in_machine_mode), ElementsAre(lines[0], lines[3]));
}

} // namespace
} // namespace pes

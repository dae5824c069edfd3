// SPDX-License-Identifier: Apache-2.0
// Whose the charges of a Linux are.
#include "platform/exec/program_parts.h"

#include <gtest/gtest.h>

namespace pes {
namespace {

constexpr std::uint64_t kAgent = std::uint64_t{8} << 60 | 0x80001;
constexpr std::uint64_t kOtherProcess = std::uint64_t{8} << 60 | 0x80002;

TEST(ProgramParts, UserModeIsTheProgramsExceptInTheAgentsSpace) {
    EXPECT_EQ(part_of({Privilege::User, kOtherProcess}, kAgent), Part::Program);
    EXPECT_EQ(part_of({Privilege::User, kAgent}, kAgent), Part::Agent);
    EXPECT_EQ(part_of({Privilege::Supervisor, kAgent}, kAgent), Part::Kernel);
    EXPECT_EQ(part_of({Privilege::Supervisor, TruthTable::kEverySpace}, kAgent), Part::Kernel);
    EXPECT_EQ(part_of({Privilege::Machine, 0}, kAgent), Part::Firmware);
}

TEST(ProgramParts, CountsAreSumsOfRows) {
    TruthTable truth;
    const auto add = [&truth](Privilege mode, std::uint64_t satp, Address pc, std::uint64_t count) {
        const TruthRow row = truth.row(truth.number_of({mode, satp}), pc);
        truth.add({.row = row, .column = TruthTable::kRetired, .amount = 1}, count);
        truth.add({.row = row, .column = TruthTable::column_of(CycleReason::Base), .amount = 2},
                  count);
        truth.add({.row = row, .column = TruthTable::column_of(Event::Load), .amount = 1}, count);
    };
    add(Privilege::User, kOtherProcess, 0x10000, 5);
    add(Privilege::User, kOtherProcess, 0x10004, 7);
    add(Privilege::User, kAgent, 0x10000, 100);
    add(Privilege::Supervisor, TruthTable::kEverySpace, 0x10000, 1000);
    const PartOf in_the_agents_space = [](const TruthTable::Context& context) {
        return part_of(context, kAgent);
    };
    CountsByPart counts{};
    add_counts(counts, truth, in_the_agents_space);
    add_counts(counts, truth, in_the_agents_space); // of a second hart
    const PartCounts& program = counts[static_cast<std::size_t>(Part::Program)];
    EXPECT_EQ(program.retired, 24U);
    EXPECT_EQ(program.half_cycles, 48U);
    EXPECT_EQ(program.events[static_cast<std::size_t>(Event::Load)], 24U);
    EXPECT_EQ(counts[static_cast<std::size_t>(Part::Agent)].retired, 200U);
    EXPECT_EQ(counts[static_cast<std::size_t>(Part::Kernel)].retired, 2000U);
    EXPECT_EQ(counts[static_cast<std::size_t>(Part::Firmware)].retired, 0U);
    truth.forget_values();
    CountsByPart none{};
    add_counts(none, truth, in_the_agents_space);
    EXPECT_EQ(none[static_cast<std::size_t>(Part::Program)].retired, 0U);
}

} // namespace
} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Functions and lines of a cross-compiled program, judged by binutils' nm and addr2line.
#include "platform/program/symbolizer.h"

#include "decoder/compare/comparison.h"
#include "platform/host/demangle.h"
#include "platform/host/user_error.h"
#include "tests/unit/common/run_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

namespace pes {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

struct NmSymbol {
    Address value = 0;
    Address size = 0;
    std::string name;
};

/// Symbols of the code sections as `nm --print-size --demangle` lists them; size 0 if it has none.
std::vector<NmSymbol> nm(const std::string& program) {
    std::istringstream lines(test::run_command(NM " -S -C " + program).out);
    std::vector<NmSymbol> symbols;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        NmSymbol symbol;
        std::string word;
        words >> std::hex >> symbol.value >> word;
        if (word.size() > 1) {
            symbol.size = std::stoull(word, nullptr, 16);
            words >> word;
        }
        std::getline(words >> std::ws, symbol.name);
        if (word == "t" || word == "T") {
            symbols.push_back(symbol);
        }
    }
    return symbols;
}

NmSymbol nm_symbol(const std::string& program, const std::string& name) {
    for (const NmSymbol& symbol : nm(program)) {
        if (symbol.name == name) {
            return symbol;
        }
    }
    ADD_FAILURE() << "nm knows no " << name;
    return {};
}

std::string function_at(const Symbolizer& symbolizer, Address pc) {
    const Location location = symbolizer.find(pc);
    return location.function == nullptr ? "" : location.function->name;
}

TEST(Symbolizer, SizedSymbolsOwnExactlyTheBytesThatNmGivesThem) {
    const Symbolizer symbolizer(parse_program_files({GUEST_PROGRAM}));
    unsigned sized = 0;
    for (const NmSymbol& symbol : nm(GUEST_PROGRAM)) {
        for (Address pc = symbol.value; pc < symbol.value + symbol.size; pc += 2) {
            ASSERT_EQ(function_at(symbolizer, pc), symbol.name) << std::hex << pc;
        }
        sized += symbol.size != 0;
    }
    EXPECT_EQ(sized, 4u); // copy_words, sum_of_squares, Sorter::sort, main
}

TEST(Symbolizer, NamesAreDemangled) {
    const Symbolizer symbolizer(parse_program_files({GUEST_PROGRAM}));
    const NmSymbol sort = nm_symbol(GUEST_PROGRAM, "guest::Sorter::sort(long*, long)");
    EXPECT_EQ(function_at(symbolizer, sort.value), "guest::Sorter::sort(long*, long)");
}

TEST(Symbolizer, LabelWithoutSizeOwnsEverythingUpToTheNextSymbol) {
    const Symbolizer symbolizer(parse_program_files({GUEST_PROGRAM}));
    const Address start = nm_symbol(GUEST_PROGRAM, "_start").value;
    const Address park = nm_symbol(GUEST_PROGRAM, "park").value;
    const Address copy = nm_symbol(GUEST_PROGRAM, "copy_words").value;
    ASSERT_LT(start, park);
    ASSERT_LT(park, copy);
    EXPECT_EQ(function_at(symbolizer, start), "_start");
    EXPECT_EQ(function_at(symbolizer, park - 2), "_start");
    EXPECT_EQ(function_at(symbolizer, park), "park");
    EXPECT_EQ(function_at(symbolizer, copy - 2), "park");
}

TEST(Symbolizer, LabelInsideASizedFunctionDoesNotDivideIt) {
    const Symbolizer symbolizer(parse_program_files({GUEST_PROGRAM}));
    EXPECT_EQ(function_at(symbolizer, nm_symbol(GUEST_PROGRAM, "copy_loop").value), "copy_words");
}

TEST(Symbolizer, PaddingBehindASizedFunctionBelongsToNobody) {
    const Symbolizer symbolizer(parse_program_files({GUEST_PROGRAM}));
    const NmSymbol copy = nm_symbol(GUEST_PROGRAM, "copy_words");
    EXPECT_EQ(function_at(symbolizer, copy.value + copy.size - 2), "copy_words");
    EXPECT_EQ(function_at(symbolizer, copy.value + copy.size), "");
}

TEST(Symbolizer, AddressOutsideOfTheProgramHasNeitherFunctionNorLine) {
    const Symbolizer symbolizer(parse_program_files({GUEST_PROGRAM}));
    for (const Address pc : {Address{0}, Address{0x7FFFFFFE}, Address{0x90000000}, ~Address{1}}) {
        const Location location = symbolizer.find(pc);
        EXPECT_EQ(location.program, nullptr) << std::hex << pc;
        EXPECT_EQ(location.function, nullptr) << std::hex << pc;
        EXPECT_EQ(location.source.line, 0u) << std::hex << pc;
    }
}

TEST(Symbolizer, EveryInstructionHasTheLineThatAddr2lineGivesIt) {
    const Symbolizer symbolizer(parse_program_files({GUEST_PROGRAM}));
    std::vector<Address> addresses;
    std::ostringstream arguments;
    for (const NmSymbol& symbol : nm(GUEST_PROGRAM)) {
        for (Address pc = symbol.value; pc < symbol.value + symbol.size; pc += 2) {
            addresses.push_back(pc);
            arguments << " 0x" << std::hex << pc;
        }
    }
    std::istringstream answers(
        test::run_command(ADDR2LINE " -e " GUEST_PROGRAM + arguments.str()).out);
    ASSERT_GT(addresses.size(), 40u);
    for (const Address pc : addresses) {
        std::string answer;
        ASSERT_TRUE(std::getline(answers, answer));
        answer = answer.substr(0, answer.find(" (discriminator"));
        const SourceLine source = symbolizer.find(pc).source;
        EXPECT_EQ(source.file + ":" + std::to_string(source.line), answer) << std::hex << pc;
    }
}

TEST(Symbolizer, AssemblyHasLinesToo) {
    const Symbolizer symbolizer(parse_program_files({GUEST_PROGRAM}));
    const SourceLine source = symbolizer.find(nm_symbol(GUEST_PROGRAM, "park").value).source;
    EXPECT_THAT(source.file, EndsWith("guest/start.S"));
    EXPECT_EQ(source.line, 9u); // the wfi below the label
}

TEST(Symbolizer, FirstProgramThatKnowsTheAddressNamesIt) {
    const Address spin = nm_symbol(OTHER_PROGRAM, "other::spin(int)").value;
    const Symbolizer other_first(parse_program_files({OTHER_PROGRAM, GUEST_PROGRAM}));
    const Symbolizer guest_first(parse_program_files({GUEST_PROGRAM, OTHER_PROGRAM}));
    EXPECT_EQ(function_at(other_first, spin), "other::spin(int)");
    ASSERT_NE(guest_first.find(spin).function, nullptr);
    EXPECT_EQ(guest_first.find(spin).program, &guest_first.programs()[0]);
    EXPECT_NE(function_at(guest_first, spin), "other::spin(int)");
    // Beyond the end of the shorter program only the longer one answers, whatever the order.
    const Address main = nm_symbol(GUEST_PROGRAM, "main").value;
    EXPECT_EQ(function_at(other_first, main), "main");
}

TEST(Symbolizer, StrippedProgramKnowsNothingAndIsNoError) {
    const Symbolizer symbolizer(parse_program_files({STRIPPED_PROGRAM}));
    EXPECT_FALSE(symbolizer.programs()[0].has_functions());
    EXPECT_FALSE(symbolizer.programs()[0].has_lines());
    EXPECT_EQ(symbolizer.find(0x80000000).program, nullptr);
}

TEST(Symbolizer, WithoutAProgramEverythingIsOutside) {
    EXPECT_EQ(Symbolizer({}).find(0x80000000).function, nullptr);
}

TEST(Demangle, LeavesNamesOfOtherLanguagesAlone) {
    EXPECT_EQ(demangle("main"), "main");
    EXPECT_EQ(demangle("i"), "i"); // a mangled type, but not a mangled name
    EXPECT_EQ(demangle("_Z"), "_Z");
    EXPECT_EQ(demangle("_ZN3pes4sortEPii"), "pes::sort(int*, int)");
}

/// Samples and truth over the guest program's functions.
class Profile : public testing::Test {
  protected:
    Address sort_ = nm_symbol(GUEST_PROGRAM, "guest::Sorter::sort(long*, long)").value;
    Address sum_ = nm_symbol(GUEST_PROGRAM, "guest::sum_of_squares(long const*, long)").value;
    Address copy_ = nm_symbol(GUEST_PROGRAM, "copy_words").value;
    Symbolizer symbolizer_{parse_program_files({GUEST_PROGRAM})};
};

TEST_F(Profile, FunctionRowsAddUpTheirAddressesAndRankBySamples) {
    const auto rows = hot_spots({{copy_, {2, 200}},
                                 {sort_, {1, 100}},
                                 {sort_ + 4, {4, 400}},
                                 {0x10, {1, 100}},
                                 {0x20, {2, 200}}},
                                symbolizer_, GroupBy::Function);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].function, "guest::Sorter::sort(long*, long)");
    EXPECT_EQ(rows[0].tally.samples, 5u);
    EXPECT_EQ(rows[0].tally.events, 500u);
    EXPECT_DOUBLE_EQ(rows[0].share, 0.5);
    EXPECT_EQ(rows[0].address, sort_);
    EXPECT_EQ(rows[0].program, GUEST_PROGRAM);
    EXPECT_EQ(rows[1].function, ""); // 0x10 and 0x20 together
    EXPECT_EQ(rows[1].tally.samples, 3u);
    EXPECT_EQ(rows[1].program, "");
    EXPECT_EQ(rows[2].function, "copy_words");
}

TEST_F(Profile, EqualCountsAreInOrderOfAddress) {
    const auto rows = hot_spots({{0x30, {1, 1}}, {0x10, {1, 1}}, {0x20, {1, 1}}}, symbolizer_,
                                GroupBy::Instruction);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].address, 0x10u);
    EXPECT_EQ(rows[1].address, 0x20u);
    EXPECT_EQ(rows[2].address, 0x30u);
}

TEST_F(Profile, LineRowsAddUpAddressesOfOneLine) {
    // The copy loop is one instruction a line: its load is line 18 of start.S, its store line 19.
    const Address loop = nm_symbol(GUEST_PROGRAM, "copy_loop").value;
    const Location load = symbolizer_.find(loop);
    AddressTallies tallies{{loop, {3, 3}}};
    Address store = loop;
    while (symbolizer_.find(store).source.line == load.source.line) {
        store += 2;
    }
    tallies[store] = {1, 1};
    const auto rows = hot_spots(tallies, symbolizer_, GroupBy::Line);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_THAT(rows[0].file, EndsWith("guest/start.S"));
    EXPECT_EQ(rows[0].line, 18u);
    EXPECT_EQ(rows[0].tally.samples, 3u);
    EXPECT_EQ(rows[1].line, 19u);
    EXPECT_EQ(rows[1].function, "copy_words");
}

TEST_F(Profile, AddressRowsCarryTheOffsetInTheirFunction) {
    const auto rows = hot_spots({{sort_ + 6, {1, 1}}}, symbolizer_, GroupBy::Instruction);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].address, sort_ + 6);
    EXPECT_EQ(rows[0].offset, 6u);
}

Truth retired(AddressTallies counts) {
    Truth truth;
    truth.exact = std::move(counts);
    return truth;
}

TEST_F(Profile, ComparisonSetsBothRanksSideBySide) {
    const Comparison result =
        compare({CounterKind::Instret, 0}, {{sort_, {6, 6}}, {copy_, {3, 3}}, {0x10, {1, 1}}},
                retired({{sort_, {500, 0}}, {sum_, {400, 0}}, {copy_, {100, 0}}}), symbolizer_,
                GroupBy::Function);
    EXPECT_EQ(result.samples, 10u);
    EXPECT_EQ(result.exact, 1000u);
    ASSERT_EQ(result.rows.size(), 4u);
    EXPECT_EQ(result.rows[0].function, "guest::Sorter::sort(long*, long)");
    EXPECT_EQ(result.rows[0].exact_rank, 1u);
    EXPECT_EQ(result.rows[0].sampled_rank, 1u);
    EXPECT_DOUBLE_EQ(result.rows[0].exact_share, 0.5);
    EXPECT_DOUBLE_EQ(result.rows[0].sampled_share, 0.6);
    EXPECT_EQ(result.rows[1].exact_rank, 2u);
    EXPECT_EQ(result.rows[1].sampled_rank, 0u); // sum_of_squares was never sampled
    EXPECT_EQ(result.rows[2].function, "copy_words");
    EXPECT_EQ(result.rows[2].sampled_rank, 2u);
    EXPECT_EQ(result.rows[3].function, ""); // only sampled
    EXPECT_EQ(result.rows[3].exact_rank, 0u);
    EXPECT_EQ(result.common_top(1), 1u);
    EXPECT_EQ(result.common_top(2), 1u);
    EXPECT_EQ(result.common_top(3), 2u);
    EXPECT_NEAR(result.overlap, 0.5 + 0.1, 1e-12);
}

TEST_F(Profile, ComparisonByLineAndAddressTellsApartWhatTheFunctionJoins) {
    const AddressTallies exact{{copy_ + 2, {70, 0}}, {copy_ + 6, {30, 0}}};
    const AddressTallies sampled{{copy_ + 6, {5, 5}}, {copy_ + 10, {5, 5}}};
    const auto error = [&](GroupBy by) {
        return compare({CounterKind::Instret, 0}, sampled, retired(exact), symbolizer_, by)
            .error->error;
    };
    EXPECT_NEAR(error(GroupBy::Function), 0, 1e-12);
    EXPECT_NEAR(error(GroupBy::Block), 0, 1e-12); // the loop is one block
    EXPECT_NEAR(error(GroupBy::Line), 0.7, 1e-12);
    EXPECT_NEAR(error(GroupBy::Instruction), 0.7, 1e-12);
    const Comparison lines =
        compare({CounterKind::Instret, 0}, sampled, retired(exact), symbolizer_, GroupBy::Line);
    ASSERT_EQ(lines.rows.size(), 3u);
    EXPECT_EQ(lines.rows[0].line + 1, lines.rows[1].line);
    EXPECT_EQ(lines.rows[1].sampled_rank, 1u);
    EXPECT_EQ(lines.rows[1].address, copy_ + 6);
    EXPECT_EQ(lines.rows[2].exact_rank, 0u);
}

TEST_F(Profile, SamplesCountByTheEventsThatTheyStandFor) {
    const AddressTallies exact{{sort_, {900, 0}}, {copy_, {100, 0}}};
    const auto result = compare({CounterKind::Instret, 0}, {{sort_, {1, 90}}, {copy_, {9, 10}}},
                                retired(exact), symbolizer_, GroupBy::Function);
    EXPECT_EQ(result.samples, 10u);
    EXPECT_DOUBLE_EQ(result.rows[0].sampled_share, 0.9);
    EXPECT_EQ(result.rows[0].samples, 1u);
    EXPECT_EQ(result.rows[0].sampled_rank, 1u);
    EXPECT_NEAR(result.error->error, 0, 1e-12);
    // Those of other profilers stand for nothing: each counts as one.
    const auto plain = compare({CounterKind::Instret, 0}, {{sort_, {1, 0}}, {copy_, {9, 0}}},
                               retired(exact), symbolizer_, GroupBy::Function);
    EXPECT_NEAR(plain.error->error, 0.8, 1e-12);
}

TEST_F(Profile, BlockRowsBeginAtTheFirstInstructionOfTheBlock) {
    const auto rows = hot_spots({{copy_, {1, 1}}, {copy_ + 6, {2, 2}}, {copy_ + 10, {2, 2}}},
                                symbolizer_, GroupBy::Block);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].address, copy_ + 2);
    EXPECT_EQ(rows[0].offset, 2u);
    EXPECT_EQ(rows[0].function, "copy_words");
    EXPECT_EQ(rows[0].tally.samples, 4u);
    EXPECT_EQ(rows[1].address, copy_);
}

TEST_F(Profile, AnEmptySideHasNoError) {
    const Comparison result = compare({CounterKind::Instret, 0}, {}, retired({{sort_, {1, 0}}}),
                                      symbolizer_, GroupBy::Function);
    EXPECT_FALSE(result.error.has_value());
}

TEST_F(Profile, IdenticalDistributionsOverlapCompletely) {
    const AddressTallies half{{sort_, {5, 5}}, {copy_, {5, 5}}};
    const Comparison result =
        compare({CounterKind::Instret, 0}, half, retired(half), symbolizer_, GroupBy::Function);
    EXPECT_NEAR(result.overlap, 1.0, 1e-12);
    EXPECT_EQ(result.common_top(2), 2u);
    EXPECT_NEAR(result.error->error, 0, 1e-12);
    EXPECT_EQ(result.error->systematic(), 0);
}

} // namespace
} // namespace pes

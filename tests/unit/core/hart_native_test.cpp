// SPDX-License-Identifier: Apache-2.0
// Native code computes what the specification says: each instruction on integer registers, whether
// it has code of its own or calls its handler, on all pairs of edge values. Here the specification
// is a function of each instruction (native_operations.h).
#include "tests/unit/core/native_bench.h"
#include "tests/unit/core/native_operations.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace pes::test {
namespace {

using tables::extended;
using tables::i64;
using tables::kOp;
using tables::kOpImm;

constexpr Address kOperands = BareMachine::kData;
constexpr Address kRegisterResults = BareMachine::kRam + 0x2'0000;
// --- A loop over operands -----------------------------------------------------------------------

/// Pairs of operands: a few to get warm, then all edges against all edges, in any order.
std::vector<std::pair<U64, U64>> operands() {
    std::mt19937_64 random(1);
    std::vector<std::pair<U64, U64>> pairs;
    for (const U64 one : edge_values()) {
        for (const U64 other : edge_values()) {
            pairs.emplace_back(one, other);
        }
    }
    for (unsigned count = 0; count < 30; ++count) {
        pairs.emplace_back(random_value(random), random_value(random));
    }
    std::ranges::shuffle(pairs, random);
    for (unsigned count = 0; count < 6; ++count) {
        pairs.insert(pairs.begin(), {random_value(random), random_value(random)});
    }
    return pairs;
}

/// One use of an instruction: the words that leave its result in a0, and what that is for operands
/// in s3 and s4.
struct Use {
    std::vector<Word> words;
    std::function<U64(U64, U64)> result;
};

/// Applies every use to all operands and compares.
void expect_results(const std::vector<Use>& uses) {
    const auto pairs = operands();
    const auto prepare = [&](BareMachine& machine) {
        std::vector<Word> body{ld(s3, s0, 0), ld(s4, s0, 8), addi(s0, s0, 16)};
        for (std::size_t index = 0; index < uses.size(); ++index) {
            body.insert(body.end(), uses[index].words.begin(), uses[index].words.end());
            body.push_back(sd(a0, s1, static_cast<I32>(8 * index)));
        }
        body.push_back(addi(s1, s1, static_cast<I32>(8 * uses.size())));
        place_loop(machine, body, pairs.size());
        machine.set(s0, kOperands);
        machine.set(s1, kRegisterResults);
        for (std::size_t index = 0; index < pairs.size(); ++index) {
            machine.poke(kOperands + 16 * index, pairs[index].first);
            machine.poke(kOperands + 16 * index + 8, pairs[index].second);
        }
    };
    judge(prepare, [&](BareMachine& machine) {
        Address place = kRegisterResults;
        for (const auto& [one, other] : pairs) {
            for (std::size_t use = 0; use < uses.size(); ++use, place += 8) {
                ASSERT_EQ(machine.peek<U64>(place), uses[use].result(one, other))
                    << std::hex << "use " << use << " of " << one << ", " << other;
            }
        }
        EXPECT_EQ(machine.get(zero), 0U);
    });
}

class HartNativeOperations : public HartNative, public testing::WithParamInterface<Operation> {};

TEST_P(HartNativeOperations, GiveTheSpecifiedResultInAnyRegisters) {
    const Operation& op = GetParam();
    const auto f = op.result;
    expect_results({
        {{op.word(a0, s3, s4)}, f},
        {{addi(a0, s3, 0), op.word(a0, a0, s4)}, f},
        {{addi(a0, s4, 0), op.word(a0, s3, a0)}, f},
        {{op.word(a0, s3, s3)}, [f](U64 a, U64) { return f(a, a); }},
        {{addi(a0, s4, 0), op.word(a0, a0, a0)}, [f](U64, U64 b) { return f(b, b); }},
        {{op.word(a0, zero, s4)}, [f](U64, U64 b) { return f(0, b); }},
        {{op.word(a0, s3, zero)}, [f](U64 a, U64) { return f(a, 0); }},
        {{op.word(a0, zero, zero)}, [f](U64, U64) { return f(0, 0); }},
        {{op.word(zero, s3, s4), addi(a0, zero, 0)}, [](U64, U64) { return U64{0}; }},
    });
}

template <typename Row>
std::string name_of(const testing::TestParamInfo<Row>& row) {
    return row.param.name;
}

INSTANTIATE_TEST_SUITE_P(Each, HartNativeOperations, testing::ValuesIn(operations()),
                         name_of<Operation>);

// --- Instructions in any order ------------------------------------------------------------------

/// Some instructions on three registers. They begin with both operands and the operands' sum; a0
/// ends as a mixture of all three.
class Sequence {
  public:
    Sequence(std::mt19937_64& random, std::size_t length) {
        words_ = {addi(a0, s3, 0), addi(a1, s4, 0), add(a2, s3, s4)};
        for (std::size_t count = 0; count < length; ++count) {
            add_one(random);
        }
        words_.insert(words_.end(), {add(a1, a1, a1), add(a0, a0, a1), add(a2, a2, a2),
                                     add(a2, a2, a2), add(a0, a0, a2)});
    }

    Use use() const {
        return {words_, [steps = steps_](U64 one, U64 other) {
                    Values x{one, other, one + other};
                    for (const Step& step : steps) {
                        step(x, {one, other});
                    }
                    return x[0] + 2 * x[1] + 4 * x[2];
                }};
    }

  private:
    using Values = std::array<U64, 3>;
    using Step = std::function<void(Values&, std::pair<U64, U64>)>;

    /// An operation, mostly on what has just been computed, a change of a register, or a load.
    void add_one(std::mt19937_64& random) {
        const auto reg = [](std::size_t number) {
            return static_cast<Reg>(static_cast<unsigned>(a0) + number);
        };
        const std::size_t d = random() % 3;
        const std::size_t s = random() % 2 == 0 ? last_ : random() % 3;
        const std::size_t t = random() % 4 == 0 ? last_ : random() % 3;
        last_ = d;
        switch (random() % 6) {
        case 0:
            words_.push_back(ld(reg(d), s0, -16)); // the loop has gone on to the next pair
            steps_.emplace_back([d](Values& x, std::pair<U64, U64> pair) { x[d] = pair.first; });
            break;
        case 1:
            words_.push_back(addi(reg(d), reg(d), 77));
            steps_.emplace_back([d](Values& x, std::pair<U64, U64>) { x[d] += 77; });
            break;
        default: {
            const Operation& op = operations()[random() % operations().size()];
            words_.push_back(op.word(reg(d), reg(s), reg(t)));
            steps_.emplace_back(
                [f = op.result, d, s, t](Values& x, std::pair<U64, U64>) { x[d] = f(x[s], x[t]); });
        }
        }
    }

    std::vector<Word> words_;
    std::vector<Step> steps_;
    std::size_t last_ = 0;
};

TEST_F(HartNative, ResultsGoFromOneInstructionToTheNext) {
    std::mt19937_64 random(3);
    for (unsigned round = 0; round < 8; ++round) {
        std::vector<Use> uses;
        for (std::size_t length = 1; length <= 20; ++length) {
            uses.push_back(Sequence(random, length).use());
        }
        expect_results(uses);
    }
}

// --- Instructions with an immediate -------------------------------------------------------------

class HartNativeImmediates : public HartNative, public testing::WithParamInterface<Immediate> {};

TEST_P(HartNativeImmediates, GiveTheSpecifiedResultInAnyRegisters) {
    const Immediate& op = GetParam();
    std::vector<I32> values{0, 1, -1, 2047, -2048, 42};
    if (op.shift_bits == kNoImmediate) {
        values = {0};
    } else if (op.shift_bits != 0) {
        values = {0, 1, 17, 31};
        if (op.shift_bits == 6) {
            values.insert(values.end(), {32, 33, 63});
        }
    }
    std::vector<Use> uses;
    for (const I32 i : values) {
        const auto f = [result = op.result, i](U64 a) { return result(a, i); };
        uses.push_back({{op.word(a0, s3, i)}, [f](U64 a, U64) { return f(a); }});
        uses.push_back({{addi(a0, s3, 0), op.word(a0, a0, i)}, [f](U64 a, U64) { return f(a); }});
        uses.push_back({{op.word(a0, zero, i)}, [f](U64, U64) { return f(0); }});
        uses.push_back({{op.word(zero, s3, i), add(a0, zero, s3)}, [](U64 a, U64) { return a; }});
    }
    expect_results(uses);
}

INSTANTIATE_TEST_SUITE_P(Each, HartNativeImmediates, testing::ValuesIn(immediates()),
                         name_of<Immediate>);

TEST_F(HartNative, LuiAndAuipcExtendTheirUpperBits) {
    std::vector<Use> uses;
    for (const Word upper : {0U, 1U, 0x7'FFFFU, 0x8'0000U, 0xF'FFFFU, 0x1'2345U}) {
        const U64 value = extended(upper << 12);
        uses.push_back({{lui(a0, upper)}, [value](U64, U64) { return value; }});
        // the difference of two is that of their places
        uses.push_back({{auipc(a0, upper), auipc(a1, 0), sub(a0, a0, a1)},
                        [value](U64, U64) { return value - 4; }});
        uses.push_back({{lui(zero, upper), auipc(zero, upper), addi(a0, zero, 0)},
                        [](U64, U64) { return U64{0}; }});
    }
    uses.push_back({{auipc(a0, 0)}, [at = BareMachine::kCode](U64, U64) {
                        constexpr Address kBefore = 3 + 6 * (2 + 4 + 4);
                        return at + 4 * kBefore;
                    }});
    expect_results(uses);
}

// --- Branches -----------------------------------------------------------------------------------

struct Branch {
    const char* name;
    Word funct3;
    bool (*taken)(U64 a, U64 b);
};

constexpr std::array kBranches{
    Branch{"beq", 0, [](U64 a, U64 b) { return a == b; }},
    Branch{"bne", 1, [](U64 a, U64 b) { return a != b; }},
    Branch{"blt", 4, [](U64 a, U64 b) { return i64(a) < i64(b); }},
    Branch{"bge", 5, [](U64 a, U64 b) { return i64(a) >= i64(b); }},
    Branch{"bltu", 6, [](U64 a, U64 b) { return a < b; }},
    Branch{"bgeu", 7, [](U64 a, U64 b) { return a >= b; }},
};

class HartNativeBranches : public HartNative, public testing::WithParamInterface<Branch> {};

/// Of each the result is 1 if it was taken; forwards, backwards and to the next instruction.
TEST_P(HartNativeBranches, GoWhereTheSpecificationSays) {
    const Branch& branch = GetParam();
    const auto taken = [&branch](Reg one, Reg other) {
        return std::vector<Word>{addi(a0, zero, 1), b_type(branch.funct3, one, other, 8),
                                 addi(a0, zero, 0)};
    };
    const auto f = [is = branch.taken](U64 a, U64 b) -> U64 { return is(a, b) ? 1 : 0; };
    expect_results({
        {taken(s3, s4), f},
        {taken(s3, s3), [f](U64 a, U64) { return f(a, a); }},
        {taken(zero, s4), [f](U64, U64 b) { return f(0, b); }},
        {taken(s3, zero), [f](U64 a, U64) { return f(a, 0); }},
        {taken(zero, zero), [f](U64, U64) { return f(0, 0); }},
        {{addi(a0, zero, 0), j(12), addi(a0, zero, 1), j(12), b_type(branch.funct3, s3, s4, -8),
          kNop},
         f},
        {{addi(a0, s3, 0), b_type(branch.funct3, s3, s4, 4), addi(a0, a0, 1)},
         [](U64 a, U64) { return a + 1; }},
    });
}

INSTANTIATE_TEST_SUITE_P(Each, HartNativeBranches, testing::ValuesIn(kBranches), name_of<Branch>);

// --- Jumps and compressed instructions ----------------------------------------------------------

/// Two of 2 bytes.
constexpr Word both(Word first, Word second) {
    return second << 16 | first;
}
constexpr Word kCompressed = kCompressedNop;

/// c.beqz and c.bnez of s0 to a5, c.j: offsets from 2 to 30.
constexpr Word c_branch(bool if_zero, Reg rs1, Word distance) {
    return (if_zero ? 0xC001U : 0xE001U) | Word{rs1 & 7U} << 7 | (distance >> 3 & 3) << 10 |
           (distance >> 1 & 3) << 3;
}
constexpr Word c_j(Word distance) {
    return 0xA001 | (distance >> 1 & 7) << 3 | (distance >> 4 & 1) << 11;
}
constexpr Word c_jr(Reg rs1) {
    return 0x8002 | Word{rs1} << 7;
}
constexpr Word c_jalr(Reg rs1) {
    return 0x9002 | Word{rs1} << 7;
}
constexpr Word c_li(Reg rd, Word value) {
    return 0x4001 | Word{rd} << 7 | value << 2;
}
constexpr Word c_mv(Reg rd, Reg rs2) {
    return 0x8002 | Word{rd} << 7 | Word{rs2} << 2;
}

TEST_F(HartNative, CompressedBranchesGoWhereTheSpecificationSays) {
    const auto taken = [](bool if_zero) {
        return std::vector<Word>{both(c_mv(a1, s3), c_li(a0, 1)),
                                 both(c_branch(if_zero, a1, 4), c_li(a0, 0))};
    };
    expect_results({
        {taken(true), [](U64 a, U64) -> U64 { return a == 0 ? 1 : 0; }},
        {taken(false), [](U64 a, U64) -> U64 { return a != 0 ? 1 : 0; }},
        // to the next instruction
        {{both(c_mv(a1, s3), c_mv(a0, s3)), both(c_branch(true, a1, 2), c_branch(false, a1, 2))},
         [](U64 a, U64) { return a; }},
        {{both(c_li(a0, 1), c_j(6)), both(c_li(a0, 0), c_li(a0, 0)),
          both(kCompressed, kCompressed)},
         [](U64, U64) { return U64{1}; }},
    });
}

/// The target is an address in the code from auipc; the result is the link relative to it.
TEST_F(HartNative, JumpsLinkAndClearBitZero) {
    const auto returns = [](U64 value) { return [value](U64, U64) { return value; }; };
    expect_results({
        // jal
        {{auipc(a1, 0), jal(a0, 8), addi(a0, a0, 64), sub(a0, a0, a1)}, returns(8)},
        {{addi(a0, zero, 7), jal(zero, 8), addi(a0, zero, 1)}, returns(7)},
        // jalr, with an odd target and with rd == rs1
        {{auipc(a1, 0), jalr(a0, a1, 13), addi(a0, a0, 64), sub(a0, a0, a1)}, returns(8)},
        {{auipc(a0, 0), addi(a1, a0, 0), jalr(a0, a0, 16), addi(a0, a0, 64), sub(a0, a0, a1)},
         returns(12)},
        {{auipc(a1, 0), addi(a1, a1, 2047), addi(a1, a1, 25), addi(a0, zero, 5),
          jalr(zero, a1, -2048), addi(a0, zero, 1)},
         returns(5)},
        {{auipc(a1, 0), addi(a1, a1, 13), both(c_jalr(a1), c_li(ra, 0)), sub(a0, ra, a1)},
         returns(static_cast<U64>(-3))},
        {{auipc(a1, 0), addi(a1, a1, 14), both(c_li(a0, 1), c_jr(a1)),
          both(c_li(a0, 0), c_mv(a0, a0))},
         returns(1)},
    });
}

} // namespace
} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
// Native code computes what the specification says: each instruction of RV64IM, whether it has code
// of its own or calls its handler, on all pairs of edge values. Here the specification is a
// function of each instruction, written for this test.
#include "tests/unit/core/native_bench.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace pes::test {
namespace {

using U64 = std::uint64_t;
using I64 = std::int64_t;
using U32 = std::uint32_t;
using I32 = std::int32_t;
__extension__ using I128 = __int128; // not ISO C++, hence the marker
__extension__ using U128 = unsigned __int128;

constexpr Address kOperands = BareMachine::kData;
constexpr Address kRegisterResults = BareMachine::kRam + 0x2'0000;
constexpr I64 kMinimum = std::numeric_limits<I64>::min();
constexpr I32 kWordMinimum = std::numeric_limits<I32>::min();

I64 i64(U64 value) {
    return static_cast<I64>(value);
}
I32 i32(U64 value) {
    return static_cast<I32>(value);
}
U32 u32(U64 value) {
    return static_cast<U32>(value);
}
/// A 32-bit result sign-extends.
U64 extended(U32 value) {
    return static_cast<U64>(I64{static_cast<I32>(value)});
}
U64 quotient(U64 a, U64 b) {
    return b == 0                               ? ~U64{0}
           : i64(a) == kMinimum && i64(b) == -1 ? a
                                                : static_cast<U64>(i64(a) / i64(b));
}
U64 rest(U64 a, U64 b) {
    return b == 0 ? a : i64(a) == kMinimum && i64(b) == -1 ? 0 : static_cast<U64>(i64(a) % i64(b));
}
U64 word_quotient(U64 a, U64 b) {
    const bool overflow = i32(a) == kWordMinimum && i32(b) == -1;
    return i32(b) == 0 ? ~U64{0} : overflow ? extended(u32(a)) : static_cast<U64>(i32(a) / i32(b));
}
U64 word_rest(U64 a, U64 b) {
    const bool overflow = i32(a) == kWordMinimum && i32(b) == -1;
    return i32(b) == 0 ? extended(u32(a)) : overflow ? 0 : static_cast<U64>(i32(a) % i32(b));
}

// --- Instructions with two sources --------------------------------------------------------------

struct Operation {
    const char* name;
    Word opcode, funct3, funct7;
    U64 (*result)(U64 a, U64 b);

    Word word(Reg rd, Reg rs1, Reg rs2) const {
        return r_type(opcode, funct3, funct7, rd, rs1, rs2);
    }
};

constexpr Word kOp = 0x33, kOp32 = 0x3B;

constexpr std::array kOperations{
    Operation{"add", kOp, 0, 0, [](U64 a, U64 b) { return a + b; }},
    Operation{"sub", kOp, 0, 0x20, [](U64 a, U64 b) { return a - b; }},
    Operation{"sll", kOp, 1, 0, [](U64 a, U64 b) { return a << b % 64; }},
    Operation{"slt", kOp, 2, 0, [](U64 a, U64 b) -> U64 { return i64(a) < i64(b) ? 1 : 0; }},
    Operation{"sltu", kOp, 3, 0, [](U64 a, U64 b) -> U64 { return a < b ? 1 : 0; }},
    Operation{"xor", kOp, 4, 0, [](U64 a, U64 b) { return a ^ b; }},
    Operation{"srl", kOp, 5, 0, [](U64 a, U64 b) { return a >> b % 64; }},
    Operation{"sra", kOp, 5, 0x20, [](U64 a, U64 b) { return static_cast<U64>(i64(a) >> b % 64); }},
    Operation{"or", kOp, 6, 0, [](U64 a, U64 b) { return a | b; }},
    Operation{"and", kOp, 7, 0, [](U64 a, U64 b) { return a & b; }},
    Operation{"addw", kOp32, 0, 0, [](U64 a, U64 b) { return extended(u32(a) + u32(b)); }},
    Operation{"subw", kOp32, 0, 0x20, [](U64 a, U64 b) { return extended(u32(a) - u32(b)); }},
    Operation{"sllw", kOp32, 1, 0, [](U64 a, U64 b) { return extended(u32(a) << b % 32); }},
    Operation{"srlw", kOp32, 5, 0, [](U64 a, U64 b) { return extended(u32(a) >> b % 32); }},
    Operation{"sraw", kOp32, 5, 0x20,
              [](U64 a, U64 b) { return static_cast<U64>(I64{i32(a) >> b % 32}); }},
    Operation{"mul", kOp, 0, 1, [](U64 a, U64 b) { return a * b; }},
    Operation{"mulh", kOp, 1, 1,
              [](U64 a, U64 b) { return static_cast<U64>(I128{i64(a)} * i64(b) >> 64); }},
    Operation{"mulhsu", kOp, 2, 1,
              [](U64 a, U64 b) { return static_cast<U64>(I128{i64(a)} * I128{b} >> 64); }},
    Operation{"mulhu", kOp, 3, 1, [](U64 a, U64 b) { return static_cast<U64>(U128{a} * b >> 64); }},
    Operation{"div", kOp, 4, 1, quotient},
    Operation{"divu", kOp, 5, 1, [](U64 a, U64 b) { return b == 0 ? ~U64{0} : a / b; }},
    Operation{"rem", kOp, 6, 1, rest},
    Operation{"remu", kOp, 7, 1, [](U64 a, U64 b) { return b == 0 ? a : a % b; }},
    Operation{"mulw", kOp32, 0, 1, [](U64 a, U64 b) { return extended(u32(a) * u32(b)); }},
    Operation{"divw", kOp32, 4, 1, word_quotient},
    Operation{"divuw", kOp32, 5, 1,
              [](U64 a, U64 b) { return u32(b) == 0 ? ~U64{0} : extended(u32(a) / u32(b)); }},
    Operation{"remw", kOp32, 6, 1, word_rest},
    Operation{"remuw", kOp32, 7, 1,
              [](U64 a, U64 b) { return extended(u32(b) == 0 ? u32(a) : u32(a) % u32(b)); }},
};

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

INSTANTIATE_TEST_SUITE_P(Each, HartNativeOperations, testing::ValuesIn(kOperations),
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
            const Operation& op = kOperations[random() % kOperations.size()];
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

struct Immediate {
    const char* name;
    Word opcode, funct3;
    Word more;           ///< bits of the immediate that belong to the code
    unsigned shift_bits; ///< of a shift amount; 0: any immediate
    U64 (*result)(U64 a, I64 immediate);

    Word word(Reg rd, Reg rs1, I32 imm) const {
        return i_type(opcode, funct3, rd, rs1, static_cast<I32>(more) | imm);
    }
};

constexpr Word kOpImm = 0x13, kOpImm32 = 0x1B;

constexpr std::array kImmediates{
    Immediate{"addi", kOpImm, 0, 0, 0, [](U64 a, I64 i) { return a + static_cast<U64>(i); }},
    Immediate{"slti", kOpImm, 2, 0, 0, [](U64 a, I64 i) -> U64 { return i64(a) < i ? 1 : 0; }},
    Immediate{"sltiu", kOpImm, 3, 0, 0,
              [](U64 a, I64 i) -> U64 { return a < static_cast<U64>(i) ? 1 : 0; }},
    Immediate{"xori", kOpImm, 4, 0, 0, [](U64 a, I64 i) { return a ^ static_cast<U64>(i); }},
    Immediate{"ori", kOpImm, 6, 0, 0, [](U64 a, I64 i) { return a | static_cast<U64>(i); }},
    Immediate{"andi", kOpImm, 7, 0, 0, [](U64 a, I64 i) { return a & static_cast<U64>(i); }},
    Immediate{"addiw", kOpImm32, 0, 0, 0,
              [](U64 a, I64 i) { return extended(u32(a + static_cast<U64>(i))); }},
    Immediate{"slli", kOpImm, 1, 0, 6, [](U64 a, I64 i) { return a << i; }},
    Immediate{"srli", kOpImm, 5, 0, 6, [](U64 a, I64 i) { return a >> i; }},
    Immediate{"srai", kOpImm, 5, 0x400, 6,
              [](U64 a, I64 i) { return static_cast<U64>(i64(a) >> i); }},
    Immediate{"slliw", kOpImm32, 1, 0, 5, [](U64 a, I64 i) { return extended(u32(a) << i); }},
    Immediate{"srliw", kOpImm32, 5, 0, 5, [](U64 a, I64 i) { return extended(u32(a) >> i); }},
    Immediate{"sraiw", kOpImm32, 5, 0x400, 5,
              [](U64 a, I64 i) { return static_cast<U64>(I64{i32(a) >> i}); }},
};

class HartNativeImmediates : public HartNative, public testing::WithParamInterface<Immediate> {};

TEST_P(HartNativeImmediates, GiveTheSpecifiedResultInAnyRegisters) {
    const Immediate& op = GetParam();
    std::vector<I32> values{0, 1, -1, 2047, -2048, 42};
    if (op.shift_bits != 0) {
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

INSTANTIATE_TEST_SUITE_P(Each, HartNativeImmediates, testing::ValuesIn(kImmediates),
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

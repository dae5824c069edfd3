// SPDX-License-Identifier: Apache-2.0
// AES by Zkne and Zknd against the example of FIPS 197, appendix B: the key schedule, ten rounds
// there, and ten rounds back.
#include "tests/unit/core/native_bench.h"

#include <array>

namespace pes::test {
namespace {

constexpr Reg kKeyLow = s2, kKeyHigh = s3, kLow = s4, kHigh = s5, kFirst = a0, kSecond = a1;
constexpr unsigned kRounds = 10;
constexpr Address kKeys = BareMachine::kData, kBlocks = BareMachine::kData + 0x400;

constexpr Word kOp = 0x33;
Word encrypt(Reg rd, Reg rs1, Reg rs2, bool last) {
    return r_type(kOp, 0, last ? 0x19 : 0x1B, rd, rs1, rs2);
}
Word decrypt(Reg rd, Reg rs1, Reg rs2, bool last) {
    return r_type(kOp, 0, last ? 0x1D : 0x1F, rd, rs1, rs2);
}
Word key_step_1(Reg rd, Reg rs1, unsigned round) {
    return i_type(0x13, 1, rd, rs1, static_cast<std::int32_t>(0x310 | round));
}
Word key_step_2(Reg rd, Reg rs1, Reg rs2) {
    return r_type(kOp, 0, 0x3F, rd, rs1, rs2);
}
Word inverse_mix(Reg rd, Reg rs1) {
    return i_type(0x13, 1, rd, rs1, 0x300);
}
Word exclusive_or(Reg rd, Reg rs1, Reg rs2) {
    return r_type(kOp, 4, 0, rd, rs1, rs2);
}

void append(std::vector<Word>& to, std::initializer_list<Word> words) {
    to.insert(to.end(), words);
}
void add_key(std::vector<Word>& to) {
    append(to, {exclusive_or(kLow, kLow, kKeyLow), exclusive_or(kHigh, kHigh, kKeyHigh)});
}

/// The block at kBlocks to the one behind it, the keys of all rounds to kKeys.
std::vector<Word> encryption() {
    std::vector<Word> words{ld(kLow, s1, 0), ld(kHigh, s1, 8), ld(kKeyLow, s0, 0),
                            ld(kKeyHigh, s0, 8)};
    add_key(words);
    for (unsigned round = 0; round != kRounds; ++round) {
        append(words, {key_step_1(kFirst, kKeyHigh, round), key_step_2(kKeyLow, kFirst, kKeyLow),
                       key_step_2(kKeyHigh, kKeyLow, kKeyHigh)});
        const auto place = static_cast<std::int32_t>(16 * (round + 1));
        append(words, {sd(kKeyLow, s0, place), sd(kKeyHigh, s0, place + 8)});
        const bool last = round + 1 == kRounds;
        append(words, {encrypt(kFirst, kLow, kHigh, last), encrypt(kSecond, kHigh, kLow, last),
                       addi(kLow, kFirst, 0), addi(kHigh, kSecond, 0)});
        add_key(words);
    }
    append(words, {sd(kLow, s1, 16), sd(kHigh, s1, 24)});
    return words;
}

/// From the second block to the third, by the equivalent inverse cipher.
std::vector<Word> decryption() {
    std::vector<Word> words;
    for (unsigned round = kRounds + 1; round != 0; --round) {
        const auto place = static_cast<std::int32_t>(16 * (round - 1));
        append(words, {ld(kKeyLow, s0, place), ld(kKeyHigh, s0, place + 8)});
        if (round <= kRounds) {
            const bool last = round == 1;
            append(words, {decrypt(kFirst, kLow, kHigh, last), decrypt(kSecond, kHigh, kLow, last),
                           addi(kLow, kFirst, 0), addi(kHigh, kSecond, 0)});
            if (!last) {
                append(words, {inverse_mix(kKeyLow, kKeyLow), inverse_mix(kKeyHigh, kKeyHigh)});
            }
        }
        add_key(words);
    }
    append(words, {sd(kLow, s1, 32), sd(kHigh, s1, 40)});
    return words;
}

using Block = std::array<std::uint8_t, 16>;
constexpr Block kKey{0x2B, 0x7E, 0x15, 0x16, 0x28, 0xAE, 0xD2, 0xA6,
                     0xAB, 0xF7, 0x15, 0x88, 0x09, 0xCF, 0x4F, 0x3C};
constexpr Block kPlain{0x32, 0x43, 0xF6, 0xA8, 0x88, 0x5A, 0x30, 0x8D,
                       0x31, 0x31, 0x98, 0xA2, 0xE0, 0x37, 0x07, 0x34};
constexpr Block kCipher{0x39, 0x25, 0x84, 0x1D, 0x02, 0xDC, 0x09, 0xFB,
                        0xDC, 0x11, 0x85, 0x97, 0x19, 0x6A, 0x0B, 0x32};
constexpr Block kLastKey{0xD0, 0x14, 0xF9, 0xA8, 0xC9, 0xEE, 0x25, 0x89,
                         0xE1, 0x3F, 0x0C, 0xC8, 0xB6, 0x63, 0x0C, 0xA6};

void poke(BareMachine& machine, Address at, const Block& block) {
    for (const std::uint8_t byte : block) {
        machine.poke(at++, byte);
    }
}
Block peek(BareMachine& machine, Address at) {
    Block block{};
    for (std::uint8_t& byte : block) {
        byte = machine.peek<std::uint8_t>(at++);
    }
    return block;
}

TEST_F(HartNative, AesEncryptsAndDecryptsTheExampleOfItsStandard) {
    std::vector<Word> body = encryption();
    const std::vector<Word> back = decryption();
    body.insert(body.end(), back.begin(), back.end());
    const auto prepare = [&](BareMachine& machine) {
        place_loop(machine, body, 60);
        machine.set(s0, kKeys);
        machine.set(s1, kBlocks);
        poke(machine, kKeys, kKey);
        poke(machine, kBlocks, kPlain);
    };
    judge(prepare, [](BareMachine& machine) {
        EXPECT_EQ(peek(machine, kKeys + Address{16} * kRounds), kLastKey);
        EXPECT_EQ(peek(machine, kBlocks + 16), kCipher);
        EXPECT_EQ(peek(machine, kBlocks + 32), kPlain);
    });
}

} // namespace
} // namespace pes::test

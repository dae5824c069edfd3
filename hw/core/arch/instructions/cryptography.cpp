// SPDX-License-Identifier: Apache-2.0
// Zknd, Zkne and Zknh for 64 bits: a round of AES on one half of the state, its key schedule, and
// the functions of SHA-2. [Scalar cryptography, FIPS 197, FIPS 180-4]
#include "hw/core/arch/instructions/operations.h"

#include <array>
#include <bit>
#include <span>
#include <string_view>

namespace pes {

namespace operations::cryptography {

namespace {

using enum IsaExtension;
using Byte = std::uint8_t;

// --- AES ----------------------------------------------------------------------------------------

enum class Direction : std::uint8_t { Encrypt, Decrypt };

/// Product in the field of 2^8 elements, modulo x^8 + x^4 + x^3 + x + 1.
constexpr Byte times(Byte a, Byte b) {
    constexpr unsigned kReduction = 0x1B;
    unsigned product = 0;
    for (unsigned shifted = a; b != 0; b = static_cast<Byte>(b >> 1)) {
        product ^= (b & 1) != 0 ? shifted : 0;
        shifted = (shifted << 1 & 0xFF) ^ ((shifted & 0x80) != 0 ? kReduction : 0);
    }
    return static_cast<Byte>(product);
}

constexpr Byte inverse(Byte a) { // a^254, and 0 of 0
    Byte power = 1;
    for (unsigned count = 0; count != 254; ++count) {
        power = times(power, a);
    }
    return power;
}

using Substitution = std::array<Byte, 256>;
constexpr Substitution kEncrypting = [] {
    Substitution box{};
    for (unsigned value = 0; value != box.size(); ++value) {
        const Byte of = inverse(static_cast<Byte>(value));
        unsigned sum = 0x63;
        for (const int by : {0, 1, 2, 3, 4}) {
            sum ^= std::rotl(of, by);
        }
        box[value] = static_cast<Byte>(sum);
    }
    return box;
}();
constexpr Substitution kDecrypting = [] {
    Substitution box{};
    for (unsigned value = 0; value != box.size(); ++value) {
        box[kEncrypting[value]] = static_cast<Byte>(value);
    }
    return box;
}();

constexpr Byte byte_of(U64 value, unsigned number) {
    return static_cast<Byte>(value >> (8 * number));
}

template <Direction Way>
constexpr U64 substitute(U64 value) {
    U64 result = 0;
    for (unsigned number = 0; number != 8; ++number) {
        const Byte from = byte_of(value, number);
        result |= U64{Way == Direction::Encrypt ? kEncrypting[from] : kDecrypting[from]}
                  << (8 * number);
    }
    return result;
}

/// The low half of the state behind ShiftRows: row r of the four columns turns by r.
template <Direction Way>
constexpr U64 shift_rows(U64 low, U64 high) {
    U64 result = 0;
    for (unsigned number = 0; number != 8; ++number) {
        const unsigned row = number % 4;
        const unsigned turned = number / 4 + (Way == Direction::Encrypt ? row : 4 - row);
        const unsigned from = row + 4 * (turned % 4);
        result |= U64{from < 8 ? byte_of(low, from) : byte_of(high, from - 8)} << (8 * number);
    }
    return result;
}

/// Both columns of a half, each times the polynomial of MixColumns.
template <Direction Way>
constexpr U64 mix_columns(U64 half) {
    constexpr std::array<Byte, 4> kFactors = Way == Direction::Encrypt
                                                 ? std::array<Byte, 4>{2, 3, 1, 1}
                                                 : std::array<Byte, 4>{14, 11, 13, 9};
    U64 result = 0;
    for (unsigned number = 0; number != 8; ++number) {
        const unsigned row = number % 4;
        const unsigned column = number - row;
        unsigned sum = 0;
        for (unsigned from = 0; from != 4; ++from) {
            sum ^= times(byte_of(half, column + from), kFactors[(from + 4 - row) % 4]);
        }
        result |= U64{sum} << (8 * number);
    }
    return result;
}

template <Direction Way>
constexpr U64 last_round(U64 low, U64 high) {
    return substitute<Way>(shift_rows<Way>(low, high));
}
template <Direction Way>
constexpr U64 middle_round(U64 low, U64 high) {
    return mix_columns<Way>(last_round<Way>(low, high));
}

constexpr U64 twice(U32 value) {
    return U64{value} << 32 | value;
}
/// `number` of a round, 0..10; 10 neither turns nor has a constant.
constexpr U64 key_schedule_1(U64 key, U64 immediate) {
    constexpr std::array<Byte, 11> kConstants{1, 2, 4, 8, 16, 32, 64, 128, 0x1B, 0x36, 0};
    constexpr unsigned kLast = 10;
    const unsigned number = immediate & 0xF;
    const U32 upper = static_cast<U32>(key >> 32);
    const U32 turned = number == kLast ? upper : std::rotr(upper, 8);
    return twice(static_cast<U32>(substitute<Direction::Encrypt>(turned)) ^ kConstants[number]);
}
constexpr U64 key_schedule_2(U64 one, U64 other) {
    const U64 low = (one >> 32) ^ (other & 0xFFFF'FFFF);
    return (low ^ other >> 32) << 32 | low;
}

// --- SHA-2 --------------------------------------------------------------------------------------

/// The exclusive or of three rotations, or of two and a shift.
template <typename T, unsigned First, unsigned Second, unsigned Third>
constexpr U64 sum(U64 value) {
    const auto of = static_cast<T>(value);
    return sign_extended<T>(std::rotr(of, First) ^ std::rotr(of, Second) ^ std::rotr(of, Third));
}
template <typename T, unsigned First, unsigned Second, unsigned Shift>
constexpr U64 sigma(U64 value) {
    const auto of = static_cast<T>(value);
    return sign_extended<T>(std::rotr(of, First) ^ std::rotr(of, Second) ^ of >> Shift);
}

constexpr IsaSet kKeys{Zknd, Zkne};
constexpr auto kEncrypt = Direction::Encrypt;
constexpr auto kDecrypt = Direction::Decrypt;

/// The numbers of rounds that `mask` leaves open.
constexpr InstructionRow key_schedule_row(U32 numbers, U32 mask) {
    return of(kKeys, row("aes64ks1i",
                         {op_imm(1).match | (0x310 | numbers) << 20, op_imm(1).mask | (0xFF0 | mask)
                                                                                          << 20},
                         Format::I, TimingClass::Alu, immediate<key_schedule_1>));
}

// clang-format off
constexpr std::array kRows{
    of(Zkne, alu("aes64es", op(0x19, 0), binary<last_round<kEncrypt>>)),
    of(Zkne, alu("aes64esm", op(0x1B, 0), binary<middle_round<kEncrypt>>)),
    of(Zknd, alu("aes64ds", op(0x1D, 0), binary<last_round<kDecrypt>>)),
    of(Zknd, alu("aes64dsm", op(0x1F, 0), binary<middle_round<kDecrypt>>)),
    of(Zknd, alu_one("aes64im", op_imm(1), 0x300, of_one<mix_columns<kDecrypt>>)),
    key_schedule_row(0x0, 0x8), key_schedule_row(0x8, 0xE), key_schedule_row(0xA, 0xF),
    of(kKeys, alu("aes64ks2", op(0x3F, 0), binary<key_schedule_2>)),

    of(Zknh, alu_one("sha256sum0", op_imm(1), 0x100, of_one<sum<U32, 2, 13, 22>>)),
    of(Zknh, alu_one("sha256sum1", op_imm(1), 0x101, of_one<sum<U32, 6, 11, 25>>)),
    of(Zknh, alu_one("sha256sig0", op_imm(1), 0x102, of_one<sigma<U32, 7, 18, 3>>)),
    of(Zknh, alu_one("sha256sig1", op_imm(1), 0x103, of_one<sigma<U32, 17, 19, 10>>)),
    of(Zknh, alu_one("sha512sum0", op_imm(1), 0x104, of_one<sum<U64, 28, 34, 39>>)),
    of(Zknh, alu_one("sha512sum1", op_imm(1), 0x105, of_one<sum<U64, 14, 18, 41>>)),
    of(Zknh, alu_one("sha512sig0", op_imm(1), 0x106, of_one<sigma<U64, 1, 8, 7>>)),
    of(Zknh, alu_one("sha512sig1", op_imm(1), 0x107, of_one<sigma<U64, 19, 61, 6>>)),
};
// clang-format on

} // namespace

} // namespace operations::cryptography

std::span<const InstructionRow> cryptography_rows() {
    return operations::cryptography::kRows;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Add, multiply, divide, square root and fused multiply-add. Each handles NaN, infinity and zero
// first, then computes a 64-bit significand whose bit 0 is the OR of everything below it, and
// leaves rounding to round_pack().
#include "hw/core/arch/float/soft.h"
#include "hw/core/arch/float/soft_round.h"

#include <utility>

namespace pes::fp::soft {
namespace {

/// A term of a sum: significand * 2^exponent, scaled alike for both terms. The leading one is one
/// below the top bit of Word, which leaves room for a carry.
template <class Word>
struct Term {
    bool negative;
    int exponent;
    Word significand;
};

/// IEEE 754 section 6.3: an exact zero sum is +0, except -0 when rounding down.
template <FloatBits Bits>
Bits cancelled(Rounding rounding) {
    return signed_zero<Bits>(rounding == Rounding::Down);
}

/// The sum of two zeros.
template <FloatBits Bits>
Bits add_zeros(bool a_negative, bool b_negative, Rounding rounding) {
    return a_negative == b_negative ? signed_zero<Bits>(a_negative) : cancelled<Bits>(rounding);
}

int leading_zeros(std::uint64_t value) {
    return std::countl_zero(value);
}

int leading_zeros(Uint128 value) {
    const auto high = static_cast<std::uint64_t>(value >> 64);
    return high != 0 ? std::countl_zero(high)
                     : 64 + std::countl_zero(static_cast<std::uint64_t>(value));
}

/// The words hold at least two bits more than any significand needs: whenever the shift of the
/// smaller term loses bits, the sum loses at most one leading bit, so jamming stays exact enough.
template <FloatBits Bits, class Word>
Bits add_terms(Term<Word> large, Term<Word> small, Rounding rounding, Flags& flags) {
    if (large.exponent < small.exponent ||
        (large.exponent == small.exponent && large.significand < small.significand)) {
        std::swap(large, small);
    }
    const Word aligned = shift_right_jam(small.significand, large.exponent - small.exponent);
    Word sum = large.negative == small.negative ? large.significand + aligned
                                                : large.significand - aligned;
    if (sum == 0) {
        return cancelled<Bits>(rounding);
    }
    const int shift = leading_zeros(sum);
    sum <<= shift;
    std::uint64_t significand = 0;
    if constexpr (sizeof(Word) == sizeof(Uint128)) {
        significand = high_half_jam(sum);
    } else {
        significand = sum;
    }
    // A leading one that stays one below the top bit leaves the exponent as it was.
    return round_pack<Bits>({large.negative, large.exponent + 1 - shift, significand}, rounding,
                            flags);
}

struct Product {
    bool negative;
    int exponent;
    Uint128 significand; ///< 1.xxx with the leading one at bit 126, exact
};

/// Both significands end in zeros (at least 11 each), so the shift by one loses nothing.
Product multiply_exactly(const Unpacked& a, const Unpacked& b) {
    Uint128 significand = Uint128{a.significand} * b.significand;
    int exponent = a.exponent + b.exponent;
    if ((significand >> 127) != 0) {
        significand >>= 1;
        ++exponent;
    }
    return {a.negative != b.negative, exponent, significand};
}

template <FloatBits Bits>
Bits round_product(const Product& product, Rounding rounding, Flags& flags) {
    return round_pack<Bits>(
        {product.negative, product.exponent, high_half_jam(product.significand << 1)}, rounding,
        flags);
}

/// Digit-by-digit square root; returns the floor and leaves the remainder in `radicand`.
template <class Word>
Word integer_square_root(Word& radicand) {
    Word root = 0;
    for (Word bit = Word{1} << (sizeof(Word) * CHAR_BIT - 2); bit != 0; bit >>= 2) {
        const Word trial = root + bit;
        root >>= 1;
        if (radicand >= trial) {
            radicand -= trial;
            root += bit;
        }
    }
    return root;
}

} // namespace

template <FloatBits Bits>
Bits add(Bits a, Bits b, Rounding rounding, Flags& flags) {
    if (is_nan(a) || is_nan(b)) {
        return propagate_nan(flags, a, b);
    }
    if (is_infinity(a)) {
        const bool opposite = is_infinity(b) && is_negative(a) != is_negative(b);
        return opposite ? invalid_operation<Bits>(flags) : a;
    }
    if (is_infinity(b)) {
        return b;
    }
    if (is_zero(a)) {
        return is_zero(b) ? add_zeros<Bits>(is_negative(a), is_negative(b), rounding) : b;
    }
    if (is_zero(b)) {
        return a;
    }
    const Unpacked x = unpack(a);
    const Unpacked y = unpack(b);
    using Word = std::uint64_t;
    return add_terms<Bits>(Term<Word>{x.negative, x.exponent, x.significand >> 1},
                           Term<Word>{y.negative, y.exponent, y.significand >> 1}, rounding, flags);
}

template <FloatBits Bits>
Bits mul(Bits a, Bits b, Rounding rounding, Flags& flags) {
    if (is_nan(a) || is_nan(b)) {
        return propagate_nan(flags, a, b);
    }
    const bool negative = is_negative(a) != is_negative(b);
    if (is_infinity(a) || is_infinity(b)) {
        return is_zero(a) || is_zero(b) ? invalid_operation<Bits>(flags)
                                        : signed_infinity<Bits>(negative);
    }
    if (is_zero(a) || is_zero(b)) {
        return signed_zero<Bits>(negative);
    }
    return round_product<Bits>(multiply_exactly(unpack(a), unpack(b)), rounding, flags);
}

template <FloatBits Bits>
Bits div(Bits a, Bits b, Rounding rounding, Flags& flags) {
    if (is_nan(a) || is_nan(b)) {
        return propagate_nan(flags, a, b);
    }
    const bool negative = is_negative(a) != is_negative(b);
    if (is_infinity(a)) {
        return is_infinity(b) ? invalid_operation<Bits>(flags) : signed_infinity<Bits>(negative);
    }
    if (is_infinity(b)) {
        return signed_zero<Bits>(negative);
    }
    if (is_zero(b)) {
        if (is_zero(a)) {
            return invalid_operation<Bits>(flags);
        }
        flags |= kDivideByZero;
        return signed_infinity<Bits>(negative);
    }
    if (is_zero(a)) {
        return signed_zero<Bits>(negative);
    }
    const Unpacked x = unpack(a);
    const Unpacked y = unpack(b);
    // Scale the dividend so that the quotient has exactly 64 bits.
    const int scale = x.significand < y.significand ? 64 : 63;
    const Uint128 dividend = Uint128{x.significand} << scale;
    const auto quotient = static_cast<std::uint64_t>(dividend / y.significand);
    const bool exact = Uint128{quotient} * y.significand == dividend;
    return round_pack<Bits>(
        {negative, x.exponent - y.exponent + 63 - scale, quotient | (exact ? 0 : 1)}, rounding,
        flags);
}

template <FloatBits Bits>
Bits sqrt(Bits a, Rounding rounding, Flags& flags) {
    if (is_nan(a)) {
        return propagate_nan(flags, a);
    }
    if (is_zero(a)) {
        return a;
    }
    if (is_negative(a)) {
        return invalid_operation<Bits>(flags);
    }
    if (is_infinity(a)) {
        return a;
    }
    // A root of half the word's length, with its top bit set, holds the format plus a guard bit.
    using Word = std::conditional_t<sizeof(Bits) == 4, std::uint64_t, Uint128>;
    constexpr int kWordBits = sizeof(Word) * CHAR_BIT;
    const Unpacked x = unpack(a);
    const int odd = x.exponent & 1;
    Word radicand = (Word{x.significand} << (kWordBits - 64)) >> (1 - odd);
    const Word root = integer_square_root(radicand);
    const auto significand = static_cast<std::uint64_t>(root) << (64 - kWordBits / 2);
    return round_pack<Bits>({false, (x.exponent - odd) / 2, significand | (radicand != 0 ? 1 : 0)},
                            rounding, flags);
}

template <FloatBits Bits>
Bits fma(Bits a, Bits b, Bits c, Rounding rounding, Flags& flags) {
    const bool product_zero = is_zero(a) || is_zero(b);
    const bool product_infinite = is_infinity(a) || is_infinity(b);
    // IEEE 754 leaves (infinity * 0) + quiet NaN open; RISC-V requires NV.
    if (product_infinite && product_zero) {
        return invalid_operation<Bits>(flags);
    }
    if (is_nan(a) || is_nan(b) || is_nan(c)) {
        return propagate_nan(flags, a, b, c);
    }
    const bool negative = is_negative(a) != is_negative(b);
    if (product_infinite) {
        const bool opposite = is_infinity(c) && is_negative(c) != negative;
        return opposite ? invalid_operation<Bits>(flags) : signed_infinity<Bits>(negative);
    }
    if (is_infinity(c)) {
        return c;
    }
    if (product_zero) {
        return is_zero(c) ? add_zeros<Bits>(negative, is_negative(c), rounding) : c;
    }
    const Product product = multiply_exactly(unpack(a), unpack(b));
    if (is_zero(c)) {
        return round_product<Bits>(product, rounding, flags);
    }
    const Unpacked z = unpack(c);
    return add_terms<Bits>(Term<Uint128>{product.negative, product.exponent, product.significand},
                           Term<Uint128>{z.negative, z.exponent, Uint128{z.significand} << 63},
                           rounding, flags);
}

template std::uint32_t add(std::uint32_t, std::uint32_t, Rounding, Flags&);
template std::uint64_t add(std::uint64_t, std::uint64_t, Rounding, Flags&);
template std::uint32_t mul(std::uint32_t, std::uint32_t, Rounding, Flags&);
template std::uint64_t mul(std::uint64_t, std::uint64_t, Rounding, Flags&);
template std::uint32_t div(std::uint32_t, std::uint32_t, Rounding, Flags&);
template std::uint64_t div(std::uint64_t, std::uint64_t, Rounding, Flags&);
template std::uint32_t sqrt(std::uint32_t, Rounding, Flags&);
template std::uint64_t sqrt(std::uint64_t, Rounding, Flags&);
template std::uint32_t fma(std::uint32_t, std::uint32_t, std::uint32_t, Rounding, Flags&);
template std::uint64_t fma(std::uint64_t, std::uint64_t, std::uint64_t, Rounding, Flags&);

} // namespace pes::fp::soft

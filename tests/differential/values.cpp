// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/values.h"

namespace pes::differential {
namespace {

constexpr std::uint64_t kIntegers[] = {
    0,
    1,
    2,
    ~std::uint64_t{0},
    ~std::uint64_t{1},
    0x7FFF'FFFF,
    0x8000'0000,
    0xFFFF'FFFF,
    0x1'0000'0000,
    0xFFFF'FFFF'8000'0000,
    0xFFFF'FFFF'7FFF'FFFF,
    0x7FFF'FFFF'FFFF'FFFF,
    0x8000'0000'0000'0000,
    0x8000'0000'0000'0001,
    0x5555'5555'5555'5555,
    0xAAAA'AAAA'AAAA'AAAA,
    0x0000'0000'7FFF'FF80, // largest that is exact in single precision
    0x7FFF'FFFF'FFFF'FC00, // largest that is exact in double precision
    0x0020'0000'0000'0001, // 2^53 + 1: the first integer that double rounds
    0x0000'0000'0100'0001, // 2^24 + 1: the first that single rounds
};

// One half, one, two, their neighbours, limits of the formats, conversions' limits, specials.
constexpr std::uint32_t kSingles[] = {
    0x0000'0000, 0x8000'0000, 0x0000'0001, 0x8000'0001, 0x007F'FFFF, 0x807F'FFFF, 0x0080'0000,
    0x8080'0000, 0x0080'0001, 0x7F7F'FFFF, 0xFF7F'FFFF, 0x7F80'0000, 0xFF80'0000, 0x7FC0'0000,
    0xFFC0'0000, 0x7F80'0001, 0xFFA5'5A5A, 0x7FFF'FFFF, 0x3F80'0000, 0xBF80'0000, 0x3F00'0000,
    0x3F7F'FFFF, 0x3F80'0001, 0x4000'0000, 0x3FC0'0000, 0xBFC0'0000, 0x4020'0000, 0x4B00'0000,
    0x4B80'0001, 0x4EFF'FFFF, 0x4F00'0000, 0xCF00'0000, 0xCF00'0001, 0x4F7F'FFFF, 0x4F80'0000,
    0x5EFF'FFFF, 0x5F00'0000, 0xDF00'0000, 0x5F7F'FFFF, 0x5F80'0000, 0x2000'0000, 0x5F00'0001,
};

constexpr std::uint64_t kDoubles[] = {
    0x0000'0000'0000'0000, 0x8000'0000'0000'0000, 0x0000'0000'0000'0001, 0x8000'0000'0000'0001,
    0x000F'FFFF'FFFF'FFFF, 0x800F'FFFF'FFFF'FFFF, 0x0010'0000'0000'0000, 0x8010'0000'0000'0000,
    0x0010'0000'0000'0001, 0x7FEF'FFFF'FFFF'FFFF, 0xFFEF'FFFF'FFFF'FFFF, 0x7FF0'0000'0000'0000,
    0xFFF0'0000'0000'0000, 0x7FF8'0000'0000'0000, 0xFFF8'0000'0000'0000, 0x7FF0'0000'0000'0001,
    0xFFF4'5A5A'5A5A'5A5A, 0x7FFF'FFFF'FFFF'FFFF, 0x3FF0'0000'0000'0000, 0xBFF0'0000'0000'0000,
    0x3FE0'0000'0000'0000, 0xBFE0'0000'0000'0000, 0x3FEF'FFFF'FFFF'FFFF, 0x3FF0'0000'0000'0001,
    0x3FF8'0000'0000'0000, 0xBFF8'0000'0000'0000, 0x4004'0000'0000'0000, 0x4330'0000'0000'0001,
    0x4340'0000'0000'0001, 0x41DF'FFFF'FFC0'0000, 0x41E0'0000'0000'0000, 0xC1E0'0000'0000'0000,
    0xC1E0'0000'0020'0000, 0x41EF'FFFF'FFE0'0000, 0x41F0'0000'0000'0000, 0x43DF'FFFF'FFFF'FFFF,
    0x43E0'0000'0000'0000, 0xC3E0'0000'0000'0000, 0xC3E0'0000'0000'0001, 0x43EF'FFFF'FFFF'FFFF,
    0x43F0'0000'0000'0000, 0x36A0'0000'0000'0000, // smallest single subnormal
    0x3690'0000'0000'0000,                        // half of it: a tie
    0x3800'0000'0000'0000,                        // near the smallest normal single
    0x380F'FFFF'F000'0000,                        // rounds up to a normal single: tininess
    0x47EF'FFFF'E000'0000,                        // largest single
    0x47EF'FFFF'F000'0000,                        // halfway beyond it
};

// One of every kind: pairs and triples of these decide which rule for NaN and infinity comes first.
constexpr std::uint32_t kSingleKinds[] = {0x0000'0000, 0x8000'0000, 0x7F80'0000, 0xFF80'0000,
                                          0x7FC0'0000, 0x7F80'0001, 0x3F80'0000, 0xBF80'0000};
constexpr std::uint64_t kDoubleKinds[] = {
    0x0000'0000'0000'0000, 0x8000'0000'0000'0000, 0x7FF0'0000'0000'0000, 0xFFF0'0000'0000'0000,
    0x7FF8'0000'0000'0000, 0x7FF0'0000'0000'0001, 0x3FF0'0000'0000'0000, 0xBFF0'0000'0000'0000};

constexpr std::uint64_t kBox = 0xFFFF'FFFF'0000'0000;

std::uint32_t single_value(Random& random) {
    switch (random.below(4)) {
    case 0:
        return random.pick(kSingleKinds);
    case 1:
        return random.pick(kSingles);
    case 2: { // near one another in exponent, so that sums cancel and products stay finite
        const auto exponent = static_cast<std::uint32_t>(random.between(120, 134));
        return static_cast<std::uint32_t>(random.bits() & 0x807F'FFFF) | exponent << 23;
    }
    default:
        return static_cast<std::uint32_t>(random.bits());
    }
}

std::uint64_t double_value(Random& random) {
    switch (random.below(4)) {
    case 0:
        return random.pick(kDoubleKinds);
    case 1:
        return random.pick(kDoubles);
    case 2: {
        const auto exponent = static_cast<std::uint64_t>(random.between(1016, 1030));
        return (random.bits() & 0x800F'FFFF'FFFF'FFFF) | exponent << 52;
    }
    default:
        return random.bits();
    }
}

} // namespace

std::uint64_t integer_value(Random& random) {
    switch (random.below(6)) {
    case 0:
    case 1:
        return random.pick(kIntegers);
    case 2: { // a power of two and its neighbours, either sign
        const std::uint64_t power = std::uint64_t{1} << random.below(64);
        const std::uint64_t value = power + static_cast<std::uint64_t>(random.between(-1, 1));
        return random.one_in(2) ? value : 0 - value;
    }
    case 3:
        return static_cast<std::uint64_t>(random.between(-64, 64));
    case 4: // a sign-extended word
        return static_cast<std::uint64_t>(
            static_cast<std::int64_t>(static_cast<std::int32_t>(random.bits())));
    default:
        return random.bits();
    }
}

std::uint64_t float_value(Random& random) {
    switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
        return kBox | single_value(random);
    case 3: // a single whose box is damaged in one bit, or is missing
        return single_value(random) |
               (random.one_in(2) ? kBox & ~(std::uint64_t{1} << random.between(32, 63)) : 0);
    default:
        return double_value(random);
    }
}

int immediate(Random& random) {
    constexpr int kEdges[] = {0, 1, -1, 2047, -2048, 31, 32, 63};
    return random.one_in(3) ? random.pick(kEdges) : static_cast<int>(random.between(-2048, 2047));
}

} // namespace pes::differential

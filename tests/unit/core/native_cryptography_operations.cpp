// SPDX-License-Identifier: Apache-2.0
// Zknh as FIPS 180-4 defines its functions, and Zknd and Zkne by what FIPS 197 says of them: the
// inverse cipher undoes the cipher. Known answers are in hart_cryptography_test.cpp.
#include "tests/unit/core/native_operations.h"

#include <bit>

namespace pes::test::tables {
namespace {

U64 word_sum(U64 value, int one, int two, int three) {
    const U32 a = u32(value);
    return extended(std::rotr(a, one) ^ std::rotr(a, two) ^ std::rotr(a, three));
}
U64 word_sigma(U64 value, int one, int two, int shift) {
    const U32 a = u32(value);
    return extended(std::rotr(a, one) ^ std::rotr(a, two) ^ a >> shift);
}
U64 sum(U64 a, int one, int two, int three) {
    return std::rotr(a, one) ^ std::rotr(a, two) ^ std::rotr(a, three);
}
U64 sigma(U64 a, int one, int two, int shift) {
    return std::rotr(a, one) ^ std::rotr(a, two) ^ a >> shift;
}
U64 key_schedule_2(U64 a, U64 b) {
    const U32 low = u32(a >> 32) ^ u32(b);
    return U64{low ^ u32(b >> 32)} << 32 | low;
}

} // namespace

void add_cryptography(std::vector<Operation>& to) {
    to.push_back({"aes64ks2", kOp, 0, 0x3F, key_schedule_2});
}

// clang-format off
void add_cryptography(std::vector<Immediate>& to) {
    to.insert(to.end(), {
        {"sha256sum0", kOpImm, 1, 0x100, kNoImmediate, [](U64 a, I64) { return word_sum(a, 2, 13, 22); }},
        {"sha256sum1", kOpImm, 1, 0x101, kNoImmediate, [](U64 a, I64) { return word_sum(a, 6, 11, 25); }},
        {"sha256sig0", kOpImm, 1, 0x102, kNoImmediate, [](U64 a, I64) { return word_sigma(a, 7, 18, 3); }},
        {"sha256sig1", kOpImm, 1, 0x103, kNoImmediate, [](U64 a, I64) { return word_sigma(a, 17, 19, 10); }},
        {"sha512sum0", kOpImm, 1, 0x104, kNoImmediate, [](U64 a, I64) { return sum(a, 28, 34, 39); }},
        {"sha512sum1", kOpImm, 1, 0x105, kNoImmediate, [](U64 a, I64) { return sum(a, 14, 18, 41); }},
        {"sha512sig0", kOpImm, 1, 0x106, kNoImmediate, [](U64 a, I64) { return sigma(a, 1, 8, 7); }},
        {"sha512sig1", kOpImm, 1, 0x107, kNoImmediate, [](U64 a, I64) { return sigma(a, 19, 61, 6); }},
    });
}
// clang-format on

} // namespace pes::test::tables

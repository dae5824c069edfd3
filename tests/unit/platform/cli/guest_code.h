// SPDX-License-Identifier: Apache-2.0
// Just enough of an assembler for guests of a few instructions (unprivileged specification,
// chapter 2 and table of opcodes).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

namespace pes::test {

constexpr unsigned kZero = 0, kA0 = 10, kA1 = 11, kA2 = 12;

constexpr std::uint32_t lui(unsigned rd, std::uint32_t upper20) {
    return upper20 << 12 | rd << 7 | 0x37;
}
constexpr std::uint32_t auipc(unsigned rd, std::uint32_t upper20) {
    return upper20 << 12 | rd << 7 | 0x17;
}
constexpr std::uint32_t addi(unsigned rd, unsigned rs1, std::int32_t imm) {
    return static_cast<std::uint32_t>(imm) << 20 | rs1 << 15 | rd << 7 | 0x13;
}
constexpr std::uint32_t store(unsigned width, unsigned rs2, unsigned rs1, std::int32_t imm) {
    const auto bits = static_cast<std::uint32_t>(imm);
    return (bits >> 5 & 0x7F) << 25 | rs2 << 20 | rs1 << 15 | width << 12 | (bits & 0x1F) << 7 |
           0x23;
}
constexpr std::uint32_t sb(unsigned rs2, unsigned rs1, std::int32_t imm) {
    return store(0, rs2, rs1, imm);
}
constexpr std::uint32_t sw(unsigned rs2, unsigned rs1, std::int32_t imm) {
    return store(2, rs2, rs1, imm);
}
constexpr std::uint32_t sd(unsigned rs2, unsigned rs1, std::int32_t imm) {
    return store(3, rs2, rs1, imm);
}
/// bne rs1, rs2, with a distance in bytes, -4096..4094.
constexpr std::uint32_t bne(unsigned rs1, unsigned rs2, std::int32_t distance) {
    const auto bits = static_cast<std::uint32_t>(distance);
    return (bits >> 12 & 1) << 31 | (bits >> 5 & 0x3F) << 25 | rs2 << 20 | rs1 << 15 | 1U << 12 |
           (bits >> 1 & 0xF) << 8 | (bits >> 11 & 1) << 7 | 0x63;
}
constexpr std::uint32_t jr(unsigned rs1) {
    return rs1 << 15 | 0x67;
}
constexpr std::uint32_t csrw(unsigned csr, unsigned rs1) {
    return csr << 20 | rs1 << 15 | 1U << 12 | 0x73;
}
constexpr std::uint32_t kJumpToSelf = 0x0000'006F; // jal x0, 0
constexpr std::uint32_t kWfi = 0x1050'0073;

inline std::string code(std::initializer_list<std::uint32_t> words) {
    std::string bytes;
    for (const std::uint32_t word : words) {
        for (unsigned shift = 0; shift < 32; shift += 8) {
            bytes += static_cast<char>(word >> shift & 0xFF);
        }
    }
    return bytes;
}

/// Ends the run through the finisher at 0x0010'0000.
inline std::string exit_code(std::uint32_t value) {
    return code({lui(kA0, 0x100), lui(kA1, value << 4 | 0x3), addi(kA1, kA1, 0x333),
                 sw(kA1, kA0, 0), kJumpToSelf});
}

} // namespace pes::test

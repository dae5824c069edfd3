// SPDX-License-Identifier: Apache-2.0
// Numbers and opcodes as the two tables "Control Transfer Type Definitions" of Smctr have them;
// words as the GNU assembler makes them.
#include "hw/interface/riscv/transfer_type.h"

#include <gtest/gtest.h>

namespace pes {
namespace {

struct TransferCase {
    const char* text;
    std::uint32_t raw;
    unsigned type;
};

constexpr TransferCase kTransferCases[] = {
    {"jalr ra,0(a0)", 0x000500e7, 8},
    {"jalr t0,0(a0)", 0x000502e7, 8},
    {"jalr ra,0(ra)", 0x000080e7, 8}, // rs1 != x5
    {"jalr t0,0(t0)", 0x000282e7, 8}, // rs1 != x1
    {"c.jalr ra", 0x9082, 8},
    {"c.jalr a5", 0x9782, 8},
    {"jal ra,.+2048", 0x001000ef, 9},
    {"jal t0,.-1048576", 0x800002ef, 9},
    {"jalr zero,0(a0)", 0x00050067, 10},
    {"c.jr a0", 0x8502, 10},
    {"jal zero,.+1048574", 0x7ffff06f, 11},
    {"c.j .+2046", 0xaffd, 11},
    {"jalr ra,0(t0)", 0x000280e7, 12},
    {"jalr t0,0(ra)", 0x000082e7, 12},
    {"c.jalr t0", 0x9282, 12},
    {"jalr zero,0(ra)", 0x00008067, 13},
    {"jalr zero,4(t0)", 0x00428067, 13},
    {"jalr a0,0(ra)", 0x00008567, 13},
    {"c.jr ra", 0x8082, 13},
    {"c.jr t0", 0x8282, 13},
    {"jalr a0,0(a1)", 0x00058567, 14},
    {"jal a0,.+2", 0x0020056f, 15},
    {"mret", 0x30200073, 3},
    {"sret", 0x10200073, 3},
    {"ecall", 0x00000073, 0},
    {"add a0,a0,a1", 0x00b50533, 0},
};

TEST(TransferType, FollowsTheTables) {
    for (const TransferCase& one : kTransferCases) {
        for (const bool taken : {false, true}) {
            EXPECT_EQ(static_cast<unsigned>(transfer_type(classify_flow(one.raw), taken)), one.type)
                << one.text;
        }
    }
    for (const std::uint32_t branch : {0x00b50863U, 0xcd7dU}) { // beq, c.beqz
        EXPECT_EQ(static_cast<unsigned>(transfer_type(classify_flow(branch), false)), 4U);
        EXPECT_EQ(static_cast<unsigned>(transfer_type(classify_flow(branch), true)), 5U);
    }
    EXPECT_EQ(static_cast<unsigned>(TransferType::Exception), 1U);
    EXPECT_EQ(static_cast<unsigned>(TransferType::Interrupt), 2U);
}

} // namespace
} // namespace pes

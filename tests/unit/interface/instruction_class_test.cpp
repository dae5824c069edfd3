// SPDX-License-Identifier: Apache-2.0
// Words as the GNU assembler makes them; call and return as the table of return-address-stack hints
// in the unprivileged specification says.
#include "hw/interface/riscv/instruction_class.h"

#include <gtest/gtest.h>

namespace pes {
namespace {

constexpr InstructionFlow branch(std::uint8_t length, std::int32_t offset) {
    return {.kind = FlowKind::Branch, .length = length, .offset = offset};
}
/// With linkage wherever it pushes, and as `links` says otherwise.
constexpr bool pushes(LinkUse link) {
    return link == LinkUse::Call || link == LinkUse::ReturnAndCall;
}
constexpr InstructionFlow jump(std::uint8_t length, std::int32_t offset,
                               LinkUse link = LinkUse::None, bool links = false) {
    return {.kind = FlowKind::DirectJump,
            .link = link,
            .length = length,
            .links = links || pushes(link),
            .offset = offset};
}
constexpr InstructionFlow indirect(std::uint8_t length, LinkUse link = LinkUse::None,
                                   bool links = false) {
    return {.kind = FlowKind::IndirectJump,
            .link = link,
            .length = length,
            .links = links || pushes(link)};
}
constexpr InstructionFlow trap_return() {
    return {.kind = FlowKind::TrapReturn, .length = 4};
}
constexpr InstructionFlow sequential(std::uint8_t length) {
    return {.kind = FlowKind::Sequential, .length = length};
}

struct Case {
    const char* text;
    std::uint32_t raw;
    InstructionFlow flow;
};

constexpr Case kCases[] = {
    {"beq a0,a1,.+16", 0x00b50863, branch(4, 16)},
    {"bgeu s0,t0,.-4096", 0x80547063, branch(4, -4096)},
    {"bne a0,zero,.+4094", 0x7e051fe3, branch(4, 4094)},
    {"blt a0,a1,.-2", 0xfeb54fe3, branch(4, -2)},
    {"jal ra,.+2048", 0x001000ef, jump(4, 2048, LinkUse::Call)},
    {"jal t0,.-1048576", 0x800002ef, jump(4, -1048576, LinkUse::Call)},
    {"jal zero,.+1048574", 0x7ffff06f, jump(4, 1048574)},
    {"jal a0,.+2", 0x0020056f, jump(4, 2, LinkUse::None, true)},
    {"jalr zero,0(ra)", 0x00008067, indirect(4, LinkUse::Return)},
    {"jalr zero,4(t0)", 0x00428067, indirect(4, LinkUse::Return)},
    {"jalr zero,0(a0)", 0x00050067, indirect(4)},
    {"jalr zero,16(zero)",
     0x01000067,
     {.kind = FlowKind::IndirectJump, .constant = true, .offset = 16}},
    {"jalr ra,-2048(zero)",
     0x800000e7,
     {.kind = FlowKind::IndirectJump,
      .link = LinkUse::Call,
      .links = true,
      .constant = true,
      .offset = -2048}},
    {"jalr ra,0(a0)", 0x000500e7, indirect(4, LinkUse::Call)},
    {"jalr t0,0(a0)", 0x000502e7, indirect(4, LinkUse::Call)},
    {"jalr ra,0(t0)", 0x000280e7, indirect(4, LinkUse::ReturnAndCall)},
    {"jalr t0,0(ra)", 0x000082e7, indirect(4, LinkUse::ReturnAndCall)},
    {"jalr ra,0(ra)", 0x000080e7, indirect(4, LinkUse::Call)},
    {"jalr t0,0(t0)", 0x000282e7, indirect(4, LinkUse::Call)},
    {"jalr a0,0(ra)", 0x00008567, indirect(4, LinkUse::Return, true)},
    {"jalr a0,0(a1)", 0x00058567, indirect(4, LinkUse::None, true)},
    {"mret", 0x30200073, trap_return()},
    {"sret", 0x10200073, trap_return()},
    {"dret", 0x7b200073, trap_return()},
    {"ecall", 0x00000073, sequential(4)},
    {"wfi", 0x10500073, sequential(4)},
    {"add a0,a0,a1", 0x00b50533, sequential(4)},
    {"c.j .+2046", 0xaffd, jump(2, 2046)},
    {"c.j .-2048", 0xb001, jump(2, -2048)},
    {"c.j .+90", 0xa8a9, jump(2, 90)},
    {"c.beqz a0,.+254", 0xcd7d, branch(2, 254)},
    {"c.bnez s1,.-256", 0xf081, branch(2, -256)},
    {"c.beqz a5,.+86", 0xcbb9, branch(2, 86)},
    {"c.jr ra", 0x8082, indirect(2, LinkUse::Return)},
    {"c.jr t0", 0x8282, indirect(2, LinkUse::Return)},
    {"c.jr a0", 0x8502, indirect(2)},
    {"c.jalr ra", 0x9082, indirect(2, LinkUse::Call)},
    {"c.jalr t0", 0x9282, indirect(2, LinkUse::ReturnAndCall)},
    {"c.jalr a5", 0x9782, indirect(2, LinkUse::Call)},
    {"c.ebreak", 0x9002, sequential(2)},
    {"c.mv a0,a1", 0x852e, sequential(2)},
    {"c.add a0,a1", 0x952e, sequential(2)},
    {"c.addiw a0,1 (on RV32 it is c.jal)", 0x2505, sequential(2)},
    {"c.nop", 0x0001, sequential(2)},
};

TEST(InstructionClass, FollowsTheEncodingTables) {
    for (const Case& test : kCases) {
        EXPECT_EQ(classify_flow(test.raw), test.flow) << test.text;
    }
}

TEST(InstructionClass, TargetsWrapAroundLikeAddresses) {
    EXPECT_EQ(branch(4, -4).target(0x8000'0000), 0x7FFF'FFFCU);
    EXPECT_EQ(branch(4, 16).target(0xFFFF'FFFF'FFFF'FFF8), 8U);
}

/// C.JAL takes the place of C.ADDIW: `c.jal .+4` and `c.jal .-4`, as objdump prints them.
TEST(InstructionClass, CallsInSixteenBitsOnRv32) {
    const InstructionFlow forth = jump(2, 4, LinkUse::Call);
    const InstructionFlow back = jump(2, -4, LinkUse::Call);
    EXPECT_EQ(classify_flow(0x2011, Xlen::Rv32), forth);
    EXPECT_EQ(classify_flow(0x3FF5, Xlen::Rv32), back);
    EXPECT_EQ(classify_flow(0x2011).kind, FlowKind::Sequential);
    EXPECT_EQ(classify_flow(0xA011, Xlen::Rv32), classify_flow(0xA011)); // c.j
}

TEST(InstructionClass, IgnoresWhatLiesBehindACompressedInstruction) {
    EXPECT_EQ(classify_flow(0xFFFF'8082), classify_flow(0x8082));
    EXPECT_EQ(may_leave_sequence(0xFFFF'8082), may_leave_sequence(0x8082));
}

TEST(InstructionClass, TheQuickTestMissesNothingAndIsMostlyRight) {
    for (const Case& test : kCases) {
        if (test.flow.kind != FlowKind::Sequential) {
            EXPECT_TRUE(may_leave_sequence(test.raw)) << test.text;
        }
    }
    for (std::uint32_t raw = 0; raw < 0x10000; ++raw) {
        if ((raw & 3) != 3 && classify_flow(raw).kind != FlowKind::Sequential) {
            ASSERT_TRUE(may_leave_sequence(raw)) << raw;
        }
    }
    for (std::uint32_t opcode = 3; opcode < 0x80; opcode += 4) {
        if (classify_flow(opcode).kind != FlowKind::Sequential) {
            ASSERT_TRUE(may_leave_sequence(opcode)) << opcode;
        }
    }
    EXPECT_FALSE(may_leave_sequence(0x00b50533)); // add
    EXPECT_FALSE(may_leave_sequence(0x0005b503)); // ld
    EXPECT_FALSE(may_leave_sequence(0x2505));     // c.addiw
    EXPECT_FALSE(may_leave_sequence(0x0001));     // c.nop
}

} // namespace
} // namespace pes

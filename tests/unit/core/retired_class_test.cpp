// SPDX-License-Identifier: Apache-2.0
// The classes of what retires, by the instructions' names.
#include "hw/core/arch/decode.h"
#include "hw/core/blocks/block.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace pes {
namespace {

constexpr EventMask kEveryEvent = kAllEvents;

/// The sources from IntegerLoad to FloatOther.
constexpr EventMask kClasses = [] {
    EventMask classes;
    for (Event event = Event::IntegerLoad; event <= Event::FloatOther;
         event = static_cast<Event>(static_cast<unsigned>(event) + 1)) {
        classes |= event_bit(event);
    }
    return classes;
}();

bool begins(std::string_view name, std::initializer_list<std::string_view> with) {
    for (const std::string_view prefix : with) {
        if (name.substr(0, prefix.size()) == prefix) {
            return true;
        }
    }
    return false;
}

Event system_class(std::string_view name) {
    if (begins(name, {"csr", "fence", "sfence"}) || name == "wfi" || name == "mret" ||
        name == "sret") {
        return Event::System;
    }
    return Event::None; // ecall, ebreak
}

Event float_class(std::string_view name) {
    if (name == "flw" || name == "fld") {
        return Event::FloatLoad;
    }
    if (name == "fsw" || name == "fsd") {
        return Event::FloatStore;
    }
    if (begins(name, {"fmadd", "fmsub", "fnmadd", "fnmsub"})) {
        return Event::FloatFusedMultiplyAdd;
    }
    if (begins(name, {"fadd", "fsub"})) {
        return Event::FloatAdd;
    }
    if (begins(name, {"fmul"})) {
        return Event::FloatMultiply;
    }
    return begins(name, {"fdiv", "fsqrt"}) ? Event::FloatDivideSqrt : Event::FloatOther;
}

Event integer_class(std::string_view name) {
    static const std::set<std::string_view> kLoads{"lb", "lh", "lw", "ld", "lbu", "lhu", "lwu"};
    static const std::set<std::string_view> kStores{"sb", "sh", "sw", "sd"};
    static const std::set<std::string_view> kBranches{"beq", "bne", "blt", "bge", "bltu", "bgeu"};
    if (kLoads.contains(name)) {
        return Event::IntegerLoad;
    }
    if (kStores.contains(name)) {
        return Event::IntegerStore;
    }
    if (kBranches.contains(name)) {
        return Event::ConditionalBranch;
    }
    if (name == "jal" || name == "jalr") {
        return name == "jal" ? Event::Jal : Event::Jalr;
    }
    if (begins(name, {"mul"})) {
        return Event::IntegerMultiply;
    }
    return begins(name, {"div", "rem"}) ? Event::IntegerDivide : Event::IntegerArithmetic;
}

TEST(RetiredClass, EveryInstructionIsInTheOneThatItsNameSays) {
    const auto expect = [](std::span<const InstructionRow> rows, auto expected) {
        for (const InstructionRow& row : rows) {
            const Event event = expected(row.name);
            const EventMask mask = event == Event::None ? EventMask() : event_bit(event);
            EXPECT_EQ(decode(row.match, kEveryEvent).commit_events & kClasses, mask) << row.name;
        }
    };
    expect(integer_rows(), integer_class);
    expect(memory_rows(), [](std::string_view name) {
        return name[0] == 'f' ? float_class(name) : integer_class(name);
    });
    expect(atomic_rows(), [](std::string_view) { return Event::Atomic; });
    expect(float_rows(), float_class);
    expect(system_rows(), system_class);
}

TEST(RetiredClass, AnIllegalWordIsInNone) {
    EXPECT_EQ(decode(0xFFFF'FFFF, kEveryEvent).commit_events, EventMask());
}

TEST(RetiredClass, ACompressedInstructionIsInTheClassOfWhatItStandsFor) {
    constexpr EventMask kCompressed = event_bit(Event::Compressed);
    const auto further = [](std::uint32_t word) {
        return decode(word, kEveryEvent).commit_events - kBaseEvents;
    };
    EXPECT_EQ(further(0x0001), kCompressed | event_bit(Event::IntegerArithmetic)); // c.nop
    EXPECT_EQ(further(0x4398), kCompressed | event_bit(Event::IntegerLoad));       // c.lw a4,0(a5)
    EXPECT_EQ(further(0x2398), kCompressed | event_bit(Event::FloatLoad));  // c.fld fa4,0(a5)
    EXPECT_EQ(further(0xA398), kCompressed | event_bit(Event::FloatStore)); // c.fsd fa4,0(a5)
    EXPECT_EQ(further(0xA001),
              kCompressed | event_bit(Event::Jal) | event_bit(Event::UnconditionalJump)); // c.j 0
    EXPECT_EQ(further(0x8082), kCompressed | event_bit(Event::Jalr) |
                                   event_bit(Event::UnconditionalJump)); // c.jr ra
}

TEST(RetiredClass, OnlyWhatMakesTheFrontendFetchAgainIsAFlush) {
    const std::set<std::string_view> other{"fence", "fence.i", "sfence.vma", "mret", "sret"};
    for (const InstructionRow& row : system_rows()) {
        const EventMask events = decode(row.match, kEveryEvent).commit_events;
        EXPECT_EQ(events.has(Event::FlushByOther), other.contains(row.name)) << row.name;
    }
    for (const InstructionRow& row : atomic_rows()) {
        EXPECT_TRUE(decode(row.match, kEveryEvent).commit_events.has(Event::FlushByOther));
    }
    constexpr std::uint32_t kWriteFcsr = 0x0035'1073; // csrw fcsr, a0
    constexpr std::uint32_t kReadFcsr = 0x0030'2573;  // csrr a0, fcsr
    constexpr std::uint32_t kWriteMepc = 0x3415'1073; // csrw mepc, a0
    constexpr EventMask kFlush = event_bit(Event::FlushByCsrWrite);
    EXPECT_EQ(decode(kWriteFcsr, kEveryEvent).commit_events & kFlush, kFlush);
    EXPECT_EQ(decode(kReadFcsr, kEveryEvent).commit_events & kFlush, EventMask());
    EXPECT_EQ(decode(kWriteMepc, kEveryEvent).commit_events & kFlush, EventMask());
}

TEST(RetiredClass, WhatNobodyCountsIsNotCarried) {
    for (const auto rows :
         {integer_rows(), memory_rows(), atomic_rows(), float_rows(), system_rows()}) {
        for (const InstructionRow& row : rows) {
            const EventMask all = decode(row.match, kEveryEvent).commit_events;
            EXPECT_EQ(decode(row.match).commit_events, all & kBaseEvents) << row.name;
            EXPECT_EQ(decode(row.match, event_bit(Event::System)).commit_events,
                      all & (kBaseEvents | event_bit(Event::System)))
                << row.name;
        }
    }
}

/// What the fast path takes for granted about a block before it runs it.
TEST(RetiredClass, ABlockKnowsHowOftenItPulsesEachFurtherSourceAtMost) {
    constexpr std::uint32_t kLoad = 0x0001'3583;   // ld a1, 0(sp)
    constexpr std::uint32_t kAdd = 0x00B5'8633;    // add a2, a1, a1
    constexpr std::uint32_t kBranch = 0xFEC5'9CE3; // bne a1, a2, -8
    NewBlock block;
    for (const std::uint32_t word : {kLoad, kLoad, kAdd, kBranch}) {
        append(block, decode(word, kEveryEvent), 0x8000'0000);
    }
    const auto most = [&](Event event) -> unsigned {
        return block.block.most[static_cast<std::size_t>(event)];
    };
    EXPECT_EQ(most(Event::IntegerLoad), 2U);
    EXPECT_EQ(most(Event::DataMissOrIo), 2U);
    EXPECT_EQ(most(Event::IntegerArithmetic), 1U);
    EXPECT_EQ(most(Event::ConditionalBranch), 1U);
    EXPECT_EQ(most(Event::TakenBranch), 1U);
    EXPECT_EQ(most(Event::DirectionMispredict), 1U);
    EXPECT_EQ(most(Event::TargetMispredict), 0U);
    for (const Event never : {Event::ExternalLoad, Event::ExternalStore, Event::ExternalLoadWait,
                              Event::ExternalStoreWait, Event::FlushByOther}) {
        EXPECT_EQ(most(never), 0U) << static_cast<unsigned>(never);
    }
    for (const Event timed : {Event::LoadUseStall, Event::MultiplyStall, Event::DivideStall,
                              Event::FloatStall, Event::CsrStall, Event::AddressStall,
                              Event::JumpRegisterStall, Event::FetchBusy, Event::DataBusy}) {
        EXPECT_EQ(most(timed), Block::kUncounted) << static_cast<unsigned>(timed);
    }
}

} // namespace
} // namespace pes

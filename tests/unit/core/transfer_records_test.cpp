// SPDX-License-Identifier: Apache-2.0
// Control transfer records by themselves: legal values, filters, mode changes and freeze, as the
// text (Smctr/Ssctr 1.0) has them.
#include "tests/unit/core/transfer_records_bench.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <utility>

namespace pes::ctr_test {
namespace {

// --- Legal values -------------------------------------------------------------------------------

/// All fields but the custom ones are implemented; LCOFIFRZ with Sscofpmf.
TEST(TransferRecords, ControlHoldsTheFieldsOfTheText) {
    std::mt19937_64 random(1);
    for (const bool overflow : {false, true}) {
        const std::uint64_t fields = 0xFF3E'0000'0B87 | (overflow ? kLcofiFrz : 0);
        Bench bench(256, overflow);
        EXPECT_EQ(bench.read(kMctrctl), 0U);
        for (unsigned trial = 0; trial < 200; ++trial) {
            const std::uint64_t value = trial == 0 ? kAll : random();
            const std::uint64_t other = random();
            bench.write(kMctrctl, value);
            ASSERT_EQ(bench.read(kMctrctl), value & fields);
            ASSERT_EQ(bench.read(kSctrctl), value & fields & ~(kM | kMte));
            bench.write(kSctrctl, other);
            ASSERT_EQ(bench.read(kMctrctl),
                      (value & (kM | kMte)) | (other & fields & ~(kM | kMte)));
        }
    }
}

TEST(TransferRecords, DepthTakesWhatItsSettingAllows) {
    for (unsigned largest = 0; largest <= 4; ++largest) {
        Bench bench(16U << largest);
        EXPECT_EQ(bench.read(kSctrdepth), largest) << "after reset";
        for (std::uint64_t first = 0; first <= largest; ++first) {
            for (std::uint64_t value = 0; value < 8; ++value) {
                bench.write(kSctrdepth, first);
                bench.write(kSctrdepth, value | kAll << 3);
                EXPECT_EQ(bench.read(kSctrdepth), value <= largest ? value : first);
            }
        }
    }
}

TEST(TransferRecords, StatusHoldsAPointerIntoTheBuffer) {
    for (std::uint64_t depth = 0; depth <= 4; ++depth) {
        Bench bench;
        bench.write(kSctrdepth, depth);
        for (std::uint64_t value = 0; value < 0x200; ++value) {
            bench.write(kSctrstatus, value);
            ASSERT_EQ(bench.read(kSctrstatus), value & ((16U << depth) - 1));
        }
        bench.write(kSctrstatus, kAll);
        EXPECT_EQ(bench.read(kSctrstatus), kFrozen | ((16U << depth) - 1));
        for (std::uint64_t smaller = 0; smaller <= depth; ++smaller) {
            bench.write(kSctrdepth, depth);
            bench.write(kSctrstatus, 0xFF);
            bench.write(kSctrdepth, smaller);
            EXPECT_LT(bench.read(kSctrstatus), 16U << smaller) << "a legal value";
        }
    }
}

TEST(TransferRecords, EntriesHoldAddressesAndLegalMetadata) {
    std::mt19937_64 random(2);
    for (std::uint64_t depth = 0; depth <= 4; ++depth) {
        Bench bench;
        bench.write(kSctrdepth, depth);
        for (std::uint64_t logical = 0; logical < 256; ++logical) {
            const bool held = logical < 16U << depth;
            for (unsigned trial = 0; trial < 4; ++trial) {
                const std::uint64_t source = random(), target = random();
                bench.write_entry(logical, 1, source);
                bench.write_entry(logical, 2, target);
                EXPECT_EQ(bench.source(logical), held ? source : 0);
                EXPECT_EQ(bench.target(logical), held ? target : 0);
            }
            for (std::uint64_t type = 0; type < 16; ++type) {
                const std::uint64_t rest = random() & 0xFFFF'8000;
                bench.write_entry(logical, 3, (random() & 0xFFFF'FFFF'0000'7FF0) | rest | type);
                const std::uint64_t legal = type == 6 || type == 7 ? 0 : type;
                EXPECT_EQ(bench.data(logical), held ? rest | legal : 0);
            }
            for (const unsigned alias : {4U, 5U, 6U}) {
                bench.write_entry(logical, alias, kAll);
                EXPECT_EQ(bench.entry(logical, alias), 0U);
                EXPECT_TRUE(bench.records.has({IndirectLevel::Supervisor, 0x200 + logical, alias}));
            }
        }
    }
}

/// Y = (WRPTR - X - 1) % depth.
TEST(TransferRecords, LogicalEntriesCountBackFromTheWritePointer) {
    for (std::uint64_t depth = 0; depth <= 4; ++depth) {
        const std::uint64_t size = 16U << depth;
        Bench bench;
        bench.write(kSctrdepth, depth);
        bench.write(kSctrstatus, 0);
        for (std::uint64_t logical = 0; logical < size; ++logical) {
            const std::uint64_t physical = (size - logical - 1) % size;
            bench.write_entry(logical, 1, 2 * physical);
        }
        for (std::uint64_t pointer = 0; pointer < size; ++pointer) {
            bench.write(kSctrstatus, pointer);
            for (std::uint64_t logical = 0; logical < size; ++logical) {
                ASSERT_EQ(bench.source(logical), 2 * ((pointer + size - logical - 1) % size));
            }
        }
    }
}

TEST(TransferRecords, TheOldestRecordIsLostWhenTheBufferIsFull) {
    for (std::uint64_t depth = 0; depth <= 4; ++depth) {
        const std::uint64_t size = 16U << depth;
        Bench bench;
        bench.write(kSctrdepth, depth);
        bench.write(kMctrctl, kM);
        for (std::uint64_t count = 1; count <= 3 * size; ++count) {
            bench.jump(kDirectJump, 2 * count, 4 * count);
            ASSERT_EQ(bench.read(kSctrstatus), count % size);
            ASSERT_EQ(bench.source(0), 2 * count | kV);
            ASSERT_EQ(bench.target(0), 4 * count);
            const std::uint64_t oldest = count < size ? 0 : 2 * (count - size + 1) | kV;
            ASSERT_EQ(bench.source(size - 1), oldest);
        }
    }
}

// --- Filters ------------------------------------------------------------------------------------

TEST(TransferRecords, EachTypeHasItsNumberAndItsFilter) {
    for (const Typed& transfer : kTransfers) {
        for (unsigned filter = 32; filter < 48; ++filter) {
            Bench bench;
            bench.write(kMctrctl, kM | bit(filter));
            transfer.happens(bench);
            const bool own = filter == 32 + transfer.type;
            const bool recorded = transfer.type == 4 ? own : !own;
            EXPECT_EQ(bench.recorded(), recorded ? 1U : 0U) << transfer.type << ' ' << filter;
            EXPECT_EQ(bench.data(0), recorded ? transfer.type : 0U) << "CCV = 0";
        }
    }
}

TEST(TransferRecords, ARecordNamesWhatItWas) {
    Bench bench;
    bench.write(kMctrctl, kM | kNtbrEn);
    bench.jump(kBranch, 0x8000'0010, 0x8000'0014, false);
    bench.jump(kDirectCall, 0x8000'0014, 0xFFFF'FFFF'8000'0000);
    bench.jump(kReturn, 0xFFFF'FFFF'8000'0002, 0x8000'0018, true, true);
    EXPECT_EQ(bench.source(2), 0x8000'0010 | kV);
    EXPECT_EQ(bench.target(2), 0x8000'0014U);
    EXPECT_EQ(bench.target(1), 0xFFFF'FFFF'8000'0000);
    EXPECT_EQ(bench.source(0), 0xFFFF'FFFF'8000'0002 | kV);
    EXPECT_EQ(bench.target(0), 0x8000'0018 | kMisp);
    EXPECT_EQ(bench.recorded(), 3U);
}

TEST(TransferRecords, OnlyEnabledModesAreRecorded) {
    for (const Privilege mode : kModes) {
        for (std::uint64_t enables = 0; enables < 8; ++enables) {
            Bench bench;
            bench.write(kMctrctl, enables);
            bench.enter(mode);
            const bool active = (enables & mode_bit(mode)) != 0;
            EXPECT_EQ(bench.records.active(), active);
            bench.jump(kDirectJump);
            EXPECT_EQ(bench.recorded(), active ? 1U : 0U);
            bench.write(kSctrstatus, kFrozen);
            EXPECT_FALSE(bench.records.active());
            bench.write_entry(0, 1, 0);
            bench.jump(kDirectJump);
            EXPECT_EQ(bench.recorded(), 0U);
        }
    }
}

// --- Changes of the privilege mode --------------------------------------------------------------

/// A record's addresses, or none.
using Recorded = std::optional<std::pair<Address, Address>>;

Recorded record_of(const Bench& bench) {
    if (bench.recorded() == 0) {
        return std::nullopt;
    }
    EXPECT_EQ(bench.recorded(), 1U);
    return std::pair{bench.source(0) & ~kV, bench.target(0)};
}

TEST(TransferRecords, TrapsAndReturnsFollowTheirTable) {
    constexpr Address kEpc = 0x1000, kVector = 0x8000;
    for (const Privilege from : kModes) {
        for (const Privilege to : {Privilege::Supervisor, Privilege::Machine}) {
            for (std::uint64_t enables = 0; enables < 8; ++enables) {
                const bool source = (enables & mode_bit(from)) != 0;
                const bool target = (enables & mode_bit(to)) != 0;
                for (const std::uint64_t cause : {std::uint64_t{8}, kInterrupt | 9}) {
                    if (to >= from) {
                        Bench bench;
                        bench.write(kMctrctl, enables);
                        bench.enter(from);
                        bench.trap(cause, to, kEpc, kVector);
                        Recorded expected;
                        if (target) {
                            expected = {source ? kEpc : 0, kVector};
                        }
                        EXPECT_EQ(record_of(bench), expected);
                        EXPECT_EQ(bench.records.active(), target);
                    }
                }
                if (to <= from || from == Privilege::Machine) {
                    Bench bench;
                    bench.write(kMctrctl, enables);
                    bench.enter(from);
                    bench.xret(to, kEpc, kVector);
                    Recorded expected;
                    if (source) {
                        expected = {kEpc, target ? kVector : 0};
                    }
                    EXPECT_EQ(record_of(bench), expected);
                    EXPECT_EQ(bench.records.active(), target);
                }
            }
        }
    }
}

struct External {
    Privilege from, to;
    std::uint64_t required;
};

/// "External Trap Enable Requirements". EXCINH and INTRINH do not matter.
constexpr External kExternal[] = {
    {Privilege::User, Privilege::Supervisor, kSte},
    {Privilege::User, Privilege::Machine, kMte | kSte},
    {Privilege::Supervisor, Privilege::Machine, kMte},
};

TEST(TransferRecords, ExternalTrapsNeedTheEnablesOfTheirTable) {
    for (const External& one : kExternal) {
        for (const std::uint64_t enables : {std::uint64_t{0}, kSte, kMte, kMte | kSte}) {
            for (const std::uint64_t filters : {std::uint64_t{0}, bit(33) | bit(34)}) {
                for (const std::uint64_t cause : {std::uint64_t{8}, kInterrupt | 9}) {
                    Bench bench;
                    bench.write(kMctrctl, mode_bit(one.from) | enables | filters);
                    bench.enter(one.from);
                    bench.trap(cause, one.to, 0x1234, 0x8000);
                    Recorded expected;
                    if ((enables & one.required) == one.required) {
                        expected = {0x1234, 0};
                        EXPECT_EQ(bench.data(0) & 0xF, cause == 8 ? 1U : 2U);
                    }
                    EXPECT_EQ(record_of(bench), expected);
                }
            }
        }
    }
}

TEST(TransferRecords, NothingIsExternalFromAModeThatIsNotEnabled) {
    Bench bench;
    bench.write(kMctrctl, kS | kMte | kSte);
    bench.enter(Privilege::User);
    bench.trap(8, Privilege::Machine);
    EXPECT_EQ(bench.recorded(), 0U);
    bench.xret(Privilege::Supervisor);
    EXPECT_EQ(bench.recorded(), 0U) << "nor is there an external return";
}

TEST(TransferRecords, PartialRecordsHeedTheTypeFilters) {
    Bench bench;
    bench.write(kMctrctl, kM | bit(33));
    bench.enter(Privilege::User);
    bench.trap(8, Privilege::Machine);
    EXPECT_EQ(bench.recorded(), 0U);
    bench.write(kMctrctl, kM | bit(35));
    bench.xret(Privilege::User);
    EXPECT_EQ(bench.recorded(), 0U);
}

// --- Freeze -------------------------------------------------------------------------------------

TEST(TransferRecords, FreezesOnTheTrapsThatItsBitsName) {
    constexpr std::uint64_t kLcofi = kInterrupt | 13, kBreakpoint = 3;
    for (const Privilege from : kModes) {
        for (const Privilege to : {Privilege::Supervisor, Privilege::Machine}) {
            for (const std::uint64_t cause :
                 {kLcofi, kBreakpoint, std::uint64_t{13}, kInterrupt | 3, std::uint64_t{8}}) {
                for (const std::uint64_t freeze :
                     {std::uint64_t{0}, kBpFrz, kLcofiFrz, kBpFrz | kLcofiFrz}) {
                    if (from > to) {
                        continue;
                    }
                    Bench bench;
                    bench.write(kMctrctl, kM | kS | kU | freeze);
                    bench.enter(from);
                    bench.trap(cause, to);
                    const bool frozen = (cause == kLcofi && (freeze & kLcofiFrz) != 0) ||
                                        (cause == kBreakpoint && (freeze & kBpFrz) != 0);
                    EXPECT_EQ(bench.read(kSctrstatus), frozen ? kFrozen : 1) << cause;
                    EXPECT_EQ(bench.recorded(), frozen ? 0U : 1U) << "the trap is not recorded";
                    bench.jump(kDirectJump);
                    EXPECT_EQ(bench.recorded(), frozen ? 0U : 2U);
                    bench.write(kSctrstatus, 0);
                    bench.jump(kDirectJump);
                    EXPECT_EQ(bench.source(0) & kV, kV) << "software clears it";
                }
            }
        }
    }
}

TEST(TransferRecords, FreezeInADisabledModeToo) {
    Bench bench;
    bench.write(kMctrctl, kU | kSte | kMte | kBpFrz | kRasEmu);
    bench.enter(Privilege::User);
    bench.trap(3, Privilege::Machine);
    EXPECT_EQ(bench.read(kSctrstatus), kFrozen);
    EXPECT_EQ(bench.recorded(), 0U);
    bench.xret(Privilege::User);
    bench.jump(kDirectCall);
    EXPECT_EQ(bench.recorded(), 0U);
}

} // namespace
} // namespace pes::ctr_test

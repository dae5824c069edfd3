// SPDX-License-Identifier: Apache-2.0
// Control transfer records by themselves: every rule of the text (Smctr/Ssctr 1.0) that needs no
// hart. Bits are written out as the text has them.
#include "hw/core/ctr/cycle_count.h"
#include "hw/core/ctr/transfer_records.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>
#include <vector>

namespace pes {
namespace {

constexpr std::uint64_t bit(unsigned number) {
    return std::uint64_t{1} << number;
}
constexpr std::uint64_t kAll = ~std::uint64_t{0};
constexpr std::uint64_t kU = bit(0), kS = bit(1), kM = bit(2), kRasEmu = bit(7), kSte = bit(8),
                        kMte = bit(9), kBpFrz = bit(11), kLcofiFrz = bit(12), kNtbrEn = bit(36);
constexpr std::uint64_t kFrozen = bit(31), kV = 1, kMisp = 1, kCcv = bit(15);
constexpr std::uint16_t kMctrctl = 0x34E, kSctrctl = 0x14E, kSctrstatus = 0x14F, kSctrdepth = 0x15F;
constexpr std::uint64_t kInterrupt = bit(63);
constexpr Privilege kModes[] = {Privilege::User, Privilege::Supervisor, Privilege::Machine};

// Words of the transfers, by their type.
constexpr std::uint32_t kBranch = 0x00b50863, kIndirectCall = 0x000500e7, kDirectCall = 0x001000ef,
                        kIndirectJump = 0x00050067, kDirectJump = 0x7ffff06f, kSwap = 0x000280e7,
                        kReturn = 0x00008067, kOtherIndirect = 0x00058567,
                        kOtherDirect = 0x0020056f;

constexpr std::uint64_t mode_bit(Privilege mode) {
    return bit(static_cast<unsigned>(mode) == 3 ? 2 : static_cast<unsigned>(mode));
}

/// A hart's side of the records, in machine mode until it traps or returns. Time passes with each
/// event.
class Bench {
  public:
    explicit Bench(unsigned depth = 256, bool overflow = true) : records(depth, overflow) {}

    void write(std::uint16_t number, std::uint64_t value) {
        records.write({.number = number, .value = value, .argument = 0, .at = now});
    }
    std::uint64_t read(std::uint16_t number) const { return records.read(number); }
    std::uint64_t entry(std::uint64_t logical, unsigned alias) const {
        return records.read({IndirectLevel::Supervisor, 0x200 + logical, alias});
    }
    std::uint64_t source(std::uint64_t logical) const { return entry(logical, 1); }
    std::uint64_t target(std::uint64_t logical) const { return entry(logical, 2); }
    std::uint64_t data(std::uint64_t logical) const { return entry(logical, 3); }
    void write_entry(std::uint64_t logical, unsigned alias, std::uint64_t value) {
        const IndirectRegister which{IndirectLevel::Supervisor, 0x200 + logical, alias};
        records.write(which, {.number = 0, .value = value, .argument = 0, .at = now});
    }

    void jump(std::uint32_t raw, Address pc = 0x1000, Address target = 0x2000, bool taken = true,
              bool mispredicted = false) {
        records.jumped({.pc = pc,
                        .next_pc = target,
                        .raw = raw,
                        .taken = taken,
                        .mispredicted = mispredicted,
                        .cycle = ++now});
    }
    void trap(std::uint64_t cause, Privilege to, Address epc = 0x1000, Address vector = 0x8000) {
        records.trapped({.cycle = ++now,
                         .cause = cause,
                         .epc = epc,
                         .tval = 0,
                         .vector = vector,
                         .from = mode,
                         .to = to});
        mode = to;
    }
    void xret(Privilege to, Address pc = 0x1000, Address target = 0x2000) {
        records.returned(pc, target, to, ++now);
        mode = to;
    }
    /// Goes to `to` with nothing recorded.
    void enter(Privilege to) {
        const std::uint64_t control = read(kMctrctl);
        write(kMctrctl, 0);
        mode == Privilege::Machine ? xret(to) : trap(0, to);
        write(kMctrctl, control);
    }
    unsigned recorded() const {
        unsigned count = 0;
        while (count < 256 && (source(count) & kV) != 0) {
            ++count;
        }
        return count;
    }

    TransferRecords records;
    Privilege mode = Privilege::Machine;
    Cycle now = 1000;
};

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

struct Typed {
    unsigned type;
    void (*happens)(Bench&);
};

/// All in machine mode.
const Typed kTransfers[] = {
    {1, [](Bench& bench) { bench.trap(5, Privilege::Machine); }},
    {2, [](Bench& bench) { bench.trap(kInterrupt | 7, Privilege::Machine); }},
    {3, [](Bench& bench) { bench.xret(Privilege::Machine); }},
    {4, [](Bench& bench) { bench.jump(kBranch, 0x1000, 0x1004, false); }},
    {5, [](Bench& bench) { bench.jump(kBranch); }},
    {8, [](Bench& bench) { bench.jump(kIndirectCall); }},
    {9, [](Bench& bench) { bench.jump(kDirectCall); }},
    {10, [](Bench& bench) { bench.jump(kIndirectJump); }},
    {11, [](Bench& bench) { bench.jump(kDirectJump); }},
    {12, [](Bench& bench) { bench.jump(kSwap); }},
    {13, [](Bench& bench) { bench.jump(kReturn); }},
    {14, [](Bench& bench) { bench.jump(kOtherIndirect); }},
    {15, [](Bench& bench) { bench.jump(kOtherDirect); }},
};

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

// --- Cycle counts -------------------------------------------------------------------------------

/// As the text decodes it.
std::uint64_t decoded(std::uint64_t field) {
    const std::uint64_t mantissa = field & 0xFFF, exponent = field >> 12;
    return exponent == 0 ? mantissa : (4096 + mantissa) << (exponent - 1);
}

TEST(CycleCount, IsEncodedAsTheTextSays) {
    std::mt19937_64 random(3);
    std::vector<std::uint64_t> values{0, 1, 4095, 4096, 8191, 8192, 8193, 32764, 524224, 524288};
    for (unsigned trial = 0; trial < 2000; ++trial) {
        values.push_back((random() & (bit(27) - 1)) >> random() % 27);
    }
    for (const std::uint64_t value : values) {
        const std::uint64_t field = encode_cycles(value);
        const auto most_significant =
            value == 0 ? 0
                       : static_cast<unsigned>(std::floor(std::log2(static_cast<double>(value))));
        const unsigned exponent = value < 4096 ? 0 : most_significant - 11;
        EXPECT_EQ(field >> 12, exponent) << value;
        EXPECT_LE(decoded(field), value);
        EXPECT_LT(value - decoded(field), exponent > 1 ? bit(exponent - 1) : 1) << value;
        EXPECT_EQ(decode_cycles(static_cast<std::uint16_t>(field)), decoded(field));
    }
    EXPECT_EQ(decoded(0xFFFF), 134'201'344U);
    for (const std::uint64_t value : {std::uint64_t{134'201'344}, bit(27) - 1, bit(27), bit(60)}) {
        EXPECT_EQ(encode_cycles(value), 0xFFFF) << "it saturates";
    }
    EXPECT_EQ(encode_cycles(134'201'343), 0xFFFE);
}

std::uint64_t count(const Bench& bench, std::uint64_t logical) {
    EXPECT_NE(bench.data(logical) & kCcv, 0U);
    return bench.data(logical) >> 16;
}

TEST(TransferRecords, CountsTheCyclesSinceTheRecordBefore) {
    Bench bench;
    bench.write(kMctrctl, kM);
    bench.jump(kDirectJump);
    EXPECT_EQ(bench.data(0), 11U) << "the first count does not hold";
    bench.now += 99;
    bench.jump(kBranch, 0x1000, 0x1004, false); // inhibited
    bench.jump(kDirectJump);
    EXPECT_EQ(count(bench, 0), 101U);
    bench.jump(kDirectJump);
    EXPECT_EQ(count(bench, 0), 1U);
    bench.now += 99'999;
    bench.jump(kDirectJump);
    EXPECT_EQ(decoded(count(bench, 0)), 100'000U / 16 * 16);
}

TEST(TransferRecords, CountsOnlyActiveCycles) {
    Bench bench;
    bench.write(kMctrctl, kU | kSte);
    bench.enter(Privilege::User);
    bench.jump(kDirectJump);
    bench.now += 9;
    bench.trap(kInterrupt | 9, Privilege::Supervisor); // 10 cycles, recorded
    EXPECT_EQ(count(bench, 0), 10U);
    bench.now += 1000;
    bench.xret(Privilege::User);
    bench.now += 19;
    bench.jump(kDirectJump);
    EXPECT_EQ(count(bench, 0), 20U);
    bench.now += 5;
    bench.write(kSctrstatus, 3 | kFrozen);
    bench.now += 1000;
    bench.write(kSctrstatus, 3);
    bench.now += 6;
    bench.jump(kDirectJump);
    EXPECT_EQ(count(bench, 0), 12U);
}

TEST(TransferRecords, WritesOfControlAndClearingStartANewCount) {
    for (const bool clears : {false, true}) {
        for (const std::uint16_t number : {kMctrctl, kSctrctl}) {
            Bench bench;
            bench.write(kMctrctl, kM);
            bench.jump(kDirectJump);
            bench.jump(kDirectJump);
            EXPECT_NE(bench.data(0) & kCcv, 0U);
            clears ? bench.records.clear(bench.now) : bench.write(number, bench.read(number));
            bench.jump(kDirectJump);
            EXPECT_EQ(bench.data(0) & kCcv, 0U);
            bench.now += 7;
            bench.jump(kDirectJump);
            EXPECT_EQ(count(bench, 0), 8U);
        }
    }
}

TEST(TransferRecords, ClearingZeroesTheEntriesOfEveryDepth) {
    Bench bench;
    bench.write(kMctrctl, kM);
    for (unsigned index = 0; index < 300; ++index) {
        bench.jump(kDirectJump);
    }
    const std::uint64_t pointer = bench.read(kSctrstatus);
    EXPECT_EQ(bench.recorded(), 256U);
    bench.write(kSctrdepth, 0);
    bench.records.clear(bench.now);
    EXPECT_EQ(bench.read(kMctrctl), kM) << "only entries and the cycle counter";
    EXPECT_EQ(bench.read(kSctrstatus), pointer % 16);
    bench.write(kSctrdepth, 4);
    for (std::uint64_t logical = 0; logical < 256; ++logical) {
        EXPECT_EQ(bench.source(logical) | bench.target(logical) | bench.data(logical), 0U);
    }
}

// --- RAS emulation ------------------------------------------------------------------------------

/// Type filters and external enables are ignored, other transfers inhibited.
TEST(TransferRecords, RasEmulationRecordsCallsOnly) {
    for (const std::uint64_t filters : {std::uint64_t{0}, std::uint64_t{0xFF3E} << 32}) {
        for (const Typed& transfer : kTransfers) {
            Bench bench;
            bench.write(kMctrctl, kM | kRasEmu | filters | kMte | kSte);
            transfer.happens(bench);
            const bool pushes = transfer.type == 8 || transfer.type == 9 || transfer.type == 12;
            EXPECT_EQ(bench.recorded(), pushes ? 1U : 0U) << transfer.type;
        }
        Bench external;
        external.write(kMctrctl, kU | kRasEmu | filters | kMte | kSte);
        external.enter(Privilege::User);
        external.trap(8, Privilege::Machine);
        EXPECT_EQ(external.recorded(), 0U);
    }
}

TEST(TransferRecords, AReturnTakesTheLastCallAway) {
    Bench bench;
    bench.write(kSctrdepth, 0);
    bench.write(kMctrctl, kM | kRasEmu);
    for (Address call = 1; call <= 3; ++call) {
        bench.jump(kDirectCall, 0x100 * call, 0x1000);
    }
    bench.jump(kReturn);
    EXPECT_EQ(bench.read(kSctrstatus), 2U);
    EXPECT_EQ(bench.source(0), 0x200U | kV);
    EXPECT_EQ(bench.source(1), 0x100U | kV);
    EXPECT_EQ(bench.source(15), 0x300U) << "logical entry depth-1, invalid";
    EXPECT_EQ(bench.target(15), 0x1000U);
    bench.jump(kIndirectCall, 0x400, 0x1000);
    EXPECT_EQ(bench.source(0), 0x400U | kV);
    EXPECT_EQ(bench.recorded(), 3U);
}

TEST(TransferRecords, ReturnsFromAnEmptyStackGoOnCountingDown) {
    Bench bench;
    bench.write(kSctrdepth, 0);
    bench.write(kMctrctl, kM | kRasEmu);
    for (unsigned index = 1; index <= 20; ++index) {
        bench.jump(kReturn);
        EXPECT_EQ(bench.read(kSctrstatus), (16U * 2 - index) % 16);
        EXPECT_EQ(bench.recorded(), 0U);
    }
    bench.jump(kDirectCall, 0x100, 0x1000);
    EXPECT_EQ(bench.recorded(), 1U);
    EXPECT_EQ(bench.data(0) & kCcv, 0U) << "there was no entry before it";
}

TEST(TransferRecords, ASwapOverwritesTheNewestEntry) {
    Bench bench;
    bench.write(kMctrctl, kM | kRasEmu);
    bench.jump(kDirectCall, 0x100, 0x1000);
    bench.jump(kDirectCall, 0x200, 0x2000);
    bench.jump(kSwap, 0x300, 0x3000, true, true);
    EXPECT_EQ(bench.read(kSctrstatus), 2U);
    EXPECT_EQ(bench.source(0), 0x300U | kV);
    EXPECT_EQ(bench.target(0), 0x3000U | kMisp);
    EXPECT_EQ(bench.data(0) & 0xF, 12U);
    EXPECT_EQ(bench.source(1), 0x100U | kV);
}

/// The count is of the cycles since the record below: a return adds the popped one's.
TEST(TransferRecords, APoppedCountGoesToTheNextRecord) {
    Bench bench;
    bench.write(kMctrctl, kM | kRasEmu);
    bench.jump(kDirectCall); // a: does not hold
    bench.now += 9;
    bench.jump(kDirectCall); // b: 10
    EXPECT_EQ(count(bench, 0), 10U);
    bench.now += 4;
    bench.jump(kReturn); // from b
    bench.now += 6;
    bench.jump(kDirectCall); // c: 10 + 5 + 7
    EXPECT_EQ(count(bench, 0), 22U);
    bench.now += 2;
    bench.jump(kSwap); // instead of c: 22 + 3
    EXPECT_EQ(count(bench, 0), 25U);
    bench.jump(kReturn);
    bench.jump(kReturn); // from a, whose count does not hold
    bench.jump(kDirectCall);
    EXPECT_EQ(bench.data(0) & kCcv, 0U);
}

} // namespace
} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Smcdeleg and Ssccfg, clause by clause of "Counter Delegation": what S-mode reaches through sireg,
// sireg2 and scountinhibit, and every access that is illegal.
#include "tests/unit/core/extension_bench.h"

#include "hw/interface/pmu/counter_csr.h"

#include <gtest/gtest.h>

namespace pes::test {
namespace {

constexpr std::uint64_t kCde = std::uint64_t{1} << 60;
constexpr std::uint16_t kCounterAliases[] = {0x151, 0x152, 0x153, 0x155, 0x156, 0x157};
constexpr std::uint16_t kSireg = 0x151, kSireg2 = 0x152;

constexpr Extensions kDelegating{.smcsrind = true, .smcdeleg = true};

struct Delegating : ExtensionBench {
    explicit Delegating(std::uint64_t counters, std::uint64_t environment = kCde,
                        const CounterConfig& config = {})
        : ExtensionBench(kDelegating, config) {
        set_csr(csr::kMenvcfg, environment);
        set_csr(csr::kMcounteren, counters);
        set(a1, kAll);
    }
};

constexpr std::uint64_t bit(unsigned index) {
    return std::uint64_t{1} << index;
}

/// The table of indirect HPM state and the four rules below it, for RV64 with Zicntr, Zihpm,
/// Sscofpmf and Smcntrpmf.
bool legal(Privilege mode, std::uint64_t select, std::uint16_t number, bool cde, bool delegated) {
    const bool sireg_or_sireg2 = number == kSireg || number == kSireg2;
    return mode != Privilege::User && cde && sireg_or_sireg2 && select != 0x41 && delegated;
}

TEST(HartDelegation, AnAliasIsLegalExactlyWhereTheTextAllowsIt) {
    for (std::uint64_t select = 0x40; select <= 0x5F; ++select) {
        for (const std::uint16_t number : kCounterAliases) {
            for (unsigned state = 0; state < 12; ++state) {
                const bool cde = (state & 1) != 0;
                const bool delegated = (state & 2) != 0;
                const Privilege mode = kModes[state / 4];
                const std::uint64_t counter = bit(static_cast<unsigned>(select - 0x40));
                for (const Word word : {csrr(a0, number), csrw(number, a1)}) {
                    Delegating bench(delegated ? counter : ~counter, cde ? kCde : 0);
                    bench.set_csr(csr::kSiselect, select);
                    ASSERT_EQ(!bench.is_illegal(mode, word),
                              legal(mode, select, number, cde, delegated))
                        << std::hex << "select " << select << " number " << number << " state "
                        << state;
                }
            }
        }
    }
}

TEST(HartDelegation, ThereIsNothingBehindOtherSelectValues) {
    for (const std::uint64_t select : {0x0U, 0x3FU, 0x60U, 0x140U, 0x840U}) {
        for (const std::uint16_t number : {kSireg, kSireg2}) {
            Delegating bench(kAll);
            bench.set_csr(csr::kSiselect, select);
            EXPECT_TRUE(bench.is_illegal(Privilege::Supervisor, csrr(a0, number)));
        }
    }
}

/// "If any extension upon which the underlying state depends is not implemented": Smcntrpmf.
TEST(HartDelegation, FiltersOfFixedCountersNeedTheirExtension) {
    for (const std::uint64_t select : {0x40U, 0x42U}) {
        for (const bool present : {false, true}) {
            Delegating bench(kAll, kCde, {.smcntrpmf = present});
            bench.set_csr(csr::kSiselect, select);
            EXPECT_EQ(bench.is_illegal(Privilege::Supervisor, csrr(a0, kSireg2)), !present);
        }
    }
}

TEST(HartDelegation, SiregIsTheCounter) {
    Delegating bench(kAll);
    bench.set(a2, 0x40 + 5);
    bench.set(a3, 0x1234'5678);
    bench.execute_in(Privilege::Supervisor, {csrw(csr::kSiselect, a2), csrrw(a4, kSireg, a3),
                                             csrr(a5, kSireg), csrrsi(a6, kSireg, 7)});
    EXPECT_FALSE(bench.trap());
    EXPECT_EQ(bench.get(a4), 0U);
    EXPECT_EQ(bench.get(a5), 0x1234'5678U);
    EXPECT_EQ(bench.counter(counter_csr(5)), 0x1234'567FU);
}

/// The registered value of the cycle of the access, as through the machine's number.
TEST(HartDelegation, ACounterThatRunsReadsAsItsMachineCsrDoes) {
    for (const unsigned index : {kCycleIndex, kInstretIndex}) {
        std::uint64_t values[2];
        for (const bool indirect : {false, true}) {
            Delegating bench(kAll);
            bench.set_csr(csr::kSiselect, 0x40 + index);
            bench.execute({kNop, kNop, csrr(a0, indirect ? kSireg : counter_csr(index)), kNop});
            values[indirect ? 1 : 0] = bench.get(a0);
        }
        EXPECT_EQ(values[0], values[1]);
        EXPECT_GT(values[0], 1U);
    }
}

TEST(HartDelegation, MinhIsReadOnlyZeroAndKeepsItsValue) {
    struct Case {
        unsigned index;
        std::uint16_t number;
        std::uint64_t writable; ///< by M-mode
    };
    constexpr std::uint64_t kMinh = bit(62), kInhibits = bit(62) | bit(61) | bit(60);
    for (const Case& one :
         {Case{0, csr::kMcyclecfg, kInhibits}, Case{2, csr::kMinstretcfg, kInhibits},
          Case{3, csr::kMhpmevent3, kInhibits | bit(63)}}) {
        for (const bool minh : {false, true}) {
            Delegating bench(kAll);
            bench.set(a2, minh ? kMinh : 0);
            bench.execute({csrw(one.number, a2)});
            bench.set_csr(csr::kSiselect, 0x40 + one.index);
            bench.set(a3, kInhibits | bit(63));
            bench.execute_in(Privilege::Supervisor,
                             {csrr(a4, kSireg2), csrw(kSireg2, a3), csrr(a5, kSireg2),
                              csrrc(zero, kSireg2, a3), csrr(a6, kSireg2)});
            EXPECT_FALSE(bench.trap());
            EXPECT_EQ(bench.get(a4), 0U);
            EXPECT_EQ(bench.get(a5), one.writable & ~kMinh);
            EXPECT_EQ(bench.get(a6), 0U);
            EXPECT_EQ(bench.counter(one.number), minh ? kMinh : 0);
        }
    }
}

TEST(HartDelegation, Sireg2IsTheEventSelector) {
    Delegating bench(kAll);
    bench.set_csr(csr::kSiselect, 0x43);
    bench.set(a2, 9); // branches
    bench.set(a3, 3);
    bench.execute_in(Privilege::Supervisor,
                     {csrw(kSireg2, a2), addi(a3, a3, -1), bne(a3, zero, -4), csrr(a4, kSireg)});
    EXPECT_EQ(bench.counter(csr::kMhpmevent3), 9U);
    EXPECT_EQ(bench.get(a4), 3U);
}

// --- scountinhibit ------------------------------------------------------------------------------

TEST(HartDelegation, ScountinhibitNeedsDelegationInEveryMode) {
    for (const Privilege mode : kModes) {
        for (const bool cde : {false, true}) {
            for (const Word word :
                 {csrr(a0, csr::kScountinhibit), csrw(csr::kScountinhibit, zero)}) {
                Delegating bench(kAll, cde ? kCde : 0);
                EXPECT_EQ(bench.is_illegal(mode, word), !cde || mode == Privilege::User);
            }
        }
    }
}

TEST(HartDelegation, ScountinhibitIsAMaskedAliasOfMcountinhibit) {
    constexpr std::uint64_t kDelegated = bit(0) | bit(1) | bit(3) | bit(5);
    constexpr std::uint64_t kOthers = bit(2) | bit(4);
    constexpr std::uint64_t kSeen = bit(0) | bit(3) | bit(5); // bit 1 is that of time
    for (const std::uint64_t before : {std::uint64_t{0}, kOthers, kOthers | kSeen}) {
        for (const std::uint64_t written : {std::uint64_t{0}, kAll, bit(3) | bit(2)}) {
            Delegating bench(kDelegated);
            bench.set(a2, before);
            bench.execute({csrw(csr::kMcountinhibit, a2)});
            bench.set(a3, written);
            bench.execute_in(Privilege::Supervisor,
                             {csrrw(a4, csr::kScountinhibit, a3), csrr(a5, csr::kScountinhibit)});
            EXPECT_FALSE(bench.trap());
            EXPECT_EQ(bench.get(a4), before & kSeen);
            EXPECT_EQ(bench.get(a5), written & kSeen);
            EXPECT_EQ(bench.counter(csr::kMcountinhibit), (before & kOthers) | (written & kSeen));
        }
    }
}

// --- Without the extension ----------------------------------------------------------------------

TEST(HartDelegation, NothingIsDelegatedWithoutTheExtension) {
    for (const std::uint16_t number : {kSireg, kSireg2, csr::kScountinhibit}) {
        for (const Privilege mode : kModes) {
            ExtensionBench bench({.smcsrind = true});
            bench.set_csr(csr::kMenvcfg, kAll);
            bench.set_csr(csr::kMcounteren, kAll);
            bench.set_csr(csr::kSiselect, 0x43);
            EXPECT_TRUE(bench.is_illegal(mode, csrr(a0, number)));
        }
    }
}

} // namespace
} // namespace pes::test

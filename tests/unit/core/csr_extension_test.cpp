// SPDX-License-Identifier: Apache-2.0
// What optional extensions add to the CSR file: bits of other registers, and who drives mip.STIP.
// Chapters are those of the privileged specification.
#include "hw/core/arch/csr_file.h"
#include "hw/core/arch/csr_numbers.h"

#include <gtest/gtest.h>

#include <random>

namespace pes {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};
constexpr std::uint64_t kStip = 1U << 5;
constexpr std::uint64_t kWritableInMip = 1U << 1 | kStip | 1U << 9;
constexpr unsigned kTimerLine = 5;
constexpr std::uint64_t kStce = std::uint64_t{1} << 63, kCde = std::uint64_t{1} << 60,
                        kAdue = std::uint64_t{1} << 61;

CsrFile make_file(const Extensions& extensions) {
    return {0, Pmp(8), OverflowInterrupt::Absent, extensions};
}

TEST(CsrExtension, EachBitOfMenvcfgIsThereWithItsExtension) {
    std::mt19937_64 random(1);
    const struct {
        Extensions extensions;
        std::uint64_t writable;
    } kCases[] = {{{}, 1},
                  {{.sstc = true}, 1 | kStce},
                  {{.smcsrind = true}, 1},
                  {{.smcsrind = true, .smcdeleg = true}, 1 | kCde},
                  {{.svadu = true}, 1 | kAdue},
                  {{.smstateen = true}, 1}};
    for (const auto& one : kCases) {
        CsrFile csr = make_file(one.extensions);
        EXPECT_EQ(csr.read(csr::kMenvcfg), 0U);
        for (unsigned trial = 0; trial < 100; ++trial) {
            const std::uint64_t value = trial == 0 ? kAll : random();
            csr.write(csr::kMenvcfg, value);
            ASSERT_EQ(csr.read(csr::kMenvcfg), value & one.writable);
            csr.write(csr::kSenvcfg, value);
            ASSERT_EQ(csr.read(csr::kSenvcfg), value & 1) << "they are M-mode's to set";
        }
    }
}

TEST(CsrExtension, SelectsHoldAtLeastTwelveBits) {
    CsrFile csr = make_file({.smcsrind = true});
    for (const std::uint16_t number : {csr::kMiselect, csr::kSiselect}) {
        EXPECT_EQ(csr.read(number), 0U);
        for (std::uint64_t value = 0; value < 0x1000; ++value) {
            csr.write(number, value);
            ASSERT_EQ(csr.read(number), value);
        }
        csr.write(number, kAll);
        EXPECT_EQ(csr.read(number), 0xFFFU) << "bit 63 would be that of custom values";
    }
    csr.write(csr::kMiselect, 1);
    EXPECT_EQ(csr.read(csr::kSiselect), 0xFFFU) << "they are two registers";
}

// --- Smstateen ----------------------------------------------------------------------------------

TEST(CsrStateen, HasTheBitsOfTheStateThatIsThere) {
    constexpr std::uint64_t kSe0 = std::uint64_t{1} << 63, kEnvcfg = std::uint64_t{1} << 62,
                            kCsrind = std::uint64_t{1} << 60, kCustom = 1;
    for (const bool indirect : {false, true}) {
        for (const bool custom : {false, true}) {
            CsrFile csr = make_file({.smcsrind = indirect, .smstateen = true});
            if (custom) {
                csr.add_state(0);
            }
            EXPECT_EQ(csr.read(csr::kMstateen0), 0U) << "closed after reset";
            csr.write(csr::kMstateen0, kAll);
            EXPECT_EQ(csr.read(csr::kMstateen0),
                      kSe0 | kEnvcfg | (indirect ? kCsrind : 0) | (custom ? kCustom : 0));
            csr.write(csr::kSstateen0, kAll);
            EXPECT_EQ(csr.read(csr::kSstateen0), custom ? kCustom : 0);
            for (const unsigned n : {1U, 2U, 3U}) {
                for (const unsigned first : {csr::kMstateen0 + 0U, csr::kSstateen0 + 0U}) {
                    csr.write(static_cast<std::uint16_t>(first + n), kAll);
                    EXPECT_EQ(csr.read(static_cast<std::uint16_t>(first + n)), 0U);
                }
            }
        }
    }
}

TEST(CsrStateen, ABitThatIsZeroInMstateenIsReadOnlyZeroInSstateen) {
    CsrFile csr = make_file({.smstateen = true});
    csr.add_state(0);
    csr.write(csr::kSstateen0, kAll);
    EXPECT_EQ(csr.read(csr::kSstateen0), 0U);
    csr.write(csr::kMstateen0, kAll);
    EXPECT_EQ(csr.read(csr::kSstateen0), 0U) << "the write had no effect";
    csr.write(csr::kSstateen0, kAll);
    EXPECT_EQ(csr.read(csr::kSstateen0), 1U);
    csr.write(csr::kMstateen0, kAll & ~std::uint64_t{1});
    EXPECT_EQ(csr.read(csr::kSstateen0), 0U);
}

// --- Sstc ---------------------------------------------------------------------------------------

TEST(CsrSstc, StimecmpHolds64BitsAndTellsTheTimer) {
    CsrFile csr = make_file({.sstc = true});
    EXPECT_EQ(csr.stimecmp(), kAll) << "nothing is due after reset";
    std::mt19937_64 random(2);
    for (unsigned trial = 0; trial < 100; ++trial) {
        const std::uint64_t value = trial < 2 ? trial * kAll : random();
        EXPECT_EQ(csr.write(csr::kStimecmp, value), CsrEffect::Timer);
        ASSERT_EQ(csr.read(csr::kStimecmp), value);
        ASSERT_EQ(csr.stimecmp(), value);
    }
}

TEST(CsrSstc, StipIsTheComparisonAndReadOnlyWhileStceIsSet) {
    CsrFile csr = make_file({.sstc = true});
    csr.write(csr::kMenvcfg, kStce);
    csr.write(csr::kMideleg, kWritableInMip);
    for (const bool level : {true, false, true}) {
        csr.set_interrupt_line(kTimerLine, level);
        const std::uint64_t expected = level ? kStip : 0;
        for (const std::uint64_t written : {kAll, std::uint64_t{0}}) {
            csr.write(csr::kMip, written);
            EXPECT_EQ(csr.read(csr::kMip).value() & kStip, expected);
            EXPECT_EQ(csr.read(csr::kSip).value() & kStip, expected);
            EXPECT_EQ(csr.read(csr::kMip).value() & ~kStip, written & kWritableInMip & ~kStip);
            csr.write(csr::kSip, written);
            EXPECT_EQ(csr.read(csr::kMip).value() & kStip, expected);
        }
    }
}

TEST(CsrSstc, WithoutStceStipIsTheBitOfSoftwareAsWithoutTheExtension) {
    for (const bool present : {false, true}) {
        CsrFile csr = make_file({.sstc = present});
        csr.set_interrupt_line(kTimerLine, true);
        EXPECT_EQ(csr.read(csr::kMip), 0U);
        csr.write(csr::kMip, kStip);
        csr.set_interrupt_line(kTimerLine, false);
        EXPECT_EQ(csr.read(csr::kMip), kStip);
        csr.write(csr::kMip, 0);
        EXPECT_EQ(csr.read(csr::kMip), 0U);
    }
}

TEST(CsrSstc, StipChangesHandsWithStce) {
    CsrFile csr = make_file({.sstc = true});
    csr.write(csr::kMip, kStip);
    csr.write(csr::kMenvcfg, kStce);
    EXPECT_EQ(csr.read(csr::kMip), 0U);
    csr.write(csr::kMip, 0);
    csr.write(csr::kMenvcfg, 0);
    EXPECT_EQ(csr.read(csr::kMip), kStip) << "what software wrote before is back";
    csr.write(csr::kMip, 0);
    csr.set_interrupt_line(kTimerLine, true);
    EXPECT_EQ(csr.read(csr::kMip), 0U);
    csr.write(csr::kMenvcfg, kStce);
    EXPECT_EQ(csr.read(csr::kMip), kStip);
}

TEST(CsrSstc, TheInterruptFollowsEnableAndDelegation) {
    CsrFile csr = make_file({.sstc = true});
    csr.write(csr::kMenvcfg, kStce);
    csr.set_interrupt_line(kTimerLine, true);
    EXPECT_EQ(csr.pending_interrupt(Privilege::User), std::nullopt);
    csr.write(csr::kMie, kStip);
    EXPECT_EQ(csr.pending_interrupt(Privilege::Supervisor), kTimerLine)
        << "not delegated: M-mode's";
    csr.write(csr::kMideleg, kStip);
    EXPECT_EQ(csr.pending_interrupt(Privilege::User), kTimerLine);
    EXPECT_EQ(csr.pending_interrupt(Privilege::Supervisor), std::nullopt) << "SIE = 0";
    csr.write(csr::kMstatus, mstatus::kSie | mstatus::kMie);
    EXPECT_EQ(csr.pending_interrupt(Privilege::Supervisor), kTimerLine);
    EXPECT_EQ(csr.pending_interrupt(Privilege::Machine), std::nullopt);
    csr.set_interrupt_line(kTimerLine, false);
    EXPECT_EQ(csr.pending_interrupt(Privilege::User), std::nullopt);
}

} // namespace
} // namespace pes

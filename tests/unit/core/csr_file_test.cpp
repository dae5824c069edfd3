// SPDX-License-Identifier: Apache-2.0
// Every register of the CSR file: reset value, which bits hold what is written, and the rules that
// a mask cannot express. Section numbers are those of the privileged specification 1.12.
#include "hw/core/arch/causes.h"
#include "hw/core/arch/csr_file.h"
#include "hw/core/arch/csr_numbers.h"
#include "hw/core/arch/csr_rights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

namespace pes {
namespace {

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};
constexpr std::uint64_t kSupervisorBits = 1U << 1 | 1U << 5 | 1U << 9;
constexpr std::uint64_t kMachineBits = 1U << 3 | 1U << 7 | 1U << 11;
constexpr std::uint64_t kLengths = std::uint64_t{2} << 32 | std::uint64_t{2} << 34; // UXL, SXL: 64

/// A register whose bits are independent: `writable` ones hold anything, the others read `fixed`.
struct PlainRegister {
    const char* name;
    std::uint16_t number;
    std::uint64_t writable;
    std::uint64_t fixed = 0;
};

constexpr PlainRegister kPlainRegisters[] = {
    {"fflags", csr::kFflags, 0x1F},
    {"frm", csr::kFrm, 0x7},
    {"fcsr", csr::kFcsr, 0xFF},
    {"stvec", csr::kStvec, kAllOnes & ~std::uint64_t{2}},
    {"scounteren", csr::kScounteren, 0xFFFF'FFFF},
    {"senvcfg", csr::kSenvcfg, 1},
    {"sscratch", csr::kSscratch, kAllOnes},
    {"sepc", csr::kSepc, kAllOnes & ~std::uint64_t{1}},
    {"scause", csr::kScause, kAllOnes},
    {"stval", csr::kStval, kAllOnes},
    // 0..9, 12, 13, 15: every cause that the hart raises below M-mode; never an ecall from M
    {"medeleg", csr::kMedeleg, 0xB3FF},
    {"mideleg", csr::kMideleg, kSupervisorBits},
    {"mie", csr::kMie, kSupervisorBits | kMachineBits},
    {"mtvec", csr::kMtvec, kAllOnes & ~std::uint64_t{2}},
    {"mcounteren", csr::kMcounteren, 0xFFFF'FFFF},
    {"menvcfg", csr::kMenvcfg, 1},
    {"mscratch", csr::kMscratch, kAllOnes},
    {"mepc", csr::kMepc, kAllOnes & ~std::uint64_t{1}},
    {"mcause", csr::kMcause, kAllOnes},
    {"mtval", csr::kMtval, kAllOnes},
    {"mip", csr::kMip, kSupervisorBits},
    {"pmpaddr0", csr::kPmpaddr0, (std::uint64_t{1} << 54) - 1},
    {"pmpaddr7", csr::kPmpaddr0 + 7, (std::uint64_t{1} << 54) - 1},
    {"pmpaddr8", csr::kPmpaddr0 + 8, 0}, // beyond the eight entries of these tests
    {"pmpcfg2", csr::kPmpcfg2, 0},
    {"misa", csr::kMisa, 0, 0x8000'0000'0014'112F}, // RV64, A B C D F I M S U
    {"tselect", csr::kTselect, 0},
    {"tdata1", csr::kTdata1, 0},
    {"tdata2", csr::kTdata1 + 1, 0},
    {"tdata3", csr::kTdata1 + 2, 0},
    {"icache", csr::kIcache, 0, 1},
    {"dcache", csr::kDcache, 0, 1},
    {"mvendorid", csr::kMvendorid, 0, 0x602},
    {"marchid", csr::kMarchid, 0, 3},
    {"mimpid", csr::kMimpid, 0},
    {"mhartid", csr::kMhartid, 0, 5},
    {"mconfigptr", csr::kMconfigptr, 0},
};

class CsrFileTest : public testing::Test {
  protected:
    std::uint64_t read(std::uint16_t number) { return csr_.read(number).value(); }
    CsrEffect write(std::uint16_t number, std::uint64_t value) { return csr_.write(number, value); }

    CsrFile csr_{5, Pmp(8), OverflowInterrupt::Absent};
};

class PlainCsr : public testing::TestWithParam<PlainRegister> {};

TEST_P(PlainCsr, ResetsToItsFixedBits) {
    const CsrFile csr(5, Pmp(8), OverflowInterrupt::Absent);
    EXPECT_EQ(csr.read(GetParam().number), GetParam().fixed);
}

TEST_P(PlainCsr, HoldsItsWritableBitsAndNoOthers) {
    CsrFile csr(5, Pmp(8), OverflowInterrupt::Absent);
    const PlainRegister& which = GetParam();
    std::mt19937_64 random(which.number);
    for (unsigned trial = 0; trial < 200; ++trial) {
        const std::uint64_t value = trial == 0 ? kAllOnes : random();
        csr.write(which.number, value);
        ASSERT_EQ(csr.read(which.number), (value & which.writable) | which.fixed);
    }
}

INSTANTIATE_TEST_SUITE_P(CsrFile, PlainCsr, testing::ValuesIn(kPlainRegisters),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_F(CsrFileTest, OtherNumbersDoNotExist) {
    // Odd pmpcfg on RV64, the upper halves of RV32, counters (the bank's), debug, hypervisor, N.
    for (const std::uint16_t number :
         {0x3A1, 0x3A3, 0x3F0, 0x310, 0x31A, 0xB00, 0xB02, 0x320, 0x323, 0xC00, 0xC01,
          0xC80, 0x7B0, 0x7A4, 0x600, 0x000, 0x102, 0x103, 0x747, 0xF10, 0xF16, 0x7C2}) {
        EXPECT_EQ(csr_.read(number), std::nullopt) << std::hex << number;
    }
}

// --- What a configuration leaves out ------------------------------------------------------------

TEST(CsrConfiguration, TheUpperProtectionRegistersNeedMoreThan16Entries) {
    for (const auto& [entries, there] : {std::pair{8U, false}, {16U, false}, {17U, true}}) {
        const CsrFile csr(0, Pmp(entries), OverflowInterrupt::Absent);
        for (const std::uint16_t number : {0x3A4, 0x3AE, 0x3C0, 0x3EF}) {
            EXPECT_EQ(may_access(csr, Privilege::Machine, number), there) << entries;
        }
        EXPECT_TRUE(may_access(csr, Privilege::Machine, 0x3BF));
    }
    CsrFile csr(0, Pmp(64), OverflowInterrupt::Absent);
    csr.write(0x3EF, 0x123);
    csr.write(0x3AE, std::uint64_t{0x0F} << 56); // entry 63: TOR, R, W, X
    EXPECT_EQ(csr.read(0x3EF), 0x123U);
    EXPECT_EQ(csr.read(0x3AE), std::uint64_t{0x0F} << 56);
    EXPECT_EQ(csr.read(0x3AC), 0U);
}

TEST(CsrConfiguration, WithoutXtvalTrapsLeaveZero) {
    Extensions extensions;
    extensions.xtval = false;
    CsrFile csr(0, Pmp(8), OverflowInterrupt::Absent, extensions);
    for (const std::uint16_t number : {csr::kMtval, csr::kStval}) {
        csr.write(number, kAllOnes);
        EXPECT_EQ(csr.read(number), 0U);
    }
    csr.enter_trap(2, 0x8000'0000, 0x1234, Privilege::Machine);
    EXPECT_EQ(csr.read(csr::kMtval), 0U);
    EXPECT_EQ(csr.read(csr::kMepc), 0x8000'0000U);
}

TEST(CsrConfiguration, WithoutVectorsMtvecIsDirectAndStvecIsNot) {
    Extensions extensions;
    extensions.mtvec_vectored = false;
    CsrFile csr(0, Pmp(8), OverflowInterrupt::Absent, extensions);
    csr.write(csr::kMtvec, 0x8000'0101);
    EXPECT_EQ(csr.read(csr::kMtvec), 0x8000'0100U);
    csr.write(csr::kStvec, 0x8000'0101);
    EXPECT_EQ(csr.read(csr::kStvec), 0x8000'0101U);
}

// --- mstatus and sstatus (3.1.6, 4.1.1) ---------------------------------------------------------

constexpr std::uint64_t kStatusWritable = 0x0000'0000'007E'79AA; // without MPP = 2

TEST_F(CsrFileTest, StatusResetsWithEverythingOffAndLengths64) {
    EXPECT_EQ(read(csr::kMstatus), kLengths);
    EXPECT_EQ(read(csr::kSstatus), std::uint64_t{2} << 32);
}

TEST_F(CsrFileTest, StatusHoldsItsWritableBitsAndNoOthers) {
    std::mt19937_64 random(7);
    for (unsigned trial = 0; trial < 500; ++trial) {
        std::uint64_t value = random();
        if ((value >> 11 & 3) == 2) {
            value ^= 1U << 11; // MPP = 3
        }
        write(csr::kMstatus, value);
        const bool dirty = (value >> 13 & 3) == 3;
        const std::uint64_t expected =
            (value & kStatusWritable) | kLengths | (dirty ? std::uint64_t{1} << 63 : 0);
        ASSERT_EQ(read(csr::kMstatus), expected);
    }
}

TEST_F(CsrFileTest, PreviousPrivilegeTwoIsReservedAndKeepsTheOldValue) {
    for (const std::uint64_t legal : {0, 1, 3}) {
        write(csr::kMstatus, legal << 11);
        EXPECT_EQ(read(csr::kMstatus) >> 11 & 3, legal);
        write(csr::kMstatus, 2U << 11 | mstatus::kMie);
        EXPECT_EQ(read(csr::kMstatus) >> 11 & 3, legal);
        EXPECT_TRUE(csr_.status(mstatus::kMie)) << "the other fields are written";
        write(csr::kMstatus, legal << 11);
    }
}

TEST_F(CsrFileTest, SummaryBitFollowsFloatDirty) {
    for (const std::uint64_t fs : {0, 1, 2, 3}) {
        write(csr::kMstatus, fs << 13);
        EXPECT_EQ(read(csr::kMstatus) >> 63, fs == 3 ? 1U : 0U);
        EXPECT_EQ(read(csr::kSstatus) >> 63, fs == 3 ? 1U : 0U);
        EXPECT_EQ(csr_.float_enabled(), fs != 0);
    }
}

TEST_F(CsrFileTest, SupervisorStatusShowsAndWritesOnlyItsFields) {
    constexpr std::uint64_t kVisible = 1U << 1 | 1U << 5 | 1U << 8 | 3U << 13 | 3U << 18;
    write(csr::kMstatus, kStatusWritable);
    EXPECT_EQ(read(csr::kSstatus), kVisible | std::uint64_t{2} << 32 | std::uint64_t{1} << 63);
    write(csr::kSstatus, 0);
    EXPECT_EQ(read(csr::kMstatus), (kStatusWritable & ~kVisible) | kLengths);
    write(csr::kMstatus, 0);
    write(csr::kSstatus, kAllOnes);
    EXPECT_EQ(read(csr::kMstatus), kVisible | kLengths | std::uint64_t{1} << 63);
}

TEST_F(CsrFileTest, WritingAFloatRegisterMakesTheFloatStateDirty) {
    for (const std::uint16_t number : {csr::kFflags, csr::kFrm, csr::kFcsr}) {
        write(csr::kMstatus, 1U << 13);
        write(number, 0);
        EXPECT_EQ(read(csr::kMstatus) & mstatus::kFs, mstatus::kFs);
    }
}

TEST_F(CsrFileTest, FloatRegistersAreFieldsOfOne) {
    write(csr::kFcsr, 0xB5);
    EXPECT_EQ(read(csr::kFflags), 0x15U);
    EXPECT_EQ(read(csr::kFrm), 5U);
    write(csr::kFflags, 0x0A);
    write(csr::kFrm, 2);
    EXPECT_EQ(read(csr::kFcsr), 0x4AU);
}

// --- Translation (4.1.11) -----------------------------------------------------------------------

TEST_F(CsrFileTest, SatpTakesBareAndSv39) {
    constexpr std::uint64_t kSv39 = std::uint64_t{8} << 60 | std::uint64_t{0xABCD} << 44 | 0x123456;
    write(csr::kSatp, kSv39);
    EXPECT_EQ(read(csr::kSatp), kSv39);
    EXPECT_TRUE(csr_.translation_on());
    EXPECT_EQ(csr_.asid(), 0xABCDU);
    write(csr::kSatp, 0);
    EXPECT_EQ(read(csr::kSatp), 0U);
    EXPECT_FALSE(csr_.translation_on());
}

TEST_F(CsrFileTest, SatpWithAnUnsupportedModeIsNotWrittenAtAll) {
    constexpr std::uint64_t kSv39 = std::uint64_t{8} << 60 | 0x1111;
    write(csr::kSatp, kSv39);
    for (std::uint64_t mode = 1; mode < 16; ++mode) {
        if (mode != 8) {
            write(csr::kSatp, mode << 60 | 0x2222);
            EXPECT_EQ(read(csr::kSatp), kSv39) << "mode " << mode;
        }
    }
}

TEST_F(CsrFileTest, OnlyContextRegistersAskTheHartToDropItsLookups) {
    EXPECT_EQ(write(csr::kSatp, 0), CsrEffect::Translation);
    for (const std::uint16_t number : {csr::kMstatus, csr::kSstatus}) {
        EXPECT_EQ(write(number, 0), CsrEffect::DataAccess) << std::hex << number;
    }
    for (const unsigned number :
         {csr::kPmpcfg0 + 0U, csr::kPmpcfg2 + 0U, csr::kPmpaddr0 + 0U, csr::kPmpaddr0 + 15U}) {
        EXPECT_EQ(write(static_cast<std::uint16_t>(number), 0), CsrEffect::Protection)
            << std::hex << number;
    }
    EXPECT_EQ(write(csr::kFcsr, 0), CsrEffect::Refetch);
    for (const std::uint16_t number : {csr::kMie, csr::kMip, csr::kMtvec, csr::kSie}) {
        EXPECT_EQ(write(number, 0), CsrEffect::None) << std::hex << number;
    }
}

// --- Interrupt pending and enable (3.1.9, 4.1.3) ------------------------------------------------

TEST_F(CsrFileTest, InterruptLinesAppearInMipAndCannotBeWritten) {
    for (const unsigned line : {3U, 7U, 11U}) {
        csr_.set_interrupt_line(line, true);
        EXPECT_EQ(read(csr::kMip), 1U << line);
        write(csr::kMip, 0);
        EXPECT_EQ(read(csr::kMip), 1U << line);
        csr_.set_interrupt_line(line, false);
        EXPECT_EQ(read(csr::kMip), 0U);
        write(csr::kMip, kMachineBits);
        EXPECT_EQ(read(csr::kMip), 0U);
    }
}

TEST_F(CsrFileTest, SupervisorExternalIsTheSoftwareBitOrTheLine) {
    csr_.set_interrupt_line(9, true);
    EXPECT_EQ(read(csr::kMip), 1U << 9);
    EXPECT_EQ(csr_.mip_software(), 0U);
    write(csr::kMip, 1U << 9);
    csr_.set_interrupt_line(9, false);
    EXPECT_EQ(read(csr::kMip), 1U << 9);
    write(csr::kMip, 0);
    EXPECT_EQ(read(csr::kMip), 0U);
}

TEST_F(CsrFileTest, SupervisorViewsShowDelegatedBitsOnly) {
    write(csr::kMip, kSupervisorBits);
    write(csr::kMie, kAllOnes);
    EXPECT_EQ(read(csr::kSip), 0U);
    EXPECT_EQ(read(csr::kSie), 0U);
    for (const std::uint64_t delegated : {1U << 1, 1U << 5, 1U << 9, 1U << 1 | 1U << 9}) {
        write(csr::kMideleg, delegated);
        EXPECT_EQ(read(csr::kSip), delegated);
        EXPECT_EQ(read(csr::kSie), delegated);
    }
}

TEST_F(CsrFileTest, SupervisorEnablesWriteDelegatedBitsOnly) {
    write(csr::kMideleg, 1U << 1 | 1U << 9);
    write(csr::kSie, kAllOnes);
    EXPECT_EQ(read(csr::kMie), 1U << 1 | 1U << 9);
    write(csr::kMie, kAllOnes);
    write(csr::kSie, 0);
    EXPECT_EQ(read(csr::kMie), kMachineBits | 1U << 5);
}

TEST(CsrFile, OverflowInterruptIsBitThirteenEverywhereOrNowhere) {
    constexpr std::uint64_t kBit = 1U << 13;
    for (const OverflowInterrupt presence :
         {OverflowInterrupt::Absent, OverflowInterrupt::Present}) {
        CsrFile csr(0, Pmp(8), presence);
        const std::uint64_t expected = presence == OverflowInterrupt::Present ? kBit : 0;
        for (const std::uint16_t number : {csr::kMideleg, csr::kMie, csr::kMip}) {
            csr.write(number, kBit);
            EXPECT_EQ(csr.read(number), expected) << std::hex << number;
        }
        EXPECT_EQ(csr.read(csr::kSie), expected);
        EXPECT_EQ(csr.read(csr::kSip), expected);
        csr.write(csr::kSip, 0);
        EXPECT_EQ(csr.mip(), 0U);
        csr.request_overflow_interrupt();
        EXPECT_EQ(csr.mip(), expected);
    }
}

TEST_F(CsrFileTest, OnlyTheDelegatedSoftwareBitOfSipIsWritable) {
    write(csr::kSip, kAllOnes);
    EXPECT_EQ(read(csr::kMip), 0U) << "not delegated";
    write(csr::kMideleg, kSupervisorBits);
    write(csr::kSip, kAllOnes);
    EXPECT_EQ(read(csr::kMip), 1U << 1);
    write(csr::kMip, kSupervisorBits);
    write(csr::kSip, 0);
    EXPECT_EQ(read(csr::kMip), 1U << 5 | 1U << 9);
}

// --- Which interrupt is taken (3.1.9) -----------------------------------------------------------

/// The clauses of the specification, one interrupt at a time.
std::optional<unsigned> interrupt_by_specification(Privilege mode, bool mie, bool sie,
                                                   std::uint64_t pending, std::uint64_t enabled,
                                                   std::uint64_t delegated) {
    const std::array<unsigned, 6> order{11, 3, 7, 9, 1, 5}; // MEI, MSI, MTI, SEI, SSI, STI
    for (const Privilege target : {Privilege::Machine, Privilege::Supervisor}) {
        const bool globally = target == Privilege::Machine ? mie : sie;
        const bool open = mode < target || (mode == target && globally);
        for (const unsigned number : order) {
            const std::uint64_t bit = std::uint64_t{1} << number;
            const bool to_supervisor = (delegated & bit) != 0;
            const bool here = to_supervisor == (target == Privilege::Supervisor);
            if (open && here && (pending & bit) != 0 && (enabled & bit) != 0) {
                return number;
            }
        }
    }
    return std::nullopt;
}

/// The six implemented bits chosen by the low six bits of `index`.
std::uint64_t interrupt_set(unsigned index) {
    constexpr std::array<unsigned, 6> kNumbers{1, 3, 5, 7, 9, 11};
    std::uint64_t set = 0;
    for (unsigned bit = 0; bit < kNumbers.size(); ++bit) {
        set |= std::uint64_t{index >> bit & 1} << kNumbers[bit];
    }
    return set;
}

TEST_F(CsrFileTest, TheInterruptTakenIsThatOfTheSpecificationInEveryState) {
    for (unsigned delegation = 0; delegation < 8; ++delegation) {
        const std::uint64_t delegated =
            (delegation & 1) << 1 | (delegation >> 1 & 1) << 5 | (delegation >> 2 & 1) << 9;
        write(csr::kMideleg, delegated);
        for (unsigned state = 0; state < 64 * 64; ++state) {
            const std::uint64_t pending = interrupt_set(state & 63);
            const std::uint64_t enabled = interrupt_set(state >> 6);
            for (const unsigned line : {3U, 7U, 11U}) {
                csr_.set_interrupt_line(line, (pending >> line & 1) != 0);
            }
            write(csr::kMip, pending);
            write(csr::kMie, enabled);
            for (unsigned global = 0; global < 4; ++global) {
                const bool mie = (global & 1) != 0;
                const bool sie = (global & 2) != 0;
                write(csr::kMstatus, (mie ? mstatus::kMie : 0) | (sie ? mstatus::kSie : 0));
                for (const Privilege mode :
                     {Privilege::User, Privilege::Supervisor, Privilege::Machine}) {
                    ASSERT_EQ(
                        csr_.pending_interrupt(mode),
                        interrupt_by_specification(mode, mie, sie, pending, enabled, delegated))
                        << std::hex << "pending " << pending << " enabled " << enabled;
                }
            }
        }
    }
}

// --- Trap entry and return (3.1.6.1, 3.1.7, 3.3.2) ----------------------------------------------

class TrapTest : public CsrFileTest {
  protected:
    static constexpr Address kMachineVector = 0x8000'0100, kSupervisorVector = 0x8000'0200;
    static constexpr Address kEpc = 0x8000'1234;

    TrapTest() {
        write(csr::kMtvec, kMachineVector);
        write(csr::kStvec, kSupervisorVector);
    }
    CsrFile::TrapEntry enter(Cause cause, Privilege from, std::uint64_t tval = 0) {
        return csr_.enter_trap(static_cast<std::uint64_t>(cause), kEpc, tval, from);
    }
    std::uint64_t field(std::uint64_t mask) { return read(csr::kMstatus) & mask; }
};

TEST_F(TrapTest, EntryToMachineModeFillsItsRegistersAndStacksTheEnable) {
    for (const Privilege from : {Privilege::User, Privilege::Supervisor, Privilege::Machine}) {
        for (const bool enabled : {false, true}) {
            write(csr::kMstatus, enabled ? mstatus::kMie : mstatus::kMpie);
            const CsrFile::TrapEntry entry = enter(Cause::LoadPage, from, 0x77);
            EXPECT_EQ(entry.vector, kMachineVector);
            EXPECT_EQ(entry.privilege, Privilege::Machine);
            EXPECT_EQ(read(csr::kMepc), kEpc);
            EXPECT_EQ(read(csr::kMcause), 13U);
            EXPECT_EQ(read(csr::kMtval), 0x77U);
            EXPECT_EQ(field(mstatus::kMpp), static_cast<std::uint64_t>(from) << 11);
            EXPECT_EQ(field(mstatus::kMie), 0U);
            EXPECT_EQ(field(mstatus::kMpie), enabled ? mstatus::kMpie : 0U);
        }
    }
    EXPECT_EQ(read(csr::kSepc), 0U);
    EXPECT_EQ(read(csr::kScause), 0U);
}

TEST_F(TrapTest, EntryToSupervisorModeFillsItsRegistersAndStacksTheEnable) {
    write(csr::kMedeleg, kAllOnes);
    for (const Privilege from : {Privilege::User, Privilege::Supervisor}) {
        for (const bool enabled : {false, true}) {
            write(csr::kMstatus, mstatus::kMie | (enabled ? mstatus::kSie : mstatus::kSpie));
            const CsrFile::TrapEntry entry = enter(Cause::StorePage, from, 0x99);
            EXPECT_EQ(entry.vector, kSupervisorVector);
            EXPECT_EQ(entry.privilege, Privilege::Supervisor);
            EXPECT_EQ(read(csr::kSepc), kEpc);
            EXPECT_EQ(read(csr::kScause), 15U);
            EXPECT_EQ(read(csr::kStval), 0x99U);
            EXPECT_EQ(field(mstatus::kSpp),
                      from == Privilege::Supervisor ? mstatus::kSpp : std::uint64_t{0});
            EXPECT_EQ(field(mstatus::kSie), 0U);
            EXPECT_EQ(field(mstatus::kSpie), enabled ? mstatus::kSpie : 0U);
            EXPECT_EQ(field(mstatus::kMie), mstatus::kMie) << "machine stack untouched";
        }
    }
    EXPECT_EQ(read(csr::kMepc), 0U);
}

TEST_F(TrapTest, DelegationIsPerCauseAndNeverFromMachineMode) {
    for (const unsigned cause : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 12U, 13U, 15U}) {
        write(csr::kMedeleg, std::uint64_t{1} << cause);
        for (const unsigned other : {2U, cause}) {
            const CsrFile::TrapEntry entry = enter(static_cast<Cause>(other), Privilege::User);
            EXPECT_EQ(entry.privilege, other == cause ? Privilege::Supervisor : Privilege::Machine);
        }
        EXPECT_EQ(enter(static_cast<Cause>(cause), Privilege::Machine).privilege,
                  Privilege::Machine);
    }
}

TEST_F(TrapTest, InterruptsAndExceptionsAreDelegatedSeparately) {
    write(csr::kMedeleg, 1U << 5);
    EXPECT_EQ(csr_.enter_trap(kInterruptBit | 5, kEpc, 0, Privilege::User).privilege,
              Privilege::Machine);
    write(csr::kMideleg, 1U << 9);
    EXPECT_EQ(csr_.enter_trap(kInterruptBit | 9, kEpc, 0, Privilege::User).privilege,
              Privilege::Supervisor);
    EXPECT_EQ(read(csr::kScause), kInterruptBit | 9);
}

TEST_F(TrapTest, VectoredModeSpreadsInterruptsOnly) {
    write(csr::kMtvec, kMachineVector | 1);
    write(csr::kStvec, kSupervisorVector | 1);
    write(csr::kMideleg, kSupervisorBits);
    EXPECT_EQ(enter(Cause::IllegalInstruction, Privilege::User).vector, kMachineVector);
    for (const unsigned number : {3U, 7U, 11U}) {
        EXPECT_EQ(csr_.enter_trap(kInterruptBit | number, kEpc, 0, Privilege::User).vector,
                  kMachineVector + Address{4} * number);
    }
    for (const unsigned number : {1U, 5U, 9U}) {
        EXPECT_EQ(csr_.enter_trap(kInterruptBit | number, kEpc, 0, Privilege::User).vector,
                  kSupervisorVector + Address{4} * number);
    }
}

TEST_F(TrapTest, MachineReturnPopsItsStackAndLeavesUserBehind) {
    for (const Privilege previous : {Privilege::User, Privilege::Supervisor, Privilege::Machine}) {
        for (const bool enabled : {false, true}) {
            write(csr::kMepc, kEpc);
            write(csr::kMstatus, static_cast<std::uint64_t>(previous) << 11 |
                                     (enabled ? mstatus::kMpie : mstatus::kMie));
            const CsrFile::TrapReturn back = csr_.return_from_machine();
            EXPECT_EQ(back.pc, kEpc);
            EXPECT_EQ(back.privilege, previous);
            EXPECT_EQ(field(mstatus::kMie), enabled ? mstatus::kMie : 0U);
            EXPECT_EQ(field(mstatus::kMpie), mstatus::kMpie);
            EXPECT_EQ(field(mstatus::kMpp), 0U);
        }
    }
}

TEST_F(TrapTest, SupervisorReturnPopsItsStackAndLeavesUserBehind) {
    for (const Privilege previous : {Privilege::User, Privilege::Supervisor}) {
        for (const bool enabled : {false, true}) {
            write(csr::kSepc, kEpc);
            write(csr::kMstatus, (previous == Privilege::Supervisor ? mstatus::kSpp : 0) |
                                     (enabled ? mstatus::kSpie : mstatus::kSie));
            const CsrFile::TrapReturn back = csr_.return_from_supervisor();
            EXPECT_EQ(back.pc, kEpc);
            EXPECT_EQ(back.privilege, previous);
            EXPECT_EQ(field(mstatus::kSie), enabled ? mstatus::kSie : 0U);
            EXPECT_EQ(field(mstatus::kSpie), mstatus::kSpie);
            EXPECT_EQ(field(mstatus::kSpp), 0U);
        }
    }
}

TEST_F(TrapTest, ReturnsToLessThanMachineModeClearModifyPrivilege) {
    for (const Privilege previous : {Privilege::User, Privilege::Supervisor, Privilege::Machine}) {
        write(csr::kMstatus, static_cast<std::uint64_t>(previous) << 11 | mstatus::kMprv);
        csr_.return_from_machine();
        EXPECT_EQ(field(mstatus::kMprv),
                  previous == Privilege::Machine ? mstatus::kMprv : std::uint64_t{0});
    }
    write(csr::kMstatus, mstatus::kMprv | mstatus::kSpp);
    csr_.return_from_supervisor();
    EXPECT_EQ(field(mstatus::kMprv), 0U);
}

TEST_F(TrapTest, EntryKeepsModifyPrivilege) {
    write(csr::kMstatus, mstatus::kMprv);
    enter(Cause::Breakpoint, Privilege::Machine);
    EXPECT_EQ(field(mstatus::kMprv), mstatus::kMprv);
}

} // namespace
} // namespace pes

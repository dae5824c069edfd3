// SPDX-License-Identifier: Apache-2.0
// The event table of the older CV32E40P, its page, and the numbers of its registers. Expected
// values: the core's user manual (PCER and PCCR tables).
#include "hw/common/event.h"
#include "hw/hpm/pcer_csr.h"
#include "hw/interface/pmu/profile_cv32e40p.h"

#include <gtest/gtest.h>

#include <string>

namespace pes::test {
namespace {

TEST(Cv32e40pProfile, BitsFollowTheCounterTableOfTheManual) {
    const char* const manual[] = {"active-cycles",
                                  "instructions",
                                  "load-use-stalls",
                                  "jump-register-stalls",
                                  "fetch-wait-cycles",
                                  "loads",
                                  "stores",
                                  "jumps",
                                  "branches",
                                  "taken-branches",
                                  "compressed",
                                  "external-loads",
                                  "external-stores",
                                  "external-load-cycles",
                                  "external-store-cycles",
                                  "tcdm-contention",
                                  "csr-hazards",
                                  "fp-type-conflicts",
                                  "fp-contention",
                                  "fp-data-hazards",
                                  "fp-write-back-contention"};
    ASSERT_EQ(kCv32e40pProfile.event_count, std::size(manual));
    for (std::uint64_t bit = 0; bit < std::size(manual); ++bit) {
        ASSERT_NE(find_selector(kCv32e40pProfile, bit), nullptr) << bit;
        EXPECT_EQ(std::string(find_selector(kCv32e40pProfile, bit)->name), manual[bit]);
    }
}

TEST(Cv32e40pProfile, VariantsDifferInNothingButTheRegistersBehindTheNumbers) {
    EXPECT_EQ(kCv32e40pProfile.registers, RegisterSet::Pcer);
    EXPECT_EQ(kCv32e40pAsicProfile.registers, RegisterSet::PcerShared);
    for (const PmuProfile* profile : {&kCv32e40pProfile, &kCv32e40pAsicProfile}) {
        EXPECT_EQ(profile->events, kCv32e40pEvents) << profile->name;
        EXPECT_EQ(profile->width, 32U);
        EXPECT_EQ(profile->programmable, 31U);
        EXPECT_FALSE(profile->sscofpmf || profile->smcntrpmf);
    }
}

TEST(Cv32e40pProfile, EventsWithoutASourceSayThatTheyNeverCount) {
    for (const EventRow& row : kCv32e40pProfile) {
        const bool never = std::string(row.meaning()).starts_with("Never counts");
        EXPECT_EQ(never, row.source == Event::None) << row.name;
        EXPECT_EQ(never, row.kind() == EventClass::None) << row.name;
    }
}

TEST(PcerCsr, MachineNumbersAndUserAliasesNameTheSameRegisters) {
    for (unsigned n = 0; n <= 31; ++n) {
        const PcerRegister kind = n == 31 ? PcerRegister::All : PcerRegister::Counter;
        for (const unsigned base : {0x780U, 0xC80U}) {
            const PcerCsr csr = decode_pcer_csr(static_cast<std::uint16_t>(base + n));
            EXPECT_EQ(csr.kind, kind) << n;
            EXPECT_EQ(csr.index, n == 31 ? 0 : n);
        }
    }
    EXPECT_EQ(decode_pcer_csr(0x7E0).kind, PcerRegister::Enable);
    EXPECT_EQ(decode_pcer_csr(0xCC0).kind, PcerRegister::Enable);
    EXPECT_EQ(decode_pcer_csr(0x7E1).kind, PcerRegister::Mode);
    EXPECT_EQ(decode_pcer_csr(0xCC1).kind, PcerRegister::Mode);
    for (const unsigned number :
         {0x77FU, 0x7A0U, 0x7DFU, 0x7E2U, 0xC7FU, 0xCA0U, 0xCBFU, 0xCC2U, 0xB00U}) {
        EXPECT_EQ(decode_pcer_csr(static_cast<std::uint16_t>(number)).kind, PcerRegister::None)
            << std::hex << number;
    }
}

} // namespace
} // namespace pes::test

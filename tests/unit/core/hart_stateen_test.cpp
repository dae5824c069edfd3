// SPDX-License-Identifier: Apache-2.0
// Smstateen and Ssstateen in a whole hart: what a clear bit of mstateen0 or sstateen0 closes, and
// to whom ("State Enable Extensions").
#include "tests/unit/core/extension_bench.h"

#include <gtest/gtest.h>

#include <vector>

namespace pes::test {
namespace {

constexpr std::uint64_t kSe0 = std::uint64_t{1} << 63, kEnvcfg = std::uint64_t{1} << 62,
                        kStateCsrind = std::uint64_t{1} << 60, kCustom = 1;
constexpr std::uint64_t kStateCde = std::uint64_t{1} << 60;
constexpr Extensions kStateEnabling{.smcsrind = true, .smcdeleg = true, .smstateen = true};

TEST(HartStateen, ThereIsNoStateEnableWithoutTheExtension) {
    for (const unsigned first : {0x10CU, 0x30CU}) {
        for (unsigned number = first; number < first + 4; ++number) {
            ExtensionBench bench({.smcsrind = true, .smcdeleg = true});
            EXPECT_TRUE(bench.is_illegal(Privilege::Machine, csrr(a0, number)));
        }
    }
    for (const std::uint16_t open : {csr::kSenvcfg, csr::kSiselect}) {
        ExtensionBench bench({.smcsrind = true});
        EXPECT_FALSE(bench.is_illegal(Privilege::Supervisor, csrr(a0, open)));
    }
}

/// One bit for each piece of state; it never concerns M-mode.
TEST(HartStateen, EachBitOpensItsStateToSupervisorMode) {
    struct Case {
        std::uint64_t bit;
        std::vector<std::uint16_t> numbers;
    };
    const Case cases[] = {{kSe0, {csr::kSstateen0}},
                          {kEnvcfg, {csr::kSenvcfg}},
                          {kStateCsrind, {csr::kSiselect, csr::kSireg, csr::kSireg + 1}}};
    for (const Case& one : cases) {
        for (const std::uint16_t number : one.numbers) {
            for (const Privilege mode : kModes) {
                for (const std::uint64_t states : {std::uint64_t{0}, one.bit, ~one.bit, kAll}) {
                    for (const Word word : {csrr(a0, number), csrw(number, zero)}) {
                        ExtensionBench bench(kStateEnabling);
                        bench.set_csr(csr::kMenvcfg, kStateCde);
                        bench.set_csr(csr::kMcounteren, kAll);
                        bench.set_csr(csr::kSiselect, 0x43);
                        bench.set_csr(csr::kMstateen0, states);
                        const bool open =
                            mode == Privilege::Machine ||
                            (mode == Privilege::Supervisor && (states & one.bit) != 0);
                        EXPECT_EQ(bench.is_illegal(mode, word), !open)
                            << std::hex << number << " " << states;
                    }
                }
            }
        }
    }
}

/// scountinhibit and stimecmp are not state of any bit.
TEST(HartStateen, LeavesAloneWhatNoBitNames) {
    Extensions extensions = kStateEnabling;
    extensions.sstc = true;
    for (const std::uint16_t number :
         {csr::kScountinhibit, csr::kStimecmp, csr::kSscratch, csr::kCycle}) {
        ExtensionBench bench(extensions);
        bench.set_csr(csr::kMenvcfg, kAll);
        bench.set_csr(csr::kMcounteren, kAll);
        EXPECT_FALSE(bench.is_illegal(Privilege::Supervisor, csrr(a0, number))) << number;
    }
}

/// Bit 63 of mstateen1..3 is read-only 0, so M-mode emulates sstateen1..3 for S-mode.
TEST(HartStateen, OtherSstateenAreMachineModesOnly) {
    for (const std::uint16_t number : {0x10D, 0x10E, 0x10F}) {
        for (const Privilege mode : kModes) {
            ExtensionBench bench(kStateEnabling);
            for (unsigned n = 0; n < 4; ++n) {
                bench.set_csr(static_cast<std::uint16_t>(csr::kMstateen0 + n), kAll);
            }
            EXPECT_EQ(bench.is_illegal(mode, csrr(a0, number)), mode != Privilege::Machine);
        }
    }
}

class Custom : public CsrOwner {
  public:
    std::uint64_t read(std::uint16_t) const override { return 0; }
    void write(const CsrWrite&) override {}
};

/// Field C: "any and all custom state".
TEST(HartStateen, CustomRegistersNeedTheBitOfEveryModeAbove) {
    constexpr std::uint16_t kNumber = 0x8F0;
    for (const bool present : {false, true}) {
        for (unsigned enables = 0; enables < 4; ++enables) {
            for (const Privilege mode : kModes) {
                Custom owner;
                ExtensionBench bench({.smstateen = present});
                EXPECT_TRUE(bench.hart().add_csr(kNumber, owner));
                if (present) {
                    bench.set_csr(csr::kMstateen0, kCustom);
                    bench.set_csr(csr::kSstateen0, (enables & 2) != 0 ? kCustom : 0);
                    bench.set_csr(csr::kMstateen0, (enables & 1) != 0 ? kCustom : 0);
                }
                const bool open = !present || mode == Privilege::Machine ||
                                  (mode == Privilege::Supervisor && (enables & 1) != 0) ||
                                  enables == 3;
                EXPECT_EQ(bench.is_illegal(mode, csrr(a0, kNumber)), !open) << enables;
            }
        }
    }
}

} // namespace
} // namespace pes::test

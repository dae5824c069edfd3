// SPDX-License-Identifier: Apache-2.0
// Smcsrind and Sscsrind: the CSRs, who may access them, and that a select value has one owner.
#include "tests/unit/core/extension_bench.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

namespace pes::test {
namespace {

constexpr Extensions kIndirect{.smcsrind = true};
constexpr std::uint16_t kMachineNumbers[] = {0x351, 0x352, 0x353, 0x355, 0x356, 0x357};
constexpr std::uint16_t kSupervisorNumbers[] = {0x151, 0x152, 0x153, 0x155, 0x156, 0x157};

/// Registers behind every alias but mireg4 and sireg4.
class Registers : public IndirectCsrOwner {
  public:
    bool has(const IndirectRegister& which) const override { return which.alias != 4; }
    std::uint64_t read(const IndirectRegister& which) const override {
        return which.select << 8 | which.alias;
    }
    void write(const IndirectRegister& which, const CsrWrite& write) override {
        written[{which.level, which.select, which.alias}] = write.value;
    }
    std::map<std::tuple<IndirectLevel, std::uint64_t, unsigned>, std::uint64_t> written;
};

TEST(HartIndirectCsr, NoneExistsWithoutTheExtension) {
    for (const unsigned base : {0x150U, 0x350U}) {
        for (unsigned number = base; number < base + 8; ++number) {
            if (number == csr::kStimecmp) {
                continue;
            }
            ExtensionBench bench({.sstc = true, .smstateen = true});
            EXPECT_TRUE(bench.is_illegal(Privilege::Machine, csrr(a0, number))) << number;
        }
    }
}

TEST(HartIndirectCsr, SelectsAreOpenToTheirModes) {
    for (const Privilege mode : kModes) {
        for (const Word word : {csrr(a0, csr::kSiselect), csrw(csr::kSiselect, a0)}) {
            EXPECT_EQ(ExtensionBench(kIndirect).is_illegal(mode, word), mode == Privilege::User);
        }
        for (const Word word : {csrr(a0, csr::kMiselect), csrw(csr::kMiselect, a0)}) {
            EXPECT_EQ(ExtensionBench(kIndirect).is_illegal(mode, word), mode != Privilege::Machine);
        }
    }
}

/// "It is recommended that implementations raise an illegal-instruction exception."
TEST(HartIndirectCsr, AnAliasOfNothingIsIllegalInEveryMode) {
    for (const std::uint64_t select : {0x0U, 0x30U, 0x40U, 0x5FU, 0x60U, 0x200U, 0xFFFU}) {
        for (const Privilege mode : kModes) {
            for (unsigned alias = 0; alias < 6; ++alias) {
                for (const std::uint16_t number :
                     {kMachineNumbers[alias], kSupervisorNumbers[alias]}) {
                    for (const Word word : {csrr(a0, number), csrw(number, a0)}) {
                        ExtensionBench bench(kIndirect);
                        bench.set_csr(csr::kMiselect, select);
                        bench.set_csr(csr::kSiselect, select);
                        bench.set_csr(csr::kMenvcfg, kAll);
                        bench.set_csr(csr::kMcounteren, kAll);
                        EXPECT_TRUE(bench.is_illegal(mode, word)) << number;
                    }
                }
            }
        }
    }
}

/// 0x354 is miph, 0x154 nothing.
TEST(HartIndirectCsr, TheGapsAmongTheNumbersAreNoAliases) {
    for (const std::uint16_t number : {0x354, 0x154}) {
        Registers registers;
        ExtensionBench bench(kIndirect);
        for (const auto level : {IndirectLevel::Machine, IndirectLevel::Supervisor}) {
            EXPECT_TRUE(bench.hart().add_indirect_csrs(level, 0, 0x3F, registers));
        }
        EXPECT_TRUE(bench.is_illegal(Privilege::Machine, csrr(a0, number)));
    }
}

TEST(HartIndirectCsr, AnAccessReachesTheOwnerOfItsSelectValue) {
    for (unsigned alias = 1; alias <= 6; ++alias) {
        for (const auto level : {IndirectLevel::Machine, IndirectLevel::Supervisor}) {
            const bool machine = level == IndirectLevel::Machine;
            const std::uint16_t number =
                (machine ? kMachineNumbers : kSupervisorNumbers)[alias - 1];
            Registers low, high, other;
            ExtensionBench bench(kIndirect);
            Hart& hart = bench.hart();
            EXPECT_TRUE(hart.add_indirect_csrs(level, 0x100, 0x1FF, low));
            EXPECT_TRUE(hart.add_indirect_csrs(level, 0x200, 0x2FF, high));
            EXPECT_TRUE(hart.add_indirect_csrs(
                machine ? IndirectLevel::Supervisor : IndirectLevel::Machine, 0x100, 0x2FF, other));
            bench.set(a1, 0x200);
            bench.set(a2, 77);
            bench.execute_in(machine ? Privilege::Machine : Privilege::Supervisor,
                             {csrw(machine ? csr::kMiselect : csr::kSiselect, a1),
                              csrrw(a3, number, a2), csrrsi(zero, number, 16)});
            EXPECT_TRUE(low.written.empty());
            EXPECT_TRUE(other.written.empty());
            if (alias == 4) {
                EXPECT_TRUE(bench.trap()) << "the owner has no such register";
                EXPECT_TRUE(high.written.empty());
                continue;
            }
            EXPECT_EQ(bench.get(a3), 0x200U << 8 | alias);
            EXPECT_EQ(high.written.size(), 1U);
            const std::uint64_t last = high.written[std::make_tuple(level, 0x200, alias)];
            EXPECT_EQ(last, 0x20000U | alias | 16U) << "set bits start from what is read";
        }
    }
}

TEST(HartIndirectCsr, ASelectValueHasOneOwner) {
    Registers one, two;
    ExtensionBench bench(kIndirect);
    Hart& hart = bench.hart();
    EXPECT_TRUE(hart.add_indirect_csrs(IndirectLevel::Supervisor, 0x100, 0x1FF, one));
    EXPECT_FALSE(hart.add_indirect_csrs(IndirectLevel::Supervisor, 0x1FF, 0x200, two));
    EXPECT_FALSE(hart.add_indirect_csrs(IndirectLevel::Supervisor, 0x80, 0x100, two));
    EXPECT_TRUE(hart.add_indirect_csrs(IndirectLevel::Supervisor, 0x200, 0x2FF, two));
    EXPECT_TRUE(hart.add_indirect_csrs(IndirectLevel::Machine, 0x100, 0x1FF, two));
    for (const unsigned select : {0x40U, 0x5FU}) {
        EXPECT_FALSE(hart.add_indirect_csrs(IndirectLevel::Supervisor, select, select, two))
            << "of delegated counters";
        EXPECT_TRUE(hart.add_indirect_csrs(IndirectLevel::Machine, select, select, two));
    }
}

} // namespace
} // namespace pes::test

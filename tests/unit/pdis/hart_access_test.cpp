// SPDX-License-Identifier: Apache-2.0
// Who may access the registers of Smpdis and Sspdis in a hart ("State Enable Access Control"), and
// the bits that other registers gain.
#include "hw/core/arch/csr_numbers.h"
#include "hw/interface/maps/csr.h"
#include "platform/soc/instruction_sampling.h"
#include "tests/unit/pdis/sampled_machine.h"

#include <gtest/gtest.h>

namespace pes::test {
namespace {

constexpr std::uint64_t kCde = std::uint64_t{1} << 60, kCsrind = std::uint64_t{1} << 60;
constexpr std::uint64_t kPdis = std::uint64_t{1} << 53; ///< SamplerConfig::stateen_bit
constexpr std::uint64_t kAll = ~std::uint64_t{0};
constexpr Extensions kExtensions{.smcsrind = true, .smcdeleg = true, .smstateen = true};
constexpr Privilege kModes[] = {Privilege::User, Privilege::Supervisor, Privilege::Machine};

class Bench : public SampledMachine {
  public:
    Bench() : SampledMachine(kExtensions) {
        open_protection();
        stop_at_traps();
        set_csr(csr::kMenvcfg, kCde);
        set_csr(csr::kMcounteren, kAll);
        set_csr(csr::kSiselect, pdis::kSelect);
    }
    bool is_illegal(Privilege mode, Word word) {
        execute_in(mode, {word});
        return trap() && trap()->cause == static_cast<std::uint64_t>(Cause::IllegalInstruction) &&
               trap()->tval == word;
    }
    std::uint64_t read_in(Privilege mode, std::uint16_t number) {
        execute_in(mode, {csrr(a0, number)});
        return get(a0);
    }
};

TEST(PdisAccess, StateEnableOpensSupervisorRegisters) {
    for (std::uint16_t number : {kSpdisctl, kSpdiscounter, kSpdisevmask, kSpdisevmatch,
                                 kSpdisfilter, csr::kSireg, csr::kSireg4}) {
        for (const Privilege mode : kModes) {
            for (const std::uint64_t states : {kCsrind, kCsrind | kPdis}) {
                for (const Word word : {csrr(a0, number), csrw(number, zero)}) {
                    Bench bench;
                    bench.set_csr(csr::kMstateen0, states);
                    const bool open = mode == Privilege::Machine ||
                                      (mode == Privilege::Supervisor && (states & kPdis) != 0);
                    EXPECT_EQ(bench.is_illegal(mode, word), !open)
                        << std::hex << number << " " << states;
                }
            }
        }
    }
}

TEST(PdisAccess, MachineControlIsMachineModesAlone) {
    for (const Privilege mode : kModes) {
        Bench bench;
        bench.set_csr(csr::kMstateen0, kAll);
        EXPECT_EQ(bench.is_illegal(mode, csrr(a0, kMpdisctl)), mode != Privilege::Machine);
    }
}

TEST(PdisAccess, TheRecordHasSixAliases) {
    for (const std::uint64_t select : {0x5FU, 0x60U, 0x61U, 0x62U}) {
        for (unsigned alias = 1; alias <= 6; ++alias) {
            Bench bench;
            bench.set_csr(csr::kMstateen0, kAll);
            bench.set_csr(csr::kSiselect, select);
            const auto number =
                static_cast<std::uint16_t>(csr::kSiselect + alias + (alias > 3 ? 1 : 0));
            const bool record = select == 0x60 || select == 0x61;
            const bool counter = select == 0x5F && alias <= 2 && bench.bank().owns(0xB1F);
            EXPECT_EQ(bench.is_illegal(Privilege::Supervisor, csrr(a0, number)),
                      !record && !counter)
                << select << " " << alias;
        }
    }
}

/// "mstateen0.PDIS": read-only 0 without the extension.
TEST(PdisAccess, StateEnableHasItsBit) {
    Bench bench;
    bench.set_csr(csr::kMstateen0, kAll);
    EXPECT_NE(bench.csr(csr::kMstateen0) & kPdis, 0U);
    HartConfig without = BareMachine::default_config();
    without.extensions = kExtensions;
    BareMachine plain(without);
    plain.set_csr(csr::kMstateen0, kAll);
    EXPECT_EQ(plain.csr(csr::kMstateen0) & kPdis, 0U);
}

TEST(PdisAccess, TheBitOfStateEnableIsASetting) {
    pdis::Sampler sampler({.stateen_bit = 45});
    HartConfig config = BareMachine::default_config();
    config.extensions = kExtensions;
    config.extensions.smpdis = true;
    BareMachine machine(config);
    attach(sampler, machine.hart());
    machine.set_csr(csr::kMstateen0, kAll);
    EXPECT_EQ(machine.csr(csr::kMstateen0) & (kPdis | std::uint64_t{1} << 45),
              std::uint64_t{1} << 45);
}

TEST(PdisAccess, InhibitIsBitOneOfMcountinhibit) {
    Bench bench;
    bench.execute_in(Privilege::Machine,
                     {csrrsi(zero, csr::kMcountinhibit, 2), csrr(a0, csr::kMcountinhibit)});
    EXPECT_EQ(bench.get(a0), 2U);
    EXPECT_TRUE(bench.sampler().inhibited());
    bench.execute_in(Privilege::Machine,
                     {csrw(csr::kMcountinhibit, zero), csrr(a0, csr::kMcountinhibit)});
    EXPECT_EQ(bench.get(a0), 0U);
    EXPECT_FALSE(bench.sampler().inhibited());
}

/// "When PDIS is delegated from M-mode (mstateen0.PDIS=1) and counter delegation is enabled ...,
/// mcountinhibit[1] is accessible from scountinhibit[1]. Otherwise scountinhibit[1] is read-only
/// 0."
TEST(PdisAccess, ScountinhibitHasTheBitWhenDelegated) {
    for (const bool delegated : {false, true}) {
        Bench bench;
        bench.set_csr(csr::kMstateen0, delegated ? kPdis : 0);
        bench.execute_in(Privilege::Supervisor,
                         {csrrsi(zero, csr::kScountinhibit, 2), csrr(a0, csr::kScountinhibit)});
        EXPECT_EQ(bench.get(a0), delegated ? 2U : 0U);
        EXPECT_EQ(bench.sampler().inhibited(), delegated);
        bench.sampler().inhibit(true);
        EXPECT_EQ(bench.read_in(Privilege::Supervisor, csr::kScountinhibit), delegated ? 2U : 0U);
    }
}

/// Whatever mcounteren says of bit 1, which is that of time.
TEST(PdisAccess, ScountovfShowsOf) {
    for (const std::uint64_t states : {std::uint64_t{0}, kPdis}) {
        for (const Privilege mode : {Privilege::Supervisor, Privilege::Machine}) {
            for (const std::uint64_t enables : {std::uint64_t{0}, kAll}) {
                for (const bool overflowed : {false, true}) {
                    Bench bench;
                    bench.set_csr(csr::kMstateen0, states);
                    bench.set_csr(csr::kMcounteren, enables);
                    bench.write(kMpdisctl, overflowed ? pdis::control::kOf : 0);
                    const bool shown = mode == Privilege::Machine || states != 0;
                    EXPECT_EQ(bench.read_in(mode, csr::kScountovf), shown && overflowed ? 2U : 0U);
                }
            }
        }
    }
}

/// "pdistime holds the time value if time can be read in S-mode, otherwise it holds 0", for PDIS
/// that is delegated to S-mode.
TEST(PdisAccess, TimeIsRecordedIfItsModeMayReadIt) {
    for (const bool delegated : {false, true}) {
        for (const bool open : {false, true}) {
            Bench bench;
            bench.set_csr(csr::kMstateen0, delegated ? kPdis : 0);
            bench.set_csr(csr::kMcounteren, open ? 2 : 0);
            bench.write(kMpdisctl, pdis::control::kM | pdis::control::kTs | pdis::control::kOf);
            bench.write(kSpdiscounter, every(1));
            bench.execute({kNop, kNop, kNop});
            ASSERT_FALSE(bench.keeper().records().empty());
            EXPECT_EQ(bench.keeper().records().front().record[pdis::kTime] != 0,
                      open || !delegated);
        }
    }
}

// --- The memory buffer --------------------------------------------------------------------------

constexpr std::uint64_t kPdiss = std::uint64_t{1} << 59;
constexpr Extensions kWithBuffer{
    .smcsrind = true, .smcdeleg = true, .smstateen = true, .ssamb = true};

TEST(PdisAccess, TheBufferBringsItsBitsAndTakesTheRecordAway) {
    for (const bool present : {false, true}) {
        SampledMachine machine(present ? kWithBuffer : kExtensions);
        machine.stop_at_traps();
        machine.set_csr(csr::kMenvcfg, kAll);
        EXPECT_EQ((machine.csr(csr::kMenvcfg) & kPdiss) != 0, present);
        EXPECT_EQ((machine.sampler().read(kMpdisctl) & pdis::control::kMem) != 0, present);
        for (const std::uint16_t number : {csr::kMie, csr::kMideleg, csr::kMip}) {
            machine.set_csr(number, kAll);
            EXPECT_EQ(machine.csr(number) >> 16 & 1, present ? 1U : 0U) << number;
            machine.set_csr(number, 0);
        }
        machine.set_csr(csr::kSiselect, pdis::kSelect);
        machine.execute({csrr(a0, kSpdisambcs)});
        EXPECT_EQ(machine.traps().size(), present ? 0U : 1U);
        machine.execute({csrr(a0, csr::kSireg)});
        EXPECT_EQ(machine.traps().size(), 1U);
    }
}

/// A page table for one buffer page, and the record in that page.
TEST(PdisAccess, TheBufferIsTranslatedForSupervisorModeIfPdissSays) {
    constexpr Address kRoot = BareMachine::kRam + 0x2'0000;
    constexpr Address kPage = BareMachine::kRam + 0x3'0000;
    constexpr Address kVirtual = 0x4000'0000;
    constexpr std::uint64_t kLeaf = 0xC7; // D A . . W R V
    for (const bool supervisor : {false, true}) {
        for (const std::uint64_t leaf : {kLeaf, kLeaf & ~std::uint64_t{0x80}}) { // D = 0: a fault
            SampledMachine machine(kWithBuffer);
            machine.open_protection();
            machine.poke(kRoot + 8, (kRoot + 0x1000) >> 12 << 10 | 1);
            machine.poke(kRoot + 0x1000, (kRoot + 0x2000) >> 12 << 10 | 1);
            machine.poke(kRoot + 0x2000, kPage >> 12 << 10 | leaf);
            machine.set_csr(csr::kSatp, std::uint64_t{8} << 60 | kRoot >> 12);
            machine.set_csr(csr::kMenvcfg, supervisor ? kPdiss : 0);
            machine.write(kSpdisambaddr, supervisor ? kVirtual : kPage);
            machine.write(kSpdisambcs, pdis::buffer::kEnable);
            machine.write(kMpdisctl, pdis::control::kM | pdis::control::kOf);
            machine.write(kSpdiscounter, every(1));
            machine.execute({kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop});
            EXPECT_TRUE(machine.adds_up());
            const bool written = !supervisor || leaf == kLeaf;
            EXPECT_EQ(machine.peek<std::uint64_t>(kPage + 8), written ? BareMachine::kCode : 0);
            EXPECT_EQ(machine.sampler().counts().samples != 0, written);
            EXPECT_EQ(machine.sampler().counts().dropped != 0, !written);
            EXPECT_EQ((machine.sampler().read(kSpdisambcs) & pdis::buffer::kFault) != 0, !written);
            EXPECT_EQ(machine.csr(csr::kMip) >> 16 & 1, written ? 0U : 1U);
        }
    }
}

TEST(PdisAccess, TheBuffersInterruptIsTaken) {
    SampledMachine machine(kWithBuffer);
    machine.stop_at_traps();
    machine.set_csr(csr::kMie, std::uint64_t{1} << 16);
    machine.set_csr(csr::kMstatus, mstatus::kMie);
    machine.write(kSpdisambaddr, BareMachine::kRam + 0x3'0000 + 4096 - 64);
    machine.write(kSpdisambcs, pdis::buffer::kEnable | pdis::buffer::kThresholdEnable);
    machine.write(kMpdisctl, pdis::control::kM | pdis::control::kOf);
    machine.write(kSpdiscounter, every(1));
    machine.execute({kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop});
    ASSERT_TRUE(machine.trap());
    EXPECT_EQ(machine.trap()->cause, std::uint64_t{1} << 63 | 16);
}

/// An interrupt of the counters' kind, 13, four cycles after the retirement at the earliest.
TEST(PdisAccess, ASamplePendsTheOverflowInterrupt) {
    Bench bench;
    bench.write(kMpdisctl, pdis::control::kM);
    bench.write(kSpdiscounter, every(1));
    bench.execute({kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, csrr(a0, csr::kMip)});
    EXPECT_EQ(bench.get(a0) >> 13 & 1, 1U);
}

/// With Ssplcofi the trap follows the sampled instruction at once.
TEST(PdisAccess, ASampleInterruptsWithoutSkidWithSsplcofi) {
    for (const bool skidless : {false, true}) {
        SampledMachine machine({.smcsrind = true, .sspesa = skidless, .ssplcofi = skidless});
        machine.stop_at_traps();
        machine.set_csr(csr::kMie, std::uint64_t{1} << 13);
        machine.set_csr(csr::kMstatus, mstatus::kMie);
        machine.write(kMpdisctl, pdis::control::kM);
        machine.write(kSpdiscounter, every(3));
        machine.execute({kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop,
                         kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop});
        ASSERT_TRUE(machine.trap());
        const Address sampled = machine.keeper().records().front().record[pdis::kPc];
        EXPECT_EQ(sampled, BareMachine::kCode + 8);
        if (skidless) {
            EXPECT_EQ(machine.trap()->epc, sampled + 4);
        } else {
            EXPECT_GT(machine.trap()->epc, sampled + 4);
        }
    }
}

} // namespace
} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
// Native code where translation and protection change under it: it continues only in code that is
// still there, and accesses only what an instruction may access.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/native_bench.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace pes::test {
namespace {

using U64 = std::uint64_t;
using I32 = std::int32_t;

constexpr Address kList = BareMachine::kData;
constexpr Address kFar = BareMachine::kRam + 0x4'0000; ///< pages of code and data
constexpr Word kReturn = jalr(zero, ra, 0);

HartConfig counting() {
    return counting_everything(ExecutionPath::Fast);
}

// --- Sv39 ---------------------------------------------------------------------------------------

constexpr Address kRoot = BareMachine::kRam + 0x1'0000, kMiddle = kRoot + 0x1000,
                  kLowest = kMiddle + 0x1000;

U64 page_entry(Address at, U64 bits) {
    return at >> 12 << pte::kPpnShift | bits;
}

/// S-mode begins behind an MRET at kCode. RAM is mapped to itself, and the first virtual pages can
/// be mapped by entries at kLowest.
void place_supervisor(BareMachine& machine) {
    constexpr U64 kRights = pte::kV | pte::kR | pte::kW | pte::kX | pte::kA | pte::kD;
    constexpr U64 kSupervisor = 1U << 11; // mstatus.MPP
    machine.open_protection();
    machine.poke(kRoot, page_entry(kMiddle, pte::kV));
    machine.poke(kRoot + 16, page_entry(BareMachine::kRam, kRights));
    machine.poke(kMiddle, page_entry(kLowest, pte::kV));
    for (Address page = 0; page < 4; ++page) {
        machine.poke(kLowest + 8 * page, page_entry(kFar + page * kPageBytes, kRights));
    }
    machine.set_csr(csr::kSatp, satp::kModeSv39 << satp::kModeShift | kRoot >> 12);
    machine.set_csr(csr::kMstatus, kSupervisor);
    machine.set_csr(csr::kMepc, kCode + sizeof(Word));
    machine.place(kCode, {kMret});
}

/// What virtual page 0 is, which way leads to it and which of its branches are taken.
struct Phase {
    Address page, way;
    U64 branches;
};
constexpr I32 kJumps = 40; ///< in each phase

void place_phases_of_mapping(BareMachine& machine, const std::vector<Phase>& phases) {
    constexpr std::array kWays{kCode + 0x80, kCode + 0xC0};
    place_supervisor(machine);
    machine.set(s0, kList);
    machine.set(s1, kLowest);
    machine.set(a7, phases.size());
    Address place = kList;
    for (const Phase& phase : phases) {
        const Address page = kFar + kPageBytes * phase.page;
        machine.poke(place, page_entry(page, pte::kV | pte::kR | pte::kX | pte::kA));
        machine.poke(place + 8, kWays.at(phase.way));
        machine.poke(place + 16, phase.branches);
        place += 24;
    }
    machine.place(kCode + sizeof(Word),
                  {ld(t0, s0, 0), ld(s2, s0, 8), ld(a5, s0, 16), addi(s0, s0, 24), sd(t0, s1, 0),
                   sfence_vma(zero, zero), addi(a0, zero, kJumps),
                   // loop
                   jalr(ra, s2, 0), addi(a0, a0, -1), bne(a0, zero, -8), addi(a7, a7, -1),
                   bne(a7, zero, -44), kWfi});
    for (const Address way : kWays) { // to virtual page 0
        machine.place(way, {addi(a1, a1, 1), addi(t1, zero, 0), jalr(zero, t1, 0)});
    }
    for (const I32 step : {1, 100}) {
        machine.place(kFar + (step == 1 ? 0 : kPageBytes),
                      {andi(t2, a5, 1), addi(a2, a2, step), beq(t2, zero, 8), addi(a3, a3, step),
                       andi(t2, a5, 2), beq(t2, zero, 8), addi(a4, a4, step), kReturn});
    }
}

/// What native code expects behind a jump is another page's code after the page tables have
/// changed. While one mapping is there, more code is made for it, on another way that leads to it.
TEST_F(HartNative, ThePageBehindAJumpIsMappedInTurns) {
    std::mt19937 random(11);
    std::vector<Phase> phases(80);
    for (Phase& phase : phases) {
        phase = {.page = random() % 2, .way = random() % 2, .branches = random() % 4};
    }
    const auto prepare = [&](BareMachine& machine) { place_phases_of_mapping(machine, phases); };
    judge(counting(), prepare, [&](BareMachine& machine) {
        std::array<U64, 3> sums{};
        for (const Phase& phase : phases) {
            const U64 step = kJumps * (phase.page == 0 ? 1 : 100);
            sums[0] += step;
            sums[1] += step * (phase.branches & 1);
            sums[2] += step * (phase.branches >> 1);
        }
        EXPECT_EQ(machine.get(a1), kJumps * phases.size());
        EXPECT_EQ(machine.get(a2), sums[0]);
        EXPECT_EQ(machine.get(a3), sums[1]);
        EXPECT_EQ(machine.get(a4), sums[2]);
    });
}

/// Of each access to a watched word the bus is told, and of no other in its page.
TEST_F(HartNative, AWatchedWordInATranslatedPageIsNoPlainMemory) {
    constexpr Address kWatched = kFar + 0x108;
    std::mt19937 random(12);
    std::vector<Address> list(400);
    for (Address& address : list) {
        address = kWatched - 16 + 8 * (random() % 5);
    }
    const auto prepare = [&](BareMachine& machine) {
        machine.watch(kWatched);
        place_supervisor(machine);
        machine.set(s0, kList);
        machine.set(a7, list.size());
        for (std::size_t index = 0; index < list.size(); ++index) {
            machine.poke(kList + 8 * index, list[index]);
        }
        machine.place(kCode + sizeof(Word),
                      {ld(s3, s0, 0), addi(s0, s0, 8), ld(a0, s3, 0), addi(a0, a0, 1),
                       sd(a0, s3, 0), addi(a7, a7, -1), bne(a7, zero, -24), kWfi});
    };
    judge(counting(), prepare, [&](BareMachine& machine) {
        for (Address address = kWatched - 16; address <= kWatched + 16; address += 8) {
            EXPECT_EQ(machine.peek<U64>(address),
                      static_cast<U64>(std::ranges::count(list, address)));
        }
        EXPECT_EQ(static_cast<std::ptrdiff_t>(machine.accesses().size()),
                  2 * std::ranges::count(list, kWatched));
    });
}

/// MPRV turns translation of data on and off under a loop. Translated, an address is another page
/// of RAM. A part of the loop runs in every other pair of phases, so that the parts become native
/// in different phases. The number of phases decides which comes first.
void place_phases_of_translation(BareMachine& machine, U64 phases, I32 times) {
    constexpr U64 kMprv = 1U << 17, kPagesOfRam = BareMachine::kRamSize / kPageBytes;
    constexpr Address kTable = kLowest + kPageBytes;
    place_supervisor(machine); // but stays in M-mode: MPP is S, for MPRV
    machine.poke(kRoot + 16, page_entry(kTable, pte::kV));
    machine.poke(kTable, page_entry(kTable + kPageBytes, pte::kV));
    for (Address page = 0; page < kPagesOfRam; ++page) {
        machine.poke(kTable + kPageBytes + 8 * page,
                     page_entry(BareMachine::kRam + (page ^ 1) * kPageBytes,
                                pte::kV | pte::kR | pte::kW | pte::kA | pte::kD));
    }
    machine.set(s4, kMprv);
    machine.set(s2, kFar + 64);
    machine.set(s3, kFar + kPageBytes + 64);
    machine.set(a7, phases);
    machine.set(a6, 1000); // a while, since blocks do not begin in the first cycles
    machine.place(kCode, {addi(a6, a6, -1), bne(a6, zero, -4),
                          // MPRV in even phases
                          andi(t0, a7, 1), beq(t0, zero, 12), csrrc(zero, csr::kMstatus, s4), j(8),
                          csrrs(zero, csr::kMstatus, s4), andi(t3, a7, 2), addi(a0, zero, times),
                          // loop
                          ld(a1, s2, 0), add(a1, a1, a7), sd(a1, s2, 0), ld(a1, s3, 0),
                          addi(a1, a1, 1), sd(a1, s3, 0), beq(t3, zero, 16), ld(a2, s2, 8),
                          add(a2, a2, a7), sd(a2, s2, 8), addi(a0, a0, -1), bne(a0, zero, -44),
                          addi(a7, a7, -1), bne(a7, zero, -80), kWfi});
}

TEST_F(HartNative, DataIsTranslatedInTurns) {
    constexpr I32 kTimes = 60;
    for (const U64 phases : {12U, 13U, 14U, 15U}) {
        SCOPED_TRACE(phases);
        const auto prepare = [phases](BareMachine& machine) {
            place_phases_of_translation(machine, phases, kTimes);
        };
        judge(counting(), prepare, [phases](BareMachine& machine) {
            std::array<std::array<U64, 2>, 2> sums{}; // of each page the two words
            for (U64 phase = phases; phase > 0; --phase) {
                const U64 page = phase % 2 == 1 ? 0 : 1;
                sums.at(page)[0] += phase * kTimes;
                sums.at(page)[1] += (phase & 2) != 0 ? phase * kTimes : 0;
                sums.at(page ^ 1)[0] += kTimes;
            }
            for (Address page = 0; page < 2; ++page) {
                const Address at = kFar + page * kPageBytes + 64;
                EXPECT_EQ(machine.peek<U64>(at), sums.at(page)[0]);
                EXPECT_EQ(machine.peek<U64>(at + 8), sums.at(page)[1]);
            }
        });
    }
}

/// Code in pages that are mapped alike everywhere has a row of its own in the truth table: native
/// code that goes from such a page into another tells which instruction is whose.
TEST_F(HartNative, TheTruthIsToldWhichPagesAreGlobal) {
    HartConfig config = counting();
    config.truth = true;
    const auto prepare = [](BareMachine& machine) {
        constexpr U64 kRights = pte::kV | pte::kR | pte::kW | pte::kX | pte::kA | pte::kD;
        place_supervisor(machine);
        machine.poke(kRoot + 16, page_entry(BareMachine::kRam, kRights | pte::kG));
        machine.place(kFar, {addi(a2, a2, 1), div(a3, a1, a0), kReturn}); // new paths now and then
        machine.set(a0, 500);
        machine.place(kCode + sizeof(Word), {jalr(ra, zero, 0), addi(a1, a1, 1), addi(a0, a0, -1),
                                             bne(a0, zero, -12), kWfi});
    };
    using Row = std::tuple<Privilege, U64, Address, U64, U64>;
    std::vector<Row> first;
    judge(config, prepare, [&first](BareMachine& machine) {
        machine.hart().settle(machine.hart().reached());
        const TruthTable& table = *machine.hart().truth();
        std::vector<Row> rows;
        for (const TruthRow row : table.sorted_rows()) {
            const TruthTable::Key key = table.key(row);
            rows.emplace_back(key.context.privilege, key.context.satp, key.pc,
                              table.value(row, TruthTable::kRetired), table.half_cycles(row));
        }
        first = first.empty() ? rows : first;
        EXPECT_EQ(rows, first);
        EXPECT_EQ(machine.get(a2), 500U);
    });
}

// --- Protection ---------------------------------------------------------------------------------

/// Bare S-mode at `kCode` + 4, behind an MRET. The first PMP entry protects `size` bytes, a power
/// of two, with what a5 has for it; the second one allows everything. An ECALL changes the rights
/// to a4 and those back to a5. What faults returns to ra and is counted in s6.
void place_protected(BareMachine& machine, Address start, Address size, U64 one, U64 other) {
    constexpr U64 kEverything = 0x1F00;
    constexpr U64 kSupervisor = 1U << 11;
    constexpr Word kFromSupervisor = 9;
    machine.set_csr(csr::kPmpaddr0, start >> 2 | (size / 8 - 1));
    machine.set_csr(csr::kPmpaddr0 + 1, ~U64{0});
    machine.set_csr(csr::kPmpcfg0, kEverything | one);
    machine.set(a4, kEverything | other);
    machine.set(a5, kEverything | one);
    machine.set(t2, kFromSupervisor);
    machine.set_csr(csr::kMstatus, kSupervisor);
    machine.set_csr(csr::kMepc, kCode + sizeof(Word));
    machine.set_csr(csr::kMtvec, kHandler);
    machine.place(kCode, {kMret});
    machine.place(kHandler, {csrr(t0, csr::kMcause), csrr(t1, csr::kMepc), beq(t0, t2, 16),
                             addi(s6, s6, 1), csrw(csr::kMepc, ra), kMret,
                             // ECALL
                             addi(t1, t1, 4), csrw(csr::kMepc, t1), csrw(csr::kPmpcfg0, a4),
                             addi(t0, a4, 0), addi(a4, a5, 0), addi(a5, t0, 0), kMret});
}
constexpr U64 kNapot = 0x18, kReads = 1, kWrites = 2, kExecutes = 4;

/// The rights of code behind a jump into another page come and go.
TEST_F(HartNative, CodeThatMayNotBeExecutedFaults) {
    constexpr I32 kPhases = 10, kTimes = 120;
    const auto prepare = [](BareMachine& machine) {
        place_protected(machine, kFar, 16, kNapot | kExecutes, kNapot | kReads);
        machine.set(s2, kFar);
        machine.set(a7, kPhases);
        machine.place(kFar, {addi(a2, a2, 1), kReturn});
        machine.place(kCode + sizeof(Word),
                      {addi(a0, zero, kTimes), jalr(ra, s2, 0), addi(a0, a0, -1), bne(a0, zero, -8),
                       kEcall, addi(a7, a7, -1), bne(a7, zero, -24), kWfi});
    };
    judge(counting(), prepare, [](BareMachine& machine) {
        EXPECT_EQ(machine.get(a2), U64{kPhases / 2 * kTimes});
        EXPECT_EQ(machine.get(s6), U64{kPhases / 2 * kTimes});
    });
}

/// The same with the rights of a page that a loop reads all the time and writes now and then.
TEST_F(HartNative, StoresToAPageThatMayOnlyBeReadFault) {
    constexpr I32 kPhases = 10, kTimes = 120;
    const auto prepare = [](BareMachine& machine) {
        place_protected(machine, kFar, kPageBytes, kNapot | kReads | kWrites, kNapot | kReads);
        machine.set(s2, kFar);
        machine.set(s3, kFar + kPageBytes);
        machine.set(a7, kPhases);
        machine.place(kCode + sizeof(Word),
                      {addi(a0, zero, kTimes),
                       // loop: each other store goes to the next page
                       auipc(ra, 0), addi(ra, ra, 36), ld(a1, s2, 8), addi(a1, a1, 1),
                       andi(t0, a0, 1), r_type(0x33, 1, 0, t0, t0, s4) /* sll */, add(t0, t0, s2),
                       sd(a1, t0, 8), addi(a2, a2, 1), addi(a0, a0, -1), bne(a0, zero, -40), kEcall,
                       addi(a7, a7, -1), bne(a7, zero, -56), kWfi});
        machine.set(s4, 12);
    };
    judge(counting(), prepare, [](BareMachine& machine) {
        U64 here = 0, next = 0, faults = 0;
        for (I32 phase = 0; phase < kPhases; ++phase) {
            for (I32 left = kTimes; left > 0; --left) {
                const bool faulting = phase % 2 == 1 && left % 2 == 0;
                (left % 2 == 1 ? next : here) = faulting ? here : here + 1;
                faults += faulting ? 1 : 0;
            }
        }
        EXPECT_EQ(machine.peek<U64>(kFar + 8), here);
        EXPECT_EQ(machine.peek<U64>(kFar + kPageBytes + 8), next);
        EXPECT_EQ(machine.get(s6), faults);
        EXPECT_EQ(machine.get(a2), U64{kPhases * kTimes} - faults);
    });
}

} // namespace
} // namespace pes::test

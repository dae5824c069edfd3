// SPDX-License-Identifier: Apache-2.0
// A benchmark in supervisor mode: Sv39 with pages of 4 KiB, below a machine mode that takes its
// environment calls and, with TIMER_TICKS, an interrupt of the machine timer as often as that. The
// benchmark is bench_main (wrapped.c).
#include "firmware/boot/csr.h"
#include "firmware/boot/mmio.h"
#include "firmware/supervisor/address_space.h"
#include "hw/interface/maps/clint.h"
#include "platform.h"

#if !defined(TIMER_TICKS) || !defined(MAPPED_MIB)
#error "the build gives TIMER_TICKS and MAPPED_MIB, the memory of the benchmark"
#endif

extern "C" {
int bench_main();
[[noreturn]] void sim_exit(uint64_t status);
}

namespace pes {

namespace {

constexpr uint64_t kMapped = uint64_t{MAPPED_MIB} << 20; ///< bytes, from the start of main memory
constexpr uint64_t kTables = 8 + kMapped / kPageSize / 512; ///< pages of page tables, behind them
constexpr uint64_t kSupervisor = 1;                         ///< of mstatus.MPP
constexpr uint64_t kEverything = 0x1F;                      ///< pmpcfg0: NAPOT, R, W, X
constexpr uint64_t kCounters = 7;                           ///< mcounteren: cycle, time, instret
constexpr uint64_t kCallBytes = 4;

uint64_t next_tick;
volatile bool ended;

void set_timer() {
    next_tick += TIMER_TICKS;
    write_device<uint64_t>(uint64_t{PES_CLINT_BASE} + clint::kMtimecmp, next_tick);
}

[[noreturn]] void end_in_machine_mode() {
    sim_exit(0);
}

/// Calls nothing, so that it saves only what it uses.
[[gnu::interrupt("machine"), gnu::aligned(4)]] void take_trap() {
    const uint64_t cause = read_csr<csr::kMcause>();
    if (cause == kCauseMachineTimer) {
        set_timer();
    } else if (cause == kCauseSupervisorCall && !ended) {
        write_csr<csr::kMepc>(read_csr<csr::kMepc>() + kCallBytes);
    } else { // the end; a trap that nobody expects is not one to go on from either
        set_csr<csr::kMstatus>(kStatusMpp);
        write_csr<csr::kMepc>(reinterpret_cast<uint64_t>(&end_in_machine_mode));
    }
}

void supervise() {
    bench_main();
    ended = true;
    asm volatile("ecall");
}

} // namespace

} // namespace pes

int main() {
    using namespace pes;
    PagePool pool(PES_DRAM_BASE + kMapped, PES_DRAM_BASE + kMapped + kTables * kPageSize);
    AddressSpace space(pool);
    if (!space.map(PES_DRAM_BASE, PES_DRAM_BASE, kMapped, Access::Supervisor)) {
        return 1;
    }
    space.activate();
    write_csr<csr::kPmpaddr0>(~uint64_t{0});
    write_csr<csr::kPmpcfg0>(kEverything);
    write_csr<csr::kMcounteren>(kCounters);
    write_csr<csr::kMtvec>(reinterpret_cast<uint64_t>(&take_trap));
    write_csr<csr::kMepc>(reinterpret_cast<uint64_t>(&supervise));
    if (TIMER_TICKS != 0) {
        next_tick = read_device<uint64_t>(uint64_t{PES_CLINT_BASE} + clint::kMtime);
        set_timer();
        set_csr<csr::kMie>(kInterruptMti);
    }
    clear_csr<csr::kMstatus>(kStatusMpp);
    set_csr<csr::kMstatus>(kSupervisor << kStatusMppShift);
    asm volatile("mret");
    return 1;
}

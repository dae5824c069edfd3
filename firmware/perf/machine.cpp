// SPDX-License-Identifier: Apache-2.0
#include "firmware/perf/machine.h"

#include "firmware/boot/csr.h"
#include "firmware/boot/indexed_csr.h"
#include "firmware/boot/mmio.h"
#include "firmware/perf/perf.h"
#include "hw/interface/maps/clint.h"
#include "hw/interface/pmu/counter_csr.h"
#include "platform.h"

extern "C" {
void perf_timer_entry();
void perf_counter_reads(uint64_t* values);
int perf_probe_word(uint64_t address);
int perf_probe_counters();
/// By hart: mtvec as it was before ours.
uint64_t perf_previous_vector[PERF_MAX_CORES];
}

namespace pes::perf::machine {

bool answers(uint64_t address) {
    return perf_probe_word(address) != 0;
}

bool has_counters() {
    return perf_probe_counters() != 0;
}

bool has_timer() {
    return answers(PES_CLINT_BASE + clint::kMtime) && answers(PES_CLINT_BASE + clint::kMtimecmp);
}

CounterReader reader_of_counters(unsigned last) {
    constexpr uintptr_t kReadBytes = 8; // kRead in counter_reads.S
    const auto all = reinterpret_cast<uintptr_t>(&perf_counter_reads);
    return reinterpret_cast<CounterReader>(all + kReadBytes * (kCounterLimit - 1 - last));
}

uint64_t read_counter(unsigned n) {
    return read_user_counter(n);
}

void write_counter(unsigned n, uint64_t value) {
    with_index(n, [value]<unsigned N>() { write_csr<counter_csr(N)>(value); });
}

uint64_t write_event(unsigned n, uint64_t selector) {
    uint64_t taken = 0;
    with_index(n, [selector, &taken]<unsigned N>() {
        if constexpr (N >= kFirstProgrammable) {
            write_csr<event_csr(N)>(selector);
            taken = read_csr<event_csr(N)>();
        }
    });
    return taken;
}

void hold_counters(uint32_t mask) {
    set_csr<csr::kMcountinhibit>(mask);
}

void run_counters(uint32_t mask) {
    clear_csr<csr::kMcountinhibit>(mask);
}

uint32_t held_counters() {
    return static_cast<uint32_t>(read_csr<csr::kMcountinhibit>());
}

void let_user_read(uint32_t mask) {
    set_csr<csr::kMcounteren>(mask);
}

uint64_t time() {
    return read_device<uint64_t>(PES_CLINT_BASE + clint::kMtime);
}

void set_time_limit(uint64_t deadline) {
    write_device<uint64_t>(PES_CLINT_BASE + clint::kMtimecmp + sizeof deadline * hart_id(),
                           deadline);
}

void start_timer_interrupts() {
    const uint64_t vector = read_csr<csr::kMtvec>();
    const auto ours = reinterpret_cast<uint64_t>(&perf_timer_entry);
    if (vector != ours) {
        perf_previous_vector[hart_id()] = vector;
        write_csr<csr::kMtvec>(ours);
    }
    set_csr<csr::kMie>(kInterruptMti);
    set_csr<csr::kMstatus>(kMachineInterrupts);
}

void order_memory() {
    asm volatile("fence" ::: "memory");
}

} // namespace pes::perf::machine

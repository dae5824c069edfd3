// SPDX-License-Identifier: Apache-2.0
// Collecting from the timer interrupt, while the program computes what it would compute anyway.
// With OWN_HANDLER the program has a trap handler of its own, which passes the timer on to the
// library.
//
// Console: "interval" with its length in cycles, "first" and "last" with cycle and instret when
// records were switched on and off, and with OWN_HANDLER "record" for each record with both as the
// handler read them.
#include "firmware/apps/trace/demo.h"

namespace pes::demo {

namespace {

constexpr int kInterval = 150; // microseconds
constexpr unsigned kIntervals = 20;
constexpr uint64_t kIntervalCycles = uint64_t{PES_CLOCK_HZ} / 1'000'000 * kInterval;

struct Reading {
    uint64_t cycles;
    uint64_t instructions;
};

Reading readings[2 * kIntervals];
volatile bool recording = false;
volatile unsigned taken = 0;
volatile uint64_t checksum;

Reading read_counters() {
    return {.cycles = read_csr<csr::kCycle>(), .instructions = read_csr<csr::kInstret>()};
}

[[gnu::noinline]] uint64_t scramble(uint64_t value) {
    for (unsigned round = 0; round < 64; ++round) {
        value ^= value << 13;
        value ^= value >> 7;
        value ^= value << 17;
    }
    return value;
}

[[gnu::noinline]] uint64_t divide(uint64_t value) {
    uint64_t sum = 0;
    for (uint64_t divisor = 3; divisor < 64; divisor += 2) {
        sum += value / divisor;
    }
    return sum;
}

[[gnu::noinline]] void compute(uint64_t until) {
    uint64_t value = 1;
    while (read_csr<csr::kCycle>() < until) {
        value = divide(scramble(value)) | 1;
    }
    checksum = value;
}

#if OWN_HANDLER
[[gnu::interrupt("machine")]] [[gnu::aligned(4)]] void handle_trap() {
    expect(read_csr<csr::kMcause>() == kCauseMachineTimer, kTrapExit);
    const CounterHold hold;
    if (recording && taken < sizeof readings / sizeof readings[0]) {
        readings[taken] = read_counters();
        taken = taken + 1;
    }
    perfTimerInterrupt(read_csr<csr::kMepc>());
}

void install_handler() {
    write_csr<csr::kMtvec>(reinterpret_cast<uint64_t>(&handle_trap));
}
#endif

} // namespace

} // namespace pes::demo

int main() {
    using namespace pes::demo;
    perfEvent events[] = {general_event(HW_CPU_CYCLES), general_event(HW_TIMESTAMP),
                          general_event(HW_INSTRUCTIONS)};
    expect(perfInit(1, FUNNELS) == 0, kInitExit);
    expect(perfTimerISRInit(events, size_of(events), kChannel, kCountType, kBuffer, kInterval) == 0,
           kCollectionExit);
#if OWN_HANDLER
    install_handler();
#endif
    Reading first{};
    {
        const CounterHold hold;
        first = read_counters();
        expect(perfTraceOn() == 0, kOnExit);
        recording = true;
    }
    compute(first.cycles + kIntervals * kIntervalCycles);
    recording = false;
    expect(perfTraceOff() == 0, kOffExit);
    const Reading last = read_counters();
    expect(perfWriteTrace("trace_timer.rtd") == 0, kSaveExit);
    print_line("interval", kIntervalCycles);
    print_line("first", first.cycles, first.instructions);
    for (unsigned i = 0; i < taken; ++i) {
        print_line("record", readings[i].cycles, readings[i].instructions);
    }
    print_line("last", last.cycles, last.instructions);
    expect(perfLostRecords() == 0, kLostExit);
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Collecting by hand: a call of perfWriteCntrs behind each stage of a computation.
//
// Console: "base" and then "record" for each record, with the values of cycle, instret and
// mhpmcounter3..5 as the program read them.
//
// With CIRCULAR the buffer keeps the youngest records instead of the oldest. The header is written
// anew in each round, because without one records have no meaning.
#include "firmware/apps/trace/demo.h"
#include "hw/interface/maps/trace.h"

namespace pes::demo {

namespace {

constexpr unsigned kStages = 3;
constexpr unsigned kRounds = 4;
constexpr unsigned kRecords = kStages * kRounds;
constexpr bool kCircular = CIRCULAR != 0;
constexpr unsigned kItems = 256;
constexpr unsigned long kLoadSelector = 5;

struct Reading {
    uint64_t cycles;
    uint64_t instructions;
    uint64_t loads;
    uint64_t branch_misses;
    uint64_t stores;
};

Reading readings[1 + kRecords];
uint32_t items[kItems];
volatile uint32_t result;

Reading read_counters() {
    return {.cycles = read_csr<csr::kCycle>(),
            .instructions = read_csr<csr::kInstret>(),
            .loads = read_csr<csr::kCycle + 3>(),
            .branch_misses = read_csr<csr::kCycle + 4>(),
            .stores = read_csr<csr::kCycle + 5>()};
}

[[gnu::noinline]] void fill(uint32_t seed) {
    for (uint32_t& item : items) {
        seed = seed * 1664525 + 1013904223;
        item = seed >> 8;
    }
}

[[gnu::noinline]] void sort() {
    for (unsigned i = 1; i < kItems; ++i) {
        const uint32_t item = items[i];
        unsigned place = i;
        for (; place > 0 && items[place - 1] > item; --place) {
            items[place] = items[place - 1];
        }
        items[place] = item;
    }
}

[[gnu::noinline]] void add_up() {
    uint32_t sum = 0;
    for (const uint32_t item : items) {
        sum += item;
    }
    result = sum;
}

// Inlined, so that the record's address is that of the stage.
[[gnu::always_inline]] inline void record(unsigned number) {
    const CounterHold hold;
    readings[number] = read_counters();
    expect(perfWriteCntrs() == 0, kRecordExit);
}

[[gnu::noinline]] void collect() {
    unsigned number = 1;
    for (unsigned round = 0; round < kRounds; ++round) {
        expect(!kCircular || perfTraceOn() == 0, kOnExit);
        fill(round);
        record(number++);
        sort();
        record(number++);
        add_up();
        record(number++);
    }
}

// The library stops a trace whose buffer is full; this one goes on over its oldest words.
// teSyncMaxBTM 0 sends the time every 32 messages, because the one at the start will be
// overwritten.
void make_circular() {
    constexpr uint64_t kControl = PES_TRACE_ENCODER_BASE + trace_map::kControl;
    constexpr uint32_t kClear =
        trace_map::control::kStopOnWrap | trace_map::control::kSyncMaxMask
                                              << trace_map::control::kSyncMaxMessagesShift;
    write_device<uint32_t>(kControl, read_device<uint32_t>(kControl) & ~kClear);
}

// The trace begins where the counters stand when it is switched on.
void switch_on() {
    const CounterHold hold;
    readings[0] = read_counters();
    expect(perfTraceOn() == 0, kOnExit);
}

} // namespace

} // namespace pes::demo

int main() {
    using namespace pes::demo;
    perfEvent events[] = {
        general_event(HW_CPU_CYCLES),    // counter 0
        general_event(HW_TIMESTAMP),     // counter 1
        general_event(HW_INSTRUCTIONS),  // counter 2
        raw_event(kLoadSelector),        // counter 3
        general_event(HW_BRANCH_MISSES), // counter 4
        cache_event(0, 1, 0),            // counter 5: L1D, write, access
    };
    expect(perfInit(1, FUNNELS) == 0, kInitExit);
    expect(perfManualInit(events, size_of(events), kChannel, kCountType, kBuffer) == 0,
           kCollectionExit);
    if (kCircular) {
        make_circular();
    }
    switch_on();
    collect();
    expect(perfTraceOff() == 0, kOffExit);
    expect(perfWriteTrace("trace_manual.rtd") == 0, kSaveExit);
    for (const Reading& reading : readings) {
        print_line(&reading == &readings[0] ? "base" : "record", reading.cycles,
                   reading.instructions, reading.loads, reading.branch_misses, reading.stores);
    }
    expect(perfLostRecords() == 0, kLostExit);
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Two harts, one funnel, one file. Each hart records its own counters: hart 0 cycles and
// instructions, hart 1 cycles and loads.
//
// Console: "hart0" and "hart1" for each record, with both values as that hart read them; "base0"
// and "base1" for those at the header.
#include "firmware/apps/bare/harts.h"
#include "firmware/apps/trace/demo.h"

namespace pes::demo {

namespace {

constexpr unsigned kRecords = 16;
constexpr unsigned long kLoadSelector = 5;
constexpr uint64_t kHartsOfAFunnel = kHarts / FUNNELS;
constexpr const char* kFiles[] = {"trace_harts.rtd", "trace_harts_1.rtd"};
constexpr const char* kBases[] = {"base0", "base1", "base2", "base3"};
constexpr const char* kRecordsOf[] = {"hart0", "hart1", "hart2", "hart3"};

struct Reading {
    uint64_t cycles;
    uint64_t second; ///< instructions or loads
};

constexpr bool counts_instructions(uint64_t hart) {
    return hart % 2 == 0;
}

Barrier barrier;
Reading readings[kHarts][1 + kRecords];
volatile uint32_t table[64];

Reading read_counters(uint64_t hart) {
    return {.cycles = read_csr<csr::kCycle>(),
            .second = counts_instructions(hart) ? read_csr<csr::kInstret>()
                                                : read_csr<csr::kCycle + 3>()};
}

void record(uint64_t hart, unsigned number) {
    const CounterHold hold;
    readings[hart][number] = read_counters(hart);
    expect((number == 0 ? perfTraceOn() : perfWriteCntrs()) == 0, kRecordExit);
}

// Longer from hart to hart, so that they drift past each other.
void compute(uint64_t hart, unsigned number) {
    for (unsigned i = 0; i < 100 * number * (1 + hart); ++i) {
        table[i % 64] = table[i * 7 % 64] + 1;
    }
}

void collect(uint64_t hart) {
    perfEvent events[] = {general_event(HW_CPU_CYCLES), counts_instructions(hart)
                                                            ? general_event(HW_INSTRUCTIONS)
                                                            : raw_event(kLoadSelector)};
    expect(perfManualInit(events, size_of(events), kChannel, kCountType, kBuffer) == 0,
           kCollectionExit);
    barrier.meet();
    record(hart, 0);
    for (unsigned number = 1; number <= kRecords; ++number) {
        compute(hart, number);
        record(hart, number);
    }
    expect(perfTraceOff() == 0, kOffExit);
    expect(perfLostRecords() == 0, kLostExit);
    barrier.meet();
}

void print_readings(const char* base, const char* each, const Reading (&list)[1 + kRecords]) {
    for (unsigned number = 0; number <= kRecords; ++number) {
        print_line(number == 0 ? base : each, list[number].cycles, list[number].second);
    }
}

} // namespace

} // namespace pes::demo

int main(uint64_t hart) {
    using namespace pes::demo;
    if (hart >= pes::kHarts) {
        return 0;
    }
    if (hart == 0) {
        expect(perfInit(pes::kHarts, FUNNELS) == 0, kInitExit);
    }
    barrier.meet();
    collect(hart);
    if (hart % kHartsOfAFunnel == 0) {
        expect(perfWriteTrace(kFiles[hart / kHartsOfAFunnel]) == 0, kSaveExit);
    }
    barrier.meet();
    for (uint64_t each = 0; hart == 0 && each < pes::kHarts; ++each) {
        print_readings(kBases[each], kRecordsOf[each], readings[each]);
    }
    return 0;
}

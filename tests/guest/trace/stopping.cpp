// SPDX-License-Identifier: Apache-2.0
// More records than a buffer may hold, of a shape that a test chooses: it writes `parameters` into
// the ELF file, where it finds them by their magic number.
//
// Console: for each hart "hart", its number, the records that it began and perfLostRecords() of
// them. Each sink is a file trace_<n>.rtd, by funnel or, without funnels, by hart.
#include "firmware/apps/bare/harts.h"
#include "firmware/apps/trace/demo.h"

namespace pes::demo {

namespace {

enum Kind : uint64_t { kManual, kTimer, kFunctions };

struct Parameters {
    uint64_t magic;
    uint64_t funnels;
    uint64_t buffer; ///< SBABufferSize
    uint64_t counters;
    uint64_t type; ///< perfCountType_t
    uint64_t kind;
    uint64_t records; ///< at least so many a hart
};

// Volatile: what the compiler sees is not what is there.
[[gnu::used]] volatile Parameters parameters = {
    0x676E'6970'706F'7473 /* "stopping" */, 0, 0, 3, 0, kManual, 100};

struct Count {
    uint64_t begun;
    uint64_t lost;
};

constexpr uint64_t kMachineInterrupts = 8; // mstatus.MIE

Barrier barrier;
volatile uint64_t begun[kHarts]; ///< records
Count counts[kHarts];
volatile uint32_t table[64];

void set_interrupts(bool on) {
    if (on) {
        set_csr<csr::kMstatus>(kMachineInterrupts);
    } else {
        clear_csr<csr::kMstatus>(kMachineInterrupts);
    }
}

[[gnu::interrupt("machine")]] [[gnu::aligned(4)]] void handle_timer() {
    const uint64_t hart = read_csr<csr::kMhartid>();
    begun[hart] = begun[hart] + 1;
    perfTimerInterrupt(read_csr<csr::kMepc>());
}

[[gnu::noinline]] void compute(uint64_t turns) {
    for (uint64_t i = 0; i < turns; ++i) {
        table[i % 64] = table[i * 7 % 64] + 1;
    }
}

// Fixed counters and programmable ones: the shape of a record is theirs.
int initialise() {
    perfEvent events[] = {general_event(HW_CPU_CYCLES),
                          general_event(HW_TIMESTAMP),
                          raw_event(5),
                          general_event(HW_INSTRUCTIONS),
                          raw_event(6),
                          raw_event(9),
                          raw_event(10),
                          raw_event(1),
                          raw_event(2)};
    const int count = static_cast<int>(parameters.counters);
    const auto type = static_cast<perfCountType_t>(parameters.type);
    const auto buffer = static_cast<uint32_t>(parameters.buffer);
    switch (parameters.kind) {
    case kManual:
        return perfManualInit(events, count, kChannel, type, buffer);
    case kTimer:
        return perfTimerISRInit(events, count, kChannel, type, buffer, 100);
    default:
        return perfFuncEntryExitInit(events, count, kChannel, type, buffer);
    }
}

void record_by_hand(uint64_t hart) {
    for (uint64_t i = 0; i < parameters.records; ++i) {
        compute((i * 13 + hart) % 50);
        begun[hart] = begun[hart] + 1;
        (void)perfWriteCntrs();
    }
}

void record_functions(uint64_t hart) {
    void* const function = reinterpret_cast<void*>(&compute);
    void* const caller = reinterpret_cast<void*>(&record_functions);
    for (uint64_t i = 0; i < parameters.records; i += 2) {
        begun[hart] = begun[hart] + 2;
        __cyg_profile_func_enter(function, caller);
        compute((i * 13 + hart) % 50);
        __cyg_profile_func_exit(function, caller);
    }
}

void record_from_timer(uint64_t hart) {
    set_interrupts(true);
    while (begun[hart] < parameters.records) {
        compute(10);
    }
    set_interrupts(false);
}

void collect(uint64_t hart) {
    expect(initialise() == 0, kCollectionExit);
    set_interrupts(false);
    write_csr<csr::kMtvec>(reinterpret_cast<uint64_t>(&handle_timer));
    barrier.meet();
    if (perfTraceOn() == 0) { // or the header alone was too long
        if (parameters.kind == kManual) {
            record_by_hand(hart);
        } else if (parameters.kind == kTimer) {
            record_from_timer(hart);
        } else {
            record_functions(hart);
        }
        expect(perfTraceOff() == 0, kOffExit);
    }
    barrier.meet(); // nobody writes into a funnel while it is emptied
}

void save(uint64_t hart) {
    const uint64_t sinks = parameters.funnels != 0 ? parameters.funnels : kHarts;
    const uint64_t harts_of_a_sink = kHarts / sinks;
    if (hart % harts_of_a_sink == 0) {
        expect(perfWriteTrace(hart / harts_of_a_sink == 0 ? "trace_0.rtd" : "trace_1.rtd") == 0,
               kSaveExit);
    }
    barrier.meet(); // what is emptied may fill the buffer
    counts[hart] = {.begun = begun[hart], .lost = perfLostRecords()};
}

} // namespace

} // namespace pes::demo

int main(uint64_t hart) {
    using namespace pes::demo;
    if (hart >= pes::kHarts) {
        return 0;
    }
    if (hart == 0) {
        expect(perfInit(pes::kHarts, static_cast<int>(parameters.funnels)) == 0, kInitExit);
    }
    barrier.meet();
    collect(hart);
    save(hart);
    barrier.meet();
    for (uint64_t each = 0; hart == 0 && each < pes::kHarts; ++each) {
        print_line("hart", each, counts[each].begun, counts[each].lost);
    }
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
// The two calls that share memory with the firmware: snapshots and event info. What the firmware
// left alone still holds the pattern that it was filled with.
#include "platform.h"
#include "tests/guest/sbi_pmu_test/transcript.h"

namespace pes::pmu_test {

namespace {

constexpr uint64_t kPattern = 0xA5A5'A5A5'A5A5'A5A5; // bit 0 set
constexpr uint64_t kOff = sbi::pmu::kSharedMemoryOff;
constexpr uint64_t kInit = sbi::pmu::kStartInitSnapshot;
constexpr uint64_t kTake = sbi::pmu::kStopTakeSnapshot;

alignas(4096) volatile uint64_t page[512];
volatile sbi::pmu::Snapshot& snapshot = *reinterpret_cast<volatile sbi::pmu::Snapshot*>(page);

void fill() {
    for (volatile uint64_t& word : page) {
        word = kPattern;
    }
}

/// Words that the firmware wrote.
uint64_t changed() {
    uint64_t count = 0;
    for (const volatile uint64_t& word : page) {
        count += word != kPattern ? 1 : 0;
    }
    return count;
}

void show_entry(const char* name, unsigned entry) {
    print(put_byte, name, ": ");
    if (snapshot.value[entry] == kPattern) {
        print(put_byte, "untouched\n");
    } else {
        print(put_byte, uint64_t{snapshot.value[entry]}, "\n");
    }
}

uint64_t here() {
    return reinterpret_cast<uint64_t>(&page[0]);
}

sbi::Result set_memory(uint64_t low, uint64_t high = 0, uint64_t flags = 0) {
    return sbi_call(sbi::kPmu, sbi::pmu::kSnapshotSetSharedMemory, low, high, flags);
}

void show_memory_errors() {
    fill();
    report("set_shmem with a flag", set_memory(here(), 0, 1));
    report("set_shmem off with a flag", set_memory(kOff, kOff, 1));
    report("set_shmem, not page-aligned", set_memory(here() + 8));
    report("set_shmem, half a page off", set_memory(here() + 2048));
    report("set_shmem, low half all ones only", set_memory(kOff, 0));
    report("set_shmem, high half set", set_memory(here(), 1));
    report("set_shmem, high half all ones only", set_memory(here(), kOff));
    report("set_shmem in machine memory", set_memory(PES_DRAM_BASE));
    report("set_shmem in a device", set_memory(PES_UART_BASE));
    report("set_shmem at the end of the address space", set_memory(~uint64_t{0xFFF}));
    configure(3, 1, 0, kBranches);
    report("start from a snapshot after failed set_shmem", start(3, 1, kInit));
    stop(3, 1, sbi::pmu::kStopReset);
    report("set_shmem off, never on", set_memory(kOff, kOff));
    report("set_shmem", set_memory(here()));
    report("set_shmem again", set_memory(here()));
    report_number("words changed by set_shmem", changed());
}

/// One counter: its entry is number 0, whatever its index.
void show_single() {
    const uint64_t counter = firmware_counter(5);
    configure(counter, 1, sbi::pmu::kConfigClearValue, kSetTimer);
    report("start from a snapshot of a set with a reserved flag", start(counter, 1, kInit | 4));
    report("start with value and snapshot, memory set", start(counter, 1, 3));
    snapshot.value[0] = 500;
    report("start from a snapshot", start(counter, 1, kInit));
    set_far_timer();
    report("the value came from the snapshot", firmware_read(counter), Shows::Number);
    snapshot.value[0] = 900;
    report("start from a snapshot, running", start(counter, 1, kInit));
    report("a running counter ignores the snapshot", firmware_read(counter), Shows::Number);
    report_number("words changed by start", changed() - 1);
    fill();
    report("stop without a snapshot flag", stop(counter, 1));
    report_number("words changed by stop", changed());
    report("stop into a snapshot, stopped", stop(counter, 1, kTake));
    show_entry("entry 0 of a stopped counter", 0);
    fill();
    start(counter, 1);
    set_far_timer();
    report("stop into a snapshot", stop(counter, 1, kTake));
    show_entry("entry 0", 0);
    report_number("overflow bit 0", snapshot.overflowed & 1);
    report_number("words changed beyond overflow word and entry 0",
                  changed() - (snapshot.value[0] != kPattern ? 1 : 0) -
                      (snapshot.overflowed != kPattern ? 1 : 0));
    fill();
    start(counter, 1);
    report("stop and reset into a snapshot", stop(counter, 1, kTake | sbi::pmu::kStopReset));
    show_entry("entry 0 of the reset counter", 0);
    report("the counter is unconfigured", start(counter, 1));
}

/// Entries are counted from the base of the call.
void show_relative() {
    const uint64_t low = firmware_counter(1);
    configure(low, 1, 0, kSetTimer);
    configure(low + 3, 1, 0, kSetTimer);
    configure(3, 1, 0, kBranches);
    fill();
    snapshot.value[0] = 10;
    snapshot.value[3] = 30;
    report("start of a set from a snapshot", start(low, 0b1011, kInit));
    report("value of the first", firmware_read(low), Shows::Number);
    report("value of the last", firmware_read(low + 3), Shows::Number);
    fill();
    report("stop of a set into a snapshot from a lower base", stop(low - 1, 0b10010, kTake));
    show_entry("entry of a counter outside the set", 0);
    show_entry("entry of the first", 1);
    show_entry("entry of the last", 4);
    fill();
    report("stop of a set into a snapshot, one unconfigured", stop(low, 0b11, kTake));
    show_entry("entry of the configured one", 0);
    show_entry("entry of the unconfigured one", 1);

    fill();
    snapshot.value[0] = uint64_t{1} << 40;
    report("start of a hardware counter from a snapshot", start(3, 1, kInit));
    report_number("it started from there", read_counter(3) >> 40);
    fill();
    report("stop of a hardware counter into a snapshot", stop(3, 1, kTake));
    report_number("its entry", snapshot.value[0] == read_counter(3) ? 1 : 0);
    report("set_shmem off", set_memory(kOff, kOff));
    report("start from a snapshot without memory again", start(3, 1, kInit));
    report("stop into a snapshot without memory again", stop(3, 1, kTake));
}

sbi::Result event_info(uint64_t address, uint64_t high, uint64_t count, uint64_t flags) {
    return sbi_call(sbi::kPmu, sbi::pmu::kEventGetInfo, address, high, count, flags);
}

alignas(16) volatile sbi::pmu::EventInfo rows[16];
constexpr uint32_t kUnanswered = 0x5A5A'5A5A;

void ask(unsigned i, uint64_t event, uint64_t data = 0) {
    rows[i].event = static_cast<uint32_t>(event);
    rows[i].output = kUnanswered;
    rows[i].data = data;
}

void show_answer(const char* name, unsigned i) {
    print(put_byte, name);
    if (rows[i].output == kUnanswered) {
        print(put_byte, ": unanswered\n");
    } else {
        print(put_byte, ": ", uint64_t{rows[i].output}, "\n");
    }
}

void show_event_info_errors(uint64_t table) {
    report("event info with a flag", event_info(table, 0, 1, 1));
    report("event info, not 16-aligned", event_info(table + 8, 0, 1, 0));
    report("event info, high half set", event_info(table, 1, 1, 0));
    report("event info in machine memory", event_info(PES_DRAM_BASE, 0, 1, 0));
    report("event info in a device", event_info(PES_UART_BASE, 0, 1, 0));
    report("event info, more rows than memory", event_info(table, 0, uint64_t{1} << 60, 0));
    report("event info, no rows", event_info(table, 0, 0, 0));
    ask(0, sbi::pmu::kEventCycles);
    ask(1, 0x100001);
    report("event info, a reserved bit", event_info(table, 0, 2, 0));
    show_answer("row in front of the bad one", 0);
}

} // namespace

void show_snapshot() {
    show_memory_errors();
    show_single();
    release_all();
    show_relative();
}

void show_event_info() {
    const auto table = reinterpret_cast<uint64_t>(&rows[0]);
    show_event_info_errors(table);
    constexpr struct {
        uint32_t event;
        uint32_t data;
    } kRows[] = {
        {0x00001, 0}, {0x00002, 0},  {0x00005, 0}, {0x00007, 0}, {0x10000, 0}, {0x10004, 0},
        {0x20000, 5}, {0x20000, 31}, {0x30000, 5}, {0xF0000, 0}, {0xF0016, 0}, {0xFFFFF, 0},
        {0x40001, 0}, {0x00000, 0},  {0x00001, 1}, {0x10019, 0},
    };
    constexpr unsigned kCount = sizeof(kRows) / sizeof(kRows[0]);
    for (unsigned i = 0; i < kCount; ++i) {
        ask(i, kRows[i].event, kRows[i].data);
    }
    configure(0, 1, 0, sbi::pmu::kEventCycles); // that it is taken changes no answer
    report("event info", event_info(table, 0, kCount, 0));
    for (unsigned i = 0; i < kCount; ++i) {
        print(put_byte, "event info of ", Hex{kRows[i].event}, " data ", Hex{kRows[i].data});
        show_answer("", i);
    }
}

} // namespace pes::pmu_test

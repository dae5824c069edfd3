/* SPDX-License-Identifier: Apache-2.0 */
/* Private to sifive_linux_perf.c: stores to stimuli; headers and records
 * (hw/interface/trace/perf_record.h). */
#ifndef LINUX_PERF_RECORDS_H
#define LINUX_PERF_RECORDS_H

#include "linux_perf_counters.h"

SILENT static bool wait_for_room(void) {
    for (unsigned poll = 0; poll < 1000000; ++poll) {
        if (*self.stimulus != 0) {
            return true;
        }
    }
    self.failed = true;
    return false;
}

SILENT static void store_word(uint32_t value) {
    if (wait_for_room()) {
        *self.stimulus = value;
    }
}

SILENT static void store_half(uint16_t value) {
    if (wait_for_room()) {
        ((volatile uint16_t*)self.stimulus)[1] = value;
    }
}

SILENT static void store_byte(uint8_t value) {
    if (wait_for_room()) {
        ((volatile uint8_t*)self.stimulus)[3] = value;
    }
}

SILENT static void store_address(uint64_t address) {
    if (self.type == perfCount_DeltaXOR) {
        const uint64_t now = address;
        address ^= self.last_address;
        self.last_address = now;
    }
    const uint32_t high = (uint32_t)(address >> 32);
    store_word(((uint32_t)address & ~1U) | (high != 0 ? 1 : 0));
    if (high != 0) {
        store_word(high);
    }
}

SILENT static void store_value(uint64_t value) {
    store_word((uint32_t)value);
    if (value >> 32 != 0) {
        store_half((uint16_t)(value >> 32));
    }
}

SILENT static void store_definition(unsigned n) {
    const Counter* counter = &self.set.counters[n];
    const uint32_t csr = n == TIMESTAMP ? 0 : 0xC00 + n;
    store_word((uint32_t)counter->type);
    store_word((uint32_t)counter->event);
    if (counter->type == perfEventHWRaw) {
        store_word((uint32_t)(counter->event >> 32));
    }
    store_word(csr | (width_of(n) - 1) << 12);
}

SILENT static uint64_t coded(unsigned n, uint64_t now) {
    Counter* counter = &self.set.counters[n];
    const uint64_t previous = counter->previous;
    if (self.type == perfCount_Raw) {
        return now;
    }
    counter->previous = now;
    const unsigned width = width_of(n);
    const uint64_t unwrapped = now < previous && width < 64 ? now + (1ULL << width) : now;
    return self.type == perfCount_Delta ? unwrapped - previous : unwrapped ^ previous;
}

SILENT static int write_header(void) {
    store_word(PERF_MARKER_VAL);
    store_byte((uint8_t)self.type);
    store_word(self.set.mask);
    uint64_t now[PERF_MAX_CNTRS] = {0};
    for (unsigned i = 0; i < self.set.used_count; ++i) {
        store_definition(self.set.used[i]);
    }
    unsigned waiting;
    if (self.type == perfCount_Delta && !read_counters(now, &waiting)) {
        return cannot_read();
    }
    self.last_address = 0;
    for (unsigned n = 0; n < PERF_MAX_CNTRS; ++n) {
        self.set.counters[n].previous = now[n];
    }
    return self.failed ? fail("the encoder takes nothing") : 0;
}

SILENT static void store_record(const Record* record) {
    store_byte((uint8_t)record->kind);
    store_address(record->address);
    if (record->kind == perfRecord_FuncEnter || record->kind == perfRecord_FuncExit) {
        store_address(record->caller);
    }
    for (unsigned i = 0; i < self.set.used_count; ++i) {
        store_value(coded(self.set.used[i], record->values[self.set.used[i]]));
    }
}

/* Of a signal handler, while another record is being written. Handlers end before what they have
 * interrupted goes on; the record of one that has come in between has an earlier place and earlier
 * values. */
SILENT static int let_wait(Record* record) {
    unsigned place;
    do {
        place = self.waiting_end;
        if (place - self.waiting_first == MOST_WAITING) {
            return fail("more records of signal handlers at once than there is room for");
        }
        if (!read_once(record->values)) {
            return cannot_read();
        }
    } while (!__atomic_compare_exchange_n(&self.waiting_end, &place, place + 1, false,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    self.waiting[place % MOST_WAITING] = *record;
    return 0;
}

SILENT static void store_waiting(unsigned end) {
    while (self.waiting_first != end) {
        store_record(&self.waiting[self.waiting_first % MOST_WAITING]);
        ++self.waiting_first;
    }
}

SILENT static int write_record(perfRecordType_t kind, uint64_t address, uint64_t caller) {
    Record record;
    record.kind = kind;
    record.address = address;
    record.caller = caller;
    if (self.busy) {
        return let_wait(&record);
    }
    self.busy = 1;
    self.failed = false;
    unsigned before;
    const bool good = read_counters(record.values, &before);
    store_waiting(before);
    if (good) {
        store_record(&record);
    }
    do {
        self.busy = 1;
        store_waiting(self.waiting_end);
        self.busy = 0;
    } while (self.waiting_first != self.waiting_end);
    if (!good) {
        return cannot_read();
    }
    return self.failed ? fail("the encoder takes nothing") : 0;
}

#endif

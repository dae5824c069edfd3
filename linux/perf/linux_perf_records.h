/* SPDX-License-Identifier: Apache-2.0 */
/* Private to sifive_linux_perf.c: what a thread has; stores to stimuli; counters as they are read;
 * headers and records. */
#ifndef LINUX_PERF_RECORDS_H
#define LINUX_PERF_RECORDS_H

#include "sifive_linux_perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define SILENT __attribute__((no_instrument_function))

enum { CYCLES = 0, TIMESTAMP = 1, INSTRUCTIONS = 2, FIRST_OTHER = 3, CHANNELS = 32 };
enum { MOST_CALLS = 128, MOST_WAITING = 8, LEAST_INTERVAL = 100 };

typedef enum { Nothing, Manual, Timer, Functions } Collection;

/* Counter n of the mask. */
typedef struct {
    int type;
    uint64_t event;                    /* code or event_data, for the header */
    int file;                          /* of perf */
    struct perf_event_mmap_page* page; /* null: the kernel reads it */
    int place;                         /* in what a read of the group gives */
    uint64_t previous;
} Counter;

/* What a list of events has become. */
typedef struct {
    uint32_t mask;
    unsigned used[PERF_MAX_CNTRS]; /* the counters of the mask, lowest first */
    unsigned used_count;
    int leader; /* of the group of perf events; -1: none */
    int events; /* in it */
    bool by_kernel;
    Counter counters[PERF_MAX_CNTRS];
} CounterSet;

typedef struct {
    perfRecordType_t kind;
    uint64_t address, caller;
    uint64_t values[PERF_MAX_CNTRS];
} Record;

/* What a thread has. */
typedef struct {
    Collection collection;
    perfCountType_t type;
    bool recording;
    unsigned cpu;
    char* page; /* with the stimuli; null: none yet */
    volatile uint32_t* stimulus;
    const volatile uint32_t* time; /* lower half, upper half */
    unsigned time_bits;
    CounterSet set;
    uint64_t last_address;
    bool failed; /* a store found no room */
    uint64_t calls[MOST_CALLS];
    unsigned depth;
    bool has_timer;
    timer_t timer;
    /* Records of signal handlers that came while one was being written: they follow it. */
    volatile sig_atomic_t busy;
    volatile unsigned waiting_first, waiting_end;
    Record waiting[MOST_WAITING];
    char error[160];
} Thread;

static __thread Thread self = {.set = {.leader = -1}};
static int device = -1;
static int cores;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the next two, and of the device */
static int owners[PERF_MAX_CORES]; /* by hart: the thread that is traced; 0: none */
static pthread_key_t at_exit;

extern struct TraceRegMemMap volatile* tmm[] __attribute__((weak));
extern struct TfTraceRegMemMap volatile* fmm __attribute__((weak));

SILENT static int fail(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(self.error, sizeof self.error, format, arguments);
    va_end(arguments);
    return 1;
}

/* --- Stimuli and records (hw/interface/trace/perf_record.h) ------------------------------------
 */

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

SILENT static unsigned width_of(unsigned n) {
    return n == TIMESTAMP ? self.time_bits : 64;
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

/* --- Counters ----------------------------------------------------------------------------------
 */

SILENT static uint64_t read_time(void) {
    for (;;) {
        const uint32_t high = self.time[1];
        const uint32_t low = self.time[0];
        if (self.time[1] == high) {
            return (uint64_t)high << 32 | low;
        }
    }
}

/* The number of the CSR is part of the instruction. */
SILENT static uint64_t read_csr(unsigned n) {
    uint64_t value = 0;
#define CASE(number)                                                                               \
    case number:                                                                                   \
        __asm__ volatile("csrr %0, 0xC00 + %1" : "=r"(value) : "i"(number));                       \
        break;
#define CASES(number) CASE(number) CASE((number) + 1) CASE((number) + 2) CASE((number) + 3)
    switch (n) {
        CASES(0)
        CASES(4)
        CASES(8)
        CASES(12)
        CASES(16)
        CASES(20)
        CASES(24)
        CASES(28)
    }
#undef CASES
#undef CASE
    return value;
}

/* As the head of linux/perf_event.h describes; nothing else uses the counter of this thread, so the
 * page changes when the thread has been away only. */
SILENT static bool read_in_user_mode(const struct perf_event_mmap_page* page, uint64_t* value) {
    uint32_t sequence;
    do {
        sequence = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
        if (!page->cap_user_rdpmc || page->index == 0) {
            return false;
        }
        const unsigned shift = 64U - page->pmc_width;
        const uint64_t count = read_csr(page->index - 1);
        *value = (uint64_t)page->offset + (uint64_t)((int64_t)(count << shift) >> shift);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
    } while (__atomic_load_n(&page->lock, __ATOMIC_RELAXED) != sequence);
    return true;
}

SILENT static bool read_by_kernel(uint64_t* values) {
    uint64_t group[1 + PERF_MAX_CNTRS];
    if (read(self.set.leader, group, sizeof group) < (ssize_t)sizeof group[0]) {
        return false;
    }
    for (unsigned i = 0; i < self.set.used_count; ++i) {
        const unsigned n = self.set.used[i];
        if (n != TIMESTAMP) {
            values[n] = group[1 + self.set.counters[n].place];
        }
    }
    return true;
}

/* All of a record, one after the other; the timestamp last. */
SILENT static bool read_once(uint64_t* values) {
    bool by_kernel = self.set.by_kernel;
    for (unsigned i = self.set.used_count; !by_kernel && i-- != 0;) {
        const unsigned n = self.set.used[i];
        if (n != TIMESTAMP) {
            by_kernel = !read_in_user_mode(self.set.counters[n].page, &values[n]);
        }
    }
    if (by_kernel && self.set.events != 0 && !read_by_kernel(values)) {
        return false;
    }
    if ((self.set.mask >> TIMESTAMP & 1) != 0) {
        values[TIMESTAMP] = read_time();
    }
    return true;
}

/* Again if a signal handler has had its record in between: values never go back. */
SILENT static bool read_counters(uint64_t* values) {
    unsigned end;
    bool good;
    do {
        end = self.waiting_end;
        good = read_once(values);
    } while (good && self.waiting_end != end);
    return good;
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

SILENT static int cannot_read(void);

SILENT static int write_header(void) {
    store_word(PERF_MARKER_VAL);
    store_byte((uint8_t)self.type);
    store_word(self.set.mask);
    uint64_t now[PERF_MAX_CNTRS] = {0};
    for (unsigned i = 0; i < self.set.used_count; ++i) {
        store_definition(self.set.used[i]);
    }
    if (self.type == perfCount_Delta && !read_counters(now)) {
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

SILENT static int cannot_read(void) {
    return fail("the kernel does not read the counters: %s", strerror(errno));
}

/* Of a signal handler, while another record is being written. Handlers end before what they have
 * interrupted goes on, so each has its place for itself. */
SILENT static int let_wait(perfRecordType_t kind, uint64_t address, uint64_t caller) {
    if (self.waiting_end - self.waiting_first == MOST_WAITING) {
        return fail("more records of signal handlers at once than there is room for");
    }
    const unsigned place = self.waiting_end;
    Record* record = &self.waiting[place % MOST_WAITING];
    self.waiting_end = place + 1;
    record->kind = kind;
    record->address = address;
    record->caller = caller;
    return read_once(record->values) ? 0 : cannot_read();
}

SILENT static void store_waiting(void) {
    while (self.waiting_first != self.waiting_end) {
        store_record(&self.waiting[self.waiting_first % MOST_WAITING]);
        ++self.waiting_first;
    }
}

SILENT static int write_record(perfRecordType_t kind, uint64_t address, uint64_t caller) {
    Record record;
    if (self.busy) {
        return let_wait(kind, address, caller);
    }
    self.busy = 1;
    self.failed = false;
    record.kind = kind;
    record.address = address;
    record.caller = caller;
    const bool good = read_counters(record.values);
    store_waiting(); /* what came before these values were read */
    if (good) {
        store_record(&record);
    }
    do {
        self.busy = 1;
        store_waiting();
        self.busy = 0;
    } while (self.waiting_first != self.waiting_end);
    if (!good) {
        return cannot_read();
    }
    return self.failed ? fail("the encoder takes nothing") : 0;
}

#endif

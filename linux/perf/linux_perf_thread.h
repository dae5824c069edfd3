/* SPDX-License-Identifier: Apache-2.0 */
/* Private to sifive_linux_perf.c: what a thread has, and what its process shares. */
#ifndef LINUX_PERF_THREAD_H
#define LINUX_PERF_THREAD_H

#include "sifive_linux_perf.h"

#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

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

#endif

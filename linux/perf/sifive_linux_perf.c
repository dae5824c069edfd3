/* SPDX-License-Identifier: Apache-2.0 */
/* Trace performance library for programs under Linux. Trace units are the driver's: this file asks
 * it (trace_perf.h), and stores to the stimuli of its thread's hart. Counters are perf's; those
 * that the kernel lets a program read are read without a system call. */
#define _GNU_SOURCE
#include "sifive_linux_perf.h"
#include "sifive_linux_trace.h"
#include "trace_perf.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define SILENT __attribute__((no_instrument_function))

enum { CYCLES = 0, TIMESTAMP = 1, INSTRUCTIONS = 2, FIRST_OTHER = 3, CHANNELS = 32 };
enum { MOST_CALLS = 128, LEAST_INTERVAL = 100 };

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

/* What a thread has. */
typedef struct {
    Collection collection;
    perfCountType_t type;
    bool recording;
    volatile uint32_t* stimulus;
    const volatile uint32_t* time; /* lower half, upper half */
    unsigned time_bits;
    uint32_t mask;
    unsigned used[PERF_MAX_CNTRS]; /* the counters of the mask, lowest first */
    unsigned used_count;
    int leader; /* of the group of perf events; -1: none */
    int events; /* in it */
    bool by_kernel;
    Counter counters[PERF_MAX_CNTRS];
    uint64_t last_address;
    bool failed; /* a store found no room */
    uint64_t calls[MOST_CALLS];
    unsigned depth;
    timer_t timer;
    volatile sig_atomic_t busy; /* a record is being written */
    volatile uintptr_t awaited; /* the pc of a timer signal that came meanwhile */
    char error[160];
} Thread;

static __thread Thread self = {.leader = -1};
static int device = -1;
static int cores;

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
    const Counter* counter = &self.counters[n];
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
    if (read(self.leader, group, sizeof group) < (ssize_t)sizeof group[0]) {
        return false;
    }
    for (unsigned i = 0; i < self.used_count; ++i) {
        const unsigned n = self.used[i];
        if (n != TIMESTAMP) {
            values[n] = group[1 + self.counters[n].place];
        }
    }
    return true;
}

/* All of a record, one after the other; the timestamp last. */
SILENT static bool read_counters(uint64_t* values) {
    bool by_kernel = self.by_kernel;
    for (unsigned i = self.used_count; !by_kernel && i-- != 0;) {
        const unsigned n = self.used[i];
        if (n != TIMESTAMP) {
            by_kernel = !read_in_user_mode(self.counters[n].page, &values[n]);
        }
    }
    if (by_kernel && self.events != 0 && !read_by_kernel(values)) {
        return false;
    }
    if ((self.mask >> TIMESTAMP & 1) != 0) {
        values[TIMESTAMP] = read_time();
    }
    return true;
}

SILENT static uint64_t coded(unsigned n, uint64_t now) {
    Counter* counter = &self.counters[n];
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
    store_word(self.mask);
    uint64_t now[PERF_MAX_CNTRS] = {0};
    for (unsigned i = 0; i < self.used_count; ++i) {
        store_definition(self.used[i]);
    }
    if (self.type == perfCount_Delta && !read_counters(now)) {
        return fail("the kernel does not read the counters: %s", strerror(errno));
    }
    self.last_address = 0;
    for (unsigned n = 0; n < PERF_MAX_CNTRS; ++n) {
        self.counters[n].previous = now[n];
    }
    return self.failed ? fail("the encoder takes nothing") : 0;
}

SILENT static int write_values(perfRecordType_t kind, uint64_t address, uint64_t caller) {
    uint64_t now[PERF_MAX_CNTRS];
    if (!read_counters(now)) {
        return fail("the kernel does not read the counters: %s", strerror(errno));
    }
    store_byte((uint8_t)kind);
    store_address(address);
    if (kind == perfRecord_FuncEnter || kind == perfRecord_FuncExit) {
        store_address(caller);
    }
    for (unsigned i = 0; i < self.used_count; ++i) {
        store_value(coded(self.used[i], now[self.used[i]]));
    }
    return self.failed ? fail("the encoder takes nothing") : 0;
}

/* A timer signal that comes meanwhile has its record behind this one. */
SILENT static int write_record(perfRecordType_t kind, uint64_t address, uint64_t caller) {
    self.failed = false;
    self.busy = 1;
    const int result = write_values(kind, address, caller);
    while (self.awaited != 0) {
        const uintptr_t pc = self.awaited;
        self.awaited = 0;
        (void)write_values(perfRecord_ISR, pc, 0);
    }
    self.busy = 0;
    return result;
}

/* --- Events ------------------------------------------------------------------------------------
 */

SILENT static int perf_attributes(const perfEvent* event, int place, struct perf_event_attr* attr) {
    switch (event->type) {
    case perfEventHWGeneral: /* perf counts from 0 what the SBI counts from 1 */
        if (event->code < HW_CPU_CYCLES || event->code > HW_REF_CPU_CYLES) {
            return fail("event %d of the list has a code that is none of the SBI's", place);
        }
        attr->type = PERF_TYPE_HARDWARE;
        attr->config = (uint64_t)event->code - 1;
        return 0;
    case perfEventHWCache:
        if (event->cache_id < 0 || event->cache_id > 0xFF || event->op_id < 0 ||
            event->op_id > 0xFF || event->result_id < 0 || event->result_id > 1) {
            return fail("event %d of the list has cache, operation or result numbers that the SBI "
                        "does not have",
                        place);
        }
        attr->type = PERF_TYPE_HW_CACHE;
        attr->config = (uint64_t)event->cache_id | (uint64_t)event->op_id << 8 |
                       (uint64_t)event->result_id << 16;
        return 0;
    case perfEventHWRaw:
        attr->type = PERF_TYPE_RAW;
        attr->config = event->event_data;
        return 0;
    default:
        return fail("event %d of the list has a type that is none of 0, 1, 2", place);
    }
}

SILENT static uint64_t header_event(const perfEvent* event) {
    switch (event->type) {
    case perfEventHWCache:
        return (uint64_t)(event->cache_id << 3 | event->op_id << 1 | event->result_id);
    case perfEventHWRaw:
        return event->event_data;
    default:
        return (uint64_t)event->code;
    }
}

SILENT static void close_counters(void) {
    for (unsigned n = 0; n < PERF_MAX_CNTRS; ++n) {
        Counter* counter = &self.counters[n];
        if (counter->page != NULL) {
            munmap(counter->page, (size_t)sysconf(_SC_PAGESIZE));
        }
        if (counter->file > 0) {
            close(counter->file);
        }
        memset(counter, 0, sizeof *counter);
        counter->file = -1;
    }
    self.leader = -1;
    self.events = 0;
    self.mask = self.used_count = 0;
}

/* The first one of a group, which is pinned, has leader -1. Of this thread, in user mode. */
SILENT static int open_perf_event(const struct perf_event_attr* attr, int leader) {
    struct perf_event_attr whole = *attr;
    whole.size = sizeof whole;
    whole.disabled = whole.pinned = leader < 0;
    whole.exclude_kernel = whole.exclude_hv = 1;
    whole.read_format = PERF_FORMAT_GROUP;
    return (int)syscall(SYS_perf_event_open, &whole, 0, -1, leader, 0UL);
}

SILENT static int no_such_event(const perfEvent* event, int place) {
    return fail("event %d of the list (type %d, 0x%llx) is none that this hart counts", place,
                event->type, (unsigned long long)header_event(event));
}

/* A group that is pinned and does not fit has nothing to read. */
SILENT static bool counts(int leader) {
    uint64_t group[1 + PERF_MAX_CNTRS];
    ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
    return read(leader, group, sizeof group) >= (ssize_t)sizeof group[0];
}

/* Why the group does not count. */
SILENT static int name_event_at_fault(const perfEvent* events, int count) {
    for (int place = 0; place < count; ++place) {
        struct perf_event_attr attr = {0};
        if (events[place].type == perfEventHWGeneral && events[place].code == HW_TIMESTAMP) {
            continue;
        }
        (void)perf_attributes(&events[place], place, &attr);
        const int file = open_perf_event(&attr, -1);
        const bool good = file >= 0 && counts(file);
        if (file >= 0) {
            close(file);
        }
        if (!good) {
            return no_such_event(&events[place], place);
        }
    }
    return fail("the list has more events than the hart can count at once");
}

SILENT static int open_counter(unsigned n, const perfEvent* event, int place) {
    struct perf_event_attr attr = {0};
    Counter* counter = &self.counters[n];
    if (perf_attributes(event, place, &attr) != 0) {
        return 1;
    }
    counter->file = open_perf_event(&attr, self.leader);
    if (counter->file < 0) {
        return errno == EACCES || errno == EPERM
                   ? fail("perf is not allowed to count: %s", strerror(errno))
                   : no_such_event(event, place);
    }
    counter->place = self.events++;
    if (self.leader < 0) {
        self.leader = counter->file;
    }
    void* page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, counter->file, 0);
    counter->page = page == MAP_FAILED ? NULL : page;
    return 0;
}

SILENT static unsigned fixed_counter(const perfEvent* event) {
    if (event->type != perfEventHWGeneral) {
        return FIRST_OTHER;
    }
    return event->code == HW_CPU_CYCLES     ? CYCLES
           : event->code == HW_INSTRUCTIONS ? INSTRUCTIONS
           : event->code == HW_TIMESTAMP    ? TIMESTAMP
                                            : FIRST_OTHER;
}

SILENT static int open_counters(const perfEvent* events, int count) {
    unsigned next = FIRST_OTHER;
    close_counters();
    for (int place = 0; place < count; ++place) {
        const perfEvent* event = &events[place];
        const unsigned fixed = fixed_counter(event);
        const unsigned n = fixed != FIRST_OTHER ? fixed : next++;
        if (n == TIMESTAMP && self.time_bits == 0) {
            return fail("event %d of the list is the timestamp, which this trace does not have",
                        place);
        }
        if (n >= PERF_MAX_CNTRS) {
            return fail("the list has more events than there are counters");
        }
        if ((self.mask >> n & 1) != 0) {
            continue; /* named twice */
        }
        if (n != TIMESTAMP && open_counter(n, event, place) != 0) {
            return 1;
        }
        self.counters[n].type = event->type;
        self.counters[n].event = header_event(event);
        self.mask |= 1U << n;
    }
    for (unsigned n = 0; n < PERF_MAX_CNTRS; ++n) {
        if ((self.mask >> n & 1) != 0) {
            self.used[self.used_count++] = n;
        }
    }
    return 0;
}

/* Either all counters are read in user mode, or one read gives them all. */
SILENT static int start_counters(const perfEvent* events, int count) {
    uint64_t values[PERF_MAX_CNTRS];
    self.by_kernel = false;
    if (self.events == 0) {
        return 0;
    }
    if (!counts(self.leader)) {
        close_counters();
        return name_event_at_fault(events, count);
    }
    for (unsigned i = 0; i < self.used_count; ++i) {
        const unsigned n = self.used[i];
        if (n != TIMESTAMP) {
            const Counter* counter = &self.counters[n];
            self.by_kernel |=
                counter->page == NULL || !read_in_user_mode(counter->page, &values[n]);
        }
    }
    return 0;
}

/* --- Initialisation ----------------------------------------------------------------------------
 */

SILENT static int ask(unsigned cpu, struct trace_perf_info* info) {
    memset(info, 0, sizeof *info);
    info->cpu = cpu;
    if (ioctl(device, TRACE_PERF_INFO, info) != 0) {
        return fail("hart %u has no encoder: %s", cpu, strerror(errno));
    }
    return 0;
}

SILENT static int check_places(int num_cores, int num_funnels) {
    struct trace_perf_info info;
    for (int cpu = 0; cpu < num_cores; ++cpu) {
        if (ask((unsigned)cpu, &info) != 0) {
            return 1;
        }
        if (tmm != NULL && (uintptr_t)tmm[cpu] != info.encoder) {
            return fail("tmm[%d] is %p, expected the encoder at 0x%llx", cpu, (void*)tmm[cpu],
                        (unsigned long long)info.encoder);
        }
        if ((uint32_t)num_funnels != info.funnels) {
            return fail("perfInit is told %d funnels, expected %u", num_funnels, info.funnels);
        }
        if (&fmm != NULL && info.funnels <= 1 && (uintptr_t)fmm != info.funnel) {
            return fail("fmm is %p, expected the funnel at 0x%llx", (void*)fmm,
                        (unsigned long long)info.funnel);
        }
    }
    return 0;
}

SILENT int perfInit(int num_cores, int num_funnels) {
    if (num_cores < 1 || num_cores > PERF_MAX_CORES || num_funnels < 0 ||
        num_funnels > PERF_MAX_FUNNELS) {
        return fail("perfInit takes 1 to 8 harts and 0 to 8 funnels");
    }
    if (device >= 0) {
        return fail("perfInit has been called before");
    }
    device = open("/dev/trace-perf", O_RDWR | O_CLOEXEC);
    if (device < 0) {
        return fail("/dev/trace-perf: %s: is the driver pes_trace loaded?", strerror(errno));
    }
    if (check_places(num_cores, num_funnels) != 0) {
        close(device);
        device = -1;
        return 1;
    }
    cores = num_cores;
    return 0;
}

/* The only hart that this thread may run on. */
SILENT static int own_cpu(unsigned* cpu) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) != 1) {
        return fail("this thread may run on several harts, expected one: taskset says which");
    }
    for (*cpu = 0; !CPU_ISSET(*cpu, &set); ++*cpu) {
    }
    return *cpu < (unsigned)cores ? 0 : fail("hart %u is none of the %d of perfInit", *cpu, cores);
}

SILENT static int claim(unsigned cpu, int channel, uint32_t bytes) {
    struct trace_perf_claim wanted = {
        .cpu = cpu, .bytes = bytes, .stimuli = 1U << channel, .flags = 0};
    if (ioctl(device, TRACE_PERF_CLAIM, &wanted) == 0) {
        return 0;
    }
    switch (errno) {
    case EBUSY:
        return fail("the encoder of hart %u, or the sink that it shares, has another owner", cpu);
    case E2BIG:
    case ENOMEM:
        return fail("the driver has no buffer of %u bytes", bytes);
    case EOPNOTSUPP:
        return fail(bytes == 0 ? "the trace has no SRAM (SBABufferSize 0)"
                               : "the trace has no sink in memory");
    default:
        return fail("hart %u, a buffer of %u bytes: %s", cpu, bytes, strerror(errno));
    }
}

SILENT static int map_stimuli(unsigned cpu, int channel) {
    struct trace_perf_info info;
    const long page = sysconf(_SC_PAGESIZE);
    if (ask(cpu, &info) != 0) {
        return 1;
    }
    char* place = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE, MAP_SHARED, device, page * cpu);
    if (place == MAP_FAILED) {
        return fail("the stimuli of hart %u cannot be mapped: %s", cpu, strerror(errno));
    }
    self.stimulus = (volatile uint32_t*)(place + info.stimulus_place) + channel;
    self.time = (const volatile uint32_t*)(place + info.time_place);
    self.time_bits = info.time_bits;
    return 0;
}

SILENT static int initialise(Collection collection, const perfEvent* events, int count, int channel,
                             perfCountType_t type, uint32_t bytes) {
    unsigned cpu = 0;
    self.collection = Nothing;
    self.recording = false;
    if (device < 0) {
        return fail("perfInit comes before");
    }
    if (type != perfCount_Raw && type != perfCount_Delta && type != perfCount_DeltaXOR) {
        return fail("the count type is Raw, Delta or DeltaXOR");
    }
    if (channel < 0 || channel >= CHANNELS) {
        return fail("the ITC channel is 0 to 31");
    }
    if (count < 0 || (count != 0 && events == NULL)) {
        return fail("the list of events is missing");
    }
    if (own_cpu(&cpu) != 0 || claim(cpu, channel, bytes) != 0 || map_stimuli(cpu, channel) != 0 ||
        open_counters(events, count) != 0 || start_counters(events, count) != 0) {
        return 1;
    }
    self.type = type;
    self.depth = 0;
    self.collection = collection;
    return 0;
}

SILENT int perfManualInit(perfEvent* perfCntrList, int numCntrs, int itcChannel,
                          perfCountType_t cntType, uint32_t SBABufferSize) {
    return initialise(Manual, perfCntrList, numCntrs, itcChannel, cntType, SBABufferSize);
}

SILENT int perfFuncEntryExitInit(perfEvent* perfCntrList, int numCntrs, int itcChannel,
                                 perfCountType_t cntType, uint32_t SBABufferSize) {
    return initialise(Functions, perfCntrList, numCntrs, itcChannel, cntType, SBABufferSize);
}

SILENT static void timer_signal(int number, siginfo_t* info, void* context) {
    const int error = errno;
    const uintptr_t pc = ((ucontext_t*)context)->uc_mcontext.__gregs[REG_PC];
    (void)number;
    (void)info;
    if (self.busy) {
        self.awaited = pc;
    } else if (self.recording) {
        (void)write_record(perfRecord_ISR, pc, 0);
    }
    errno = error;
}

SILENT int perfTimerISRInit(perfEvent* perfCntrList, int numCntrs, int itcChannel,
                            perfCountType_t cntType, uint32_t SBABufferSize, int interval) {
    struct sigaction action = {.sa_sigaction = timer_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMAX};
    const long microseconds = interval < LEAST_INTERVAL ? LEAST_INTERVAL : interval;
    const struct itimerspec times = {
        .it_interval = {microseconds / 1000000, microseconds % 1000000 * 1000},
        .it_value = {microseconds / 1000000, microseconds % 1000000 * 1000}};
    if (self.timer != NULL) {
        timer_delete(self.timer);
        self.timer = NULL;
    }
    if (initialise(Timer, perfCntrList, numCntrs, itcChannel, cntType, SBABufferSize) != 0) {
        return 1;
    }
    event._sigev_un._tid = (int)syscall(SYS_gettid);
    if (sigaction(SIGRTMAX, &action, NULL) != 0 ||
        timer_create(CLOCK_MONOTONIC, &event, &self.timer) != 0 ||
        timer_settime(self.timer, 0, &times, NULL) != 0) {
        self.collection = Nothing;
        return fail("no timer: %s", strerror(errno));
    }
    return 0;
}

/* --- Recording ---------------------------------------------------------------------------------
 */

SILENT static int need_initialisation(void) {
    return self.collection != Nothing
               ? 0
               : fail("this thread has not been initialised: perfManualInit, perfTimerISRInit or "
                      "perfFuncEntryExitInit comes before");
}

SILENT int perfTraceOn(void) {
    if (need_initialisation() != 0) {
        return 1;
    }
    self.failed = false;
    self.busy = 1;
    const int result = write_header();
    self.awaited = 0;
    self.busy = 0;
    self.recording = result == 0;
    return result;
}

SILENT int perfTraceOff(void) {
    self.recording = false;
    return need_initialisation();
}

SILENT __attribute__((noinline)) int perfWriteCntrs(void) {
    if (need_initialisation() != 0) {
        return 1;
    }
    return self.recording
               ? write_record(perfRecord_Manual, (uintptr_t)__builtin_return_address(0), 0)
               : 0;
}

/* The start of the function that is on top of the stack of calls; 0: it is not known. */
SILENT static uint64_t caller_on_top(void) {
    return self.depth == 0 || self.depth > MOST_CALLS ? 0 : self.calls[self.depth - 1];
}

SILENT static uint64_t enter(uint64_t function) {
    const uint64_t caller = caller_on_top();
    if (self.depth < MOST_CALLS) {
        self.calls[self.depth] = function;
    }
    ++self.depth;
    return caller;
}

/* Functions that were left without an exit (longjmp) go with it. */
SILENT static uint64_t leave(uint64_t function) {
    if (self.depth > MOST_CALLS) {
        --self.depth;
        return caller_on_top();
    }
    unsigned depth = self.depth;
    while (depth != 0 && self.calls[depth - 1] != function) {
        --depth;
    }
    self.depth = depth != 0 ? depth - 1 : self.depth; /* or entered before anybody looked */
    return caller_on_top();
}

SILENT static void record_function(perfRecordType_t kind, uint64_t caller, void* function,
                                   void* call_site) {
    if (self.recording) {
        (void)write_record(kind, (uintptr_t)function, caller != 0 ? caller : (uintptr_t)call_site);
    }
}

SILENT void __cyg_profile_func_enter(void* this_fn, void* call_site) {
    if (self.collection == Functions) {
        record_function(perfRecord_FuncEnter, enter((uintptr_t)this_fn), this_fn, call_site);
    }
}

SILENT void __cyg_profile_func_exit(void* this_fn, void* call_site) {
    if (self.collection == Functions) {
        record_function(perfRecord_FuncExit, leave((uintptr_t)this_fn), this_fn, call_site);
    }
}

/* --- The trace as a file -----------------------------------------------------------------------
 */

/* CRC-32 of IEEE 802.3. */
SILENT static uint32_t add_to_crc(uint32_t crc, const uint8_t* bytes, size_t count) {
    crc = ~crc;
    for (size_t i = 0; i < count; ++i) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; ++bit) {
            crc = crc >> 1 ^ (0xEDB88320U & -(crc & 1));
        }
    }
    return ~crc;
}

SILENT static int save_bytes(const char* name, uint32_t* crc) {
    uint8_t bytes[4096];
    ssize_t count = 0;
    FILE* file = fopen(name, "wb");
    if (file == NULL) {
        return fail("'%.100s': %s", name, strerror(errno));
    }
    lseek(device, 0, SEEK_SET); /* what has been recorded up to now */
    bool good = true;
    while (good && (count = read(device, bytes, sizeof bytes)) > 0) {
        good = fwrite(bytes, 1, (size_t)count, file) == (size_t)count;
        *crc = add_to_crc(*crc, bytes, (size_t)count);
    }
    const int error = errno;
    if (fclose(file) != 0 || !good) {
        return fail("'%.100s': %s", name, strerror(good ? errno : error));
    }
    return count < 0 ? fail("the trace cannot be read: %s", strerror(error)) : 0;
}

SILENT static int save_description(const char* name, uint32_t crc,
                                   const struct trace_perf_status* status,
                                   const struct trace_perf_info* info) {
    char path[300], program[1024];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    snprintf(path, sizeof path, "%s.toml", name);
    FILE* file = fopen(path, "w");
    if (file == NULL) {
        return fail("'%.100s': %s", path, strerror(errno));
    }
    fprintf(file,
            "# How to read the trace file of this name.\nwrapped = %s\nstopped = %s\n"
            "source_bits = %u\ncrc32 = 0x%08x\n",
            (status->flags & TRACE_PERF_OVERWRITTEN) != 0 ? "true" : "false",
            (status->flags & TRACE_PERF_FULL) != 0 ? "true" : "false", info->source_bits, crc);
    if (info->time_bits != 0) {
        fprintf(file, "timestamps = \"%s\"\ntimestamp_bits = %u\n",
                info->differences != 0 ? "n-trace" : "sifive", info->time_bits);
    }
    if (info->clock_hz != 0) {
        fprintf(file, "clock_hz = %llu\n", (unsigned long long)info->clock_hz / status->prescale);
    }
    if (length > 0 && strpbrk(program, "\"\\\n") == NULL) {
        fprintf(file, "program = \"%s\"\n", program);
    }
    return fclose(file) != 0 ? fail("'%.100s': %s", path, strerror(errno)) : 0;
}

SILENT int perfWriteTrace(const char* file) {
    struct trace_perf_status status;
    struct trace_perf_info info;
    unsigned cpu = 0;
    uint32_t crc = 0;
    const char* const name = file != NULL ? file : "trace.rtd";
    if (need_initialisation() != 0 || own_cpu(&cpu) != 0 || ask(cpu, &info) != 0) {
        return 1;
    }
    if (name[0] == '\0' || strlen(name) > 250) {
        return fail("a trace file's name has 1 to 250 characters");
    }
    if (save_bytes(name, &crc) != 0) {
        return 1;
    }
    if (ioctl(device, TRACE_PERF_STATUS, &status) != 0) {
        return fail("the trace cannot be read: %s", strerror(errno));
    }
    if ((status.flags & TRACE_PERF_REFUSED) != 0) {
        return fail("the bus has refused what the trace wrote to memory");
    }
    return save_description(name, crc, &status, &info);
}

SILENT const char* perfLastError(void) {
    return self.error;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Trace performance library for programs under Linux. Trace units are the driver's: this file asks
 * it (trace_perf.h), and stores to the stimuli of its thread's hart. Counters are perf's; those
 * that the kernel lets a program read are read without a system call. */
#define _GNU_SOURCE
#include "sifive_linux_perf.h"
#include "linux_perf_events.h"
#include "linux_perf_records.h"
#include "sifive_linux_trace.h"
#include "trace_perf.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
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

SILENT static void stop_timer(void) {
    if (self.has_timer) {
        timer_delete(self.timer);
    }
    self.has_timer = false;
}

/* A thread that ends gives back what it has, but for the trace itself. */
SILENT static void end_thread(void* nothing) {
    (void)nothing;
    self.recording = false;
    self.collection = Nothing;
    stop_timer();
    close_set(&self.set);
    if (self.page != NULL) {
        munmap(self.page, (size_t)sysconf(_SC_PAGESIZE));
        self.page = NULL;
    }
    pthread_mutex_lock(&lock);
    owners[self.cpu] = 0;
    pthread_mutex_unlock(&lock);
}

/* A child has neither the pages nor the timer of its parent. It may begin with perfInit. */
SILENT static void begin_child(void) {
    self.recording = false;
    self.collection = Nothing;
    self.has_timer = false;
    self.page = NULL;
    for (unsigned n = 0; n < PERF_MAX_CNTRS; ++n) {
        self.set.counters[n].page = NULL;
    }
    self.set.leader = -1; /* the parent's events go on */
    close_set(&self.set);
    memset(owners, 0, sizeof owners);
    pthread_mutex_init(&lock, NULL);
    if (device >= 0) {
        close(device);
        device = -1;
    }
}

SILENT int perfInit(int num_cores, int num_funnels) {
    static bool prepared;
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
    if (!prepared) {
        prepared = true;
        pthread_key_create(&at_exit, end_thread);
        pthread_atfork(NULL, NULL, begin_child);
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

SILENT static int map_stimuli(unsigned cpu, int channel, const struct trace_perf_info* info) {
    const long bytes = sysconf(_SC_PAGESIZE);
    if (self.page != NULL && self.cpu != cpu) {
        munmap(self.page, (size_t)bytes);
        self.page = NULL;
    }
    if (self.page == NULL) {
        void* page = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, device,
                          bytes * (long)cpu);
        if (page == MAP_FAILED) {
            return fail("the stimuli of hart %u cannot be mapped: %s", cpu, strerror(errno));
        }
        self.page = page;
    }
    self.stimulus = (volatile uint32_t*)(self.page + info->stimulus_place) + channel;
    self.time = (const volatile uint32_t*)(self.page + info->time_place);
    return 0;
}

/* One thread a hart: another one's trace would begin anew. */
SILENT static int own_hart(unsigned cpu) {
    const int thread = (int)syscall(SYS_gettid);
    pthread_mutex_lock(&lock);
    const bool free_hart = owners[cpu] == 0 || owners[cpu] == thread;
    if (free_hart) {
        for (unsigned other = 0; other < PERF_MAX_CORES; ++other) {
            owners[other] = other == cpu ? thread : owners[other] == thread ? 0 : owners[other];
        }
    }
    pthread_mutex_unlock(&lock);
    return free_hart ? 0 : fail("another thread of this program is traced on hart %u", cpu);
}

SILENT static int check_request(const perfEvent* events, int count, int channel,
                                perfCountType_t type) {
    if (device < 0) {
        return fail("perfInit comes before");
    }
    if (type != perfCount_Raw && type != perfCount_Delta && type != perfCount_DeltaXOR) {
        return fail("the count type is Raw, Delta or DeltaXOR");
    }
    if (channel < 0 || channel >= CHANNELS) {
        return fail("the ITC channel is 0 to 31");
    }
    return count < 0 || (count != 0 && events == NULL) ? fail("the list of events is missing") : 0;
}

/* With the new counters in place of the old ones, which stand still. */
SILENT static int take_hart(const perfEvent* events, int count, int channel, uint32_t bytes) {
    struct trace_perf_info info;
    unsigned cpu = 0;
    if (own_cpu(&cpu) != 0 || ask(cpu, &info) != 0) {
        return 1;
    }
    self.time_bits = info.time_bits;
    if (open_counters(events, count) != 0 || start_counters(events, count) != 0 ||
        own_hart(cpu) != 0 || claim(cpu, channel, bytes) != 0 ||
        map_stimuli(cpu, channel, &info) != 0) {
        return 1;
    }
    self.cpu = cpu;
    return 0;
}

/* What fails leaves all as it was. */
SILENT static int initialise(Collection collection, const perfEvent* events, int count, int channel,
                             perfCountType_t type, uint32_t bytes) {
    CounterSet before = self.set;
    const bool recording = self.recording;
    if (check_request(events, count, channel, type) != 0) {
        return 1;
    }
    self.recording = false;
    if (before.leader >= 0) {
        ioctl(before.leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
    }
    memset(&self.set, 0, sizeof self.set);
    self.set.leader = -1;
    if (take_hart(events, count, channel, bytes) != 0) {
        close_set(&self.set);
        self.set = before;
        if (before.leader >= 0) {
            ioctl(before.leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
        }
        self.recording = recording;
        return 1;
    }
    close_set(&before);
    stop_timer();
    pthread_setspecific(at_exit, &self);
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
    if (self.recording && self.collection == Timer) {
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
    if (initialise(Timer, perfCntrList, numCntrs, itcChannel, cntType, SBABufferSize) != 0) {
        return 1;
    }
    event._sigev_un._tid = (int)syscall(SYS_gettid);
    if (sigaction(SIGRTMAX, &action, NULL) != 0 ||
        timer_create(CLOCK_MONOTONIC, &event, &self.timer) != 0) {
        self.collection = Nothing;
        return fail("no timer: %s", strerror(errno));
    }
    self.has_timer = true;
    timer_settime(self.timer, 0, &times, NULL);
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
    self.recording = self.failed = false; /* a handler has no record in between */
    self.waiting_first = self.waiting_end;
    const int result = write_header();
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
    bool good = true;
    off_t from = 0; /* what has been recorded up to now */
    while (good && (count = pread(device, bytes, sizeof bytes, from)) > 0) {
        good = fwrite(bytes, 1, (size_t)count, file) == (size_t)count;
        *crc = add_to_crc(*crc, bytes, (size_t)count);
        from += count;
    }
    const int error = errno;
    if (fclose(file) != 0 || !good) {
        return fail("'%.100s': %s", name, strerror(good ? errno : error));
    }
    return count < 0 ? fail("the trace cannot be read: %s", strerror(error)) : 0;
}

/* A text of TOML as it is. */
SILENT static bool is_plain(const char* text) {
    for (; *text != '\0'; ++text) {
        if (*text < ' ' || *text > '~' || *text == '"' || *text == '\\') {
            return false;
        }
    }
    return true;
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
    if (length > 0 && is_plain(program)) {
        fprintf(file, "program = \"%s\"\n", program);
    }
    return fclose(file) != 0 ? fail("'%.100s': %s", path, strerror(errno)) : 0;
}

SILENT static int save(const char* name) {
    struct trace_perf_status status;
    struct trace_perf_info info;
    uint32_t crc = 0;
    if (ask(self.cpu, &info) != 0) {
        return 1;
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

SILENT int perfWriteTrace(const char* file) {
    const char* const name = file != NULL ? file : "trace.rtd";
    if (need_initialisation() != 0) {
        return 1;
    }
    if (name[0] == '\0' || strlen(name) > 250) {
        return fail("a trace file's name has 1 to 250 characters");
    }
    pthread_mutex_lock(&lock); /* the device has one reader */
    const int result = save(name);
    pthread_mutex_unlock(&lock);
    return result;
}

SILENT const char* perfLastError(void) {
    return self.error;
}

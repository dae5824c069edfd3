/* SPDX-License-Identifier: Apache-2.0 */
/* What must not disturb a trace: calls that fail, other threads, children, signal handlers that
 * record, an earlier kind of record, other owners. Runs on hart 0 alone; arguments: harts, funnels.
 */
#define _GNU_SOURCE
#include "sifive_linux_perf.h"
#include "trace_perf.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static perfEvent events[] = {{.type = perfEventHWGeneral, .code = HW_CPU_CYCLES},
                             {.type = perfEventHWGeneral, .code = HW_INSTRUCTIONS}};
static volatile unsigned handled;

static void tell(int good, const char* what) {
    printf("%s %s\n", good ? "good" : "BAD ", what);
    fflush(stdout);
}

static int start(int channel) {
    return perfManualInit(events, 2, channel, perfCount_Delta, 1 << 20);
}

/* Bytes of the trace so far. */
static unsigned recorded(void) {
    if (perfWriteTrace("keeps.rtd") != 0) {
        return 0;
    }
    FILE* file = fopen("keeps.rtd", "rb");
    fseek(file, 0, SEEK_END);
    const long bytes = ftell(file);
    fclose(file);
    return (unsigned)bytes;
}

static void wait_for(long microseconds) {
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000000 + (now.tv_nsec - begin.tv_nsec) / 1000 <
             microseconds);
}

static void* other_thread(void* nothing) {
    (void)nothing;
    return (void*)(long)start(6);
}

static void on_alarm(int number) {
    (void)number;
    ++handled;
    (void)perfWriteCntrs();
}

static void check_failing_calls(void) {
    tell(start(6) == 0 && perfTraceOn() == 0 && perfWriteCntrs() == 0, "a trace begins");
    const unsigned before = recorded();
    tell(start(99) == 1 && perfWriteCntrs() == 0 && recorded() > before,
         "an initialisation that fails leaves the trace as it was");
    pthread_t thread;
    void* result = NULL;
    pthread_create(&thread, NULL, other_thread, NULL);
    pthread_join(thread, &result);
    tell(result != NULL && perfWriteCntrs() == 0 && recorded() > before,
         "another thread does not get the hart");
    const int child = fork();
    if (child == 0) {
        _exit(perfWriteCntrs() == 1 ? 3 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    tell(WIFEXITED(status) && WEXITSTATUS(status) == 3, "a child records nothing, and lives");
}

static void check_timer(void) {
    tell(perfTimerISRInit(events, 2, 6, perfCount_Delta, 1 << 20, 100) == 0 && perfTraceOn() == 0,
         "the timer starts");
    wait_for(5000);
    const unsigned often = recorded();
    tell(start(6) == 0 && perfTraceOn() == 0, "records by hand again");
    wait_for(5000);
    tell(often > 400 && recorded() < 100, "the timer has stopped");
}

static void check_handlers(void) {
    const struct itimerval times = {{0, 200}, {0, 200}}, none = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    tell(start(6) == 0 && perfTraceOn() == 0, "records by hand and by a handler");
    setitimer(ITIMER_REAL, &times, NULL);
    unsigned own = 0;
    while (handled < 40) {
        own += perfWriteCntrs() == 0;
    }
    setitimer(ITIMER_REAL, &none, NULL);
    perfTraceOff();
    recorded();
    printf("records %u\n", own + handled);
}

static int claim(int device, unsigned bytes) {
    const struct trace_perf_claim wanted = {.cpu = 0, .bytes = bytes, .stimuli = 64};
    return ioctl(device, TRACE_PERF_CLAIM, &wanted);
}

/* In a process of its own, with the driver alone. */
static void check_owners(void) {
    struct trace_perf_info info = {.cpu = 0};
    const int first = open("/dev/trace-perf", O_RDWR), second = open("/dev/trace-perf", O_RDWR);
    char* page = MAP_FAILED;
    if (ioctl(first, TRACE_PERF_INFO, &info) == 0 && claim(first, 4096) == 0) {
        page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, first, 0);
    }
    tell(page != MAP_FAILED, "a claim and its page");
    tell(claim(first, ~0U) != 0 && claim(second, 4096) != 0,
         "a claim that is refused changes nothing");
    close(first);
    tell(claim(second, 4096) != 0, "the page keeps the hart");
    munmap(page, 4096);
    tell(claim(second, 4096) == 0, "without it, another one has the hart");
}

int main(int count, char** words) {
    if (count != 3 || perfInit(atoi(words[1]), atoi(words[2])) != 0) {
        printf("BAD  perfInit: %s\n", perfLastError());
        return 0;
    }
    const int child = fork(); /* before this process has a hart */
    if (child == 0) {
        check_owners();
        _exit(0);
    }
    waitpid(child, NULL, 0);
    check_failing_calls();
    check_timer();
    check_handlers();
    return 0;
}

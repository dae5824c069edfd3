/* SPDX-License-Identifier: Apache-2.0 */
/* Random calls of the driver, and stores to whatever it maps, by several processes that are killed
 * at random. Ends with a session that works. Argument: how many calls. */
#include "trace_perf.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t state = 0x9E3779B97F4A7C15;

static uint64_t number(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Often what is right, else anything. */
static uint32_t likely(uint32_t right) {
    return number() % 4 != 0 ? right : (uint32_t)number();
}

static sigjmp_buf refused;

static void on_signal(int number_of_signal) {
    siglongjmp(refused, number_of_signal);
}

static void store_somewhere(volatile uint32_t* page) {
    const unsigned place = (unsigned)(number() % 1024);
    if (sigsetjmp(refused, 1) == 0) {
        if (number() % 2 != 0) {
            page[place] = (uint32_t)number();
        } else {
            state ^= page[place];
        }
    }
}

static void call(int device) {
    static char bytes[1 << 16];
    switch (number() % 8) {
    case 0: {
        struct trace_perf_claim claim = {.cpu = likely((uint32_t)(number() % 2)),
                                         .bytes = likely((uint32_t)(number() % 65536)),
                                         .stimuli = likely(64),
                                         .flags = likely((uint32_t)(number() % 2))};
        ioctl(device, TRACE_PERF_CLAIM, &claim);
        break;
    }
    case 1: {
        struct trace_perf_info info = {.cpu = likely(0)};
        ioctl(device, TRACE_PERF_INFO, number() % 8 != 0 ? (void*)&info : (void*)number());
        break;
    }
    case 2: {
        struct trace_perf_status status;
        ioctl(device, TRACE_PERF_STATUS, number() % 8 != 0 ? (void*)&status : (void*)number());
        break;
    }
    case 3:
        ioctl(device, (unsigned long)number(), (void*)number());
        break;
    case 4:
        if (read(device, number() % 8 != 0 ? bytes : (void*)number(), number() % sizeof bytes) <
            0) {
            break;
        }
        break;
    case 5:
        lseek(device, (off_t)(number() % 4 != 0 ? number() % 65536 : number()), SEEK_SET);
        break;
    default: {
        const int rights = (int)(number() % 8);
        const size_t size = number() % 4 != 0 ? 4096 : number() % 65536;
        void* page = mmap(NULL, size, rights, number() % 4 != 0 ? MAP_SHARED : MAP_PRIVATE, device,
                          (off_t)(number() % 4 != 0 ? number() % 2 : number() % 65536) * 4096);
        if (page != MAP_FAILED) {
            for (unsigned n = 0; n < 4; ++n) {
                store_somewhere(page);
            }
            if (number() % 2 != 0) {
                munmap(page, size);
            }
        }
    }
    }
}

/* A recorded word comes back. */
static int works(void) {
    const int device = open("/dev/trace-perf", O_RDWR);
    struct trace_perf_info info = {.cpu = 0};
    struct trace_perf_claim claim = {.cpu = 0, .bytes = 4096, .stimuli = 64};
    unsigned char bytes[64];
    if (ioctl(device, TRACE_PERF_INFO, &info) != 0 ||
        ioctl(device, TRACE_PERF_CLAIM, &claim) != 0) {
        return 0;
    }
    char* page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, device, 0);
    if (page == MAP_FAILED) {
        return 0;
    }
    *((volatile uint32_t*)(page + info.stimulus_place) + 6) = 0x70657266;
    return read(device, bytes, sizeof bytes) > 0;
}

int main(int count, char** words) {
    const unsigned calls = count > 1 ? (unsigned)atoi(words[1]) : 1000;
    const unsigned each = 500;
    signal(SIGSEGV, on_signal);
    signal(SIGBUS, on_signal);
    for (unsigned done = 0; done < calls; done += each) {
        state += done;
        const int child = fork();
        if (child == 0) {
            const int device = open("/dev/trace-perf", O_RDWR);
            for (unsigned n = 0; n < each; ++n) {
                call(device);
            }
            kill(getpid(), number() % 2 != 0 ? SIGKILL : SIGTERM); /* with what it has claimed */
        }
        waitpid(child, NULL, 0);
    }
    printf("%u calls, then a session that %s\n", calls, works() ? "works" : "does not work");
    return 0;
}

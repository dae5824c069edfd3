/* SPDX-License-Identifier: Apache-2.0 */
/* Private to sifive_linux_perf.c: the counters as they are read. */
#ifndef LINUX_PERF_COUNTERS_H
#define LINUX_PERF_COUNTERS_H

#include "linux_perf_thread.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

SILENT static unsigned width_of(unsigned n) {
    return n == TIMESTAMP ? self.time_bits : 64;
}

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

/* Again if a signal handler has had its record in between: values never go back. `waiting`: the end
 * of the records that came before them. */
SILENT static bool read_counters(uint64_t* values, unsigned* waiting) {
    bool good;
    do {
        *waiting = self.waiting_end;
        good = read_once(values);
    } while (good && self.waiting_end != *waiting);
    return good;
}

SILENT static int cannot_read(void) {
    return fail("the kernel does not read the counters: %s", strerror(errno));
}

#endif

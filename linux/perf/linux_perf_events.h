/* SPDX-License-Identifier: Apache-2.0 */
/* Private to sifive_linux_perf.c: events of a list to counters of perf, and back. */
#ifndef LINUX_PERF_EVENTS_H
#define LINUX_PERF_EVENTS_H

#include "linux_perf_counters.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

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
        if (event->event_data >> 48 != 0) { /* bit 63 would be an event of the firmware */
            return fail("event %d of the list has more than the 48 bits of a raw event", place);
        }
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

/* The kernel takes the counter of a page that goes away from user mode on all harts, although
 * another thread may count with it there, unless its event has none. */
SILENT static void close_set(CounterSet* set) {
    if (set->leader >= 0) {
        ioctl(set->leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
    }
    for (unsigned n = 0; n < PERF_MAX_CNTRS; ++n) {
        Counter* counter = &set->counters[n];
        if (counter->page != NULL) {
            munmap(counter->page, (size_t)sysconf(_SC_PAGESIZE));
        }
        if (counter->file > 0) {
            close(counter->file);
        }
    }
    memset(set, 0, sizeof *set);
    set->leader = -1;
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
    Counter* counter = &self.set.counters[n];
    if (perf_attributes(event, place, &attr) != 0) {
        return 1;
    }
    counter->file = open_perf_event(&attr, self.set.leader);
    if (counter->file < 0) {
        const bool known = errno == EACCES || errno == EPERM || errno == EMFILE ||
                           errno == ENFILE || errno == ENOMEM;
        return known ? fail("perf does not count: %s", strerror(errno))
                     : no_such_event(event, place);
    }
    counter->place = self.set.events++;
    if (self.set.leader < 0) {
        self.set.leader = counter->file;
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
        if ((self.set.mask >> n & 1) != 0) {
            continue; /* named twice */
        }
        if (n != TIMESTAMP && open_counter(n, event, place) != 0) {
            return 1;
        }
        self.set.counters[n].type = event->type;
        self.set.counters[n].event = header_event(event);
        self.set.mask |= 1U << n;
    }
    for (unsigned n = 0; n < PERF_MAX_CNTRS; ++n) {
        if ((self.set.mask >> n & 1) != 0) {
            self.set.used[self.set.used_count++] = n;
        }
    }
    return 0;
}

/* Either all counters are read in user mode, or one read gives them all. */
SILENT static int start_counters(const perfEvent* events, int count) {
    uint64_t values[PERF_MAX_CNTRS];
    self.set.by_kernel = false;
    if (self.set.events == 0) {
        return 0;
    }
    if (!counts(self.set.leader)) {
        close_set(&self.set);
        return name_event_at_fault(events, count);
    }
    for (unsigned i = 0; i < self.set.used_count; ++i) {
        const unsigned n = self.set.used[i];
        if (n != TIMESTAMP) {
            const Counter* counter = &self.set.counters[n];
            self.set.by_kernel |=
                counter->page == NULL || !read_in_user_mode(counter->page, &values[n]);
        }
    }
    return 0;
}

#endif

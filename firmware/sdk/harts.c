// SPDX-License-Identifier: Apache-2.0
// Harts beside the first: each has a stack and thread-local storage from its first start on.
#include "firmware/sdk/below.h"
#include <pes.h>
#include <pes_platform.h>

#include <errno.h>
#include <picotls.h>
#include <stdlib.h>

enum { kStack = 64 * 1024 };

struct Work {
    void (*function)(void* argument);
    void* argument;
    void* storage; ///< thread-local
    int runs;      ///< 0: it waits for work
};
static struct Work g_work[PES_MAX_HARTS];
void* volatile pes_hart_stacks[PES_MAX_HARTS]; ///< their tops, for crt0.S

static __thread unsigned g_hart;
static unsigned g_main_hart;

unsigned pes_hart_id(void) {
    return g_hart;
}

bool pes_is_main_hart(void) {
    return g_hart == g_main_hart;
}

void pes_is_hart(unsigned hart) {
    g_hart = hart;
    g_main_hart = hart;
    if (hart < PES_MAX_HARTS) {
        g_work[hart].runs = 1; // also the first one, which nobody starts
    }
}

bool pes_hart_runs(unsigned hart) {
    return hart < PES_MAX_HARTS && __atomic_load_n(&g_work[hart].runs, __ATOMIC_ACQUIRE) != 0;
}

int pes_hart_start(unsigned hart, void (*function)(void* argument), void* argument) {
    if (hart >= PES_MAX_HARTS) {
        errno = ENODEV;
        return -1;
    }
    struct Work* const work = &g_work[hart];
    if (__atomic_exchange_n(&work->runs, 1, __ATOMIC_ACQUIRE)) {
        errno = EBUSY;
        return -1;
    }
    if (work->storage == NULL) {
        char* const stack = aligned_alloc(64, kStack + pes_tls_size());
        if (stack == NULL) {
            work->runs = 0;
            errno = ENOMEM;
            return -1;
        }
        work->storage = stack + kStack;
        pes_hart_stacks[hart] = work->storage;
    }
    pes_make_tls(work->storage);
    work->function = function;
    work->argument = argument;
    __asm__ volatile("fence" ::: "memory");
    if (!pes_wake_hart(hart)) {
        work->runs = 0;
        errno = ENODEV;
        return -1;
    }
    return 0;
}

/// On its own stack, from crt0.S. Returns the number.
unsigned pes_hart_works(unsigned hart) {
    struct Work* const work = &g_work[hart];
    _set_tls(work->storage);
    g_hart = hart;
    pes_hart_woken(hart);
    __asm__ volatile("fence" ::: "memory");
    work->function(work->argument);
    if (pes_destroy_thread_locals != NULL) {
        pes_destroy_thread_locals();
    }
    __atomic_store_n(&work->runs, 0, __ATOMIC_RELEASE);
    return hart;
}

// SPDX-License-Identifier: Apache-2.0
// Four threads with a function each, of which the later ones run longer.
#include <pthread.h>
#include <stdint.h>

enum { kThreads = 4, kSteps = 300000 };

static uint64_t g_results[kThreads];

#define DEFINE_WORK(name, factor)                                                                  \
    __attribute__((noipa)) static uint64_t name(uint64_t value, unsigned steps) {                  \
        for (unsigned i = 0; i < steps; ++i) {                                                     \
            value = value * (factor) + i;                                                          \
            value ^= value >> 29;                                                                  \
        }                                                                                          \
        return value;                                                                              \
    }
DEFINE_WORK(first, UINT64_C(6364136223846793005))
DEFINE_WORK(second, UINT64_C(2862933555777941757))
DEFINE_WORK(third, UINT64_C(3202034522624059733))
DEFINE_WORK(fourth, UINT64_C(3935559000370003845))

static void* run(void* number) {
    static uint64_t (*const kWork[kThreads])(uint64_t, unsigned) = {first, second, third, fourth};
    const uintptr_t index = (uintptr_t)number;
    g_results[index] = kWork[index](index, (unsigned)(index + 1) * kSteps);
    return 0;
}

int main(void) {
    pthread_t threads[kThreads];
    for (uintptr_t i = 0; i < kThreads; ++i) {
        if (pthread_create(&threads[i], 0, run, (void*)i) != 0) {
            return 1;
        }
    }
    for (unsigned i = 0; i < kThreads; ++i) {
        pthread_join(threads[i], 0);
    }
    return 0;
}

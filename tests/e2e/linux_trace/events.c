/* SPDX-License-Identifier: Apache-2.0 */
/* Events of the software trace module by two threads that have names: id 0x100 of the first one,
 * 0x200 of the second, three of each. */
#include <pthread.h>
#include <stdint.h>

enum { kThreadName = 0x4000, kEvents = 3 };

static void emit(uint16_t id, uint64_t value) {
    register uint64_t a0 __asm__("a0") = value;
    __asm__ volatile("csrw 0x8F0, %1" : : "r"(a0), "r"((uint64_t)id) : "memory");
}

static void name_thread(const char* name) {
    for (; *name != '\0'; ++name) {
        emit(kThreadName, (unsigned char)*name);
    }
    emit(kThreadName, 0);
}

static void* second(void* nothing) {
    name_thread("second");
    for (uint64_t n = 0; n < kEvents; ++n) {
        emit(0x200, n);
    }
    return nothing;
}

int main(void) {
    pthread_t other;
    name_thread("first");
    for (uint64_t n = 0; n < kEvents; ++n) {
        emit(0x100, n);
    }
    if (pthread_create(&other, NULL, second, NULL) != 0) {
        return 1;
    }
    return pthread_join(other, NULL);
}

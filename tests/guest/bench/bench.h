// SPDX-License-Identifier: Apache-2.0
// Shared by the three workloads: counters, a 16550 console, and the report line.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef SUPERVISED // below machine mode
#define BENCH_INSTRET "instret"
#define BENCH_CYCLE "cycle"
#else
#define BENCH_INSTRET "minstret"
#define BENCH_CYCLE "mcycle"
#endif

static inline uint64_t rd_instret(void) {
    uint64_t v;
    __asm__ volatile("csrr %0, " BENCH_INSTRET : "=r"(v));
    return v;
}
static inline uint64_t rd_cycle(void) {
    uint64_t v;
    __asm__ volatile("csrr %0, " BENCH_CYCLE : "=r"(v));
    return v;
}

#ifndef NO_CONSOLE
static void put_char(char c) {
    volatile uint8_t* uart = (volatile uint8_t*)0x10000000u;
    while (!(uart[5] & 0x20)) {
    }
    uart[0] = (uint8_t)c;
}
#else
static void put_char(char c) {
    (void)c;
}
#endif

static void put_str(const char* s) {
    while (*s)
        put_char(*s++);
}

static void put_dec(uint64_t v) {
    char buf[24];
    int n = 0;
    do {
        buf[n++] = (char)('0' + v % 10);
        v /= 10;
    } while (v);
    while (n)
        put_char(buf[--n]);
}

static inline void report(const char* name, uint64_t sum, uint64_t instret, uint64_t cycles) {
    put_str(name);
    put_str(" sum=");
    put_dec(sum);
    put_str(" instret=");
    put_dec(instret);
    put_str(" cycles=");
    put_dec(cycles);
    put_str("\n");
}

void* memcpy(void* d, const void* s, size_t n) {
    char* p = (char*)d;
    const char* q = (const char*)s;
    while (n--)
        *p++ = *q++;
    return d;
}
void* memset(void* d, int c, size_t n) {
    char* p = (char*)d;
    while (n--)
        *p++ = (char)c;
    return d;
}

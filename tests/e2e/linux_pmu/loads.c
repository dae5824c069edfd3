// SPDX-License-Identifier: Apache-2.0
// A program for samples of loads, without a library: loads among other instructions in loops, in
// calls, through a list, and work without any. Prints how long it took, in ticks of `time`,
// which are cycles if clint.cycles_per_tick is 1.
#include <stdint.h>

enum { kWords = 512, kRounds = 400, kWrite = 64, kExit = 93 };

static uint64_t words[kWords];
static struct node {
    struct node* next;
    uint64_t value;
} nodes[kWords];

static long call(long number, long a, long b, long c) {
    register long a0 asm("a0") = a;
    register long a1 asm("a1") = b;
    register long a2 asm("a2") = c;
    register long a7 asm("a7") = number;
    asm volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}

static uint64_t ticks(void) {
    uint64_t now;
    asm volatile("rdtime %0" : "=r"(now));
    return now;
}

static void print(uint64_t number) {
    static char text[] = "                     cycles\n";
    char* at = text + 20;
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    call(kWrite, 1, (long)at, text + sizeof text - 1 - at);
}

__attribute__((noinline)) static uint64_t mix(uint64_t value, unsigned times) {
    for (unsigned i = 0; i < times; ++i) {
        value = (value ^ value >> 7) * UINT64_C(0x9E3779B97F4A7C15) + i;
    }
    return value;
}

__attribute__((noinline)) static uint64_t sum(const uint64_t* from, unsigned count) {
    uint64_t total = 0;
    for (unsigned i = 0; i < count; ++i) {
        const uint64_t value = from[i];
        total = total * 31 + (value & 1 ? value >> 3 : value ^ total);
    }
    return total;
}

__attribute__((noinline)) static uint64_t walk(const struct node* node) {
    uint64_t total = 0;
    while (node != 0) {
        total ^= node->value + (total << 5);
        node = node->next;
    }
    return total;
}

__attribute__((noinline)) static void fill(void) {
    for (unsigned i = 0; i < kWords; ++i) {
        words[i] = mix(i, 4);
        nodes[i].value = words[i] >> 9;
        nodes[i].next = i < 8 ? 0 : &nodes[i - 1 - words[i] % 8]; // to one before it: the list ends
    }
}

__attribute__((used)) static void run(void) {
    const uint64_t begin = ticks();
    uint64_t total = 0;
    fill();
    for (unsigned round = 0; round < kRounds; ++round) {
        total += sum(words, kWords);
        total ^= walk(&nodes[kWords - 1 - round % 64]);
        total += mix(total, 100);
        words[round % kWords] = total;
    }
    print(ticks() - begin);
    call(kExit, 0, 0, 0);
}

asm(".globl _start\n"
    "_start:\n"
    "    .option push\n"
    "    .option norelax\n"
    "    la gp, __global_pointer$\n"
    "    .option pop\n"
    "    andi sp, sp, -16\n"
    "    call run\n");

// SPDX-License-Identifier: Apache-2.0
// Ways in which a program may end, by its argument.
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int constant = 5;
static volatile int deep;

static int recurse(int level) {
    volatile char frame[4096];
    frame[level % 4096] = 1;
    deep = level;
    return recurse(level + 1) + frame[0];
}

int main(int count, char** words) {
    const char* const way = count > 1 ? words[1] : "";
    printf("%s\n", way);
    fflush(stdout);
    if (strcmp(way, "abort") == 0) {
        abort();
    } else if (strcmp(way, "null") == 0) {
        *(volatile int*)16 = 1;
    } else if (strcmp(way, "constant") == 0) {
        *(volatile int*)(uintptr_t)&constant = 6;
    } else if (strcmp(way, "data") == 0) {
        static uint32_t code[] = {0x00008067}; // ret
        ((void (*)(void))(uintptr_t)code)();
    } else if (strcmp(way, "illegal") == 0) {
        __asm__ volatile(".word 0");
    } else if (strcmp(way, "privileged") == 0) {
        __asm__ volatile("csrr zero, sstatus");
    } else if (strcmp(way, "kernel") == 0) {
        return *(volatile int*)0x80200000;
    } else if (strcmp(way, "stack") == 0) {
        return recurse(0);
    } else if (strcmp(way, "raise") == 0) {
        kill(getpid(), SIGTERM);
    } else if (strcmp(way, "deep") == 0) { // 7 MiB of 8
        volatile char room[7 << 20];
        room[0] = 3;
        return room[0];
    }
    return 9;
}

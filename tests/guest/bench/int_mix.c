// SPDX-License-Identifier: Apache-2.0
// Integer workload in the spirit of Dhrystone: record copies, string compares,
// short calls, data-dependent branches, a multiply and a divide per turn.
#include "bench.h"

#ifndef TURNS
#define TURNS 600000u
#endif
#ifndef OWN
#define OWN // storage class of the data, if several harts run this
#endif
#ifndef CALL_TURNS
#define CALL_TURNS 0 // turns from one environment call to the next; 0: none
#endif

struct record {
    struct record* link;
    int kind;
    int value;
    long stamp;
    char text[32];
};

static OWN struct record pool[8];
static const char* const words[4] = {
    "THE FIRST RECORD OF THE SERIES", "THE FIRST RECORD OF THE SEASON",
    "A SECOND, RATHER SHORTER TEXT", "THE FIRST RECORD OF THE SERIES"};

static __attribute__((noinline)) int str_cmp(const char* a, const char* b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}
static __attribute__((noinline)) void str_put(char* d, const char* s) {
    while ((*d++ = *s++)) {
    }
}
static __attribute__((noinline)) int classify(int a, int b) {
    switch ((a ^ b) & 7) {
    case 0:
        return a + b;
    case 1:
        return a - b;
    case 2:
        return a * 3;
    case 3:
        return b >> 2;
    case 4:
        return a & b;
    case 5:
        return a | b;
    case 6:
        return ~a;
    default:
        return b << 1;
    }
}
static __attribute__((noinline)) void chain(struct record* from, unsigned turn) {
    struct record* to = from->link;
    *to = *from;
    to->link = &pool[(turn + 3) & 7];
    to->value = classify(from->value, (int)turn);
    to->stamp = from->stamp * 25214903917L + 11;
    if (to->value & 1)
        to->kind = (int)(to->stamp % 97);
    else
        to->kind = from->kind + 1;
}

int main(void) {
    uint64_t sum = 0, i0 = rd_instret(), c0 = rd_cycle();
    for (int i = 0; i < 8; i++) {
        pool[i].link = &pool[(i + 1) & 7];
        pool[i].kind = i;
        pool[i].value = i * 17;
        pool[i].stamp = i + 1;
        str_put(pool[i].text, words[i & 3]);
    }
    for (unsigned t = 0; t < TURNS; t++) {
        struct record* r = &pool[t & 7];
        chain(r, t);
        str_put(r->text, words[t & 3]);
        if (str_cmp(r->text, words[(t >> 1) & 3]) == 0)
            sum += (unsigned)r->kind;
        else
            sum ^= (uint64_t)r->stamp;
        sum += (uint64_t)r->value / ((t & 15) + 1);
#if CALL_TURNS
        if (t % CALL_TURNS == 0)
            __asm__ volatile("ecall" ::: "memory");
#endif
    }
    report("int_mix", sum, rd_instret() - i0, rd_cycle() - c0);
    return 0;
}

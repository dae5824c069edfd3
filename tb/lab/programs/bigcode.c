// SPDX-License-Identifier: Apache-2.0
// More code than L1I holds: 128 functions of about 0.4 KiB, called in an order that changes. The
// functions are of four shapes.
#include "tb/lab/programs/lab.h"

#define STEP(n) x = (x ^ (x >> (7 + (n) % 5))) * UINT64_C(0x9E3779B97F4A7C15) + (n);
#define ROTATE(n) x = (x << ((n) % 13 + 1) | x >> (63 - (n) % 13)) + y;
#define CHOOSE(n) y = x & 1 << (n) % 11 ? y + x : y ^ (x >> 3);
#define MEMORY(n) cells[(x >> (n)) % kCells] += y;

enum { kCells = 256 };
static uint64_t cells[kCells];

#define BODY(id, A, B, C)                                                                          \
    __attribute__((noipa)) static uint64_t f##id(uint64_t x, uint64_t y) {                         \
        A(1) B(2) C(3) A(4) B(5) C(6) A(7) B(8) C(9) A(10) B(11) C(12) A(13) B(14) C(15) A(16)     \
        return x + y;                                                                              \
    }

#define FOUR(p)                                                                                    \
    BODY(p##0, STEP, ROTATE, CHOOSE)                                                               \
    BODY(p##1, ROTATE, MEMORY, STEP)                                                               \
    BODY(p##2, CHOOSE, STEP, MEMORY)                                                               \
    BODY(p##3, STEP, MEMORY, ROTATE)
#define SIXTEEN(p) FOUR(p##0) FOUR(p##1) FOUR(p##2) FOUR(p##3)
#define SIXTY_FOUR(p) SIXTEEN(p##0) SIXTEEN(p##1) SIXTEEN(p##2) SIXTEEN(p##3)
SIXTY_FOUR(a)
SIXTY_FOUR(b)

#define NAME4(p) f##p##0, f##p##1, f##p##2, f##p##3,
#define NAME16(p) NAME4(p##0) NAME4(p##1) NAME4(p##2) NAME4(p##3)
#define NAME64(p) NAME16(p##0) NAME16(p##1) NAME16(p##2) NAME16(p##3)
static uint64_t (*const functions[])(uint64_t, uint64_t) = {NAME64(a) NAME64(b)};
enum { kFunctions = sizeof functions / sizeof *functions };

HOT uint64_t call_in_order(uint64_t x, unsigned step) {
    unsigned at = 0;
    for (unsigned i = 0; i < kFunctions; ++i) {
        x = functions[at](x, i);
        at = (at + step) % kFunctions;
    }
    return x;
}

HOT uint64_t call_some(uint64_t x, uint64_t* random) {
    for (unsigned i = 0; i < kFunctions; ++i) {
        x = functions[next_random(random) % kFunctions](x, i);
    }
    return x;
}

int main(void) {
    uint64_t random = 13;
    uint64_t x = 1;
    for (unsigned round = 0; round < 35 * ROUNDS; ++round) {
        x = call_in_order(x, 1 + 2 * (round % 8));
        if (round % 2 == 0) {
            x = call_some(x, &random);
        }
    }
    return x == 0;
}

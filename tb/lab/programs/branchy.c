// SPDX-License-Identifier: Apache-2.0
// Control flow that is hard to predict: an interpreter with computed jumps, binary searches, a
// decision tree on random bits, and Collatz sequences.
#include "tb/lab/programs/lab.h"

enum operation { kAdd, kSubtract, kExclusiveOr, kShift, kIncrement, kSkipIfOdd, kSwap, kLoop };
enum { kProgram = 64, kSorted = 1024 };

static uint8_t program[kProgram];
static uint32_t sorted[kSorted];

HOT uint64_t interpret(unsigned turns) {
    uint64_t a = 1;
    uint64_t b = 2;
    unsigned at = 0;
    for (unsigned turn = 0; turn < turns; ++turn) {
        const enum operation operation = (enum operation)program[at];
        at = (at + 1) % kProgram;
        switch (operation) {
        case kAdd:
            a += b;
            break;
        case kSubtract:
            b -= a;
            break;
        case kExclusiveOr:
            a ^= b << 1;
            break;
        case kShift:
            b = b >> 3 | b << 61;
            break;
        case kIncrement:
            ++a;
            break;
        case kSkipIfOdd:
            at = (at + (a & 1)) % kProgram;
            break;
        case kSwap: {
            const uint64_t swapped = a;
            a = b;
            b = swapped;
            break;
        }
        case kLoop:
            at = (unsigned)((at + a) % kProgram);
            break;
        }
    }
    return a ^ b;
}

HOT unsigned binary_search(uint32_t key) {
    unsigned low = 0;
    unsigned high = kSorted;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (sorted[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

HOT unsigned decide(uint32_t bits) {
    if (bits & 1) {
        if (bits & 2) {
            return bits & 4 ? bits >> 5 : bits >> 6;
        }
        return bits & 8 ? bits + 3 : bits * 5;
    }
    if (bits & 16) {
        return bits & 32 ? bits ^ 77 : bits - 9;
    }
    return bits & 64 ? ~bits : bits << 2;
}

HOT unsigned collatz(uint64_t number) {
    unsigned steps = 0;
    while (number != 1) {
        if (number & 1) {
            number = 3 * number + 1;
        } else {
            number >>= 1;
        }
        ++steps;
    }
    return steps;
}

HOT unsigned count_letters(uint64_t* random, unsigned count) {
    unsigned vowels = 0;
    for (unsigned i = 0; i < count; ++i) {
        const char letter = (char)('a' + next_random(random) % 26);
        if (letter == 'a' || letter == 'e' || letter == 'i' || letter == 'o' || letter == 'u') {
            ++vowels;
        }
    }
    return vowels;
}

int main(void) {
    uint64_t random = 5;
    for (unsigned i = 0; i < kProgram; ++i) {
        program[i] = (uint8_t)(next_random(&random) % 8);
    }
    for (unsigned i = 0; i < kSorted; ++i) {
        sorted[i] = i * 4194303U;
    }
    uint64_t sum = 0;
    unsigned wrong = 0;
    for (unsigned round = 0; round < 10 * ROUNDS; ++round) {
        sum += interpret(5000);
        for (unsigned i = 0; i < 300; ++i) {
            const uint32_t key = next_random(&random);
            const unsigned at = binary_search(key);
            wrong += at < kSorted && sorted[at] < key;
            sum += decide(key);
        }
        for (unsigned i = 1; i <= 60; ++i) {
            sum += collatz(round * 60 + i);
        }
        sum += count_letters(&random, 900);
    }
    return wrong != 0 || sum == 0 || collatz(27) != 111;
}

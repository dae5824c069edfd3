// SPDX-License-Identifier: Apache-2.0
// A year of temperatures from 512 stations: their mean, what heating takes, and a checksum.
// Right, and slower than it could be: docs/tutorial.md finds out why.
#include "runtime.h"

enum { kDays = 365, kStations = 512 };

// A function of its own in every profile.
#define APART __attribute__((noinline)) static

static uint16_t readings[kDays][kStations]; // 0 to 255

APART void measure(void) {
    uint32_t state = 1;
    for (int day = 0; day < kDays; ++day) {
        for (int station = 0; station < kStations; ++station) {
            state = state * 1664525 + 1013904223;
            readings[day][station] = state >> 24;
        }
    }
}

APART uint64_t mean(void) {
    uint64_t sum = 0;
    for (int station = 0; station < kStations; ++station) {
        for (int day = 0; day < kDays; ++day) {
            sum += readings[day][station];
        }
    }
    return sum / (kDays * kStations);
}

// What it takes to heat at a reading: less, the warmer it is.
static unsigned heat(unsigned reading) {
    if (reading < 32) {
        return 95;
    } else if (reading < 64) {
        return 70;
    } else if (reading < 96) {
        return 52;
    } else if (reading < 128) {
        return 33;
    } else if (reading < 160) {
        return 21;
    } else if (reading < 192) {
        return 12;
    } else if (reading < 224) {
        return 4;
    }
    return 0;
}

APART uint64_t heating(void) {
    uint64_t sum = 0;
    for (int day = 0; day < kDays; ++day) {
        for (int station = 0; station < kStations; ++station) {
            sum += heat(readings[day][station]);
        }
    }
    return sum;
}

// Adler-32, with a reading in the place of each byte.
APART uint64_t checksum(void) {
    uint64_t low = 1;
    uint64_t high = 0;
    for (int day = 0; day < kDays; ++day) {
        for (int station = 0; station < kStations; ++station) {
            low = (low + readings[day][station]) % 65521;
            high = (high + low) % 65521;
        }
    }
    return high << 16 | low;
}

static void tell(const char* what, uint64_t value) {
    print(what);
    print_number(value);
    print("\n");
}

int main(void) {
    measure();
    tell("mean      ", mean());
    tell("heating   ", heating());
    tell("checksum  ", checksum());
    return 0;
}

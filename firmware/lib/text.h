// SPDX-License-Identifier: Apache-2.0
// Text output for freestanding programs: print(sink, "pc ", Hex{pc}, "\n"). A sink is any callable
// that takes one char.
#pragma once

#include <stdint.h>

namespace pes {

/// Prints as 0x and the digits needed.
struct Hex {
    uint64_t value;
};

template <typename Sink>
void put(Sink& sink, const char* text) {
    while (*text != '\0') {
        sink(*text++);
    }
}

template <typename Sink>
void put_digits(Sink& sink, uint64_t value, unsigned base) {
    char digits[20]; // 2^64 - 1 has 20 decimal digits
    unsigned count = 0;
    do {
        digits[count++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    while (count != 0) {
        sink(digits[--count]);
    }
}

template <typename Sink>
void put(Sink& sink, uint64_t value) {
    put_digits(sink, value, 10);
}

template <typename Sink>
void put(Sink& sink, Hex hex) {
    put(sink, "0x");
    put_digits(sink, hex.value, 16);
}

template <typename Sink, typename... Parts>
void print(Sink&& sink, Parts... parts) {
    (put(sink, parts), ...);
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Test frame of supervisor payloads: a failed expectation prints a line; the last line has the
// numbers, since not every firmware passes on an exit code.
#pragma once

#include "firmware/papi/console.h"
#include "firmware/papi/papi.h"

#include <stdint.h>

namespace pes::papi_test {

struct Tally {
    unsigned checks = 0;
    unsigned failures = 0;
};
extern Tally tally;

using pes::put;

struct Signed {
    long long value;
};

template <typename Sink>
void put(Sink& sink, Signed number) {
    pes::put(sink, number.value < 0 ? "-" : "");
    pes::put(sink, static_cast<uint64_t>(number.value < 0 ? -number.value : number.value));
}

/// Prints one line.
template <typename... Parts>
void say(Parts... parts) {
    auto sink = papi::console_put;
    (put(sink, parts), ...);
    put(sink, "\n");
}

inline void expect(const char* what, long long value, long long expected) {
    ++tally.checks;
    if (value != expected) {
        ++tally.failures;
        say("FAIL ", what, ": ", Signed{value}, ", expected ", Signed{expected});
    }
}

inline void expect_between(const char* what, long long value, long long low, long long high) {
    ++tally.checks;
    if (value < low || value > high) {
        ++tally.failures;
        say("FAIL ", what, ": ", Signed{value}, ", expected ", Signed{low}, " to ", Signed{high});
    }
}

/// Prints the tally and ends the run.
[[noreturn]] void finish(const char* program);

} // namespace pes::papi_test

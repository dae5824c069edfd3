// SPDX-License-Identifier: Apache-2.0
// The two ways to the counters that the program compares: calls of the SBI's PMU extension, and the
// PAPI layer on top of them. Both have the same steps.
#pragma once

#include <stdint.h>

namespace pes::overhead {

inline constexpr unsigned kMaxEvents = 4;

/// An event in both languages.
struct Event {
    const char* name; ///< PAPI's
    uint32_t event;   ///< SBI event_idx
    uint64_t data;    ///< SBI event_data
};

struct Way {
    const char* name;
    void (*initialise)(const Event* events, unsigned count);
    void (*start)();
    void (*read)(long long* values);
    void (*stop_and_read)(long long* values);
    void (*terminate)();
};

extern const Way kDirect;
extern const Way kPapi;

/// Ends the run if a call did not do what it should: the tables would mean nothing.
void require(bool condition, const char* what);

} // namespace pes::overhead

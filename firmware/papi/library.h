// SPDX-License-Identifier: Apache-2.0
// The state of the library, and what its files offer each other.
#pragma once

#include "firmware/papi/event_set.h"

namespace pes::papi {

inline constexpr unsigned kMaxSets = 16;

struct Library {
    int initialized = PAPI_NOT_INITED;
    const Profile* profile = nullptr;
    uint64_t available = 0;          ///< natives that some counter can count
    bool overflow_interrupt = false; ///< Sscofpmf is there and delegated
    bool overflow_cause = false;     ///< shpmspc (Sspesa) is there and delegated
    bool multiplex = false;          ///< PAPI_multiplex_init was called
    int domain = 0;                  ///< of new sets
    uint64_t slice = 0;              ///< of new multiplexed sets, units of `time`
    uint64_t tick = 0;               ///< of timer-driven overflow
    uint64_t start_time = 0;
    uint64_t interrupt_time = 0; ///< spent in our interrupts: not virtual time
    SbiCounters counters;
    unsigned long (*thread_id)() = nullptr; ///< of PAPI_thread_init
    bool thread_known = false;              ///< the one thread is registered
    void* thread_data[PAPI_NUM_TLS] = {};
    EventSet* running = nullptr;
    EventSet* mapped = nullptr; ///< the set whose slots have counters
};
extern constinit Library library;
extern constinit EventSet event_sets[kMaxSets];

/// The set of a handle; null: none.
EventSet* find_set(int handle);
inline int handle_of(const EventSet& set) {
    return static_cast<int>(&set - event_sets);
}

/// PAPI_OK, or why the call cannot go on: library, set, not running, running.
enum class Want : uint8_t { Any, Stopped, Running };
int check_set(int handle, Want want, EventSet*& set);

// errors.cpp
void remember_error(int code);
/// What a call returns: an error is kept for PAPI_perror, and reported as PAPI_set_debug asks.
inline int answer(int code) {
    if (code < 0) {
        remember_error(code);
    }
    return code;
}

// options.cpp
uint64_t time_units(int nanoseconds);

// program.cpp
const PAPI_exe_info_t* describe_executable(); ///< null: the linker script does not tell
const PAPI_shlib_info_t* describe_shared_libraries();

// events.cpp
const Preset* find_preset(int code);
bool native_available(unsigned native);
/// A preset or native event that this machine counts.
bool event_known(int code);
/// Index of a native event's code that this machine counts; -1 otherwise.
int native_of(int code);

// derived.cpp
long long evaluate(Derived derived, unsigned terms, const char* postfix, const long long* value);

// profil.cpp
/// `excess` events beyond the period had been counted when the overflow was noticed at `address`.
void add_to_histograms(const EventSet& set, uint64_t address, uint64_t excess);

// high_level.cpp
void forget_regions(); ///< their event set is gone
bool regions_running();

// rates.cpp
void forget_rates(); ///< likewise

// timers.cpp
uint64_t now();          ///< time CSR
uint64_t virtual_time(); ///< without the library's interrupts

} // namespace pes::papi

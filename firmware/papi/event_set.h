// SPDX-License-Identifier: Apache-2.0
// An event set: members (what the caller added) over slots (the native events they need, each
// once). Counts are kept in the slots.
#pragma once

#include "firmware/papi/papi.h"
#include "firmware/papi/profile.h"
#include "firmware/papi/sbi_counters.h"

#include <stdint.h>

namespace pes::papi {

inline constexpr unsigned kMaxSlots = 32;
inline constexpr unsigned kMaxMembers = 32;
inline constexpr unsigned kMaxProfileRegions = 8;

/// How a set's overflows are noticed.
enum class OverflowSource : uint8_t { None, Hardware, Timer };

struct Slot {
    uint8_t native = 0;
    uint8_t users = 0; ///< members that need it; 0: free
    int counter = kNoCounter;
    uint64_t baseline = 0;     ///< the counter's value from which the next difference is taken
    uint64_t count = 0;        ///< counted up to there
    uint64_t counted_time = 0; ///< multiplexed: how long it has had a counter
    uint64_t period = 0;       ///< overflows every `period` events; 0: never
    uint64_t deadline = 0;     ///< timer-driven: the count of the next overflow
};

struct Member {
    int code = 0;
    Derived derived = Derived::None;
    uint8_t terms = 0;
    uint8_t slot[kMaxTerms] = {};
    const char* postfix = "";
    long long offset = 0; ///< by PAPI_write
};

/// Histograms of PAPI_profil and PAPI_sprofil.
struct Profiling {
    int flags = 0;
    unsigned count = 0;
    PAPI_sprofil_t region[kMaxProfileRegions] = {};
};

class EventSet {
  public:
    // What the caller sees.
    int state = 0; ///< PAPI_STOPPED or PAPI_RUNNING, and what it is for; 0: no such set
    int domain = 0;
    bool bound = false; ///< to the one component
    unsigned member_count = 0;
    Member member[kMaxMembers] = {};

    // Native events.
    Slot slot[kMaxSlots] = {};
    unsigned slot_end = 0;    ///< no slot from here on was ever taken
    unsigned next_slot = 0;   ///< multiplexed: where the next slice begins
    uint64_t active_time = 0; ///< multiplexed: how long the set has run
    uint64_t slice_start = 0;
    uint64_t slice_period = 0; ///< in units of the time CSR

    OverflowSource source = OverflowSource::None;
    PAPI_overflow_handler_t handler = nullptr;
    Profiling profiling = {};

    bool exists() const { return state != 0; }
    bool running() const { return (state & PAPI_RUNNING) != 0; }
    bool multiplexed() const { return (state & PAPI_MULTIPLEXING) != 0; }
    /// The slot's counter starts below zero and interrupts when it wraps.
    bool wraps(const Slot& slot) const {
        return slot.period != 0 && source == OverflowSource::Hardware;
    }
    bool interrupts() const { return multiplexed() || source != OverflowSource::None; }

    /// As it was made, but that it exists: only what is in use is touched.
    void clear();
    template <typename Element>
    struct Range {
        Element* first;
        Element* last;
        Element* begin() const { return first; }
        Element* end() const { return last; }
    };
    /// The slots that were ever taken.
    Range<Slot> slots() { return {slot, slot + slot_end}; }
    Range<const Slot> slots() const { return {slot, slot + slot_end}; }

    /// Position of the member with this code, or -1.
    int find(int code) const;
    /// The slot of a native event, taken now if it is new; -1: none is left.
    int take_slot(uint8_t native);
    void drop_member(unsigned position);

    template <typename Visit>
    void for_each_slot(Visit visit) {
        for (unsigned i = 0; i < slot_end; ++i) {
            if (slot[i].users != 0) {
                visit(slot[i], i);
            }
        }
    }
};

} // namespace pes::papi

// SPDX-License-Identifier: Apache-2.0
// What the files of this layer offer each other.
#pragma once

#include "firmware/papi/counting/counting.h"

namespace pes::papi {

// mapping.cpp: slots to counters.
/// Gives every slot of the set a counter. False: they do not fit, and none has one.
bool map_set(EventSet& set);
/// Gives one slot a counter, if one is free.
bool map_slot(EventSet& set, Slot& slot);
uint64_t mapped_counters(const EventSet& set);

// counting.cpp
void begin_counting(EventSet& set); ///< start the mapped counters
void end_counting(EventSet& set);   ///< stop them and keep the counts
/// Adds what the slot's counter has counted since the last look at it.
void keep_count(Slot& slot);
uint64_t slot_count(const EventSet& set, const Slot& slot);
void clear_counts(EventSet& set);

// multiplex.cpp
void begin_slice(EventSet& set);
void end_slice(EventSet& set);
uint64_t estimate(const EventSet& set, const Slot& slot);

// overflow.cpp
void begin_overflow(EventSet& set);
void handle_overflow(EventSet& set, void* address, void* context);

// interrupts.cpp
void enable_interrupts(const EventSet& set);
void disable_interrupts();
void arm_timer(uint64_t units); ///< from now

/// No interrupt of ours in between.
class InterruptGuard {
  public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

  private:
    uint64_t enabled_;
};

} // namespace pes::papi

// SPDX-License-Identifier: Apache-2.0
// What counts: slots on counters, counts, time slices of multiplexed sets, overflows and their
// interrupts. These need each other and are one layer; this is what the rest of the library uses.
#pragma once

#include "firmware/papi/library.h"

namespace pes::papi {

uint64_t domain_filters(int domain);
/// Takes the counters from the set whose slots have them.
void unmap_set();
/// Whether every slot of the set can have a counter; without harm to a set that runs.
bool set_fits(EventSet& set);

int multiplex_set(int handle); ///< PAPI_set_multiplex
/// PAPI_overflow; a set with histograms needs no handler.
int change_overflow(EventSet& set, int code, int threshold, int flags,
                    PAPI_overflow_handler_t handler);

bool probe_overflow_interrupt();
bool probe_overflow_cause();

} // namespace pes::papi

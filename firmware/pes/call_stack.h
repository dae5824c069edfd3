// SPDX-License-Identifier: Apache-2.0
// The calls that a program has made and not returned from, as the hart keeps them: control transfer
// records with RAS emulation (Smctr, "RAS Emulation Mode").
#pragma once

#include <stdint.h>

namespace pes {

/// Looks for the registers.
bool has_call_stack();

/// From now on calls and returns of user mode and, if `supervisor`, of supervisor mode are
/// followed. The records of a supervisor that uses them itself are gone.
void follow_calls(bool supervisor);
void leave_calls();

/// Stores the addresses of up to `most` calls, innermost first; returns how many.
uint32_t store_calls(uint64_t* to, uint32_t most);

} // namespace pes

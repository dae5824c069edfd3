// SPDX-License-Identifier: Apache-2.0
// Units that tests/differential has not: they provoke the core's timing rather than its results.
// What they read from devices and counters never stays in a register, since the two sides may be
// cycles apart when they read it.
#pragma once

#include "tests/differential/emitter.h"

namespace pes::cycle_fuzz {

using differential::Emitter;

/// Bytes of the area for aliasing accesses, from kArea on: twice the ways of L1D in pages.
inline constexpr std::uint64_t kArea = 0x8018'0000;
inline constexpr unsigned kAreaPages = 16;

void emit_aliasing_access(Emitter& out); ///< few sets, many tags, few words of a line
void emit_misaligned_access(Emitter& out);
void emit_branch_slots(Emitter& out); ///< branches, calls and returns in any half of a fetch word
void emit_indirect_jumps(Emitter& out);
void emit_plain_trap(Emitter& out); ///< no access to where nothing answers
void emit_csr_write(Emitter& out);
void emit_interrupt(Emitter& out); ///< timer or software, waited for or not
void emit_device_access(Emitter& out);
void emit_fence(Emitter& out);

} // namespace pes::cycle_fuzz

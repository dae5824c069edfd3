// SPDX-License-Identifier: Apache-2.0
// Units of random instructions. A unit is one instruction, or a few that belong together (a
// reserved load and its conditional store, a branch and what it skips). Every unit starts and ends
// in the emitter's current mode, keeps sp, gp and tp, and leaves nothing that depends on time.
#pragma once

#include "tests/differential/emitter.h"

#include <cstdint>
#include <functional>

namespace pes::differential {

/// Emits one more unit of the program's mix: what stands inside loops, skips and other modes.
using Body = std::function<void(Emitter&)>;

enum class FloatFormat : std::uint8_t { Single, Double };

void emit_operands(Emitter& out); ///< fresh special values in random registers

void emit_integer(Emitter& out);
void emit_multiply_divide(Emitter& out);
void emit_bits(Emitter& out); ///< of the extensions that the emitter's instruction set has
void emit_control(Emitter& out, const Body& body);

void emit_float(Emitter& out, FloatFormat format);
void emit_float_state(Emitter& out); ///< fflags, frm, fcsr

void emit_memory(Emitter& out);
void emit_atomic(Emitter& out);

void emit_compressed(Emitter& out);

void emit_trap(Emitter& out);
void emit_csr(Emitter& out);
void emit_counter(Emitter& out);

// Units of an interrupted program (interrupts.S), in M mode.
void emit_interrupt_setup(Emitter& out);
void emit_allow_interrupts(Emitter& out);
void emit_hold_interrupts(Emitter& out); ///< around units that use mepc or mstatus.MPP
void emit_rewritten_code(Emitter& out);  ///< changes an instruction, then runs it
void emit_wait(Emitter& out);            ///< wfi

// Units of a program with pending interrupts (pending.S).
/// From M mode, in front of mret: makes interrupts pending, enables some.
void emit_make_pending(Emitter& out, unsigned work, bool delegate);
void emit_end_pending(Emitter& out, unsigned work);
/// In front of xret: one time in three the address in `target` becomes one that no fetch reaches.
void emit_failing_target(Emitter& out, unsigned target);
void emit_pending_in_machine(Emitter& out);
void emit_pending_in_supervisor(Emitter& out);

/// From M mode into S or U mode under bare translation, with delegation and memory protection.
void emit_privileged(Emitter& out, const Body& body);
/// From M mode into S or U mode under Sv39, or loads and stores with mstatus.MPRV.
void emit_virtual_memory(Emitter& out, const Body& body);

} // namespace pes::differential

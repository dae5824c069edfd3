/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of pes-vp as a library: a reference model for testbenches in C, C++ and, through
 * DPI, SystemVerilog (pes_hpm_dpi.svh). docs/hpm-library.md describes it; docs/counters.md and
 * docs/pes.md are what it models.
 *
 * Time goes in clock cycles. What happens in a cycle is given to pes_hpm_tick(); a write is queued
 * before the tick of its cycle. Between two ticks, reads and lines show the registers as they are
 * in the next cycle, before its edge.
 *
 * Functions that return int return 0, or -1 if the call is a mistake: then nothing has changed, and
 * pes_hpm_error() has one sentence. A model belongs to one thread at a time. */
#ifndef PES_HPM_H
#define PES_HPM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pes_hpm pes_hpm; /* NOLINT(modernize-use-using): C */

/* Interrupt lines, as pes_hpm_lines() returns them. */
enum {
    PES_HPM_LINE_THRESHOLD = 1,   /* a counter has reached its threshold */
    PES_HPM_LINE_BUFFER_FULL = 2, /* the next record does not fit */
    PES_HPM_LINE_OVERFLOW = 4     /* a counter with OF = 0 has overflowed in the last cycle */
};

/* Privilege modes. */
enum { PES_HPM_USER = 0, PES_HPM_SUPERVISOR = 1, PES_HPM_MACHINE = 3 };

/* A model in its reset state, before cycle 1. `settings`: KEY=VALUE, separated by blanks, commas or
 * lines, with the keys and values of pes-vp's counters.*: profile, programmable, width,
 * write_freezes, sscofpmf, smcntrpmf; "counters." in front of a key may be left out. "" are the
 * defaults. NULL: a mistake; pes_hpm_error(NULL) has the sentence. */
pes_hpm* pes_hpm_create(const char* settings);
void pes_hpm_destroy(pes_hpm* model); /* NULL does nothing */

/* Of the last call with this model, "" if it succeeded; NULL: of the last pes_hpm_create() of this
 * thread. Valid up to the next call. */
const char* pes_hpm_error(const pes_hpm* model);

/* One cycle. pulses: bit = pulse source, as pes_hpm_pulse() says, the bits of pes_hpm's pulses_i.
 * retired: 0 to 2 instructions. privilege: the mode of this cycle. debug: the programmable counters
 * stop. */
int pes_hpm_tick(pes_hpm* model, uint64_t pulses, unsigned retired, unsigned privilege,
                 unsigned debug);
/* As many cycles in which nothing pulses and nothing retires, in the mode of the last tick and not
 * in debug mode. */
int pes_hpm_advance(pes_hpm* model, uint64_t cycles);

/* A CSR by number. A write belongs to the next tick; there is one a cycle. */
int pes_hpm_read(pes_hpm* model, unsigned csr, uint64_t* value);
int pes_hpm_write(pes_hpm* model, unsigned csr, uint64_t value);
/* 1 if the counters have a CSR of this number, else 0. */
int pes_hpm_owns(const pes_hpm* model, unsigned csr);

unsigned pes_hpm_lines(const pes_hpm* model);   /* PES_HPM_LINE_... */
uint32_t pes_hpm_reached(const pes_hpm* model); /* comparators, bit = counter index */
uint64_t pes_hpm_cycles(const pes_hpm* model);  /* that have passed */

/* The bit of an event of the profile among the pulses, by its name ("l1d-miss"); -1 if there is no
 * such event or it has no pulse (every cycle, instructions). */
int pes_hpm_pulse(pes_hpm* model, const char* event);
/* The value of mhpmevent that selects it, or -1. */
int64_t pes_hpm_selector(pes_hpm* model, const char* event);

#ifdef __cplusplus
}
#endif

#endif

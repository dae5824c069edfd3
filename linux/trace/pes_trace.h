/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace encoders for programs in user mode: /dev/trace-perf. trace_perf.h says what a program may
 * ask, docs/trace-performance-library.md how to use it.
 */
#ifndef PES_TRACE_H
#define PES_TRACE_H

#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "trace_perf.h"

/* --- unit.c: registers of an encoder, a funnel or a RAM sink, in either set */

struct pes_unit {
	struct pes_unit *next; /* where its messages go; NULL: its own sink */
	void __iomem *base;
	phys_addr_t place;
	bool standard;
	u32 type;	/* IMPL_ENCODER, IMPL_FUNNEL, IMPL_RAM_SINK */
	u32 sram_bytes; /* of a sink; 0: it has none */
	u32 before;	/* control register while it is flushed */
};

/* Where a sink writes. */
struct pes_buffer {
	phys_addr_t base; /* 0: SRAM */
	u32 bytes;
};

/* Where recorded bytes lie in the buffer. */
struct pes_filling {
	u32 pointer;  /* next byte */
	bool wrapped; /* all of the buffer is valid, and begins at the pointer */
	bool overwritten;
	bool full;
	bool refused;
};

int pes_unit_reset(struct pes_unit *unit);
void pes_unit_hold(struct pes_unit *unit); /* in reset */
void pes_unit_start_time(struct pes_unit *unit);
bool pes_unit_has_sram(struct pes_unit *sink);
bool pes_unit_has_memory(struct pes_unit *sink);
u32 pes_unit_word_bytes(struct pes_unit *sink);
void pes_unit_measure_sram(struct pes_unit *sink); /* nobody uses it yet */
void pes_unit_set_buffer(struct pes_unit *sink, const struct pes_buffer *buffer);
/* Sink and funnel, after the buffer. */
void pes_unit_enable_sink(struct pes_unit *sink, bool memory, bool wrap);
void pes_unit_enable_funnel(struct pes_unit *funnel, bool wrap);
void pes_unit_enable_encoder(struct pes_unit *encoder, u32 stimuli, bool wrap);
/* All that is on its way goes to the sink; resume brings the unit back to what it did. */
int pes_unit_flush(struct pes_unit *unit);
void pes_unit_resume(struct pes_unit *unit);
void pes_unit_filling(struct pes_unit *sink, const struct pes_buffer *buffer,
		      struct pes_filling *filling);
/* Of the SRAM, from `offset`, whole words. */
void pes_unit_read_sram(struct pes_unit *sink, u32 offset, u32 *words, u32 count);
u32 pes_unit_source_bits(struct pes_unit *encoder);
u32 pes_unit_time_bits(struct pes_unit *unit);
u32 pes_unit_prescale(struct pes_unit *unit);
bool pes_unit_differences(struct pes_unit *encoder);
u32 pes_unit_stimulus_place(struct pes_unit *encoder);
u32 pes_unit_time_place(struct pes_unit *encoder);

/* --- topology.c: what the device tree has */

struct pes_session;

struct pes_hart {
	struct pes_unit *encoder;
	struct pes_unit *sink; /* the last unit of its way */
	struct pes_session *owner;
	phys_addr_t stimuli; /* page for user mode */
	u32 clock_hz;
};

extern struct pes_hart pes_harts[NR_CPUS];
extern struct pes_unit *pes_clock; /* whose time the others have; NULL: each its own */
extern u32 pes_hart_count, pes_funnel_count;

int pes_topology_find(void);
void pes_topology_forget(void);

/* --- session.c: one opened file. Its functions sleep. */

int pes_session_open(struct pes_session **session, struct address_space *mapping);
void pes_session_close(struct pes_session *session);
int pes_session_claim(struct pes_session *session, const struct trace_perf_claim *claim);
int pes_session_status(struct pes_session *session, struct trace_perf_status *status);
ssize_t pes_session_read(struct pes_session *session, char __user *to, size_t bytes, loff_t *from);
bool pes_session_has(struct pes_session *session, unsigned long cpu);
/* Of the page of stimuli. */
vm_fault_t pes_session_fault(struct pes_session *session, struct vm_fault *fault);
u32 pes_session_limit(void); /* bytes of a buffer in memory */

/* --- device.c */

extern const struct file_operations pes_device_operations;

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf driver for counters that S-mode has for itself (Smcdeleg), with the instruction that an
 * overflow is due to (Sspesa), interrupts without skid (Ssplcofi) and the transfers of control
 * before it (Smctr). docs/linux-pmu.md says how to use it.
 */
#ifndef PES_PMU_H
#define PES_PMU_H

#include <linux/perf_event.h>
#include <linux/types.h>

#define PES_COUNTERS 32
#define PES_BRANCHES 256 /* records of the largest buffer */

/* What every hart has. */
struct pes_hart {
	u32 counters;	/* bit n: counter n is programmable and delegated */
	unsigned width; /* bits that a counter has */
	bool cause;	/* Sspesa */
	bool skidless;	/* Ssplcofi */
	unsigned depth; /* transfer records in use; 0: no Smctr */
};

extern struct pes_hart pes_hart;

/* Of each CPU. Only touched on that CPU with interrupts off. */
struct pes_cpu {
	struct perf_event *events[PES_COUNTERS];
	u32 used;    /* counters that have an event */
	u32 running; /* those of them that are started */
	u32 stale;   /* stopped with an overflow that has not interrupted yet */
	bool disabled;
	unsigned branch_users;
	u64 branch_control; /* sctrctl, the same for all of them */
	struct {
		struct perf_branch_stack stack;
		struct perf_branch_entry entries[PES_BRANCHES];
	} branches;
};

DECLARE_PER_CPU(struct pes_cpu, pes_cpus);

/* hart.c */
int pes_hart_probe(void);
/* This CPU as if no event had ever been counted on it. */
void pes_hart_reset(void);
/* shpmspc, and the counter that it is of. */
unsigned long pes_hart_cause(unsigned *counter);

/* counters.c */
u64 pes_counter_read(unsigned n);
/* Of a counter that stands still; takes its overflow back. */
void pes_counter_set(unsigned n, u64 value, u64 event);
void pes_counters_hold(u32 mask);
void pes_counters_run(u32 mask);

/* kernel_symbols.c: functions of the kernel that it does not export to modules. */
struct pes_kernel {
	typeof(perf_event_overflow) *overflow;
	typeof(perf_sched_cb_inc) *switches_on; /* sched_task is called */
	typeof(perf_sched_cb_dec) *switches_off;
};

extern struct pes_kernel pes_kernel;
int pes_kernel_find(void);

/* events.c */
extern const struct attribute_group *pes_attribute_groups[];
int pes_events_find(void);
void pes_events_forget(void);
/* The counters that can count an event; 0: there is no such event. */
u32 pes_event_counters(u64 selector);

/* perf.c */
extern struct pmu pes_pmu;
void pes_event_update(struct perf_event *event);
/* Its next period; false: the period is not over yet. The counter must stand still. */
bool pes_event_set_period(struct perf_event *event);

/* sample.c */
irqreturn_t pes_overflow_interrupt(int irq, void *cpu);
/* Of an event that has just been stopped: an overflow that has not interrupted yet. */
void pes_overflow_stopped(struct pes_cpu *cpu, struct perf_event *event);

/* branches.c */
/* The sctrctl that records what an event wants. */
int pes_branches_wanted(const struct perf_event *event, u64 *control);
int pes_branches_add(struct perf_event *event);
void pes_branches_del(struct perf_event *event);
void pes_branches_read(struct pes_cpu *cpu);
void pes_branches_go_on(struct pes_cpu *cpu);
void pes_branches_switch(struct perf_event_pmu_context *context, struct task_struct *task, bool in);

#endif

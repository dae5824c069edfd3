// SPDX-License-Identifier: GPL-2.0-only
/* The overflow interrupt: one sample for each counter that has overflowed. */
#include <linux/interrupt.h>
#include <linux/sched/task_stack.h>
#include <asm/irq_regs.h>

#include "csr.h"
#include "pes_pmu.h"

/* What the hart says of the overflow that interrupted. */
struct cause {
	bool known;
	unsigned counter;
	unsigned long pc;
};

/*
 * The registers that a sample of the instruction at pc is taken with: those of the interrupt with
 * this pc. Between the overflow and the interrupt the hart may have gone from user to kernel or
 * back; then the other registers are those of a place in the right mode, so that a call chain is
 * not followed with a stack of the other one.
 */
static bool registers_at(struct pt_regs *to, const struct pt_regs *interrupted, unsigned long pc)
{
	bool of_user = pc < TASK_SIZE;

	*to = *interrupted;
	if (of_user && !user_mode(interrupted)) {
		if (!current->mm)
			return false; /* the program is gone */
		*to = *task_pt_regs(current);
	} else if (!of_user && user_mode(interrupted)) {
		to->status |= SR_SPP;
		to->s0 = 0;
		to->sp = 0;
	}
	to->epc = pc;
	return true;
}

static bool is_counted(const struct perf_event *event, bool of_user)
{
	return of_user ? !event->attr.exclude_user : !event->attr.exclude_kernel;
}

/*
 * The first cycles of a mode are those of the instruction that led to it, which is of the other
 * one. Whoever may not look into the kernel is not to have its addresses: then the sample is of
 * where the hart went on.
 */
static bool registers_behind(struct pt_regs *to, const struct pt_regs *interrupted,
			     const struct perf_event *event)
{
	*to = *interrupted;
	if (is_counted(event, user_mode(interrupted)))
		return true;
	if (event->attr.exclude_user || !current->mm)
		return false;
	*to = *task_pt_regs(current);
	return true;
}

static bool registers_of(struct pt_regs *to, const struct pt_regs *interrupted,
			 const struct cause *cause, const struct perf_event *event)
{
	/* The hart names the cause of one overflow, not of another one in the same interrupt. */
	if (!cause->known || cause->counter != event->hw.idx)
		return false;
	if (is_counted(event, cause->pc < TASK_SIZE))
		return registers_at(to, interrupted, cause->pc);
	return registers_behind(to, interrupted, event);
}

static void take_sample(struct pes_cpu *cpu, struct perf_event *event, struct pt_regs *regs)
{
	struct perf_sample_data data;

	perf_sample_data_init(&data, 0, event->hw.last_period);
	if (has_branch_stack(event))
		perf_sample_save_brstack(&data, event, &cpu->branches.stack, NULL);
	if (pes_kernel.overflow(event, &data, regs))
		pes_pmu.stop(event, 0); /* older kernels leave that to the driver */
}

static struct cause read_cause(const struct pes_cpu *cpu)
{
	struct cause cause = {.known = pes_hart.cause};

	if (!cause.known)
		return cause;
	cause.pc = pes_hart_cause(&cause.counter);
	cause.known = !(cpu->stale & BIT(cause.counter)); /* else of an event that is gone */
	return cause;
}

/* The counter stands still. */
static void overflow_of(struct pes_cpu *cpu, struct perf_event *event, const struct cause *cause,
			const struct pt_regs *interrupted)
{
	struct pt_regs at;

	if (!pes_event_set_period(event) || !is_sampling_event(event))
		return;
	if (event->attr.precise_ip == 0) {
		at = *interrupted;
		take_sample(cpu, event, &at);
	} else if (registers_of(&at, interrupted, cause, event)) {
		take_sample(cpu, event, &at);
	} else {
		atomic64_inc(&event->lost_samples);
	}
}

irqreturn_t pes_overflow_interrupt(int irq, void *of_cpu)
{
	struct pes_cpu *cpu = of_cpu;
	unsigned long selected = csr_read(CSR_SISELECT), overflows;
	struct cause cause;
	unsigned n;

	pes_counters_hold(cpu->used);
	cause = read_cause(cpu);
	/* From here on the hart would overwrite it, but no counter runs. */
	csr_clear(CSR_SIP, BIT(RV_IRQ_PMU));
	cpu->stale = 0;
	overflows = csr_read(CSR_SCOUNTOVF) & cpu->running;
	if (cpu->branch_users != 0)
		pes_branches_read(cpu);
	for_each_set_bit(n, &overflows, PES_COUNTERS)
	{
		pes_event_update(cpu->events[n]);
		overflow_of(cpu, cpu->events[n], &cause, get_irq_regs());
	}
	if (cpu->branch_users != 0)
		pes_branches_go_on(cpu);
	if (!cpu->disabled)
		pes_counters_run(cpu->running);
	csr_write(CSR_SISELECT, selected);
	return IRQ_HANDLED;
}

/*
 * The kernel stops events with interrupts off, so an overflow may be pending whose interrupt will
 * not find the event any more. What the hart has noted is the program's: the sample is taken here.
 */
void pes_overflow_stopped(struct pes_cpu *cpu, struct perf_event *event)
{
	u32 overflows = csr_read(CSR_SCOUNTOVF) & cpu->used;
	struct cause cause;

	if (!(overflows & BIT(event->hw.idx)))
		return;
	cause = read_cause(cpu);
	if (overflows == BIT(event->hw.idx))
		csr_clear(CSR_SIP, BIT(RV_IRQ_PMU)); /* so that the hart notes the next one */
	else
		cpu->stale |= BIT(event->hw.idx);
	if (is_sampling_event(event) && (event->attr.precise_ip == 0 || !current->mm)) {
		atomic64_inc(&event->lost_samples); /* nobody knows where it was */
		return;
	}
	if (cpu->branch_users != 0)
		pes_branches_read(cpu);
	overflow_of(cpu, event, &cause, task_pt_regs(current));
}

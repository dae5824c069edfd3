// SPDX-License-Identifier: GPL-2.0-only
/* The PMU as perf knows it: events on counters, and their periods. */
#include <linux/module.h>

#include "csr.h"
#include "pes_pmu.h"

static u64 counter_mask(void)
{
	return GENMASK_ULL(pes_hart.width - 1, 0);
}

/* Half of what a counter holds, so that what it counts behind an overflow can be told. */
static u64 longest_period(void)
{
	return counter_mask() >> 1;
}

void pes_event_update(struct perf_event *event)
{
	struct hw_perf_event *hw = &event->hw;
	u64 before, now, delta;

	do {
		before = local64_read(&hw->prev_count);
		now = pes_counter_read(hw->idx);
	} while (local64_cmpxchg(&hw->prev_count, before, now) != before);
	delta = (now - before) & counter_mask();
	local64_add(delta, &event->count);
	local64_sub(delta, &hw->period_left);
}

bool pes_event_set_period(struct perf_event *event)
{
	struct hw_perf_event *hw = &event->hw;
	s64 left = local64_read(&hw->period_left);
	s64 period = hw->sample_period;
	bool over = false;

	if (left <= -period) {
		left = period;
		over = true;
	} else if (left <= 0) {
		left += period;
		over = true;
	}
	if (over) {
		local64_set(&hw->period_left, left);
		hw->last_period = period;
	}
	left = min_t(u64, left, longest_period());
	local64_set(&hw->prev_count, (u64)-left & counter_mask());
	pes_counter_set(hw->idx, (u64)-left & counter_mask(), hw->config);
	perf_event_update_userpage(event);
	return over;
}

/* How many of a group are this PMU's: more than there are counters can never be counted. */
static int group_size(struct perf_event *event)
{
	struct perf_event *sibling;
	int size = event->group_leader->pmu == event->pmu;

	if (event->group_leader == event)
		return size;
	for_each_sibling_event(sibling, event->group_leader)
	{
		if (sibling->pmu == event->pmu)
			++size;
	}
	return size + 1;
}

static int check_precision(const struct perf_event *event)
{
	switch (event->attr.precise_ip) {
	case 0:
		return 0;
	case 1:
		return pes_hart.cause ? 0 : -EOPNOTSUPP;
	case 2:
		return pes_hart.skidless ? 0 : -EOPNOTSUPP;
	default:
		return -EOPNOTSUPP;
	}
}

static int pes_event_init(struct perf_event *event)
{
	struct hw_perf_event *hw = &event->hw;
	u64 selector = event->attr.config;
	u64 branches;
	int error;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (selector == 0 || (selector & ~EVENT_SELECTOR) || pes_event_counters(selector) == 0)
		return -EINVAL;
	if (event->attr.exclude_idle || event->attr.exclude_host)
		return -EOPNOTSUPP;
	error = check_precision(event);
	if (error == 0 && has_branch_stack(event))
		error = pes_branches_wanted(event, &branches);
	if (error)
		return error;
	if (group_size(event) > hweight32(pes_hart.counters))
		return -EINVAL;
	hw->config = selector;
	if (event->attr.exclude_user)
		hw->config |= EVENT_UINH;
	if (event->attr.exclude_kernel)
		hw->config |= EVENT_SINH;
	hw->idx = -1;
	if (!is_sampling_event(event)) {
		/* An overflow only counts on. */
		hw->sample_period = longest_period();
		hw->last_period = hw->sample_period;
		local64_set(&hw->period_left, hw->sample_period);
	}
	return 0;
}

static void pes_start(struct perf_event *event, int flags)
{
	struct pes_cpu *cpu = this_cpu_ptr(&pes_cpus);
	struct hw_perf_event *hw = &event->hw;

	if (WARN_ON_ONCE(hw->idx < 0 || !(hw->state & PERF_HES_STOPPED)))
		return;
	hw->state = 0;
	pes_event_set_period(event);
	cpu->running |= BIT(hw->idx);
	if (!cpu->disabled)
		pes_counters_run(BIT(hw->idx));
}

static void pes_stop(struct perf_event *event, int flags)
{
	struct pes_cpu *cpu = this_cpu_ptr(&pes_cpus);
	struct hw_perf_event *hw = &event->hw;

	if (hw->state & PERF_HES_STOPPED)
		return;
	pes_counters_hold(BIT(hw->idx));
	cpu->running &= ~BIT(hw->idx);
	pes_event_update(event);
	hw->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	pes_overflow_stopped(cpu, event);
}

static int pes_add(struct perf_event *event, int flags)
{
	struct pes_cpu *cpu = this_cpu_ptr(&pes_cpus);
	struct hw_perf_event *hw = &event->hw;
	u32 free = pes_event_counters(event->attr.config) & ~cpu->used;
	int error;

	if (free == 0)
		return -EAGAIN;
	error = pes_branches_add(event);
	if (error)
		return error;
	hw->idx = __ffs(free);
	hw->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	cpu->events[hw->idx] = event;
	cpu->used |= BIT(hw->idx);
	if (flags & PERF_EF_START)
		pes_start(event, PERF_EF_RELOAD);
	perf_event_update_userpage(event);
	return 0;
}

static void pes_del(struct perf_event *event, int flags)
{
	struct pes_cpu *cpu = this_cpu_ptr(&pes_cpus);
	struct hw_perf_event *hw = &event->hw;

	pes_stop(event, PERF_EF_UPDATE);
	pes_counter_set(hw->idx, 0, 0);
	cpu->events[hw->idx] = NULL;
	cpu->used &= ~BIT(hw->idx);
	pes_branches_del(event);
	perf_event_update_userpage(event);
	hw->idx = -1;
}

static void pes_read(struct perf_event *event)
{
	if (!(event->hw.state & PERF_HES_UPTODATE))
		pes_event_update(event);
}

static void pes_enable(struct pmu *pmu)
{
	struct pes_cpu *cpu = this_cpu_ptr(&pes_cpus);

	cpu->disabled = false;
	pes_counters_run(cpu->running);
}

static void pes_disable(struct pmu *pmu)
{
	struct pes_cpu *cpu = this_cpu_ptr(&pes_cpus);

	pes_counters_hold(cpu->running);
	cpu->disabled = true;
}

struct pmu pes_pmu = {
	.module = THIS_MODULE,
	.attr_groups = pes_attribute_groups,
	.task_ctx_nr = perf_hw_context,
	.event_init = pes_event_init,
	.add = pes_add,
	.del = pes_del,
	.start = pes_start,
	.stop = pes_stop,
	.read = pes_read,
	.pmu_enable = pes_enable,
	.pmu_disable = pes_disable,
	.sched_task = pes_branches_switch,
};

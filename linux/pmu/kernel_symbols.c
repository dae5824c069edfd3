// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf exports to modules what registers a PMU and what fills its AUX area, but not the function
 * that takes a sample, nor those that ask for context switches. A probe that is registered and
 * taken away again tells where a function is.
 */
#include <linux/kprobes.h>

#include "pes_pmu.h"

struct pes_kernel pes_kernel;

static void *find(const char *name)
{
	struct kprobe probe = {.symbol_name = name};

	if (register_kprobe(&probe) != 0) {
		pr_err("pes_pmu: the kernel has no %s\n", name);
		return NULL;
	}
	unregister_kprobe(&probe);
	return probe.addr;
}

int pes_kernel_find(void)
{
	pes_kernel.overflow = find("perf_event_overflow");
	pes_kernel.switches_on = find("perf_sched_cb_inc");
	pes_kernel.switches_off = find("perf_sched_cb_dec");
	return pes_kernel.overflow && pes_kernel.switches_on && pes_kernel.switches_off ? 0
											: -ENOENT;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf exports to modules what registers a PMU and what fills its AUX area, but not the function
 * that takes a sample, nor those that ask for context switches. A probe that is registered and
 * taken away again tells where a function is.
 */
#include <linux/kprobes.h>

#include "pes_pmu.h"

struct pes_kernel pes_kernel;

/* Debian's 6.12 allows no probe where ftrace patches a function, which is what it begins with. */
static const unsigned probed[] = {0, 8};

static void *find(const char *name)
{
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(probed); ++i) {
		struct kprobe probe = {.symbol_name = name, .offset = probed[i]};

		if (register_kprobe(&probe) == 0) {
			unregister_kprobe(&probe);
			return (u8 *)probe.addr - probed[i];
		}
	}
	pr_err("pes_pmu: the kernel has no %s\n", name);
	return NULL;
}

int pes_kernel_find(void)
{
	pes_kernel.overflow = find("perf_event_overflow");
	pes_kernel.switches_on = find("perf_sched_cb_inc");
	pes_kernel.switches_off = find("perf_sched_cb_dec");
	return pes_kernel.overflow && pes_kernel.switches_on && pes_kernel.switches_off ? 0
											: -ENOENT;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Loading. */
#include <linux/miscdevice.h>
#include <linux/module.h>

#include "pes_trace.h"

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "trace-perf",
	.fops = &pes_device_operations,
	.mode = 0666,
};

static int __init pes_init(void)
{
	int error = pes_topology_find();

	if (error)
		return error;
	error = misc_register(&device);
	if (error) {
		pes_topology_forget();
		return error;
	}
	pr_info("pes_trace: %u encoders, %u funnels\n", pes_hart_count, pes_funnel_count);
	return 0;
}

static void __exit pes_exit(void)
{
	misc_deregister(&device);
	pes_topology_forget();
}

module_init(pes_init);
module_exit(pes_exit);
MODULE_DESCRIPTION("Stimuli and buffers of RISC-V trace encoders for programs in user mode");
MODULE_LICENSE("GPL");

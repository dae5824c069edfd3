// SPDX-License-Identifier: GPL-2.0-only
/* Loading: what the harts have, the overflow interrupt, the PMU. */
#include <linux/cpuhotplug.h>
#include <linux/interrupt.h>
#include <linux/irqdomain.h>
#include <linux/module.h>
#include <asm/csr.h>
#include <asm/irq.h>

#include "pes_pmu.h"

DEFINE_PER_CPU(struct pes_cpu, pes_cpus);

static unsigned overflow_irq;
static int hotplug_state;

static int pes_online(unsigned cpu)
{
	pes_hart_reset();
	enable_percpu_irq(overflow_irq, IRQ_TYPE_NONE);
	return 0;
}

static int pes_offline(unsigned cpu)
{
	disable_percpu_irq(overflow_irq);
	return 0;
}

/* Interrupt 13 of each hart. The kernel's own driver has it if the firmware has a PMU extension. */
static int take_interrupt(void)
{
	struct irq_domain *domain =
		irq_find_matching_fwnode(riscv_get_intc_hwnode(), DOMAIN_BUS_ANY);
	int error;

	if (!domain)
		return -ENODEV;
	overflow_irq = irq_create_mapping(domain, RV_IRQ_PMU);
	if (overflow_irq == 0)
		return -ENODEV;
	error = request_percpu_irq(overflow_irq, pes_overflow_interrupt, "pes-pmu", &pes_cpus);
	if (error)
		pr_err("pes_pmu: the kernel's own PMU driver has the overflow interrupt\n");
	return error;
}

static int start_on_cpus(void)
{
	int state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "perf/riscv/pes:online", pes_online,
				      pes_offline);

	if (state < 0)
		return state;
	hotplug_state = state;
	return 0;
}

static int __init pes_init(void)
{
	int error = pes_hart_probe();

	if (error)
		return error;
	error = pes_kernel_find();
	if (error)
		return error;
	error = pes_events_find();
	if (error)
		goto no_events;
	error = take_interrupt();
	if (error)
		goto no_events;
	error = start_on_cpus();
	if (error)
		goto no_cpus;
	error = perf_pmu_register(&pes_pmu, "pes", -1);
	if (error)
		goto no_pmu;
	pr_info("pes_pmu: counters 0x%x of %u bits%s%s, %u control transfers\n", pes_hart.counters,
		pes_hart.width, pes_hart.cause ? ", Sspesa" : "",
		pes_hart.skidless ? ", Ssplcofi" : "", pes_hart.depth);
	return 0;
no_pmu:
	cpuhp_remove_state(hotplug_state);
no_cpus:
	free_percpu_irq(overflow_irq, &pes_cpus);
no_events:
	pes_events_forget();
	return error;
}

static void __exit pes_exit(void)
{
	perf_pmu_unregister(&pes_pmu);
	cpuhp_remove_state(hotplug_state);
	free_percpu_irq(overflow_irq, &pes_cpus);
	pes_events_forget();
}

module_init(pes_init);
module_exit(pes_exit);
MODULE_DESCRIPTION("Precise performance events of RISC-V: Smcdeleg, Sspesa, Ssplcofi, Smctr");
MODULE_LICENSE("GPL");

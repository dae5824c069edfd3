// SPDX-License-Identifier: GPL-2.0-only
/* What the harts have, found by looking. */
#include <linux/bitfield.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/smp.h>

#include "csr.h"
#include "pes_pmu.h"

/* The draft assigns no numbers. */
#define SHPMS_FIRST 0x5c0
#define SHPMS_LAST 0x5ff

static unsigned short shpmspc = 0x5c0;
module_param(shpmspc, ushort, 0444);
MODULE_PARM_DESC(shpmspc, "CSR number of shpmspc (Sspesa), 0x5c0..0x5ff");
static unsigned short shpmsdata = 0x5c1;
module_param(shpmsdata, ushort, 0444);
MODULE_PARM_DESC(shpmsdata, "CSR number of shpmsdata (Sspesa), 0x5c0..0x5ff");
static unsigned int branches = 32;
module_param(branches, uint, 0444);
MODULE_PARM_DESC(branches, "control transfers kept for a sample: 16, 32, 64, 128 or 256");

struct pes_hart pes_hart;

/* The number of a CSR is part of the instruction. */
#define TRY(n)                                                                                     \
	case n:                                                                                    \
		return csr_try(n, value);
#define TRY4(n) TRY(n) TRY(n + 1) TRY(n + 2) TRY(n + 3)
#define TRY16(n) TRY4(n) TRY4(n + 4) TRY4(n + 8) TRY4(n + 12)

static bool custom_csr(unsigned number, unsigned long *value)
{
	switch (number) {
		TRY16(0x5c0)
		TRY16(0x5d0)
		TRY16(0x5e0)
		TRY16(0x5f0)
	}
	return false;
}

unsigned long pes_hart_cause(unsigned *counter)
{
	unsigned long pc, data;

	if (!custom_csr(shpmspc, &pc) || !custom_csr(shpmsdata, &data))
		return 0;
	*counter = FIELD_GET(SHPMSDATA_CNTRID, data);
	return pc;
}

static bool tree_has(const char *extension)
{
	struct device_node *node = of_get_cpu_node(0, NULL);
	bool has = of_property_match_string(node, "riscv,isa-extensions", extension) >= 0;

	of_node_put(node);
	return has;
}

/* Counters 3 to 31 that are S-mode's; with CDE = 1 the others are illegal behind siselect. */
static void find_counters(void)
{
	unsigned long value;
	unsigned n;

	for (n = 3; n < PES_COUNTERS; ++n) {
		csr_write(CSR_SISELECT, SELECT_COUNTER + n);
		if (!csr_try(CSR_SIREG, &value))
			continue;
		pes_counters_hold(BIT(n));
		pes_counter_set(n, ~0ULL, 0);
		value = pes_counter_read(n);
		if (value == 0)
			continue; /* hardwired: not there */
		pes_hart.counters |= BIT(n);
		pes_hart.width = fls64(value);
	}
}

static void find_branches(void)
{
	unsigned long value;

	if (!csr_try(CSR_SCTRCTL, &value))
		return;
	/* DEPTH is 16 << n; what is not implemented leaves another legal value. */
	csr_write(CSR_SCTRDEPTH, ilog2(branches) - 4);
	pes_hart.depth = 16 << (csr_read(CSR_SCTRDEPTH) & 7);
}

static void probe_this_hart(void *result)
{
	unsigned long value;
	int *error = result;

	*error = -ENODEV;
	if (!csr_try(CSR_SCOUNTINHIBIT, &value) || !csr_try(CSR_SISELECT, &value))
		return; /* no Smcdeleg, CDE = 0, or mstateen0.CSRIND = 0 */
	find_counters();
	if (pes_hart.counters == 0)
		return;
	pes_hart.cause = custom_csr(shpmspc, &value) && custom_csr(shpmsdata, &value);
	find_branches();
	*error = 0;
}

static bool is_custom(unsigned number)
{
	return number >= SHPMS_FIRST && number <= SHPMS_LAST;
}

int pes_hart_probe(void)
{
	int error;

	if (!is_custom(shpmspc) || !is_custom(shpmsdata) || branches < 16 ||
	    branches > PES_BRANCHES || !is_power_of_2(branches)) {
		pr_err("pes_pmu: a parameter is out of its range\n");
		return -EINVAL;
	}
	local_irq_disable();
	probe_this_hart(&error);
	local_irq_enable();
	if (error)
		pr_err("pes_pmu: no delegated counters (Smcdeleg)\n");
	pes_hart.skidless = pes_hart.cause && tree_has("ssplcofi");
	return error;
}

void pes_hart_reset(void)
{
	unsigned n;

	pes_counters_hold(pes_hart.counters);
	for (n = 3; n < PES_COUNTERS; ++n) {
		if (pes_hart.counters & BIT(n))
			pes_counter_set(n, 0, 0);
	}
	if (pes_hart.depth != 0) {
		csr_write(CSR_SCTRCTL, 0);
		csr_write(CSR_SCTRDEPTH, ilog2(pes_hart.depth) - 4);
	}
	csr_clear(CSR_SIP, BIT(RV_IRQ_PMU));
}

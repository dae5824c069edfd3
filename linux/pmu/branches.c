// SPDX-License-Identifier: GPL-2.0-only
/* Branch stacks from control transfer records (Smctr). */
#include <linux/bitfield.h>

#include "csr.h"
#include "pes_pmu.h"

#define CALLS (BIT(TRANSFER_CALL) | BIT(TRANSFER_INDIRECT_CALL) | BIT(TRANSFER_SWAP))
#define RETURNS (BIT(TRANSFER_RETURN) | BIT(TRANSFER_SWAP))
#define ALL                                                                                        \
	(CALLS | RETURNS | BIT(TRANSFER_EXCEPTION) | BIT(TRANSFER_INTERRUPT) |                     \
	 BIT(TRANSFER_TRAP_RETURN) | BIT(TRANSFER_BRANCH) | BIT(TRANSFER_INDIRECT_JUMP) |          \
	 BIT(TRANSFER_JUMP) | BIT(TRANSFER_INDIRECT_LINK) | BIT(TRANSFER_LINK))

static const struct {
	u64 wanted; /* perf's */
	u32 types;
} filters[] = {
	{PERF_SAMPLE_BRANCH_ANY, ALL},
	{PERF_SAMPLE_BRANCH_ANY_CALL, CALLS},
	{PERF_SAMPLE_BRANCH_ANY_RETURN, RETURNS | BIT(TRANSFER_TRAP_RETURN)},
	{PERF_SAMPLE_BRANCH_IND_CALL, BIT(TRANSFER_INDIRECT_CALL) | BIT(TRANSFER_SWAP)},
	{PERF_SAMPLE_BRANCH_CALL, BIT(TRANSFER_CALL)},
	{PERF_SAMPLE_BRANCH_COND, BIT(TRANSFER_BRANCH)},
	{PERF_SAMPLE_BRANCH_IND_JUMP, BIT(TRANSFER_INDIRECT_JUMP) | BIT(TRANSFER_INDIRECT_LINK)},
	{PERF_SAMPLE_BRANCH_CALL_STACK, CALLS | RETURNS},
};

/* What perf may ask for; not transactions, nor counts of events between the branches. */
#define SUPPORTED                                                                                  \
	(PERF_SAMPLE_BRANCH_PLM_ALL | PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_ANY_CALL |       \
	 PERF_SAMPLE_BRANCH_ANY_RETURN | PERF_SAMPLE_BRANCH_IND_CALL | PERF_SAMPLE_BRANCH_CALL |   \
	 PERF_SAMPLE_BRANCH_COND | PERF_SAMPLE_BRANCH_IND_JUMP | PERF_SAMPLE_BRANCH_CALL_STACK |   \
	 PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_NO_CYCLES |                              \
	 PERF_SAMPLE_BRANCH_TYPE_SAVE | PERF_SAMPLE_BRANCH_PRIV_SAVE |                             \
	 PERF_SAMPLE_BRANCH_HW_INDEX)

int pes_branches_wanted(const struct perf_event *event, u64 *control)
{
	u64 wanted = event->attr.branch_sample_type;
	u32 types = 0;
	unsigned i;

	if (pes_hart.depth == 0 || (wanted & ~SUPPORTED))
		return -EOPNOTSUPP;
	for (i = 0; i < ARRAY_SIZE(filters); ++i) {
		if (wanted & filters[i].wanted)
			types |= filters[i].types;
	}
	*control = CTR_LCOFIFRZ;
	if (wanted & PERF_SAMPLE_BRANCH_USER)
		*control |= CTR_U;
	if (wanted & PERF_SAMPLE_BRANCH_KERNEL)
		*control |= CTR_S;
	if (wanted & PERF_SAMPLE_BRANCH_CALL_STACK)
		*control |= CTR_RASEMU;
	*control |= (u64)(ALL & ~types) << 32;
	return 0;
}

/* Events that want different records cannot be counted at the same time. */
int pes_branches_add(struct perf_event *event)
{
	struct pes_cpu *cpu = this_cpu_ptr(&pes_cpus);
	u64 control;
	int error;

	if (!has_branch_stack(event))
		return 0;
	error = pes_branches_wanted(event, &control);
	if (error)
		return error;
	if (cpu->branch_users != 0 && cpu->branch_control != control)
		return -EAGAIN;
	if (cpu->branch_users++ == 0) {
		cpu->branch_control = control;
		ctr_clear();
		csr_write(CSR_SCTRSTATUS, 0);
		csr_write(CSR_SCTRCTL, control);
	}
	pes_kernel.switches_on(event->pmu);
	return 0;
}

void pes_branches_del(struct perf_event *event)
{
	struct pes_cpu *cpu = this_cpu_ptr(&pes_cpus);

	if (!has_branch_stack(event))
		return;
	pes_kernel.switches_off(event->pmu);
	if (--cpu->branch_users == 0)
		csr_write(CSR_SCTRCTL, 0);
}

static unsigned perf_type(unsigned type)
{
	switch (type) {
	case TRANSFER_EXCEPTION:
	case TRANSFER_INTERRUPT:
		return PERF_BR_IRQ;
	case TRANSFER_TRAP_RETURN:
		return PERF_BR_ERET;
	case TRANSFER_BRANCH:
		return PERF_BR_COND;
	case TRANSFER_CALL:
		return PERF_BR_CALL;
	case TRANSFER_INDIRECT_CALL:
		return PERF_BR_IND_CALL;
	case TRANSFER_SWAP:
	case TRANSFER_RETURN:
		return PERF_BR_RET;
	case TRANSFER_INDIRECT_JUMP:
	case TRANSFER_INDIRECT_LINK:
		return PERF_BR_IND;
	case TRANSFER_JUMP:
	case TRANSFER_LINK:
		return PERF_BR_UNCOND;
	default:
		return PERF_BR_UNKNOWN;
	}
}

/* CC: a mantissa, with a leading 1 above it if the exponent is not 0. */
static unsigned cycles_of(u64 data)
{
	u64 mantissa = FIELD_GET(CTR_DATA_CCM, data), exponent = FIELD_GET(CTR_DATA_CCE, data);

	if (!(data & CTR_DATA_CCV))
		return 0;
	if (exponent != 0)
		mantissa = (mantissa | BIT(12)) << (exponent - 1);
	return min_t(u64, mantissa, U16_MAX);
}

/* The newest record first, as perf has them. */
void pes_branches_read(struct pes_cpu *cpu)
{
	struct perf_branch_stack *stack = &cpu->branches.stack;
	unsigned i;

	for (i = 0; i < pes_hart.depth; ++i) {
		struct perf_branch_entry *entry = &cpu->branches.entries[i];
		u64 source, target, data;

		csr_write(CSR_SISELECT, SELECT_TRANSFER + i);
		source = csr_read(CSR_SIREG);
		if (!(source & CTR_SOURCE_V))
			break;
		target = csr_read(CSR_SIREG2);
		data = csr_read(CSR_SIREG3);
		*entry = (struct perf_branch_entry){
			.from = source & ~CTR_SOURCE_V,
			.to = target & ~CTR_TARGET_MISP,
			.mispred = !!(target & CTR_TARGET_MISP),
			.predicted = !(target & CTR_TARGET_MISP),
			.cycles = cycles_of(data),
			.type = perf_type(FIELD_GET(CTR_DATA_TYPE, data)),
			.priv = source >> 63 ? PERF_BR_PRIV_KERNEL : PERF_BR_PRIV_USER,
		};
	}
	stack->nr = i;
	stack->hw_idx = -1ULL; /* unknown: records are not continued from one sample to the next */
}

/* The overflow has frozen the records. */
void pes_branches_go_on(struct pes_cpu *cpu)
{
	csr_clear(CSR_SCTRSTATUS, CTR_FROZEN);
}

/* A program does not see the transfers of another. */
void pes_branches_switch(struct perf_event_pmu_context *context, struct task_struct *task, bool in)
{
	if (in && this_cpu_ptr(&pes_cpus)->branch_users != 0)
		ctr_clear();
}

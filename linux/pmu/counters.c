// SPDX-License-Identifier: GPL-2.0-only
/* The delegated counters (Smcdeleg), behind siselect. Interrupts are off. */
#include "csr.h"
#include "pes_pmu.h"

u64 pes_counter_read(unsigned n)
{
	csr_write(CSR_SISELECT, SELECT_COUNTER + n);
	return csr_read(CSR_SIREG);
}

void pes_counter_set(unsigned n, u64 value, u64 event)
{
	csr_write(CSR_SISELECT, SELECT_COUNTER + n);
	csr_write(CSR_SIREG, value);
	csr_write(CSR_SIREG2, event); /* OF = 0 */
}

void pes_counters_hold(u32 mask)
{
	csr_set(CSR_SCOUNTINHIBIT, mask);
}

void pes_counters_run(u32 mask)
{
	csr_clear(CSR_SCOUNTINHIBIT, mask);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers that the kernel's own asm/csr.h does not have: Smcdeleg and Ssccfg 1.0, Smctr and Ssctr
 * 1.0, and the draft Sspesa.
 */
#ifndef PES_CSR_H
#define PES_CSR_H

#include <linux/bits.h>
#include <asm/asm-extable.h>
#include <asm/csr.h>

#define CSR_SCOUNTINHIBIT 0x120
#define CSR_SIREG2 0x152
#define CSR_SIREG3 0x153
#define CSR_SCTRCTL 0x14e
#define CSR_SCTRSTATUS 0x14f
#define CSR_SCTRDEPTH 0x15f

/* siselect: counter n behind sireg, its event behind sireg2; transfer record n behind sireg..3. */
#define SELECT_COUNTER 0x40
#define SELECT_TRANSFER 0x200

/* The event selector, mhpmevent as S-mode sees it. */
#define EVENT_UINH BIT_ULL(60)
#define EVENT_SINH BIT_ULL(61)
#define EVENT_SELECTOR GENMASK_ULL(55, 0)

#define SHPMSDATA_CNTRID GENMASK(4, 0)

#define CTR_U BIT_ULL(0)
#define CTR_S BIT_ULL(1)
#define CTR_RASEMU BIT_ULL(7)
#define CTR_LCOFIFRZ BIT_ULL(12)
#define CTR_TYPE(type) BIT_ULL(32 + (type)) /* inhibits it */
#define CTR_SOURCE_V BIT_ULL(0)
#define CTR_TARGET_MISP BIT_ULL(0)
#define CTR_DATA_TYPE GENMASK_ULL(3, 0)
#define CTR_DATA_CCV BIT_ULL(15)
#define CTR_DATA_CCM GENMASK_ULL(27, 16)
#define CTR_DATA_CCE GENMASK_ULL(31, 28)
#define CTR_FROZEN BIT_ULL(31)

/* Types of transfers, of the trace specification. 4 is the branch not taken, which is left out. */
enum pes_transfer {
	TRANSFER_EXCEPTION = 1,
	TRANSFER_INTERRUPT = 2,
	TRANSFER_TRAP_RETURN = 3,
	TRANSFER_BRANCH = 5,
	TRANSFER_INDIRECT_CALL = 8,
	TRANSFER_CALL = 9,
	TRANSFER_INDIRECT_JUMP = 10,
	TRANSFER_JUMP = 11,
	TRANSFER_SWAP = 12, /* returns and calls */
	TRANSFER_RETURN = 13,
	TRANSFER_INDIRECT_LINK = 14,
	TRANSFER_LINK = 15,
};

/*
 * Reads a register that may not be there, or not be S-mode's: whether it is. The kernel continues
 * behind the illegal instruction, by the exception table.
 */
#define csr_try(csr, value)                                                                        \
	({                                                                                         \
		unsigned long __there = 0, __value = 0;                                            \
		asm volatile("1:	csrr	%1, %2\n"                                                    \
			     "	li	%0, 1\n"                                                         \
			     "2:\n" _ASM_EXTABLE(1b, 2b)                                           \
			     : "+r"(__there), "+r"(__value)                                        \
			     : "i"(csr)                                                            \
			     : "memory");                                                          \
		*(value) = __value;                                                                \
		__there != 0;                                                                      \
	})

/* SCTRCLR: all transfer records are invalid. */
static inline void ctr_clear(void)
{
	asm volatile(".4byte 0x10400073" ::: "memory");
}

#endif

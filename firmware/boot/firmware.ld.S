/* SPDX-License-Identifier: Apache-2.0 */
/* The machine layer alone: whatever the loader puts behind it is the supervisor. */
#include "platform.h"
#include "firmware/boot/layout.h"

#define PES_FIRMWARE_ALONE 1

OUTPUT_ARCH(riscv)
ENTRY(_start)

PHDRS
{
  machine PT_LOAD;
}

SECTIONS
{
#include "firmware/boot/machine_sections.ld.inc"

  supervisor_start = PES_DRAM_BASE + PES_SUPERVISOR_OFFSET;
  /DISCARD/ : { *(.comment .note.* .eh_frame) }
}

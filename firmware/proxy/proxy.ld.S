/* SPDX-License-Identifier: Apache-2.0 */
/* A supervisor payload, where an SBI firmware jumps to; free memory begins behind it. */
#include "platform.h"
#include "firmware/boot/layout.h"

OUTPUT_ARCH(riscv)
ENTRY(supervisor_start)

SECTIONS
{
  . = PES_DRAM_BASE + PES_SUPERVISOR_OFFSET;
  .text   : { *(.text.start) *(.text .text.*) }
  .rodata : ALIGN(64) { *(.rodata .rodata.* .srodata .srodata.*) }
  .data   : ALIGN(64) { *(.data .data.* .sdata .sdata.*) }
  .bss    : ALIGN(64) { *(.sbss .sbss.* .bss .bss.* COMMON) }
  page_pool_start = ALIGN(0x1000);
  /DISCARD/ : { *(.comment .note.* .eh_frame) }
}

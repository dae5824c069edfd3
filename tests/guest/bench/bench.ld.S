/* SPDX-License-Identifier: Apache-2.0 */
#include "platform.h"

OUTPUT_ARCH(riscv)
ENTRY(_start)
SECTIONS
{
  . = PES_DRAM_BASE;
  .text   : { *(.text.start) *(.text .text.*) }
  .tohost : ALIGN(0x1000) { *(.tohost) }
  .rodata : ALIGN(64) { *(.rodata .rodata.* .srodata .srodata.*) }
  .data   : ALIGN(64) { __global_pointer$ = . + 0x800; *(.data .data.* .sdata .sdata.*) }
  .bss    : ALIGN(64) { __bss_start = .; *(.sbss .sbss.* .bss .bss.* COMMON) . = ALIGN(64); __bss_end = .; }
  . = ALIGN(64);
  . += 0x10000;
  __stack_top = .;
  _end = .;
}

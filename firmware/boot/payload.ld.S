/* SPDX-License-Identifier: Apache-2.0 */
/* A supervisor payload: where an SBI firmware jumps to, 2 MiB behind the start of DRAM. Without
 * address translation; one 64 KiB stack. */
#include "platform.h"
#include "firmware/boot/layout.h"

OUTPUT_ARCH(riscv)
ENTRY(supervisor_start)

SECTIONS
{
  . = PES_DRAM_BASE + PES_SUPERVISOR_OFFSET;
  .text   : {
    __text_start = .;
    *(.text.start) *(.text .text.*)
    __text_end = .;
  }
  .rodata : ALIGN(64) { *(.rodata .rodata.* .srodata .srodata.*) }
  .data   : ALIGN(64) {
    __data_start = .;
    *(.data .data.* .sdata .sdata.*)
    __data_end = .;
  }
  .bss    : ALIGN(64) {
    __bss_start = .;
    *(.sbss .sbss.* .bss .bss.* COMMON)
    . = ALIGN(64);
    __bss_end = .;
  }
  . += 0x10000;
  __stack_top = .;
  /DISCARD/ : { *(.comment .note.* .eh_frame) }
}

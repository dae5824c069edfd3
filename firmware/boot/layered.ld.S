/* SPDX-License-Identifier: Apache-2.0 */
/* Machine, supervisor and user layer in one ELF. The user layer has virtual addresses (and so have
 * its symbols and line table); its segments are loaded at the physical addresses that the
 * supervisor maps there: physical = virtual + (user_load - PES_USER_BASE). */
#include "platform.h"
#include "firmware/boot/layout.h"

#define PES_FIRMWARE_ALONE 0

OUTPUT_ARCH(riscv)
ENTRY(_start)

PHDRS
{
  machine PT_LOAD;
  supervisor PT_LOAD;
  user_text PT_LOAD;
  user_data PT_LOAD;
}

SECTIONS
{
#include "firmware/boot/machine_sections.ld.inc"

  . = PES_DRAM_BASE + PES_SUPERVISOR_OFFSET;
  .supervisor_text : { *supervisor.layer.o(.text.start) *supervisor.layer.o(.text .text.*) } :supervisor
  .supervisor_rodata : ALIGN(64) { *supervisor.layer.o(.rodata .rodata.* .srodata .srodata.*) } :supervisor
  .supervisor_data : ALIGN(64) { *supervisor.layer.o(.data .data.* .sdata .sdata.*) } :supervisor
  .supervisor_bss : ALIGN(64) { *supervisor.layer.o(.sbss .sbss.* .bss .bss.* COMMON) } :supervisor
  user_load = ALIGN(0x1000);

  . = PES_USER_BASE;
  user_text_start = .;
  .user_text : AT(user_load) { *.user.layer.o(.text.start) *.user.layer.o(.text .text.*) } :user_text
  .user_rodata : AT(user_load + ADDR(.user_rodata) - PES_USER_BASE) {
    *.user.layer.o(.rodata .rodata.* .srodata .srodata.*)
  } :user_text
  . = ALIGN(0x1000);
  user_data_start = .;
  .user_data : AT(user_load + ADDR(.user_data) - PES_USER_BASE) {
    *.user.layer.o(.data .data.* .sdata .sdata.*)
  } :user_data
  .user_bss : AT(user_load + ADDR(.user_bss) - PES_USER_BASE) {
    *.user.layer.o(.sbss .sbss.* .bss .bss.* COMMON)
  } :user_data
  user_end = ALIGN(0x1000);

  /* Free memory from here to the end of DRAM belongs to the supervisor's page pool. */
  page_pool_start = user_load + user_end - PES_USER_BASE;
  /DISCARD/ : { *(.comment .note.* .eh_frame) }
}

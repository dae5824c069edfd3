// SPDX-License-Identifier: Apache-2.0
/*
 * Events of the program's own, through the software trace module:
 *
 *   riscv64-unknown-elf-gcc --specs=/usr/share/pes-vp/sdk/pes.specs -O2 -g \
 *       events.c -o events.elf
 *   pes-vp run events.elf --osd-trace events.osd
 *   pes-decode trace --format osd events.osd --log -
 */
#include <pes.h>
#include <pes_software_trace.h>

enum { kStep = 0x100 }; // an id of one's own

int main(void) {
    pes_software_trace_start(pes_hart_id(), false);
    pes_software_trace_print("hailstones of 27\n");
    unsigned long value = 27;
    while (value != 1) {
        pes_software_trace_event(kStep, value);
        value = value % 2 == 0 ? value / 2 : 3 * value + 1;
    }
    return 0;
}

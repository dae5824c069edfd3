// SPDX-License-Identifier: Apache-2.0
// Where the three layers live. Plain macros: read by the linker script, assembler and C++.
#pragma once

// Machine layer: the first 512 KiB of DRAM, closed to S and U by one naturally aligned PMP region.
// U-Boot is entered at DRAM + 2 MiB, and its first stack grows down from there.
#define PES_MACHINE_SIZE 0x80000

// The supervisor begins here, behind the start of DRAM: where SBI firmware jumps to.
#define PES_SUPERVISOR_OFFSET 0x200000

// User programs are linked here (virtual); they are loaded behind the supervisor (physical).
#define PES_USER_BASE 0x10000

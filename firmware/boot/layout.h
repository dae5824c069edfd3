// SPDX-License-Identifier: Apache-2.0
// Where the three layers live. Plain macros: read by the linker script, assembler and C++.
#pragma once

// Machine layer: the first 2 MiB of DRAM, closed to S and U by one naturally aligned PMP region.
#define PES_MACHINE_SIZE 0x200000

// User programs are linked here (virtual); they are loaded behind the supervisor (physical).
#define PES_USER_BASE 0x10000

// SPDX-License-Identifier: Apache-2.0
// Sv39 page tables of a random program.
//
//   root[2]  identity gigapage over DRAM, for S mode
//   root[3]  the same memory for U mode, one gibibyte up
//   root[4]  -> middle table: [0] -> leaf table, [1..15] random 2 MiB entries
//   root[5]  a random gigapage
//   others   random, never a pointer into memory that holds something else
//
// Every leaf has A and D set: QEMU sets the bits in memory where this hart raises a page fault, as
// CVA6 does. Pointers never have A, D or U set (reserved, and answered differently).
#pragma once

#include "tests/differential/emitter.h"

namespace pes::differential {

/// The .tables section.
void emit_page_tables(Emitter& out);

/// From M mode: another random entry in place of one of the leaf or middle table.
void emit_change_random_entry(Emitter& out);

/// A load, store or jump into the random region.
void emit_random_region_access(Emitter& out);

/// The same without jumps.
void emit_random_region_load_store(Emitter& out);

} // namespace pes::differential

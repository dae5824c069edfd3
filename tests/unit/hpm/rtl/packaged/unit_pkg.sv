// SPDX-License-Identifier: Apache-2.0
// Types of a core for packaged_counters: which unit an instruction belongs to.
package unit_pkg;
  `include "unit_sizes.svh"

  typedef enum logic [1:0] {Alu, Load, Store, Other} unit_t;

  typedef struct packed {
    unit_t                   unit;
    logic [`UNIT_DESTINATION_BITS-1:0] destination;
  } commit_t;
endpackage

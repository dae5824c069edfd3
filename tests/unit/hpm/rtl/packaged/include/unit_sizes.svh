// SPDX-License-Identifier: Apache-2.0
`ifndef UNIT_CORE
  `error "the core's headers want UNIT_CORE"
`endif
`define UNIT_DESTINATION_BITS 5
localparam int unsigned CommitPorts = 2;

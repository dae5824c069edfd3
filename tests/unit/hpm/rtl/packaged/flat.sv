// SPDX-License-Identifier: Apache-2.0
// The adapter: packaged_counters with ports that are plain bits, and instructions made of events.
module flat_packaged_counters
  import unit_pkg::*;
  import pes_hpm_pkg::*;
#(
  parameter int unsigned Counters = 6
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        debug_i,
  input  logic [11:0] address_i,
  input  logic        write_i,
  input  logic [63:0] data_i,
  output logic [63:0] data_o,
  input  pulses_t     pulses_i,
  input  logic [31:0] inhibit_i
);
  commit_t commit [CommitPorts];
  assign commit[0] = '{unit: Load, destination: '0};
  assign commit[1] = '{unit: Store, destination: '0};

  packaged_counters #(
    .Counters(Counters),
    .instr_t (commit_t)
  ) i_counters (
    .clk_i, .rst_ni, .debug_i, .address_i, .write_i, .data_i, .data_o,
    .commit_i      (commit),
    .ack_i         ({pulses_i[EventStore], pulses_i[EventLoad]}),
    .other_events_i(by_selector(ProfileCva6, pulses_i)),
    .inhibit_i
  );
endmodule

// SPDX-License-Identifier: Apache-2.0
// A fixed counter of 64 bits, which mcountinhibit and a privilege filter hold. It wraps silently.
//
// Timing: an increment or a write of cycle X shows in value_o from cycle X + 1 on. A write wins
// over the increment of its cycle.
module pes_counter
  import pes_hpm_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [1:0]  increment_i,
  input  logic        inhibit_i,
  input  filter_t     filter_i,
  input  filter_t     mode_i,       // the filters that hold a counter in this cycle
  input  logic        write_i,
  input  logic [63:0] wdata_i,
  output logic [63:0] value_o
);

  logic [63:0] value_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      value_q <= '0;
    end else if (write_i) begin
      value_q <= wdata_i;
    end else if (!inhibit_i && (filter_i & mode_i) == '0) begin
      value_q <= value_q + 64'(increment_i);
    end
  end

  assign value_o = value_q;

endmodule

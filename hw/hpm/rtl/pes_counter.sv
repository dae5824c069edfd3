// SPDX-License-Identifier: Apache-2.0
// One counter with its threshold.
//
// Timing: everything is registered. An increment or a write of cycle X shows in value_o,
// threshold_o and reached_o from cycle X + 1 on. A write wins over the increment of its cycle.
module pes_counter #(
  parameter int unsigned Width = 64  // upper bits of value_o are 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [1:0]  increment_i,
  input  logic        value_write_i,
  input  logic        threshold_write_i,
  input  logic [63:0] wdata_i,
  output logic [63:0] value_o,
  output logic [63:0] threshold_o,
  output logic        reached_o
);

  logic [Width-1:0] value_q;
  logic [63:0]      threshold_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      value_q <= '0;
    end else if (value_write_i) begin
      value_q <= wdata_i[Width-1:0];
    end else begin
      value_q <= value_q + Width'(increment_i);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      threshold_q <= '0;
    end else if (threshold_write_i) begin
      threshold_q <= wdata_i;
    end
  end

  assign value_o     = 64'(value_q);
  assign threshold_o = threshold_q;

  // Unsigned over 64 bits: a threshold beyond a narrow counter is never reached. 0 is "off".
  assign reached_o = threshold_q != '0 && value_o >= threshold_q;

endmodule

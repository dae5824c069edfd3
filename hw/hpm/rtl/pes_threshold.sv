// SPDX-License-Identifier: Apache-2.0
// The threshold of one counter and its comparator.
//
// Timing: a write of cycle X shows in threshold_o and reached_o from cycle X + 1 on; value_i is the
// counter's register, so reached_o follows an increment in the cycle after it, too.
module pes_threshold (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        write_i,      // of a threshold,
  input  logic        select_i,     // of this one
  input  logic [63:0] wdata_i,
  input  logic [63:0] value_i,
  output logic [63:0] threshold_o,
  output logic        reached_o
);

  logic [63:0] threshold_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      threshold_q <= '0;
    end else if (write_i) begin
      if (select_i) threshold_q <= wdata_i;
    end
  end

  assign threshold_o = threshold_q;

  // Unsigned over 64 bits: a threshold beyond a narrow counter is never reached. 0 is "off".
  assign reached_o = threshold_q != '0 && value_i >= threshold_q;

endmodule

// SPDX-License-Identifier: Apache-2.0
// One counter.
//
// Timing: an increment or a write of cycle X shows in value_o from cycle X + 1 on. A write wins
// over the increment of its cycle. overflow_o is combinational: this increment wraps the counter.
module pes_counter #(
  parameter int unsigned Width = 64  // upper bits of value_o are 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [1:0]  increment_i,
  input  logic        write_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [63:0] wdata_i,     // a narrow counter drops the upper bits
  // verilator lint_on UNUSEDSIGNAL
  output logic [63:0] value_o,
  output logic        overflow_o
);

  logic [Width-1:0] value_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      value_q <= '0;
    end else if (write_i) begin
      value_q <= wdata_i[Width-1:0];
    end else begin
      value_q <= value_q + Width'(increment_i);
    end
  end

  assign value_o    = 64'(value_q);
  assign overflow_o = !write_i && (increment_i[1] ? &value_q[Width-1:1]
                                                  : increment_i[0] && &value_q[Width-1:0]);

endmodule

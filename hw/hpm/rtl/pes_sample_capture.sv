// SPDX-License-Identifier: Apache-2.0
// What a sample is about, caught where it happens: when the threshold line rises, the comparators
// that are high, mcycle, and the pc and mode of the instruction that retired last. An interrupt
// handler sees the program several instructions later; this register has no such skid. It is not a
// CSR: a trace unit or a debugger reads it.
//
// Timing: the counters reach the threshold with the pulses of cycle X; the line is high in X + 1;
// the outputs hold the comparators and mcycle of X + 1, and the last retirement up to X, from X + 2
// on, until the line rises again.
module pes_sample_capture (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [31:0]      reached_i,
  input  logic             threshold_irq_i,
  input  logic [63:0]      mcycle_i,
  input  logic [1:0]       retire_valid_i,
  input  logic [1:0][63:0] retire_pc_i,     // in program order, port 0 first
  input  logic [1:0]       priv_lvl_i,
  output logic [31:0]      sample_reached_o,
  output logic [63:0]      sample_cycle_o,
  output logic [63:0]      sample_pc_o,
  output logic [1:0]       sample_priv_o
);

  logic        line_q;
  logic [63:0] pc_q;
  logic [1:0]  priv_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pc_q   <= '0;
      priv_q <= '0;
    end else if (retire_valid_i != '0) begin
      pc_q   <= retire_valid_i[1] ? retire_pc_i[1] : retire_pc_i[0];
      priv_q <= priv_lvl_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      line_q           <= 1'b0;
      sample_reached_o <= '0;
      sample_cycle_o   <= '0;
      sample_pc_o      <= '0;
      sample_priv_o    <= '0;
    end else begin
      line_q <= threshold_irq_i;
      if (threshold_irq_i && !line_q) begin
        sample_reached_o <= reached_i;
        sample_cycle_o   <= mcycle_i;
        sample_pc_o      <= pc_q;
        sample_priv_o    <= priv_q;
      end
    end
  end

endmodule

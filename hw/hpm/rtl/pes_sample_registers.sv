// SPDX-License-Identifier: Apache-2.0
// Sspesa: whose event made a counter overflow (shpmspc, shpmsdata), and whose brought one to its
// threshold (mhpmmspc, mhpmmsdata, mhpmmsaddr). docs/precise-sampling.md has the registers.
//
// This block knows when there is something to capture; who caused an event only the core knows. So
// it asks, and the core answers as soon as it can: at once from the pcs that its stages still hold,
// or when the instruction that the answer depends on retires.
//
// Timing: a counter overflows, or reaches its threshold, in cycle X; the question is high in X + 1
// only; an answer in cycle Y shows in the registers from Y + 1 on. An answer carries the number of
// the counter, so that another question may be asked before it. A write wins over an answer.
module pes_sample_registers
  import pes_hpm_pkg::*;
#(
  parameter int unsigned Profile      = ProfileCva6,
  localparam int unsigned SelectorBits = selector_bits(Profile)
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        write_i,
  input  logic [2:0]  register_i,       // in the order of the list above
  input  logic [63:0] wdata_i,
  output logic [63:0] rdata_o,

  // The counters
  input  logic [31:0] overflowed_i,     // with OF = 0, in the last cycle
  input  logic [31:0] reached_i,        // comparators
  input  values_t     value_i,
  input  values_t     threshold_i,
  input  logic        value_write_i,    // a counter or its threshold is written in this cycle
  input  logic [4:0]  value_index_i,
  input  logic        selector_write_i, // likewise mhpmevent
  input  logic [4:0]  selector_index_i,
  input  logic [32*SelectorBits-1:0] selectors_i,

  // What the core says of this cycle
  input  logic        lcofip_i,         // LCOFI is pending, or on its way to mip
  input  logic [31:0] sampled_i,        // counters whose overflows are captured

  output logic        overflow_ask_o,
  output logic [4:0]  overflow_counter_o,
  output logic [63:0] overflow_selector_o,
  output logic        overflow_younger_o,

  output logic        threshold_ask_o,
  output logic [4:0]  threshold_counter_o,
  output logic [63:0] threshold_selector_o,
  output logic        threshold_younger_o,
  output logic        threshold_counted_o, // 0: a write, which no instruction's event caused

  input  logic        overflow_valid_i,
  input  logic [4:0]  overflow_counter_i,
  input  logic        threshold_valid_i,
  input  logic [4:0]  threshold_counter_i,
  // Bit 0 of an instruction's address is 0.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [63:0] overflow_pc_i,
  input  logic [63:0] threshold_pc_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [63:0] threshold_addr_i
);

  // The counter with the lowest number.
  function automatic logic [4:0] lowest(logic [31:0] counters);
    lowest = '0;
    for (int n = 31; n >= 0; n--) begin
      if (counters[n]) lowest = 5'(n);
    end
  endfunction

  // ---------------------------------------------------------------------------------------------
  // What was written in the last cycle: a question is about the selectors from before.

  logic                    selector_written_q, value_written_q;
  logic [4:0]              selector_index_q, value_index_q;
  logic [SelectorBits-1:0] selector_before_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      selector_written_q <= 1'b0;
      selector_index_q   <= '0;
      selector_before_q  <= '0;
      value_written_q    <= 1'b0;
      value_index_q      <= '0;
    end else begin
      selector_written_q <= selector_write_i;
      value_written_q    <= value_write_i;
      if (selector_write_i) begin
        selector_index_q  <= selector_index_i;
        selector_before_q <= selectors_i[32'(selector_index_i)*SelectorBits+:SelectorBits];
      end
      if (value_write_i) value_index_q <= value_index_i;
    end
  end

  function automatic logic [63:0] selector_of(logic [4:0] n);
    selector_of = 64'(selectors_i[32'(n)*SelectorBits+:SelectorBits]);
    if (selector_written_q && selector_index_q == n) selector_of = 64'(selector_before_q);
  endfunction

  // ---------------------------------------------------------------------------------------------
  // Overflows: LCOFIP goes from 0 to 1. Another one that is on its way has been asked about.

  logic [31:0] open_q, captured;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= '0;
    else open_q <= lcofip_i || overflowed_i != '0 ? '0 : sampled_i;
  end

  assign captured            = overflowed_i & open_q;
  assign overflow_ask_o      = captured != '0;

  // Conditional, since a simulator would evaluate all of it in every cycle.
  always_comb begin
    overflow_counter_o  = '0;
    overflow_selector_o = '0;
    overflow_younger_o  = 1'b0;
    if (overflow_ask_o) begin
      overflow_counter_o  = lowest(captured);
      overflow_selector_o = selector_of(overflow_counter_o);
      // Of two instructions the older one made it wrap.
      overflow_younger_o  = value_i[overflow_counter_o] != '0;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Thresholds: the line rises.

  logic line_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) line_q <= 1'b0;
    else line_q <= reached_i != '0;
  end

  assign threshold_ask_o      = reached_i != '0 && !line_q;

  always_comb begin
    threshold_counter_o  = '0;
    threshold_selector_o = '0;
    threshold_counted_o  = 1'b0;
    threshold_younger_o  = 1'b0;
    if (threshold_ask_o) begin
      threshold_counter_o  = lowest(reached_i);
      threshold_selector_o = selector_of(threshold_counter_o);
      threshold_counted_o  = !(value_written_q && value_index_q == threshold_counter_o);
      threshold_younger_o  = threshold_counted_o &&
                             value_i[threshold_counter_o] != threshold_i[threshold_counter_o];
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Registers

  logic [63:1] overflow_pc_q, threshold_pc_q;
  logic [4:0]  overflow_counter_q, threshold_counter_q;
  logic [63:0] threshold_addr_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      overflow_pc_q       <= '0;
      overflow_counter_q  <= '0;
      threshold_pc_q      <= '0;
      threshold_counter_q <= '0;
      threshold_addr_q    <= '0;
    end else begin
      if (overflow_valid_i) begin
        overflow_pc_q      <= overflow_pc_i[63:1];
        overflow_counter_q <= overflow_counter_i;
      end
      if (threshold_valid_i) begin
        threshold_pc_q      <= threshold_pc_i[63:1];
        threshold_counter_q <= threshold_counter_i;
        threshold_addr_q    <= threshold_addr_i;
      end
      if (write_i) begin
        unique case (register_i)
          3'd0:    overflow_pc_q       <= wdata_i[63:1];
          3'd1:    overflow_counter_q  <= wdata_i[4:0];
          3'd2:    threshold_pc_q      <= wdata_i[63:1];
          3'd3:    threshold_counter_q <= wdata_i[4:0];
          default: threshold_addr_q    <= wdata_i;
        endcase
      end
    end
  end

  always_comb begin
    unique case (register_i)
      3'd0:    rdata_o = {overflow_pc_q, 1'b0};
      3'd1:    rdata_o = 64'(overflow_counter_q);
      3'd2:    rdata_o = {threshold_pc_q, 1'b0};
      3'd3:    rdata_o = 64'(threshold_counter_q);
      default: rdata_o = threshold_addr_q;
    endcase
  end

endmodule

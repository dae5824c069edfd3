// SPDX-License-Identifier: Apache-2.0
// What a sample is about, caught where it happens: when the threshold line rises, the comparators
// that are high, mcycle, and the pc and mode of the instruction whose event brought the counter to
// its threshold. An interrupt handler sees the program several instructions later; this register
// has no such skid. It is not a CSR: a trace unit or a debugger reads it.
//
// Of several counters that reach their thresholds together the one with the lowest index decides.
// Of two instructions that retire together it is the older one if that pulses what the counter
// counts, else the younger. A counter of instructions takes the one that makes it reach the
// threshold. Where no instruction is the cause (mcycle, a miss, a level, a CSR write), it is the
// youngest instruction retired so far.
//
// The selectors are a copy, so that another core's counters need no port for them. Other blocks may
// use it.
//
// Timing: the counters reach the threshold with the pulses of cycle X; the line is high in X + 1;
// the outputs hold the comparators and mcycle of X + 1, and a retirement of X, or the last one
// before it, from X + 2 on, until the line rises again.
module pes_sample_capture
  import pes_hpm_pkg::*;
#(
  parameter logic [31:0] Implemented  = 32'b101,      // bit = counter index
  parameter int unsigned Profile      = ProfileCva6,
  parameter bit          Sscofpmf     = 1'b1,
  localparam int unsigned Pulses      = pulse_count(Profile),
  localparam int unsigned SelectorBits = selector_bits(Profile)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              selector_write_i,
  input  logic [4:0]        selector_index_i,
  // Some profiles store fewer bits of it.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [63:0]       wdata_i,
  // verilator lint_on UNUSEDSIGNAL

  input  logic [31:0]       reached_i,
  input  logic              threshold_irq_i,
  input  values_t           value_i,          // by counter index
  input  values_t           threshold_i,
  input  logic [63:0]       mcycle_i,

  input  logic [1:0]        retire_valid_i,
  input  logic [1:0][63:0]  retire_pc_i,      // in program order, port 0 first
  input  logic [Pulses-1:0] retire_events_i,   // of the instruction at port 0
  input  logic [1:0]        priv_lvl_i,

  output logic [32*SelectorBits-1:0] selectors_o, // by counter index
  output logic [31:0]       sample_reached_o,
  output logic [63:0]       sample_cycle_o,
  output logic [63:0]       sample_pc_o,
  output logic [1:0]        sample_priv_o
);

  localparam logic [4:0]  InstretIndex = CsrMinstret[4:0];

  // ---------------------------------------------------------------------------------------------
  // Selectors, by counter index

  logic [SelectorBits-1:0] selector_q [32];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      selector_q <= '{default: '0};
    end else if (selector_write_i) begin
      for (int n = 3; n < 32; n++) begin  // those of the programmable counters
        if (Implemented[n] && 32'(selector_index_i) == n) begin
          selector_q[n] <= wdata_i[SelectorBits-1:0];
        end
      end
    end
  end

  for (genvar n = 0; n < 32; n++) begin : gen_selector
    assign selectors_o[n*SelectorBits+:SelectorBits] = selector_q[n];
  end

  // ---------------------------------------------------------------------------------------------
  // The last retirement: both pcs of two instructions, and for each counter whether the older one
  // pulses what it counts, and whether it counts both.

  logic         two_q;
  logic [31:0]  by_older_q, by_both_q;
  logic [63:0]  older_pc_q, youngest_pc_q;
  logic [1:0]   priv_q;
  by_selector_t older, both;  // bit s: selector s counts the older instruction, counts both

  if (class_mask(Profile)) begin : gen_class_mask
    assign older = '0;  // its selectors are no numbers
    assign both  = '0;
  end else begin : gen_number
    assign both  = Sscofpmf ? sampling_by_selector(Profile, 1'b0, 1'b1) : '0;
    assign older = by_selector(Profile, retire_events_i) | both;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      two_q         <= 1'b0;
      by_older_q    <= '0;
      by_both_q     <= '0;
      older_pc_q    <= '0;
      youngest_pc_q <= '0;
      priv_q        <= '0;
    end else begin
      two_q <= retire_valid_i[1];
      if (retire_valid_i != '0) begin
        youngest_pc_q <= retire_valid_i[1] ? retire_pc_i[1] : retire_pc_i[0];
        priv_q        <= priv_lvl_i;
      end
      if (retire_valid_i[1]) begin
        older_pc_q <= retire_pc_i[0];
        for (int n = 0; n < 32; n++) begin
          if (n == 32'(InstretIndex)) begin
            by_older_q[n] <= 1'b1;
            by_both_q[n]  <= 1'b1;
          end else if (class_mask(Profile)) begin
            by_older_q[n] <= mask_pulse(Profile, 64'(selector_q[n]), sources_t'(retire_events_i));
          end else begin
            by_older_q[n] <= older[selector_t'(selector_q[n])];
            by_both_q[n]  <= both[selector_t'(selector_q[n])];
          end
        end
      end
    end
  end

  // ---------------------------------------------------------------------------------------------
  // The sample

  logic       line_q, take_older;
  logic [4:0] cause;  // the counter with the lowest index

  always_comb begin
    cause = '0;
    for (int n = 31; n >= 0; n--) begin
      if (reached_i[n]) cause = 5'(n);
    end
  end

  // A counter that has taken both and holds just the threshold was one short of it after the older.
  assign take_older = two_q && by_older_q[cause] &&
                      !(by_both_q[cause] && value_i[cause] == threshold_i[cause]);

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
        sample_pc_o      <= take_older ? older_pc_q : youngest_pc_q;
        sample_priv_o    <= priv_q;
      end
    end
  end

endmodule

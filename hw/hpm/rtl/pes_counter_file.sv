// SPDX-License-Identifier: Apache-2.0
// The programmable counters with their selectors: mhpmcounter3.. and mhpmevent3... This is the part
// that another core's counters can replace, as a module of the same name and ports
// (docs/rtl-counters.md); thresholds, fixed counters and mcountinhibit stay pes_hpm's.
//
// Timing: everything is registered. Pins and writes of cycle X show in value_o and in reads from
// X + 1 on; a read in X returns the value before the increment of X. An overflow of X sets OF from
// X + 1 on and requests an interrupt in X + 1 only. Where both meet, a write of a counter wins over
// its increment, and a write of OF over an overflow; the request goes out all the same.

// With few or narrow counters nobody reads some of the inputs.
// verilator lint_off UNUSEDSIGNAL
module pes_counter_file
  import pes_hpm_pkg::*;
#(
  parameter int unsigned NumCounters  = 6,            // 0..29
  parameter int unsigned CounterWidth = 64,           // 32..64
  parameter int unsigned Profile      = ProfileCva6,  // what selectors mean
  // A write to any mhpmcounter or mhpmevent, present or not, stops all programmable counters for
  // its cycle, as in CVA6, which has one write strobe for all of them.
  parameter bit          WriteFreezes = 1'b1,
  // OF and privilege filters in mhpmevent, and the selectors of cycles and instructions.
  parameter bit          Sscofpmf     = 1'b1,
  localparam int unsigned Pulses      = pulse_count(Profile)
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [11:0] csr_addr_i,
  input  logic        csr_we_i,      // only for mhpmcounter3..31 and mhpmevent3..31
  input  logic [63:0] csr_wdata_i,
  output logic [63:0] csr_rdata_o,   // combinational; matters for the same numbers only

  input  logic [Pulses-1:0] pulses_i,
  input  logic [1:0]  retired_i,     // instructions, 0..2
  // For counters that decode events themselves; these here do not.
  input  logic [1:0][RetireClassBits-1:0] retire_class_i,  // retire_class_e, RetireNone: none
  input  logic [1:0][RetireRegisterBits-1:0] retire_rd_i,  // 1..31 x1..x31, 32.. f0.., else 0
  input  logic [31:0] inhibit_i,     // mcountinhibit, bit = counter index
  input  logic [1:0]  priv_lvl_i,    // mode of this cycle
  input  logic        debug_mode_i,  // the counters stand still

  output values_t     value_o,       // registers, by counter index; 0 where there is no counter
  output logic [31:0] overflow_o,    // registers: OF, bit = counter index
  output logic [31:0] overflowed_o,  // from registers: those with OF = 0 that overflowed in the last
  output logic        overflow_irq_o // cycle, and whether there is one
);

  localparam int unsigned FirstProgrammable = 3;
  localparam int unsigned Limit             = FirstProgrammable + NumCounters;
  localparam int unsigned SelectorBits      = selector_bits(Profile);

  // ---------------------------------------------------------------------------------------------
  // What all counters look at: the CSR access and the events of this cycle

  logic [4:0]   index;
  logic         counter_hit, selector_hit, run;
  filter_t      mode;             // the filters that hold a counter in this cycle
  by_selector_t counting, by_two; // bit s: selector s counts in this cycle, and counts two

  assign index        = csr_addr_i[4:0];
  assign counter_hit  = csr_addr_i[11:5] == CsrMhpmcounter3[11:5];
  assign selector_hit = csr_addr_i[11:5] == CsrMhpmevent3[11:5];
  assign run          = !debug_mode_i && !(WriteFreezes && csr_we_i);
  assign mode         = filters_of(priv_lvl_i);

  if (class_mask(Profile)) begin : gen_class_mask
    assign counting = '0;  // its selectors are no numbers
    assign by_two   = '0;
  end else begin : gen_number
    // What an extension selects is no pulse: every cycle, and instructions.
    assign counting = by_selector(Profile, pulses_i) |
                      (Sscofpmf ? sampling_by_selector(Profile, 1'b1, retired_i != '0) : '0);
    assign by_two   = Sscofpmf ? sampling_by_selector(Profile, 1'b0, retired_i[1]) : '0;
  end

  function automatic logic counts(logic [SelectorBits-1:0] selector);
    if (class_mask(Profile)) counts = mask_pulse(Profile, 64'(selector), sources_t'(pulses_i));
    else counts = counting[selector_t'(selector)];
  endfunction

  // Of a selector that counts.
  function automatic logic [CounterWidth-1:0] step(logic [SelectorBits-1:0] selector);
    step = !class_mask(Profile) && by_two[selector_t'(selector)] ? CounterWidth'(2)
                                                                 : CounterWidth'(1);
  endfunction

  // An increment of 1 or 2 wraps if it clears the top bit.
  function automatic logic wraps(logic [CounterWidth-1:0] value, logic [CounterWidth-1:0] next);
    wraps = value[CounterWidth-1] && !next[CounterWidth-1];
  endfunction

  // ---------------------------------------------------------------------------------------------
  // Selectors and their filters, by counter index

  logic [SelectorBits-1:0] selector_q [32];
  filter_t                 filter_q [32];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      selector_q <= '{default: '0};
      filter_q   <= '{default: '0};
    end else if (csr_we_i) begin
      for (int n = FirstProgrammable; n < int'(Limit); n++) begin  // absent ones stay 0
        if (selector_hit && 32'(index) == n) begin
          selector_q[n] <= csr_wdata_i[SelectorBits-1:0];
          filter_q[n]   <= Sscofpmf ? csr_wdata_i[FilterLow+:FilterWidth] : '0;
        end
      end
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Counters. What a counter does is computed where it is registered: as wires, a simulator would
  // evaluate all of it with every change of a pin. For the same reason the conditions are nested:
  // a counter without an event, and a cycle without a write, are settled by the outer one.

  for (genvar n = 0; n < 32; n++) begin : gen_counter
    if (n >= FirstProgrammable && n < Limit) begin : gen_present
      logic [CounterWidth-1:0] value_q;
      logic                    of_q;
      logic                    overflowed_q;  // in the last cycle, with OF = 0

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          value_q      <= '0;
          of_q         <= 1'b0;
          overflowed_q <= 1'b0;
        end else begin
          overflowed_q <= 1'b0;  // unless it overflows now
          if (counts(selector_q[n])) begin
            if (run && !inhibit_i[n] && (filter_q[n] & mode) == '0 &&
                !(csr_we_i && counter_hit && index == n)) begin
              value_q <= value_q + step(selector_q[n]);
              if (Sscofpmf && wraps(value_q, value_q + step(selector_q[n]))) begin
                of_q         <= 1'b1;
                overflowed_q <= !of_q;
              end
            end
          end
          if (csr_we_i) begin
            if (counter_hit && index == n) begin
              value_q <= csr_wdata_i[CounterWidth-1:0];
            end
            if (selector_hit && index == n) begin
              of_q <= Sscofpmf && csr_wdata_i[OverflowBit];
            end
          end
        end
      end

      assign value_o[n]    = 64'(value_q);
      assign overflow_o[n] = of_q;
      assign overflowed_o[n] = overflowed_q;
    end else begin : gen_absent  // reads 0, drops writes
      assign value_o[n]    = '0;
      assign overflow_o[n] = 1'b0;
      assign overflowed_o[n] = 1'b0;
    end
  end

  assign overflow_irq_o = |overflowed_o;

  always_comb begin
    csr_rdata_o = value_o[index];
    if (selector_hit) begin
      csr_rdata_o                         = 64'(selector_q[index]);
      csr_rdata_o[FilterLow+:FilterWidth] = filter_q[index];
      csr_rdata_o[OverflowBit]            = overflow_o[index];
    end
  end

endmodule
// verilator lint_on UNUSEDSIGNAL

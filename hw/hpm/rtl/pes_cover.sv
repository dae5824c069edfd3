// SPDX-License-Identifier: Apache-2.0
// What a run has seen of the counters, as cover properties: docs/rtl-counters.md has their meaning.
// They are bound to the block's modules, so that simulation and synthesis without this file have
// nothing of them. hw/hpm/counter_coverage.h counts the same points beside the model.

// verilator lint_off DECLFILENAME

// A fixed counter.
module pes_counter_cover
  import pes_hpm_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,
  input logic [1:0]  increment_i,
  input logic        inhibit_i,
  input filter_t     filter_i,
  input filter_t     mode_i,
  input logic        write_i,
  input logic [63:0] value_o
);

  logic    pulse, counted;
  filter_t hidden;

  assign pulse   = rst_ni && increment_i != '0;
  assign hidden  = pulse ? filter_i & mode_i : '0;
  assign counted = pulse && !write_i && !inhibit_i && hidden == '0;

  cover_counted:           cover property (@(posedge clk_i) counted);
  cover_wrapped:           cover property (@(posedge clk_i)
                                           counted && value_o + 64'(increment_i) < value_o);
  cover_inhibited:         cover property (@(posedge clk_i) pulse && inhibit_i);
  cover_hidden_user:       cover property (@(posedge clk_i) hidden[UserFilter]);
  cover_hidden_supervisor: cover property (@(posedge clk_i) hidden[SupervisorFilter]);
  cover_hidden_machine:    cover property (@(posedge clk_i) hidden[MachineFilter]);
  cover_written:           cover property (@(posedge clk_i) rst_ni && write_i);
  cover_written_on_pulse:  cover property (@(posedge clk_i) pulse && write_i);

endmodule

// A threshold.
module pes_threshold_cover (
  input logic clk_i,
  input logic rst_ni,
  input logic write_i,
  input logic select_i,
  input logic reached_o
);

  logic reached_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reached_q <= 1'b0;
    else reached_q <= reached_o;
  end

  cover_threshold_written: cover property (@(posedge clk_i) rst_ni && write_i && select_i);
  cover_threshold_rises:   cover property (@(posedge clk_i) rst_ni && reached_o && !reached_q);
  cover_threshold_falls:   cover property (@(posedge clk_i) rst_ni && !reached_o && reached_q);

endmodule

// The programmable counters.
// verilator lint_off UNUSEDSIGNAL
module pes_counter_file_cover
  import pes_hpm_pkg::*;
#(
  parameter int unsigned NumCounters  = 6,
  parameter int unsigned CounterWidth = 64,
  parameter int unsigned Profile      = ProfileCva6,
  parameter bit          WriteFreezes = 1'b1,
  parameter bit          Sscofpmf     = 1'b1,
  localparam int unsigned Pulses      = pulse_count(Profile),
  localparam int unsigned SelectorBits = selector_bits(Profile)
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [11:0] csr_addr_i,
  input logic        csr_we_i,
  input logic [63:0] csr_wdata_i,
  input logic [Pulses-1:0] pulses_i,
  input logic [1:0]  retired_i,
  input logic [31:0] inhibit_i,
  input logic [1:0]  priv_lvl_i,
  input logic        debug_mode_i,
  input values_t     value_o,
  input logic [31:0] overflow_o,
  input logic [SelectorBits-1:0] selector_q [32],
  input filter_t     filter_q [32]
);

  by_selector_t number_counts, number_counts_two;

  if (class_mask(Profile)) begin : gen_class_mask
    assign number_counts     = '0;
    assign number_counts_two = '0;
  end else begin : gen_number
    assign number_counts = by_selector(Profile, pulses_i) |
        (Sscofpmf ? sampling_by_selector(Profile, 1'b1, retired_i != '0) : '0);
    assign number_counts_two =
        Sscofpmf ? sampling_by_selector(Profile, 1'b0, retired_i[1]) : '0;
  end

  for (genvar n = 3; n < 3 + int'(NumCounters); n++) begin : gen_counter
    logic                  pulse, inhibited, frozen, counted, wrapped;
    logic                  write_value, write_selector;
    logic [CounterWidth:0] sum;
    filter_t               hidden, set;

    if (class_mask(Profile)) begin : gen_mask_pulse
      assign pulse = rst_ni && mask_pulse(Profile, 64'(selector_q[n]), sources_t'(pulses_i));
      assign sum   = (CounterWidth+1)'(value_o[n]) + 1;
    end else begin : gen_number_pulse
      assign pulse = rst_ni && number_counts[selector_t'(selector_q[n])];
      assign sum   = (CounterWidth+1)'(value_o[n]) +
                     (number_counts_two[selector_t'(selector_q[n])] ? 2 : 1);
    end

    assign write_value    = rst_ni && csr_we_i && csr_addr_i == CsrMhpmcounter3 + 12'(n - 3);
    assign write_selector = rst_ni && csr_we_i && csr_addr_i == CsrMhpmevent3 + 12'(n - 3);
    assign inhibited      = pulse && inhibit_i[n];
    assign frozen         = pulse && WriteFreezes && csr_we_i && !write_value;
    assign hidden         = pulse ? filter_q[n] & filters_of(priv_lvl_i) : '0;
    assign counted        = pulse && !inhibited && !frozen && hidden == '0 && !write_value &&
                            !debug_mode_i;
    assign wrapped        = counted && sum[CounterWidth];
    assign set            = write_selector ? csr_wdata_i[FilterLow+:FilterWidth] : '0;

    cover_counted:          cover property (@(posedge clk_i) counted);
    cover_wrapped:          cover property (@(posedge clk_i) wrapped);
    cover_inhibited:        cover property (@(posedge clk_i) inhibited);
    cover_written:          cover property (@(posedge clk_i) write_value);
    cover_written_on_pulse: cover property (@(posedge clk_i) write_value && pulse);
    cover_selector_written: cover property (@(posedge clk_i) write_selector);
    if (WriteFreezes) begin : gen_freezes
      cover_frozen:         cover property (@(posedge clk_i) frozen);
    end
    if (Sscofpmf) begin : gen_overflow
      cover_overflow_requested:    cover property (@(posedge clk_i) wrapped && !overflow_o[n]);
      cover_overflow_silent:       cover property (@(posedge clk_i) wrapped && overflow_o[n]);
      cover_of_set:                cover property (@(posedge clk_i)
                                       write_selector && csr_wdata_i[OverflowBit]);
      cover_of_cleared:            cover property (@(posedge clk_i)
                                       write_selector && !csr_wdata_i[OverflowBit] && overflow_o[n]);
      cover_user_filter_set:       cover property (@(posedge clk_i) set[UserFilter]);
      cover_supervisor_filter_set: cover property (@(posedge clk_i) set[SupervisorFilter]);
      cover_machine_filter_set:    cover property (@(posedge clk_i) set[MachineFilter]);
      cover_hidden_user:           cover property (@(posedge clk_i) hidden[UserFilter]);
      cover_hidden_supervisor:     cover property (@(posedge clk_i) hidden[SupervisorFilter]);
      cover_hidden_machine:        cover property (@(posedge clk_i) hidden[MachineFilter]);
    end
  end

endmodule
// verilator lint_on UNUSEDSIGNAL

// What belongs to the whole block.
module pes_hpm_cover
  import pes_hpm_pkg::*;
#(
  parameter int unsigned Profile = ProfileCva6,
  localparam int unsigned Pulses = pulse_count(Profile)
) (
  input logic clk_i,
  input logic rst_ni,
  input logic csr_we_i,
  input logic inhibit_hit,
  input logic buffer_hit,
  // The pin of EventNone, and port 0, are no points.
  // verilator lint_off UNUSEDSIGNAL
  input logic [Pulses-1:0] pulses_i,
  input logic [1:0] retire_valid_i
  // verilator lint_on UNUSEDSIGNAL
);

  for (genvar e = 1; e < int'(Pulses); e++) begin : gen_event
    cover_pulsed: cover property (@(posedge clk_i) rst_ni && pulses_i[e]);
  end
  cover_inhibit_written: cover property (@(posedge clk_i) rst_ni && csr_we_i && inhibit_hit);
  cover_buffer_written:  cover property (@(posedge clk_i) rst_ni && csr_we_i && buffer_hit);
  cover_two_retired:     cover property (@(posedge clk_i) rst_ni && retire_valid_i[1]);

endmodule

bind pes_counter pes_counter_cover i_cover (.*);
bind pes_threshold pes_threshold_cover i_cover (.*);
bind pes_counter_file pes_counter_file_cover #(
  .NumCounters(NumCounters), .CounterWidth(CounterWidth), .Profile(Profile),
  .WriteFreezes(WriteFreezes), .Sscofpmf(Sscofpmf)
) i_cover (.*);
bind pes_hpm pes_hpm_cover #(.Profile(Profile)) i_cover (.*);

// SPDX-License-Identifier: Apache-2.0
// The performance counters of a hart with precise event sampling: mcycle, minstret, the
// programmable counters with their selectors, mcountinhibit, one threshold a counter, the
// sample-buffer registers and two interrupt lines.
//
// This is docs/counters.md and docs/pes.md as hardware. Timing: everything is registered. Pins and
// writes of cycle X show in the registers, and in the lines that compare them, from X + 1 on; a
// read in X returns the value before the increment of X.
//
// Counters have their architectural index everywhere: 0 mcycle, 2 minstret, 3.. programmable;
// index 1 does not exist.
module pes_hpm
  import pes_hpm_pkg::*;
#(
  parameter int unsigned NumCounters  = 6,            // programmable, 0..29
  parameter int unsigned CounterWidth = 64,           // of a programmable counter, 32..64
  parameter int unsigned Profile      = ProfileCva6,  // what selectors mean
  parameter bit          WriteFreezes = 1'b1,         // see pes_counter_file
  parameter bit          Sscofpmf     = 1'b1,         // overflow interrupt, filters in mhpmevent
  parameter bit          Smcntrpmf    = 1'b1,         // mcyclecfg, minstretcfg
  // Parts of precise event sampling. Those that are absent keep their reset values and raise no
  // line, so that synthesis removes them; their CSRs are not this block's.
  parameter bit          Thresholds   = 1'b1,
  parameter bit          SampleBuffer = 1'b1,
  parameter bit          SampleCapture = 1'b1,        // without Thresholds it never captures
  parameter bit          Sspesa       = 1'b1,         // draft: the causes of overflows and thresholds
  localparam int unsigned Pulses      = pulse_count(Profile)
) (
  input  logic             clk_i,
  input  logic             rst_ni,          // asynchronous

  // CSR port. Access rights are the hart's business, stored bits this block's.
  input  logic [11:0]      csr_addr_i,
  input  logic             csr_we_i,
  input  logic [63:0]      csr_wdata_i,
  output logic [63:0]      csr_rdata_o,     // combinational; 0 where there is no register
  output logic             csr_hit_o,       // the number at csr_addr_i is one of this block's

  // What the hart does in this cycle.
  input  logic [Pulses-1:0] pulses_i,
  input  logic [1:0]       retire_valid_i,
  input  logic [1:0][63:0] retire_pc_i,     // for the sample capture only
  input  logic [Pulses-1:0] retire_events_i, // of pulses_i: those of the instruction at port 0
  // Class and destination of each instruction that retires, for blocks that decode events themselves.
  input  logic [1:0][RetireClassBits-1:0] retire_class_i, // retire_class_e, RetireNone if none does
  input  logic [1:0][RetireRegisterBits-1:0] retire_rd_i, // 1..31 x1..x31, 32.. f0.., else 0
  input  logic [1:0]       priv_lvl_i,      // mode of this cycle: filters, sample capture
  input  logic             debug_mode_i,    // the programmable counters stand still

  output logic             threshold_irq_o,
  output logic             buffer_full_irq_o,
  output logic             overflow_irq_o,  // high for the one cycle after that of an overflow

  // Sspesa: what is captured, and the questions and answers about its cause (pes_sample_registers).
  input  logic             lcofip_i,        // LCOFI is pending, or on its way to mip
  input  logic [31:0]      sampled_i,       // counters whose overflows are captured
  output logic [31:0]      overflowed_o,    // as overflow_irq_o, bit = counter index
  output logic             overflow_ask_o,
  output logic [4:0]       overflow_counter_o,
  output logic [63:0]      overflow_selector_o,
  output logic             overflow_younger_o,
  output logic             threshold_ask_o,
  output logic [4:0]       threshold_counter_o,
  output logic [63:0]      threshold_selector_o,
  output logic             threshold_younger_o,
  output logic             threshold_counted_o,
  input  logic             overflow_valid_i,
  input  logic [4:0]       overflow_counter_i,
  input  logic             threshold_valid_i,
  input  logic [4:0]       threshold_counter_i,
  input  logic [63:0]      overflow_pc_i,
  input  logic [63:0]      threshold_pc_i,
  input  logic [63:0]      threshold_addr_i,

  output logic [31:0]      reached_o,       // comparators, bit = counter index
  output logic [31:0]      sample_reached_o,
  output logic [63:0]      sample_cycle_o,
  output logic [63:0]      sample_pc_o,
  output logic [1:0]       sample_priv_o
);

  localparam logic [4:0] CycleIndex   = CsrMcycle[4:0];
  localparam logic [4:0] InstretIndex = CsrMinstret[4:0];

  // Bit n: counter n exists.
  localparam int unsigned FirstProgrammable = 3;
  localparam logic [31:0] Programmable = ((32'd1 << NumCounters) - 32'd1) << FirstProgrammable;
  localparam logic [31:0] Implemented  = Programmable | 32'b101;

  // ---------------------------------------------------------------------------------------------
  // CSR numbers. The low five bits are the counter index, but for the threshold of mcycle, which
  // has the place of the counter that does not exist.

  logic [4:0] low, index;
  logic       counter_hit, selector_hit, threshold_hit, inhibit_hit, buffer_hit, file_hit;
  logic       filter_hit, overflow_hit, sample_hit;
  logic [2:0] sample_register;

  assign low   = csr_addr_i[4:0];
  assign index = csr_addr_i == CsrMhpmthresholdCycle ? CycleIndex : low;

  always_comb begin
    counter_hit   = 1'b0;
    selector_hit  = 1'b0;
    inhibit_hit   = 1'b0;
    filter_hit    = 1'b0;
    threshold_hit = 1'b0;
    buffer_hit    = 1'b0;
    overflow_hit  = 1'b0;
    sample_hit    = 1'b0;
    unique case (csr_addr_i[11:5])
      CsrMcycle[11:5]:             counter_hit   = low != 5'd1;
      CsrMhpmthresholdCycle[11:5]: threshold_hit = Thresholds && low != 5'd0;
      CsrMhpmmmaped[11:5]: begin
        buffer_hit = SampleBuffer && csr_addr_i[11:2] == CsrMhpmmmaped[11:2];
        sample_hit = Sspesa && csr_addr_i >= CsrMhpmmspc && csr_addr_i <= CsrMhpmmsaddr;
      end
      CsrShpmspc[11:5]:            sample_hit    = Sspesa &&
                                                   csr_addr_i[11:1] == CsrShpmspc[11:1];
      CsrScountovf[11:5]:          overflow_hit  = Sscofpmf && csr_addr_i == CsrScountovf;
      CsrMhpmevent3[11:5]: begin
        inhibit_hit  = csr_addr_i == CsrMcountinhibit;
        selector_hit = low >= 5'd3;
        filter_hit   = Smcntrpmf &&
                       (csr_addr_i == CsrMcyclecfg || csr_addr_i == CsrMinstretcfg);
      end
      default: ;
    endcase
  end

  // shpmspc, shpmsdata, mhpmmspc, mhpmmsdata, mhpmmsaddr
  assign sample_register = csr_addr_i[11:5] == CsrShpmspc[11:5] ? {2'b0, csr_addr_i[0]}
                                                                : csr_addr_i[2:0] - 3'd2;

  assign file_hit  = selector_hit || (counter_hit && low >= 5'd3);
  assign csr_hit_o = counter_hit || selector_hit || threshold_hit || filter_hit || overflow_hit ||
                     inhibit_hit || buffer_hit || sample_hit;

  // ---------------------------------------------------------------------------------------------
  // mcountinhibit

  logic [31:0] inhibit_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inhibit_q <= '0;
    end else if (csr_we_i && inhibit_hit) begin
      inhibit_q <= csr_wdata_i[31:0] & Implemented;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // mcyclecfg, minstretcfg

  filter_t cycle_filter_q, instret_filter_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_filter_q   <= '0;
      instret_filter_q <= '0;
    end else if (csr_we_i && filter_hit) begin
      if (csr_addr_i == CsrMcyclecfg) cycle_filter_q <= csr_wdata_i[FilterLow+:FilterWidth];
      else instret_filter_q <= csr_wdata_i[FilterLow+:FilterWidth];
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Counters

  logic [63:0] cycle, instret, file_rdata;
  values_t     file_value;
  logic [1:0]  retired;
  filter_t     mode;  // the filters that hold a counter in this cycle
  logic [31:0] overflow;

  assign retired = 2'(retire_valid_i[0]) + 2'(retire_valid_i[1]);
  assign mode    = filters_of(priv_lvl_i);

  pes_counter i_cycle (
    .clk_i,
    .rst_ni,
    .increment_i(2'd1),
    .inhibit_i  (inhibit_q[CycleIndex]),
    .filter_i   (cycle_filter_q),
    .mode_i     (mode),
    .write_i    (csr_we_i && csr_addr_i == CsrMcycle),
    .wdata_i    (csr_wdata_i),
    .value_o    (cycle)
  );

  pes_counter i_instret (
    .clk_i,
    .rst_ni,
    .increment_i(retired),
    .inhibit_i  (inhibit_q[InstretIndex]),
    .filter_i   (instret_filter_q),
    .mode_i     (mode),
    .write_i    (csr_we_i && csr_addr_i == CsrMinstret),
    .wdata_i    (csr_wdata_i),
    .value_o    (instret)
  );

  pes_counter_file #(
    .NumCounters,
    .CounterWidth,
    .Profile,
    .WriteFreezes,
    .Sscofpmf
  ) i_file (
    .clk_i,
    .rst_ni,
    .csr_addr_i,
    .csr_we_i   (csr_we_i && file_hit),
    .csr_wdata_i,
    .csr_rdata_o(file_rdata),
    .pulses_i,
    .retired_i  (retired),
    .retire_class_i,
    .retire_rd_i,
    .inhibit_i  (inhibit_q),
    .priv_lvl_i,
    .debug_mode_i,
    .value_o    (file_value),
    .overflow_o (overflow),
    .overflowed_o,
    .overflow_irq_o
  );

  // ---------------------------------------------------------------------------------------------
  // Thresholds

  values_t threshold, value;

  for (genvar n = 0; n < 32; n++) begin : gen_threshold
    if (Implemented[n]) begin : gen_present
      assign value[n] = n == CycleIndex ? cycle : n == InstretIndex ? instret : file_value[n];

      pes_threshold i_threshold (
        .clk_i,
        .rst_ni,
        .write_i    (csr_we_i && threshold_hit),
        .select_i   (index == n),
        .wdata_i    (csr_wdata_i),
        .value_i    (value[n]),
        .threshold_o(threshold[n]),
        .reached_o  (reached_o[n])
      );
    end else begin : gen_absent  // reads 0, drops writes
      assign value[n]     = '0;
      assign threshold[n] = '0;
      assign reached_o[n] = 1'b0;
    end
  end

  assign threshold_irq_o = reached_o != '0;

  // ---------------------------------------------------------------------------------------------
  // Sample buffer and sample capture

  logic [63:0] buffer_rdata;
  logic [32*selector_bits(Profile)-1:0] selectors;

  pes_sample_buffer i_buffer (
    .clk_i,
    .rst_ni,
    .write_i(csr_we_i && buffer_hit),
    .index_i(csr_addr_i[1:0]),
    .wdata_i(csr_wdata_i),
    .rdata_o(buffer_rdata),
    .full_o (buffer_full_irq_o)
  );

  pes_sample_capture #(
    .Implemented,
    .Profile,
    .Sscofpmf
  ) i_capture (
    .clk_i,
    .rst_ni,
    .selector_write_i(csr_we_i && selector_hit),
    .selector_index_i(low),
    .wdata_i         (csr_wdata_i),
    .reached_i       (reached_o),
    .threshold_irq_i (SampleCapture && threshold_irq_o),
    .value_i         (value),
    .threshold_i     (threshold),
    .mcycle_i        (cycle),
    .retire_valid_i,
    .retire_pc_i,
    .retire_events_i,
    .priv_lvl_i,
    .selectors_o     (selectors),
    .sample_reached_o,
    .sample_cycle_o,
    .sample_pc_o,
    .sample_priv_o
  );

  // ---------------------------------------------------------------------------------------------
  // Sspesa

  logic [63:0] sample_rdata;

  pes_sample_registers #(
    .Profile
  ) i_samples (
    .clk_i,
    .rst_ni,
    .write_i         (csr_we_i && sample_hit),
    .register_i      (sample_register),
    .wdata_i         (csr_wdata_i),
    .rdata_o         (sample_rdata),
    .overflowed_i    (Sspesa ? overflowed_o : '0),
    .reached_i       (Sspesa ? reached_o : '0),
    .value_i         (value),
    .threshold_i     (threshold),
    .value_write_i   (Sspesa && csr_we_i && (counter_hit || threshold_hit)),
    .value_index_i   (index),
    .selector_write_i(Sspesa && csr_we_i && selector_hit),
    .selector_index_i(low),
    .selectors_i     (selectors),
    .lcofip_i,
    .sampled_i       (Sspesa ? sampled_i : '0),
    .overflow_ask_o,
    .overflow_counter_o,
    .overflow_selector_o,
    .overflow_younger_o,
    .threshold_ask_o,
    .threshold_counter_o,
    .threshold_selector_o,
    .threshold_younger_o,
    .threshold_counted_o,
    .overflow_valid_i (Sspesa && overflow_valid_i),
    .overflow_counter_i,
    .threshold_valid_i(Sspesa && threshold_valid_i),
    .threshold_counter_i,
    .overflow_pc_i,
    .threshold_pc_i,
    .threshold_addr_i
  );

  // ---------------------------------------------------------------------------------------------
  // Reads

  filter_t filter;
  assign filter = csr_addr_i == CsrMcyclecfg ? cycle_filter_q : instret_filter_q;

  always_comb begin
    csr_rdata_o = '0;
    if (csr_hit_o) begin
      if (csr_addr_i == CsrMcycle)   csr_rdata_o = cycle;
      if (csr_addr_i == CsrMinstret) csr_rdata_o = instret;
      if (file_hit)                  csr_rdata_o = file_rdata;
      if (threshold_hit)             csr_rdata_o = threshold[index];
      if (filter_hit)                csr_rdata_o = 64'(filter) << FilterLow;
      if (overflow_hit)              csr_rdata_o = 64'(overflow);
      if (inhibit_hit)               csr_rdata_o = 64'(inhibit_q);
      if (buffer_hit)                csr_rdata_o = buffer_rdata;
      if (sample_hit)                csr_rdata_o = sample_rdata;
    end
  end

  // Elaboration stops on parameters out of range.
  if (NumCounters > 29) $fatal(0, "pes_hpm: NumCounters out of range 0..29");
  if (CounterWidth < 32 || CounterWidth > 64) $fatal(0, "pes_hpm: CounterWidth out of range");
  if (Profile >= ProfileCount) $fatal(0, "pes_hpm: unknown Profile");

endmodule

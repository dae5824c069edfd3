// SPDX-License-Identifier: Apache-2.0
// The performance counters of the older CV32E40P: mode, event enables, and 31 counters of 32 bits,
// or one that all events share. docs/counters-cv32e40p.md as hardware, with the ports of pes_hpm:
// what this unit does not have (thresholds, interrupts, sample capture) stays 0.
//
// Timing: everything is registered. Pins and writes of cycle X show in the registers from X + 1 on;
// a read in X returns the value before the increment of X. A write wins over the increment.

// The unit looks neither at the mode nor at pcs, and at the low half of what is written.
// verilator lint_off UNUSEDSIGNAL
module pes_pcer
  import pes_hpm_pkg::*;
#(
  parameter bit Shared = 1'b0         // one counter, at most +1 in a cycle
) (
  input  logic             clk_i,
  input  logic             rst_ni,    // asynchronous

  // CSR port, machine numbers and the user's read-only aliases. Access rights are the hart's
  // business.
  input  logic [11:0]      csr_addr_i,
  input  logic             csr_we_i,
  input  logic [63:0]      csr_wdata_i,
  output logic [63:0]      csr_rdata_o,
  output logic             csr_hit_o,

  input  sources_t         pulses_i,
  input  logic [1:0]       retire_valid_i,
  input  logic [1:0][63:0] retire_pc_i,
  input  sources_t         retire_events_i,
  // Class and destination of each instruction that retires, for blocks that decode events themselves.
  input  logic [1:0][RetireClassBits-1:0] retire_class_i, // retire_class_e, RetireNone if none does
  input  logic [1:0][RetireRegisterBits-1:0] retire_rd_i, // 1..31 x1..x31, 32.. f0.., else 0
  input  logic [1:0]       priv_lvl_i,
  input  logic             debug_mode_i,  // the counters stand still

  output logic             threshold_irq_o,
  output logic             buffer_full_irq_o,
  output logic             overflow_irq_o,
  input  logic             lcofip_i,
  input  logic [31:0]      sampled_i,
  output logic [31:0]      overflowed_o,
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
  output logic [31:0]      reached_o,
  output logic [31:0]      sample_reached_o,
  output logic [63:0]      sample_cycle_o,
  output logic [63:0]      sample_pc_o,
  output logic [1:0]       sample_priv_o
);
  // verilator lint_on UNUSEDSIGNAL

  localparam int unsigned Counters = Shared ? 1 : PcerCounters;
  localparam logic [4:0]  AllIndex = CsrPccr31[4:0];

  logic [4:0] index;
  logic       counter_hit, enable_hit, mode_hit, write;

  assign index       = csr_addr_i[4:0];
  assign counter_hit = csr_addr_i[11:5] == CsrPccr0[11:5] || csr_addr_i[11:5] == CsrUserPccr0[11:5];
  assign enable_hit  = csr_addr_i == CsrPcer || csr_addr_i == CsrUserPcer;
  assign mode_hit    = csr_addr_i == CsrPcmr || csr_addr_i == CsrUserPcmr;
  assign write       = csr_we_i && csr_addr_i[11:10] != 2'b11;  // not by an alias

  assign csr_hit_o = counter_hit || enable_hit || mode_hit;

  // ---------------------------------------------------------------------------------------------
  // Mode and enables

  logic                    run_q, saturate_q;
  logic [PcerCounters-1:0] enable_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q      <= 1'b1;
      saturate_q <= 1'b1;
      enable_q   <= '0;
    end else if (write && mode_hit) begin
      run_q      <= csr_wdata_i[PcmrEnable];
      saturate_q <= csr_wdata_i[PcmrSaturate];
    end else if (write && enable_hit) begin
      enable_q   <= csr_wdata_i[PcerCounters-1:0] & PcerEvents;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Counters

  logic [1:0]              retired;
  logic [PcerCounters-1:0] counting;
  logic [31:0]             value_q [Counters];

  assign retired = 2'(retire_valid_i[0]) + 2'(retire_valid_i[1]);

  // Bit n: event n happens, is enabled, and the counters run.
  always_comb begin
    counting = pcer_pulses(pulses_i);
    counting[PcerInstructions] = retired != '0;
    counting &= enable_q;
    if (!run_q || debug_mode_i) counting = '0;
  end

  for (genvar n = 0; n < Counters; n++) begin : gen_counter
    logic [1:0]  step;
    logic [32:0] sum;
    logic        write_hit;

    assign step      = Shared ? 2'(counting != '0)
                     : n == PcerInstructions && counting[n] ? retired : 2'(counting[n]);
    assign sum       = 33'(value_q[n]) + 33'(step);
    assign write_hit = write && counter_hit && (Shared || index == n || index == AllIndex);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        value_q[n] <= '0;
      end else if (write_hit) begin
        value_q[n] <= csr_wdata_i[31:0];
      end else begin
        value_q[n] <= saturate_q && sum[32] ? '1 : sum[31:0];
      end
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Reads. No counter is behind PCCR31, which reads 0 unless all numbers reach the one counter.

  always_comb begin
    csr_rdata_o = '0;
    if (mode_hit)   csr_rdata_o = 64'({saturate_q, run_q});
    if (enable_hit) csr_rdata_o = 64'(enable_q);
    if (counter_hit) begin
      for (int unsigned n = 0; n < Counters; n++) begin
        if (Shared || 32'(index) == n) csr_rdata_o = 64'(value_q[n]);
      end
    end
  end

  assign threshold_irq_o   = 1'b0;
  assign buffer_full_irq_o = 1'b0;
  assign overflow_irq_o    = 1'b0;
  assign overflowed_o      = '0;
  assign {overflow_ask_o, overflow_counter_o, overflow_selector_o, overflow_younger_o} = '0;
  assign {threshold_ask_o, threshold_counter_o, threshold_selector_o, threshold_younger_o,
          threshold_counted_o} = '0;
  assign reached_o         = '0;
  assign sample_reached_o  = '0;
  assign sample_cycle_o    = '0;
  assign sample_pc_o       = '0;
  assign sample_priv_o     = '0;

endmodule

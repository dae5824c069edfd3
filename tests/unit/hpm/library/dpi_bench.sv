// SPDX-License-Identifier: Apache-2.0
// pes_hpm against libpes_hpm over DPI, on random stimulus: all lines and comparators after each cycle,
// and one register, in turn. Prints PASS or FAIL with the first difference.
module dpi_bench;
  import pes_hpm_pkg::*;
`include "pes_hpm_dpi.svh"

  localparam int unsigned Cycles = 60_000;

  logic        clk = 1'b0, rst_n = 1'b0;
  logic [11:0] csr_addr = '0;
  logic        csr_we = 1'b0, csr_hit;
  logic [63:0] csr_wdata = '0, csr_rdata;
  pulses_t     pulses = '0;
  logic [1:0]  retire_valid = '0, priv_lvl = 2'd3;
  logic        debug_mode = 1'b0;
  logic        threshold_irq, buffer_full_irq, overflow_irq;
  logic [31:0] reached;

  pes_hpm #(.NumCounters(6), .CounterWidth(40)) i_hpm (
    .clk_i(clk), .rst_ni(rst_n), .csr_addr_i(csr_addr), .csr_we_i(csr_we), .csr_wdata_i(csr_wdata),
    .csr_rdata_o(csr_rdata), .csr_hit_o(csr_hit), .pulses_i(pulses), .retire_valid_i(retire_valid),
    .retire_pc_i('0), .retire_events_i('0), .retire_class_i('0), .retire_rd_i('0),
    .priv_lvl_i(priv_lvl), .debug_mode_i(debug_mode), .threshold_irq_o(threshold_irq),
    .buffer_full_irq_o(buffer_full_irq), .overflow_irq_o(overflow_irq), .lcofip_i('0), .sampled_i('0),
    .overflowed_o(), .overflow_ask_o(), .overflow_counter_o(), .overflow_selector_o(),
    .overflow_younger_o(), .threshold_ask_o(), .threshold_counter_o(), .threshold_selector_o(),
    .threshold_younger_o(), .threshold_counted_o(), .overflow_valid_i('0), .overflow_counter_i('0),
    .threshold_valid_i('0), .threshold_counter_i('0), .overflow_pc_i('0), .threshold_pc_i('0),
    .threshold_addr_i('0), .reached_o(reached), .sample_reached_o(), .sample_cycle_o(),
    .sample_pc_o(), .sample_priv_o()
  );

  // Registers of the counters, of some that are absent, and of the buffer.
  function automatic logic [11:0] register(int unsigned n);
    case (n % 4)
      0:       register = CsrMcycle + 12'(n / 4 % 12);
      1:       register = CsrMcountinhibit + 12'(n / 4 % 12);
      2:       register = CsrMhpmthresholdCycle + 12'(n / 4 % 9);
      default: register = n / 4 % 5 == 4 ? CsrScountovf : CsrMhpmmmaped + 12'(n / 4 % 4);
    endcase
    if (register == CsrMcycle + 12'd1) register = CsrMcycle;
  endfunction

  // Values around the edges of counters and thresholds.
  function automatic logic [63:0] value_for(logic [11:0] csr);
    int unsigned kind = $urandom_range(5);
    value_for = {$urandom, $urandom};
    if (csr[11:5] == CsrMhpmevent3[11:5]) begin
      value_for = {4'($urandom), 55'd0, 5'($urandom)};  // OF, the filters, any selector
      if (csr == CsrMcountinhibit) value_for = 64'($urandom & $urandom & $urandom);
    end else if (kind == 0) value_for = (64'd1 << 40) - 64'($urandom_range(8));
    else if (kind == 1) value_for = 64'd0 - 64'($urandom_range(8));
    else if (kind < 4) value_for = 64'($urandom_range(64));
  endfunction

  chandle model;
  longint unsigned expected;
  int unsigned cycle, seen_lines, reads;

  task automatic differ(string what, logic [63:0] rtl, logic [63:0] reference);
    $display("FAIL: cycle %0d: %s is 0x%0h, 0x%0h in the library", cycle, what, rtl, reference);
    $finish;
  endtask

  task automatic check(logic [11:0] csr);
    csr_we = 1'b0;
    csr_addr = csr;
    #1;
    if (pes_hpm_read(model, 32'(csr), expected) != 0)
      $display("FAIL: %s", pes_hpm_error(model));
    if (csr_rdata != expected) differ($sformatf("CSR 0x%0h", csr), csr_rdata, expected);
    if (!csr_hit) differ($sformatf("csr_hit_o of 0x%0h", csr), 64'd0, 64'd1);
    ++reads;
  endtask

  initial begin
    model = pes_hpm_create("programmable=6 width=40");
    repeat (3) begin
      #5 clk = 1'b1;
      #5 clk = 1'b0;
    end
    rst_n = 1'b1;
    for (cycle = 1; cycle <= Cycles; ++cycle) begin
      check(register(cycle));
      pulses       = pulses_t'({$urandom, $urandom} & {$urandom, $urandom});
      pulses[0]    = 1'b0;
      retire_valid = 2'((1 << $urandom_range(2)) - 1);
      if ($urandom_range(15) == 0) begin
        priv_lvl = 2'($urandom_range(2));
        if (priv_lvl == 2'd2) priv_lvl = 2'd3;
      end
      debug_mode = $urandom_range(63) == 0;
      csr_we     = $urandom_range(9) == 0;
      if (csr_we) begin
        csr_addr  = register($urandom);
        csr_wdata = value_for(csr_addr);
        if (csr_addr == CsrScountovf) csr_we = 1'b0;
        else if (pes_hpm_write(model, 32'(csr_addr), csr_wdata) != 0)
          $display("FAIL: %s", pes_hpm_error(model));
      end
      #4 clk = 1'b1;
      if (pes_hpm_tick(model, 64'(pulses), 32'(retire_valid[0]) + 32'(retire_valid[1]),
                       32'(priv_lvl), 32'(debug_mode)) != 0)
        $display("FAIL: %s", pes_hpm_error(model));
      #5 clk = 1'b0;
      if (reached != pes_hpm_reached(model))
        differ("reached_o", 64'(reached), 64'(pes_hpm_reached(model)));
      if ({overflow_irq, buffer_full_irq, threshold_irq} != 3'(pes_hpm_lines(model)))
        differ("the lines", 64'({overflow_irq, buffer_full_irq, threshold_irq}),
               64'(pes_hpm_lines(model)));
      seen_lines |= pes_hpm_lines(model);
    end
    // It has met every line.
    if (seen_lines != 7) $display("FAIL: of the lines only %b have been high", seen_lines);
    else $display("PASS: %0d cycles, %0d registers", Cycles, reads);
    pes_hpm_destroy(model);
    $finish;
  end

endmodule

// SPDX-License-Identifier: Apache-2.0
// Replays a stimulus file of pes-vp on a counter block with the pins of pes_hpm, and compares what
// it shows: docs/rtl-replay.md. It needs no code of the project, no DPI and no package, so that any
// simulator takes it:
//
//   $ verilator --binary --top-module replay BLOCK.sv replay.sv
//   $ obj_dir/Vreplay +stimulus=run.stim
//
//   $ iverilog -g2012 -DREPLAY_BLOCK=my_block -o replay.vvp my_block.v replay.sv
//   $ vvp replay.vvp +stimulus=run.stim
//
// The last line says PASS or FAIL, with the number of cycles and of comparisons; FAIL ends the
// simulation at the first difference by $fatal.
`timescale 1ns / 1ns

`ifndef REPLAY_BLOCK
`define REPLAY_BLOCK pes_hpm
`endif

module replay #(
  // The shape of the block, which must be that of the file.
  parameter COUNTERS  = 6,
  parameter WIDTH     = 64,
  parameter PROFILE   = 0,   // number of the profile in pes_hpm_pkg: cva6, u74
  parameter FREEZES   = 1,
  parameter SSCOFPMF  = 1,
  parameter SMCNTRPMF = 1,
  parameter PULSES    = 23
);

  localparam VERSION = 1;

  // -----------------------------------------------------------------------------------------------
  // The block

  reg               clk, rst_n;
  reg  [11:0]       csr_addr;
  reg               csr_we;
  reg  [63:0]       csr_wdata;
  wire [63:0]       csr_rdata;
  wire              csr_hit;
  reg  [PULSES-1:0] pulses, retire_events;
  reg  [1:0]        retire_valid;
  reg  [127:0]      retire_pc;
  reg  [9:0]        retire_class;
  reg  [11:0]       retire_rd;
  reg  [1:0]        priv_lvl;
  reg               debug_mode;
  wire              threshold_irq, buffer_full_irq, overflow_irq;
  reg               lcofip;
  reg  [31:0]       sampled;
  reg               overflow_valid, threshold_valid;
  reg  [4:0]        overflow_counter, threshold_counter;
  reg  [63:0]       overflow_pc, threshold_pc, threshold_addr;

  `REPLAY_BLOCK
`ifdef REPLAY_PARAMETERS
    #(`REPLAY_PARAMETERS)
`else
    #(
    .NumCounters (COUNTERS),
    .CounterWidth(WIDTH),
    .Profile     (PROFILE),
    .WriteFreezes(FREEZES != 0),
    .Sscofpmf    (SSCOFPMF != 0),
    .Smcntrpmf   (SMCNTRPMF != 0)
  )
`endif
  i_block (
    .clk_i               (clk),
    .rst_ni              (rst_n),
    .csr_addr_i          (csr_addr),
    .csr_we_i            (csr_we),
    .csr_wdata_i         (csr_wdata),
    .csr_rdata_o         (csr_rdata),
    .csr_hit_o           (csr_hit),
    .pulses_i            (pulses),
    .retire_valid_i      (retire_valid),
    .retire_pc_i         (retire_pc),
    .retire_events_i     (retire_events),
    .retire_class_i      (retire_class),
    .retire_rd_i         (retire_rd),
    .priv_lvl_i          (priv_lvl),
    .debug_mode_i        (debug_mode),
    .threshold_irq_o     (threshold_irq),
    .buffer_full_irq_o   (buffer_full_irq),
    .overflow_irq_o      (overflow_irq),
    .lcofip_i            (lcofip),
    .sampled_i           (sampled),
    .overflowed_o        (),
    .overflow_ask_o      (),
    .overflow_counter_o  (),
    .overflow_selector_o (),
    .overflow_younger_o  (),
    .threshold_ask_o     (),
    .threshold_counter_o (),
    .threshold_selector_o(),
    .threshold_younger_o (),
    .threshold_counted_o (),
    .overflow_valid_i    (overflow_valid),
    .overflow_counter_i  (overflow_counter),
    .threshold_valid_i   (threshold_valid),
    .threshold_counter_i (threshold_counter),
    .overflow_pc_i       (overflow_pc),
    .threshold_pc_i      (threshold_pc),
    .threshold_addr_i    (threshold_addr),
    .reached_o           (),
    .sample_reached_o    (),
    .sample_cycle_o      (),
    .sample_pc_o         (),
    .sample_priv_o       ()
  );

  // -----------------------------------------------------------------------------------------------
  // What the file expects

  reg [8*24-1:0] names [0:4095];  // of the registers, by CSR number
  reg [63:0]     equal_in [0:4095];  // the cycle in which a register was last compared
  reg [2:0]      lines;           // overflow, buffer full, threshold
  reg [63:0]     cycle;           // that comes next
  reg [63:0]     checks;

  task fail(input integer csr, input [63:0] shown, input [63:0] expected);
    begin
      $write("FAIL: cycle %0d: %0s (CSR 0x%0h) is 0x%0h, expected 0x%0h; it was equal in cycle %0d; ",
             cycle, names[csr], csr, shown, expected, equal_in[csr]);
      $display("%0d cycles, %0d checks", cycle - 1, checks);
      $fatal(1, "the block differs from the stimulus file");
    end
  endtask

  task fail_line(input [8*16-1:0] name, input shown);
    begin
      $display("FAIL: cycle %0d: %0s is %0b, expected %0b; %0d cycles, %0d checks", cycle, name,
               shown, !shown, cycle - 1, checks);
      $fatal(1, "the block differs from the stimulus file");
    end
  endtask

  // The read port is combinational: reading takes no cycle.
  task check_register(input [11:0] csr, input [63:0] expected);
    begin
      csr_we   = 1'b0;
      csr_addr = csr;
      #1;
      checks = checks + 1;
      if (csr_rdata !== expected || csr_hit !== 1'b1) begin
        if (csr_hit !== 1'b1) $display("csr_hit_o is %0b for CSR 0x%0h", csr_hit, csr);
        fail({20'd0, csr}, csr_rdata, expected);
      end
      equal_in[csr] = cycle;
    end
  endtask

  task check_lines;
    begin
      checks = checks + 1;
      if (threshold_irq !== lines[0]) fail_line("threshold_irq_o", threshold_irq);
      if (buffer_full_irq !== lines[1]) fail_line("buffer_full_irq_o", buffer_full_irq);
      if (overflow_irq !== lines[2]) fail_line("overflow_irq_o", overflow_irq);
    end
  endtask

  // -----------------------------------------------------------------------------------------------
  // One clock cycle. Pins change with the falling edge, and outputs are compared before they do.

  task run_cycle;
    begin
      #1 check_lines;
      #4 clk = 1'b1;
      #5 clk = 1'b0;
      cycle           = cycle + 1;
      pulses          = 0;
      retire_valid    = 0;
      retire_events   = 0;
      retire_class    = 0;
      retire_rd       = 0;
      csr_we          = 1'b0;
      overflow_valid  = 1'b0;
      threshold_valid = 1'b0;
    end
  endtask

  task reset;
    begin
      clk            = 1'b0;
      rst_n          = 1'b0;
      csr_addr       = 0;
      csr_wdata      = 0;
      retire_pc      = 0;
      priv_lvl       = 2'd3;
      debug_mode     = 1'b0;
      lcofip         = 1'b0;
      sampled        = 0;
      overflow_counter  = 0;
      threshold_counter = 0;
      overflow_pc    = 0;
      threshold_pc   = 0;
      threshold_addr = 0;
      lines          = 0;
      checks         = 0;
      pulses          = 0;
      retire_valid    = 0;
      retire_events   = 0;
      retire_class    = 0;
      retire_rd       = 0;
      csr_we          = 1'b0;
      overflow_valid  = 1'b0;
      threshold_valid = 1'b0;
      repeat (4) begin
        #5 clk = 1'b1;
        #5 clk = 1'b0;
      end
      rst_n = 1'b1;
      cycle = 1;
    end
  endtask

  // -----------------------------------------------------------------------------------------------
  // The file

  reg [8*1024-1:0] path;
  integer          file, got, version;
  integer          counters, width, freezes, sscofpmf, smcntrpmf, pins;
  reg [8*32-1:0]   word, profile;
  reg [7:0]        kind;
  reg [8*256-1:0]  comment;
  reg [63:0]       a, b, c, pc0, pc1;
  reg [4:0]        class0, class1;
  reg [5:0]        rd0, rd1;
  reg              ended;

  task bad(input [8*96-1:0] what);
    begin
      $display("FAIL: cycle %0d: %0s", cycle, what);
      $fatal(1, "the stimulus file cannot be replayed");
    end
  endtask

  task need(input integer count);
    if (got != count) bad("a record of the stimulus file is cut off");
  endtask

  task read_head;
    begin
      got = $fscanf(file, "%s %d", word, version);
      if (got != 2 || word != "pes-counter-stimulus" || version != VERSION)
        bad("expected a stimulus file of version 1");
      got = $fscanf(file, " shape %s %d %d %d %d %d %d", profile, counters, width, freezes, sscofpmf,
                    smcntrpmf, pins);
      need(7);
      if (pins != PULSES) bad("the file has another number of pulse pins: set PULSES and PROFILE");
`ifndef REPLAY_PARAMETERS
      if (counters != COUNTERS || width != WIDTH || freezes != FREEZES || sscofpmf != SSCOFPMF ||
          smcntrpmf != SMCNTRPMF)
        bad("the block has another shape than the file");
`endif
    end
  endtask

  task replay_record;
    begin
      case (kind)
        "#": got = $fgets(comment, file);
        "x": begin  // the name of a register
          got = $fscanf(file, " %h %s", a, word);
          need(2);
          names[a[11:0]] = word[8*24-1:0];
        end
        "n": begin  // cycles in which nothing happens
          got = $fscanf(file, " %d", a);
          need(1);
          while (a != 0) begin
            run_cycle;
            a = a - 1;
          end
        end
        "p": begin  // pulses, nothing retires
          got = $fscanf(file, " %h", a);
          need(1);
          pulses = a[PULSES-1:0];
          run_cycle;
        end
        "1": begin  // one instruction retires
          got = $fscanf(file, " %h %h %h %h %h", a, b, pc0, class0, rd0);
          need(5);
          pulses          = a[PULSES-1:0];
          retire_events   = b[PULSES-1:0];
          retire_pc[63:0] = pc0;
          retire_class    = {5'd0, class0};
          retire_rd       = {6'd0, rd0};
          retire_valid    = 2'b01;
          run_cycle;
        end
        "2": begin  // two retire
          got = $fscanf(file, " %h %h %h %h %h %h %h %h", a, b, pc0, class0, rd0, pc1, class1, rd1);
          need(8);
          pulses          = a[PULSES-1:0];
          retire_events   = b[PULSES-1:0];
          retire_pc       = {pc1, pc0};
          retire_class    = {class1, class0};
          retire_rd       = {rd1, rd0};
          retire_valid    = 2'b11;
          run_cycle;
        end
        "m": begin  // from the next cycle on: privilege mode, debug mode
          got = $fscanf(file, " %h %h", a, b);
          need(2);
          priv_lvl   = a[1:0];
          debug_mode = b[0];
        end
        "s": begin  // likewise: LCOFI pending, counters whose overflows are captured
          got = $fscanf(file, " %h %h", a, b);
          need(2);
          lcofip  = a[0];
          sampled = b[31:0];
        end
        "o": begin  // in the next cycle: the cause of an overflow
          got = $fscanf(file, " %h %h %h", a, overflow_pc, c);
          need(3);
          overflow_valid   = 1'b1;
          overflow_counter = a[4:0];
        end
        "t": begin  // in the next cycle: the cause of a threshold
          got = $fscanf(file, " %h %h %h", a, threshold_pc, threshold_addr);
          need(3);
          threshold_valid   = 1'b1;
          threshold_counter = a[4:0];
        end
        "w": begin  // a CSR write in the next cycle
          got = $fscanf(file, " %h %h", a, csr_wdata);
          need(2);
          csr_addr = a[11:0];
          csr_we   = 1'b1;
        end
        "r", "d": begin  // what a register shows now; r: software reads it
          got = $fscanf(file, " %h %h", a, b);
          need(2);
          check_register(a[11:0], b);
        end
        "l": begin  // the lines from now on
          got = $fscanf(file, " %h %h %h", a, b, c);
          need(3);
          lines = {c[0], b[0], a[0]};
        end
        "e": begin
          got = $fscanf(file, " %d", a);
          need(1);
          if (a != cycle - 1) bad("the file has another number of cycles than its last line says");
          ended = 1'b1;
        end
        default: bad("unknown record in the stimulus file");
      endcase
    end
  endtask

  integer n;

  initial begin
    for (n = 0; n < 4096; n = n + 1) begin
      names[n]    = "a register";
      equal_in[n] = 0;
    end
    reset;
    if (!$value$plusargs("stimulus=%s", path)) bad("expected +stimulus=FILE");
    file = $fopen(path, "r");
    if (file == 0) bad("cannot read the file that +stimulus names");
    read_head;
    ended = 1'b0;
    while (!ended) begin
      got = $fscanf(file, " %c", kind);
      if (got != 1) bad("the stimulus file has no end: the run that wrote it was cut off");
      replay_record;
    end
    check_lines;
    $display("PASS: %0d cycles, %0d checks", cycle - 1, checks);
    $finish;
  end

endmodule

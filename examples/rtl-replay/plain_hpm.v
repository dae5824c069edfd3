// SPDX-License-Identifier: Apache-2.0
// The counters of docs/counters.md and docs/pes.md with CVA6's events, in plain Verilog-2005 and
// with the pins of pes_hpm, for simulators that do not take pes_hpm's SystemVerilog, such as Icarus
// Verilog 11. It is written from the two pages and shares no line with pes_hpm: a stimulus file that
// both pass is right twice. Sspesa and the sample capture are not in it.
module plain_hpm #(
  parameter NumCounters  = 6,   // 1..29
  parameter CounterWidth = 64,  // 32..64
  parameter Profile      = 0,   // CVA6's events only
  parameter WriteFreezes = 1,
  parameter Sscofpmf     = 1,
  parameter Smcntrpmf    = 1
) (
  input  wire         clk_i,
  input  wire         rst_ni,
  input  wire [11:0]  csr_addr_i,
  input  wire         csr_we_i,
  input  wire [63:0]  csr_wdata_i,
  output reg  [63:0]  csr_rdata_o,
  output reg          csr_hit_o,
  input  wire [22:0]  pulses_i,
  input  wire [1:0]   retire_valid_i,
  input  wire [127:0] retire_pc_i,
  input  wire [22:0]  retire_events_i,
  input  wire [9:0]   retire_class_i,
  input  wire [11:0]  retire_rd_i,
  input  wire [1:0]   priv_lvl_i,
  input  wire         debug_mode_i,
  output reg          threshold_irq_o,
  output wire         buffer_full_irq_o,
  output reg          overflow_irq_o,
  input  wire         lcofip_i,
  input  wire [31:0]  sampled_i,
  output wire [31:0]  overflowed_o,
  output wire         overflow_ask_o,
  output wire [4:0]   overflow_counter_o,
  output wire [63:0]  overflow_selector_o,
  output wire         overflow_younger_o,
  output wire         threshold_ask_o,
  output wire [4:0]   threshold_counter_o,
  output wire [63:0]  threshold_selector_o,
  output wire         threshold_younger_o,
  output wire         threshold_counted_o,
  input  wire         overflow_valid_i,
  input  wire [4:0]   overflow_counter_i,
  input  wire         threshold_valid_i,
  input  wire [4:0]   threshold_counter_i,
  input  wire [63:0]  overflow_pc_i,
  input  wire [63:0]  threshold_pc_i,
  input  wire [63:0]  threshold_addr_i,
  output wire [31:0]  reached_o,
  output wire [31:0]  sample_reached_o,
  output wire [63:0]  sample_cycle_o,
  output wire [63:0]  sample_pc_o,
  output wire [1:0]   sample_priv_o
);

  localparam LAST = 2 + NumCounters;  // index of the last counter

  // By counter index: 0 mcycle, 2 minstret, 3.. programmable.
  reg [63:0] count [0:31];
  reg [63:0] threshold [0:31];
  reg [4:0]  selector [0:31];
  reg [2:0]  filter [0:31];  // MINH, SINH, UINH
  reg [31:0] inhibit, overflow;
  reg [63:0] buffer_base, buffer_size, buffer_offset;
  reg        buffer_enable;
  reg [7:0]  record_units;  // of 8 bytes

  // -----------------------------------------------------------------------------------------------
  // One cycle

  integer    n;
  reg        freeze, held;
  reg [1:0]  step;
  reg [64:0] sum;
  reg [63:0] mask;
  reg        request;

  function stops(input [2:0] inhibits, input [1:0] mode);
    stops = (inhibits[2] && mode == 2'd3) || (inhibits[1] && mode == 2'd1) ||
            (inhibits[0] && mode == 2'd0);
  endfunction

  function exists(input integer index);
    exists = index == 0 || (index >= 2 && index <= LAST);
  endfunction

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (n = 0; n < 32; n = n + 1) begin
        count[n]     <= 0;
        threshold[n] <= 0;
        selector[n]  <= 0;
        filter[n]    <= 0;
      end
      inhibit        <= 0;
      overflow       <= 0;
      overflow_irq_o <= 0;
      buffer_base    <= 0;
      buffer_size    <= 0;
      buffer_offset  <= 0;
      buffer_enable  <= 1;
      record_units   <= 8;
    end else begin
      mask    = ~64'd0 >> (64 - CounterWidth);
      request = 0;
      freeze  = debug_mode_i ||
                (WriteFreezes != 0 && csr_we_i &&
                 ((csr_addr_i >= 12'hB03 && csr_addr_i <= 12'hB1F) ||
                  (csr_addr_i >= 12'h323 && csr_addr_i <= 12'h33F)));
      for (n = 0; n <= LAST; n = n + 1) begin
        if (exists(n)) begin
          case (n)
            0:       step = 1;
            2:       step = retire_valid_i[0] + retire_valid_i[1];
            default: begin
              step = 0;
              if (selector[n] >= 1 && selector[n] <= 22) step = pulses_i[selector[n]];
              if (Sscofpmf != 0 && selector[n] == 23) step = 1;
              if (Sscofpmf != 0 && selector[n] == 24) step = retire_valid_i[0] + retire_valid_i[1];
            end
          endcase
          held = inhibit[n] || stops(filter[n], priv_lvl_i) || (n >= 3 && freeze);
          if (csr_we_i && csr_addr_i == 12'hB00 + n) begin
            count[n] <= n >= 3 ? csr_wdata_i & mask : csr_wdata_i;
          end else if (!held) begin
            sum = {1'b0, count[n]} + {63'd0, step};
            if (n < 3) count[n] <= sum[63:0];
            else begin
              count[n] <= sum[63:0] & mask;
              if (Sscofpmf != 0 && sum > {1'b0, mask}) begin
                overflow[n] <= 1;
                if (!overflow[n]) request = 1;
              end
            end
          end
          if (csr_we_i) begin
            if (n >= 3 && csr_addr_i == 12'h320 + n) begin
              selector[n] <= csr_wdata_i[4:0];
              if (Sscofpmf != 0) begin
                filter[n]   <= csr_wdata_i[62:60];
                overflow[n] <= csr_wdata_i[63];
              end
            end
            if (csr_addr_i == (n == 0 ? 12'hB21 : 12'hB20 + n)) threshold[n] <= csr_wdata_i;
          end
        end
      end
      if (csr_we_i) begin
        if (csr_addr_i == 12'h320)
          inhibit <= csr_wdata_i[31:0] & (32'd5 | (((32'd1 << NumCounters) - 1) << 3));
        if (Smcntrpmf != 0 && csr_addr_i == 12'h321) filter[0] <= csr_wdata_i[62:60];
        if (Smcntrpmf != 0 && csr_addr_i == 12'h322) filter[2] <= csr_wdata_i[62:60];
        if (csr_addr_i == 12'hBC0) buffer_base <= csr_wdata_i;
        if (csr_addr_i == 12'hBC1) buffer_size <= csr_wdata_i;
        if (csr_addr_i == 12'hBC2) buffer_offset <= csr_wdata_i;
        if (csr_addr_i == 12'hBC3) begin
          buffer_enable <= csr_wdata_i[0];
          record_units  <= csr_wdata_i[15:8];
        end
      end
      overflow_irq_o <= request;
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Outputs

  integer  k;
  reg [31:0] reached;
  always @* begin
    reached = 0;
    for (k = 0; k < 32; k = k + 1)
      if (exists(k) && threshold[k] != 0 && count[k] >= threshold[k]) reached[k] = 1;
    threshold_irq_o = reached != 0;
  end

  wire [64:0] filled = {1'b0, buffer_offset} + {54'd0, record_units, 3'd0};
  assign buffer_full_irq_o = buffer_enable && buffer_size != 0 && filled > {1'b0, buffer_size};

  wire [4:0] low = csr_addr_i[4:0];
  always @* begin
    csr_hit_o   = 1;
    csr_rdata_o = 0;
    if (csr_addr_i == 12'hB21) csr_rdata_o = threshold[0];
    else if (csr_addr_i >= 12'hB22 && csr_addr_i <= 12'hB3F) csr_rdata_o = threshold[low];
    else if (csr_addr_i >= 12'hB00 && csr_addr_i <= 12'hB1F && csr_addr_i != 12'hB01)
      csr_rdata_o = count[low];
    else if (csr_addr_i == 12'h320) csr_rdata_o = {32'd0, inhibit};
    else if (Smcntrpmf != 0 && (csr_addr_i == 12'h321 || csr_addr_i == 12'h322))
      csr_rdata_o = {1'b0, csr_addr_i[0] ? filter[0] : filter[2], 60'd0};
    else if (csr_addr_i >= 12'h323 && csr_addr_i <= 12'h33F)
      csr_rdata_o = {overflow[low], filter[low], 55'd0, selector[low]};
    else if (Sscofpmf != 0 && csr_addr_i == 12'hDA0) csr_rdata_o = {32'd0, overflow};
    else if (csr_addr_i == 12'hBC0) csr_rdata_o = buffer_base;
    else if (csr_addr_i == 12'hBC1) csr_rdata_o = buffer_size;
    else if (csr_addr_i == 12'hBC2) csr_rdata_o = buffer_offset;
    else if (csr_addr_i == 12'hBC3)
      csr_rdata_o = {buffer_full_irq_o, 47'd0, record_units, 7'd0, buffer_enable};
    else csr_hit_o = 0;
  end

endmodule

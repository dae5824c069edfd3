// SPDX-License-Identifier: Apache-2.0
// The sample buffer's registers and the comparator that says "the next record does not fit".
// The block stores nothing in memory; software writes the records and advances the offset.
//
// Timing: a write of cycle X shows in the registers and in full_o from cycle X + 1 on.
module pes_sample_buffer
  import pes_hpm_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        write_i,
  input  logic [1:0]  index_i,  // CSR number - mhpmmmaped
  input  logic [63:0] wdata_i,
  output logic [63:0] rdata_o,
  output logic        full_o
);

  localparam logic [1:0] Base    = CsrMhpmmmaped[1:0];
  localparam logic [1:0] Size    = CsrMhpmmsize[1:0];
  localparam logic [1:0] Offset  = CsrMhpmmoffset[1:0];
  localparam logic [1:0] Control = CsrMhpmmcontrol[1:0];

  typedef logic [ControlRecordWidth-1:0] record_units_t;
  localparam record_units_t ResetRecordUnits = 8;  // 64 bytes, in units of 8

  logic [63:0]   base_q, size_q, offset_q;
  logic          enable_q;
  record_units_t record_units_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      base_q         <= '0;
      size_q         <= '0;
      offset_q       <= '0;
      enable_q       <= 1'b1;
      record_units_q <= ResetRecordUnits;
    end else if (write_i) begin
      unique case (index_i)
        Base:   base_q   <= wdata_i;
        Size:   size_q   <= wdata_i;
        Offset: offset_q <= wdata_i;
        Control: begin
          enable_q       <= wdata_i[ControlEnable];
          record_units_q <= wdata_i[ControlRecord+:ControlRecordWidth];
        end
      endcase
    end
  end

  // offset + record > size without the sum, which could wrap.
  logic [63:0] record;
  assign record = 64'({record_units_q, 3'b000});
  assign full_o = enable_q && size_q != '0 && (record > size_q || offset_q > size_q - record);

  logic [63:0] control;
  assign control = (64'(full_o) << ControlFull) | (64'(record_units_q) << ControlRecord) |
                   (64'(enable_q) << ControlEnable);

  always_comb begin
    unique case (index_i)
      Base:    rdata_o = base_q;
      Size:    rdata_o = size_q;
      Offset:  rdata_o = offset_q;
      Control: rdata_o = control;
    endcase
  end

endmodule

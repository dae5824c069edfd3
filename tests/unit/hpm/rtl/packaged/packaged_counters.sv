// SPDX-License-Identifier: Apache-2.0
// Counters as a large core has them, for the test of foreign RTL: types from packages and as
// parameters, instructions at commit ports instead of finished events, one write strobe for all.
module packaged_counters
  import unit_pkg::*;
#(
  parameter int unsigned Counters = 6,
  parameter type         instr_t  = commit_t
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        debug_i,
  input  logic [11:0] address_i,
  input  logic        write_i,
  input  logic [63:0] data_i,
  output logic [63:0] data_o,
  input  instr_t      commit_i [CommitPorts],
  input  logic [CommitPorts-1:0] ack_i,
  input  logic [31:0] other_events_i,   // all but loads and stores, bit = selector
  input  logic [31:0] inhibit_i
);
  logic [63:0] counter_q [Counters];
  logic [4:0]  event_q [Counters];
  logic [31:0] events;

  always_comb begin
    events    = other_events_i;
    events[5] = 1'b0;
    events[6] = 1'b0;
    for (int port = 0; port < CommitPorts; port++) begin
      events[5] |= ack_i[port] && commit_i[port].unit == Load;
      events[6] |= ack_i[port] && commit_i[port].unit == Store;
    end
  end

  logic [4:0] index;
  assign index = address_i[4:0] - 5'd3;

  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      counter_q <= '{default: '0};
      event_q   <= '{default: '0};
    end else if (write_i) begin
      if (32'(index) < Counters) begin
        if (address_i[11]) counter_q[index[2:0]] <= data_i;
        else               event_q[index[2:0]]   <= data_i[4:0];
      end
    end else if (!debug_i) begin
      for (int c = 0; c < Counters; c++)
        if (!inhibit_i[c + 3] && events[event_q[c]]) counter_q[c] <= counter_q[c] + 1;
    end

  always_comb begin
    data_o = '0;
    if (32'(index) < Counters)
      data_o = address_i[11] ? counter_q[index[2:0]] : 64'(event_q[index[2:0]]);
  end
endmodule

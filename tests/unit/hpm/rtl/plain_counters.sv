// SPDX-License-Identifier: Apache-2.0
// Somebody else's counters, for the test of foreign RTL: plain on purpose, with another style of
// reset, ports and numbering, and without anything that pes_hpm supplies around it.
module plain_counters #(
  parameter COUNT = 4,
  parameter BITS  = 48
) (
  input  wire                  clock,
  input  wire                  reset,         // active high, synchronous
  input  wire [31:0]           event_lines,   // bit = event number
  input  wire [COUNT-1:0]      stop,
  input  wire [4:0]            number,        // of the counter, from 0
  input  wire                  write_count,
  input  wire                  write_event,
  input  wire [63:0]           data,
  output wire [BITS-1:0]       read_count,
  output wire [4:0]            read_event,
  output wire [COUNT*BITS-1:0] counts
);
  reg [COUNT*BITS-1:0] all;
  reg [COUNT*5-1:0]    events;
  integer              c;

  always @(posedge clock)
    if (reset) begin
      all    <= 0;
      events <= 0;
    end else
      for (c = 0; c < COUNT; c = c + 1) begin
        if (write_count && number == c[4:0])
          all[c*BITS +: BITS] <= data[BITS-1:0];
        else if (!stop[c] && event_lines[events[c*5 +: 5]])
          all[c*BITS +: BITS] <= all[c*BITS +: BITS] + 1;
        if (write_event && number == c[4:0])
          events[c*5 +: 5] <= data[4:0];
      end

  assign counts     = all;
  assign read_count = number < COUNT ? all[number*BITS +: BITS] : 0;
  assign read_event = number < COUNT ? events[number*5 +: 5] : 0;
endmodule

// SPDX-License-Identifier: Apache-2.0
// CVA6's perf_counters with ports that are plain bits: instructions at the two commit ports are
// made of pulses, structures have only the fields that the block reads.
module cva6_counters_flat
  import ariane_pkg::*;
  import pes_hpm_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        debug_mode_i,
  input  logic [11:0] addr_i,
  input  logic        we_i,
  input  logic [63:0] data_i,
  output logic [63:0] data_o,
  input  pulses_t     pulses_i,
  input  logic [1:0]  retired_i,
  input  logic [31:0] inhibit_i
);
  localparam config_pkg::cva6_cfg_t Cfg = build_config_pkg::build_config(cva6_config_pkg::cva6_cfg);

  typedef struct packed {
    fu_t        fu;
    fu_op       op;
    logic [4:0] rd;
  } commit_t;
  typedef struct packed {logic valid;} valid_t;
  typedef struct packed {logic valid; logic is_mispredict;} resolve_t;
  typedef struct packed {logic req;} fetch_t;
  typedef struct packed {logic data_req;} data_t;

  // ---------------------------------------------------------------------------------------------
  // Commit ports. `of_class` has the classes that pulse, at most two of them; each takes a port, and
  // which one takes the first changes. One class and two retirements: both are of that class.

  localparam int unsigned Classes = 5;
  typedef logic [Classes-1:0] classes_t;

  classes_t of_class, upwards, downwards;
  assign of_class  = {pulses_i[EventFloatingPoint], pulses_i[EventInteger], pulses_i[EventBranch],
                      pulses_i[EventStore], pulses_i[EventLoad]};
  assign upwards   = of_class & -of_class;  // the lowest
  assign downwards = (of_class & ~upwards) != '0 ? of_class & ~upwards : upwards;

  logic swap;
  assign swap = ^pulses_i;

  commit_t [1:0] commit;
  logic [1:0]    ack;

  // What is not asked for varies with `swap` too: the unit of a class, the register of a call.
  function automatic commit_t instruction(classes_t one, logic call, logic back, logic vary);
    instruction = '{fu: CSR, op: ADD, rd: 5'd1};
    unique case (one)
      5'b00001: instruction.fu = LOAD;
      5'b00010: instruction.fu = STORE;
      5'b00100: instruction.fu = CTRL_FLOW;
      5'b01000: instruction.fu = vary ? MULT : ALU;
      5'b10000: instruction.fu = vary ? FPU_VEC : FPU;
      default: ;
    endcase
    if (one[2]) begin  // jal or jalr to x1 or x5; jalr to x0; conditional branch
      if (call) instruction = '{fu: CTRL_FLOW, op: vary ? ADD : JALR, rd: vary ? 5'd1 : 5'd5};
      else if (back) instruction = '{fu: CTRL_FLOW, op: JALR, rd: 5'd0};
      else instruction = '{fu: CTRL_FLOW, op: EQ, rd: 5'd0};
    end
  endfunction

  // A call and a return together are two branches.
  logic call, back;
  assign call = pulses_i[EventCall];
  assign back = pulses_i[EventReturn];

  assign commit[0] = instruction(swap ? downwards : upwards, call, back && !call, swap);
  assign commit[1] = instruction(swap ? upwards : downwards, call && !back, back, !swap);
  assign ack[0]    = retired_i != '0 || of_class != '0;
  assign ack[1]    = retired_i[1] || downwards != upwards;

  // ---------------------------------------------------------------------------------------------
  // Everything else: a bit of the same name, one data port of three, one set of valid ways of three

  logic [2:0] data_port;  // which one, of requests and evictions
  assign data_port = addr_i[0] ? 3'b001 : swap ? 3'b010 : 3'b100;

  data_t [2:0] data_access;
  logic [2:0][Cfg.DCACHE_SET_ASSOC-1:0] valid_ways;
  for (genvar p = 0; p < 3; p++) begin : gen_port
    assign data_access[p].data_req = pulses_i[EventL1dAccess] && data_port[p];
    // An eviction: all ways of the set are valid, and there is a miss. One of both is none.
    assign valid_ways[p] = {(!pulses_i[EventL1dMiss] || (pulses_i[EventL1dEviction] && data_port[p])),
                            {Cfg.DCACHE_SET_ASSOC - 1{1'b1}}};
  end

  // A branch is resolved, and it was mispredicted. One of both is no event.
  resolve_t resolved;
  assign resolved.valid         = pulses_i[EventBranchMispredict] || swap;
  assign resolved.is_mispredict = pulses_i[EventBranchMispredict] || !swap;

  perf_counters #(
    .CVA6Cfg           (Cfg),
    .bp_resolve_t      (resolve_t),
    .dcache_req_i_t    (data_t),
    .dcache_req_o_t    (data_t),
    .exception_t       (valid_t),
    .icache_dreq_t     (fetch_t),
    .scoreboard_entry_t(commit_t),
    .NumPorts          (3)
  ) i_counters (
    .clk_i,
    .rst_ni,
    .debug_mode_i,
    .addr_i,
    .we_i,
    .data_i,
    .data_o,
    .commit_instr_i     (commit),
    .commit_ack_i       (ack),
    .l1_icache_miss_i   (pulses_i[EventL1iMiss]),
    .l1_dcache_miss_i   (pulses_i[EventL1dMiss]),
    .itlb_miss_i        (pulses_i[EventItlbMiss]),
    .dtlb_miss_i        (pulses_i[EventDtlbMiss]),
    .sb_full_i          (pulses_i[EventScoreboardFull]),
    .if_empty_i         (pulses_i[EventFetchEmpty]),
    .ex_i               (pulses_i[EventException]),
    .eret_i             (pulses_i[EventExceptionReturn]),
    .resolved_branch_i  (resolved),
    .branch_exceptions_i(pulses_i[EventBranchException]),
    .l1_icache_access_i (pulses_i[EventL1iAccess]),
    .l1_dcache_access_i (data_access),
    .miss_vld_bits_i    (valid_ways),
    .i_tlb_flush_i      (pulses_i[EventTlbFlush]),
    .stall_issue_i      (pulses_i[EventPipelineStall]),
    .mcountinhibit_i    (inhibit_i)
  );
endmodule

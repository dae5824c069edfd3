# SPDX-License-Identifier: Apache-2.0
# A random program (seed 203, kind fp).
 .text
 .globl run
fn203_0:
 and t1,a0,a5
 sub a6,s5,a7
 sub t2,t2,a3
 add a6,a2,t1
 and a7,t2,a3
 ret
fn203_1:
 sub a0,a0,a3
 xor a3,a4,a4
 add a4,a0,s5
 add s7,a5,a4
 and a5,a5,s5
 ret
fn203_2:
 xor a2,t0,a4
 xor t0,s4,a4
 and a6,s4,a1
 ret
fn203_3:
 xor t1,s7,s7
 ld s4,8(s0)
 and a6,s7,s4
 ret
fn203_4:
 add t2,a6,a7
 addi sp,sp,-16
 sd ra,8(sp)
 call fn203_1
 ld ra,8(sp)
 addi sp,sp,16
 xor s4,s5,t2
 add t2,a5,a2
 and a1,s4,a2
 add s7,a7,a1
 ret

 .balign 4
run:
 addi sp,sp,-112
 sd ra,0(sp)
 sd s0,8(sp)
 sd s1,16(sp)
 sd s2,24(sp)
 sd s3,32(sp)
 sd s4,40(sp)
 sd s5,48(sp)
 sd s6,56(sp)
 sd s7,64(sp)
 sd s8,72(sp)
 sd s9,80(sp)
 sd s10,88(sp)
 sd s11,96(sp)
 la s0,buf203+2048
 la s1,buf203+4096+2048
 la s2,buf203+3*4096+2048
 li t0,-400681337346
 li t1,-670495406509
 li t2,-95009536231
 li a0,-79937616635
 li a1,-258578155963
 li a2,882260933932
 li a3,-826400693719
 li a4,-1023798495928
 li a5,172703130025
 li a6,-847748730251
 li a7,17599846462
 li s4,-371578507665
 li s5,595508151765
 li s6,-389003565521
 li s7,195157805989
 fcvt.d.l ft0,t0
 fcvt.d.l ft1,t1
 fcvt.d.l ft2,t2
 fcvt.d.l ft3,a0
 fcvt.d.l fa0,a1
 fcvt.d.l fa1,a2
 fcvt.d.l fa2,a3
 fcvt.d.l fa3,a4
 li s3,10
1:
 addw a6,s7,a0
 sll s6,a1,a6
 addi s5,a0,770
 call fn203_1
 subw s4,s7,a2
 bge a0,a4,L203_1
 ld a4,1664(s1)
L203_1:
 bge s5,a6,L203_2
 sh t1,1908(s1)
 fcvt.d.l fa1,t0
L203_2:
 fsw fa0,112(s1)
 fmul.d ft0,ft2,fa2
 fsub.d fa3,ft0,fa1
 fsd ft3,-1584(s2)
 fclass.d s4,ft0
 call fn203_1
 fcvt.s.d ft1,ft2
 or a5,t1,a7
 sllw a0,t1,t2
 ld a1,312(s0)
 or a1,a5,t2
 fmv.d.x ft1,s7
 fdiv.d fa0,fa2,ft1
 and a0,s5,a0
 addiw t2,t1,1882
 fsgnj.d ft0,ft1,fa0
 call fn203_4
 call fn203_2
 lh t1,-1166(s0)
 ld a6,-1992(s2)
 sh s7,1838(s2)
 lbu s4,42(s0)
 slti t1,a5,-1634
 fmin.d ft2,fa1,fa3
 bltu a4,a2,L203_3
 fsqrt.s fa3,ft0
 sd a4,-1256(s1)
L203_3:
 lbu a3,-637(s0)
 fmv.x.d a4,fa0
 mul a4,a0,a6
 and a2,a2,a6
 fmul.d fa0,ft2,ft2
 slli a2,s4,15
 lbu s5,-516(s0)
 addw a6,t2,a7
 addi a6,t2,-1672
 sd t2,-1512(s0)
 lui t1,25386
 or s7,a1,a6
 bge a2,a6,L203_4
 fsgnj.d ft3,fa2,ft0
 fmsub.s ft3,ft1,fa2,fa1
 fsqrt.d ft3,fa3
 lb a2,1805(s0)
 flw ft2,1376(s0)
L203_4:
 sll t0,a1,s5
 fmv.d.x ft1,s5
 bge a3,s6,L203_5
 andi s8,a4,2
 beqz s8,L203_6
 flw fa1,-1656(s1)
 fcvt.s.d ft3,fa1
L203_6:
L203_5:
 fsgnj.d ft0,fa2,ft0
 add s6,t0,s5
 slt t1,s7,s5
 lh t1,1912(s1)
 fclass.d a6,ft2
 fclass.d a0,fa2
 fsub.d fa0,ft0,fa0
 fld fa2,-1376(s1)
 sh a6,518(s0)
 andi s8,s6,2
 beqz s8,L203_7
 bge t1,s5,L203_8
 sw a6,-1064(s2)
 sh t2,726(s2)
 or a5,s7,s5
 call fn203_4
L203_8:
 fmv.x.d s7,ft0
 fsw ft1,772(s1)
L203_7:
 ld t2,-192(s0)
 fcvt.w.d s5,ft1,rtz
 fcvt.s.d fa3,fa3
 addiw a4,a4,-1200
 sd a5,-888(s0)
 bge a2,a5,L203_9
 fsgnj.d ft3,fa1,ft0
 lwu a3,-1704(s2)
 xor a6,a7,s5
 blt a4,a3,L203_10
 fld fa3,-808(s2)
 lh t0,-28(s2)
 slti a1,t1,524
L203_10:
L203_9:
 fld fa2,112(s0)
 fld ft1,-1128(s0)
 fmadd.d ft1,ft2,ft2,fa0
 fadd.d ft3,ft1,ft1
 xor a5,a0,a1
 sd a2,-1328(s2)
 fadd.s fa3,fa0,ft1
 ori a3,t2,-1886
 srl s7,a5,s5
 fld fa3,-1896(s0)
 ld s7,-664(s0)
 sd a6,-696(s0)
 fdiv.d fa1,fa2,ft2
 ori a4,s6,-165
 fmsub.s fa0,fa3,fa0,ft2
 fcvt.d.l ft2,s6
 feq.d s7,ft1,ft3
 flw fa2,-524(s1)
 beq t0,a0,L203_11
 lw s7,-1584(s1)
 fsub.d ft1,fa0,fa0
 sd a3,-776(s2)
L203_11:
 fmv.d.x ft0,t2
 ld a2,-696(s1)
 sltu a0,s5,t0
 fmsub.s fa1,ft1,ft1,ft2
 xor t2,s7,s5
 lw a1,604(s1)
 fsd fa3,-1976(s1)
 fcvt.s.d fa3,ft1
 fclass.d s7,ft3
 fcvt.d.l fa3,s4
 addi a7,a4,-1324
 blt t2,s5,L203_12
 lw s5,-708(s0)
L203_12:
 fmv.d.x ft0,a7
 fmsub.s ft0,fa1,fa1,ft3
 andi s8,a6,2
 beqz s8,L203_13
 call fn203_2
 mulhsu a2,a6,t0
 sra a1,a2,a2
 ld a2,-632(s1)
L203_13:
 fmv.x.d s7,ft3
 sb a6,-253(s0)
 sra t1,s4,a6
 fsd fa3,952(s1)
 fcvt.w.d a1,ft0,rtz
 lb a3,-655(s2)
 sub s5,t1,a6
 bgeu a1,s6,L203_14
 lw a1,-1248(s2)
L203_14:
 xor a3,s6,s6
 fadd.d ft2,ft2,ft1
 fadd.s ft2,fa0,ft3
 fmv.x.d a4,fa1
 feq.d s5,ft3,ft2
 addw t0,a4,s5
 fcvt.s.d fa1,fa2
 fmul.d ft3,ft3,ft3
 lb a1,961(s0)
 lbu a5,941(s0)
 fcvt.d.l fa2,s6
 sra a6,s7,t1
 flw fa2,876(s0)
 addi a6,a5,904
 slt a6,a0,a2
 slt s4,a7,a1
 andi s8,t1,3
 beqz s8,L203_15
 sd a4,-184(s2)
 fclass.d s7,ft0
 sh t1,-808(s0)
L203_15:
 fsd fa0,-1936(s0)
 fadd.s fa0,ft0,ft1
 bgeu s5,s4,L203_16
 fmv.x.d a5,ft2
 fclass.d a1,ft2
 li t0,-959593486
L203_16:
 lb s6,2002(s2)
 fsw ft3,1708(s2)
 lui a5,903415
 fsgnj.d fa1,ft0,ft3
 lh s4,900(s2)
 sh a6,-1286(s2)
 fmadd.d fa1,ft0,fa3,fa0
 fld ft2,1264(s0)
 call fn203_4
 sllw a6,a7,a5
 andi a5,t1,125
 sb s7,833(s0)
 fcvt.s.d fa0,ft1
 sw s7,1272(s1)
 fld fa2,-1904(s1)
 sh s7,-1098(s0)
 sw a7,-344(s2)
 fcvt.s.d ft3,ft0
 and a0,t0,a5
 addi a2,a2,9
 sh a2,292(s0)
 fcvt.d.l ft2,a1
 fadd.s fa1,ft0,ft2
 ld a5,1344(s0)
 xor a2,t0,a2
 mulhsu a0,a6,t0
 mulh s5,s5,a0
 lbu a1,744(s2)
 fadd.d fa0,ft0,fa3
 blt s6,t2,L203_17
 sllw s5,a7,a4
 sh a5,1952(s2)
L203_17:
 li a5,1127527611
 fld ft3,16(s2)
 fcvt.d.l fa3,a6
 sh a6,832(s2)
 call fn203_1
 feq.d t0,ft2,fa1
 lw a3,-548(s0)
 bgeu a4,s4,L203_18
 fld ft3,952(s1)
 sd t1,-1624(s1)
 fmul.d fa0,fa2,ft0
L203_18:
 fsqrt.d ft0,ft1
 fdiv.s ft2,ft1,ft3
 fld fa1,1336(s0)
 lb a6,-938(s1)
 li a6,-1074545744
 fmul.d ft1,ft0,fa2
 fmsub.s ft2,ft0,fa2,ft1
 fld ft3,1568(s0)
 bltu s6,t2,L203_19
 fsw fa1,-1352(s1)
L203_19:
 andi s8,s7,1
 beqz s8,L203_20
 ori t0,a2,1388
 addi s5,s5,3
 call fn203_1
 or a3,a4,a7
L203_20:
 ori s6,t1,-1956
 lw a0,464(s0)
 fsgnj.d ft2,fa1,fa3
 sd s7,-1296(s1)
 subw a4,a0,a2
 fmsub.s ft1,fa3,ft2,ft0
 slt t0,a3,t2
 slti a7,a2,1922
 lwu t0,144(s0)
 fdiv.d fa2,fa3,ft0
 fmin.d fa0,ft3,ft1
 fmsub.s ft2,ft1,ft2,ft3
 fsgnj.d ft2,ft0,fa1
 fdiv.s ft3,fa1,ft0
 feq.d a2,fa0,fa1
 sd t2,1304(s2)
 fadd.s ft0,ft2,ft3
 fsw ft2,916(s1)
 call fn203_3
 sw s6,136(s1)
 addw a7,s7,a1
 andi s8,a5,8
 beqz s8,L203_21
 andi s8,t0,2
 beqz s8,L203_22
 fcvt.d.l ft0,a5
 bne a1,t0,L203_23
L203_23:
 sb a1,-311(s2)
 mul s7,s6,s5
 fsw ft3,-1964(s2)
L203_22:
 sllw s5,t0,t1
L203_21:
 bltu a6,s6,L203_24
 mulh a0,t0,s7
 sh t0,-930(s2)
 lb t0,1004(s1)
 sw a6,-1284(s1)
L203_24:
 fmul.s ft3,fa1,fa1
 sd s4,1624(s1)
 lui s7,720
 call fn203_1
 sd a7,720(s1)
 srl a6,a4,s5
 bltu t0,a4,L203_25
 fmadd.d fa1,fa1,ft1,fa3
 fadd.d ft0,fa3,ft3
 lh a3,-934(s1)
 fmv.d.x fa1,a3
 ld s6,-48(s0)
L203_25:
 mul a2,a6,t0
 lbu t2,910(s0)
 fmul.s ft1,ft2,ft3
 bge a4,s5,L203_26
 blt a4,s7,L203_27
 ld a6,952(s0)
 ld a1,-992(s0)
 bne a7,t0,L203_28
L203_28:
 slli s4,a6,47
L203_27:
 lbu a4,-499(s0)
 lbu t1,-516(s0)
L203_26:
 lw a2,60(s1)
 addi t2,s7,-19
 flw fa1,1248(s0)
 bltu s7,a6,L203_29
 andi s8,s6,2
 beqz s8,L203_30
 sh a4,198(s0)
 fmsub.s ft2,ft1,ft3,fa3
 fld fa3,1688(s0)
L203_30:
L203_29:
 fmul.s ft3,ft1,fa2
 mulh t1,a1,s4
 call fn203_1
 lbu t1,933(s2)
 sw t1,-872(s0)
 beq a6,a2,L203_31
 andi s8,a1,3
 beqz s8,L203_32
 ld a0,-1800(s2)
 sltu a5,a4,a1
L203_32:
 flw ft1,-932(s1)
L203_31:
 sllw t2,t0,a3
 fsub.d ft2,ft0,ft3
 lwu a1,-1456(s1)
 sltu s4,a5,a7
 xori s6,t0,-12
 andi s8,a7,8
 beqz s8,L203_33
 lbu s6,-285(s0)
 slli t1,t2,21
L203_33:
 fmin.d ft2,fa3,ft1
 lh s7,-596(s0)
 blt s6,s7,L203_34
 fcvt.w.d s4,ft0,rtz
 lh t0,1706(s2)
 ld a3,1624(s0)
L203_34:
 fsgnj.d fa0,fa3,fa3
 sra s6,s7,a4
 bge t2,s5,L203_35
 andi s8,s4,2
 beqz s8,L203_36
 slti a7,t1,-586
 ld t0,-384(s0)
 feq.d s6,fa2,ft1
 ld a5,1392(s0)
L203_36:
 subw a0,a7,t1
 bltu a6,a6,L203_37
 sh a4,-918(s2)
 li a1,1963742278
 andi s8,a7,8
 beqz s8,L203_38
L203_38:
 fmul.d ft0,ft1,ft1
L203_37:
 andi s8,t0,1
 beqz s8,L203_39
 fcvt.w.d t0,ft1,rtz
 sw a5,1796(s0)
 sra a3,t0,a1
 andi a5,s5,1019
 lh s4,466(s0)
L203_39:
 lw a3,1932(s1)
L203_35:
 bgeu s6,s4,L203_40
 sll s5,s5,s4
 lb a5,-864(s2)
 andi a1,s4,-1692
 addi a4,a0,744
L203_40:
 xor t0,a3,s7
 addi t0,t0,1
 sb a7,1394(s0)
 add t1,s7,a4
 ld a2,-424(s1)
 flw fa2,-1544(s0)
 sllw a3,a4,a7
 lh a7,-1244(s0)
 fld ft1,1696(s0)
 sllw a7,a6,a5
 fsgnj.d ft1,ft3,ft0
 fsw fa0,-804(s1)
 sd s5,-496(s0)
 srli t1,s5,3
 fld fa3,328(s1)
 bltu s6,s5,L203_41
 li t0,1450363515
 call fn203_3
L203_41:
 fsw ft3,768(s1)
 slti a6,a4,147
 feq.d a5,fa0,fa3
 fcvt.s.d ft1,fa3
 sub t1,a4,t1
 addi t2,a0,612
 sll s5,a4,a4
 sra s7,a0,s7
 blt s5,s7,L203_42
 mul s5,s4,a4
 lbu s6,967(s2)
 sd a1,184(s1)
L203_42:
 sh t1,102(s2)
 lb a2,-788(s0)
 andi s8,a1,2
 beqz s8,L203_43
 blt a6,a2,L203_44
 add a2,s4,s6
 and t2,a0,a3
 sw a7,-300(s2)
 slti t1,a7,1736
 flw fa3,-1424(s0)
L203_44:
L203_43:
 slt t0,s7,a1
 sh a3,1008(s2)
 fmul.s fa2,ft0,fa3
 andi s8,a0,2
 beqz s8,L203_45
 blt a3,a6,L203_46
 call fn203_3
 flw ft2,440(s1)
L203_46:
L203_45:
 sd s4,968(s0)
 ld a7,1280(s1)
 lwu a2,-912(s0)
 beq a4,s7,L203_47
 sd a6,-1288(s0)
L203_47:
 lui a3,959716
 ld a4,528(s0)
 fsw fa0,-1768(s0)
 fmul.s ft3,fa0,ft0
 and t1,a1,t0
 bltu s6,a0,L203_48
 bne s6,a6,L203_49
 beq a3,a2,L203_50
L203_50:
 fcvt.s.d fa0,ft3
L203_49:
 feq.d a1,fa3,ft0
 fcvt.s.d fa0,fa0
 fdiv.s fa1,ft2,fa0
 bgeu a1,a5,L203_51
 sd a7,1184(s0)
 mulhsu a1,a2,t0
 bne t0,s7,L203_52
L203_52:
L203_51:
L203_48:
 lb t2,1407(s1)
 fsgnj.d fa0,fa2,fa0
 sw s5,2036(s0)
 lw s5,-52(s0)
 and a0,s6,a2
 lh t0,214(s0)
 andi s8,t0,2
 beqz s8,L203_53
 sb a0,-224(s0)
 fadd.s fa2,fa1,ft1
 fadd.d ft3,fa0,ft0
 fsub.d fa3,ft3,ft1
L203_53:
 addi s3,s3,-1
 beqz s3,2f
 j 1b
2: mv a0,a0
 ld ra,0(sp)
 ld s0,8(sp)
 ld s1,16(sp)
 ld s2,24(sp)
 ld s3,32(sp)
 ld s4,40(sp)
 ld s5,48(sp)
 ld s6,56(sp)
 ld s7,64(sp)
 ld s8,72(sp)
 ld s9,80(sp)
 ld s10,88(sp)
 ld s11,96(sp)
 addi sp,sp,112
 ret
 .data
 .balign 4096
buf203: .space 20480
tab203: .dword fn203_0,fn203_1,fn203_2,fn203_3

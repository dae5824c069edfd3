# SPDX-License-Identifier: Apache-2.0
# A random program (seed 106, kind fp).
 .text
 .globl run
fn106_0:
 and a4,a1,t2
 xor a2,a1,a7
 xor t2,s4,a7
 sub a0,a0,a4
 add s4,a7,t2
 add a6,a2,a3
 xor a6,a5,a1
 ret
fn106_1:
 add s5,s7,a4
 xor a0,t1,s5
 sub a7,a7,s4
 sub a2,a0,s5
 ret
fn106_2:
 sub a1,a0,a6
 and s7,s6,s6
 xor s5,t0,s4
 ret
fn106_3:
 and a1,a1,t1
 ld a1,8(s0)
 sub a6,t2,a7
 add s6,s5,s6
 xor a3,s5,s7
 xor a3,t2,a7
 sub a0,a6,a2
 and a7,a0,s6
 ret
fn106_4:
 sub a6,a7,a1
 addi sp,sp,-16
 sd ra,8(sp)
 call fn106_1
 ld ra,8(sp)
 addi sp,sp,16
 add a1,s7,a2
 add a0,t0,s5
 and a5,a3,t2
 and t0,a6,s4
 sub a3,a7,a4
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
 la s0,buf106+2048
 la s1,buf106+4096+2048
 la s2,buf106+3*4096+2048
 li t0,-712339576405
 li t1,27768114241
 li t2,-669694039875
 li a0,1035371651684
 li a1,-62477666048
 li a2,-993243628632
 li a3,399199013900
 li a4,-109826665902
 li a5,252494252014
 li a6,-774688765177
 li a7,-1085395523062
 li s4,-1061875624640
 li s5,-346747607149
 li s6,-624567096529
 li s7,108334536169
 fcvt.d.l ft0,t0
 fcvt.d.l ft1,t1
 fcvt.d.l ft2,t2
 fcvt.d.l ft3,a0
 fcvt.d.l fa0,a1
 fcvt.d.l fa1,a2
 fcvt.d.l fa2,a3
 fcvt.d.l fa3,a4
 li s3,24
1:
 fclass.d t0,fa3
 sllw a1,s5,t1
 srli a2,a3,29
 feq.d s4,ft3,fa3
 mulhu a7,t2,t2
 mulhu a2,t1,a1
 ld s6,-584(s0)
 ld t1,576(s0)
 fcvt.w.d a4,fa0,rtz
 bge a0,t2,L106_1
 sw a0,-500(s1)
 bne a2,a1,L106_2
 andi s8,s6,3
 beqz s8,L106_3
L106_3:
 fld fa2,-304(s2)
L106_2:
L106_1:
 fclass.d a4,ft3
 andi s8,a0,1
 beqz s8,L106_4
 or s5,a1,a0
 fadd.d ft1,fa0,fa0
 fdiv.d fa1,fa3,ft0
 sh a7,-674(s0)
L106_4:
 bne a7,a7,L106_5
 ld s7,608(s0)
 fsub.d fa0,ft0,ft1
 li s7,235841329
 beq a2,a2,L106_6
 fcvt.s.d ft3,fa1
 bltu t0,s7,L106_7
L106_7:
L106_6:
 ld s7,320(s0)
L106_5:
 fclass.d s7,fa2
 mul s5,s6,a1
 fmsub.s fa1,fa0,ft0,fa0
 andi t1,a5,1702
 sd a0,-856(s2)
 srl a6,s4,t1
 andi s8,a6,8
 beqz s8,L106_8
 fmul.d fa1,fa2,ft3
 fadd.s ft3,ft0,fa0
 andi s8,t0,1
 beqz s8,L106_9
 mulhu s7,t0,t0
 fmul.d ft1,fa2,fa0
 fdiv.s ft3,ft3,ft0
L106_9:
 sd t0,-184(s0)
L106_8:
 blt a3,s7,L106_10
 add t1,s6,a4
 bge a6,t1,L106_11
 sllw a6,a7,s4
 sb a7,-741(s2)
 slt a5,s5,a4
 ld a2,1976(s0)
 fadd.s ft1,ft3,fa3
L106_11:
 ori s7,a1,-854
 bgeu s7,t1,L106_12
 bgeu a4,a0,L106_13
L106_13:
 fmsub.s ft3,fa2,ft0,fa3
 fmul.d fa3,ft2,ft3
 fsd ft0,-1680(s0)
 addiw a7,a5,177
L106_12:
 andi s8,s5,1
 beqz s8,L106_14
 sd a0,880(s0)
 li s4,989824967
L106_14:
L106_10:
 lw a7,580(s1)
 fmadd.d fa1,ft1,fa2,ft1
 sh t0,-146(s1)
 sra a0,a3,s6
 mulhsu a3,s5,a1
 fsgnj.d fa3,fa1,fa3
 lw s6,-1336(s0)
 lbu t2,1148(s0)
 fadd.d ft3,ft0,ft0
 lh a6,-484(s2)
 fmsub.s fa3,ft1,ft0,fa0
 lw s7,-728(s0)
 fsgnj.d fa1,fa0,fa1
 ld a3,-1528(s0)
 fclass.d a5,fa1
 beq a6,a1,L106_15
 ld a7,384(s0)
 sw s6,1584(s0)
L106_15:
 sd a3,-1768(s1)
 bgeu t2,t2,L106_16
 andi t2,t2,-1929
 sra a3,s4,a0
 sb s6,-268(s0)
 fmv.d.x fa2,a3
L106_16:
 fmul.s ft3,fa3,fa3
 fmin.d ft2,fa1,fa0
 fcvt.s.d fa1,ft1
 fmul.s fa0,fa3,ft1
 lh a1,-1396(s0)
 addi a4,t1,-360
 addi a3,a6,1051
 fadd.d fa3,fa2,fa2
 ori a7,s5,1786
 fcvt.s.d fa0,fa2
 add a2,t1,s7
 andi s8,a5,2
 beqz s8,L106_17
 addi t2,s7,1193
L106_17:
 beq a5,a6,L106_18
 fmsub.s fa1,fa0,fa1,fa1
L106_18:
 sb a0,-461(s1)
 ori a0,s5,-1137
 fcvt.s.d ft0,fa1
 fsgnj.d ft0,ft1,fa3
 lbu s5,-378(s2)
 sd a7,-1936(s2)
 sh a1,-1276(s1)
 srl a7,t1,t0
 lb a2,-193(s0)
 li a6,1087209978
 srli a7,s6,11
 fmin.d fa1,fa3,fa3
 fsd ft3,1552(s2)
 slli s6,t0,62
 fmv.x.d t1,ft3
 fld ft1,1968(s0)
 lh s7,-940(s0)
 sw a7,1404(s0)
 or a4,a1,t0
 sltu s4,a2,a6
 and a4,s4,t2
 fsgnj.d fa3,ft3,fa0
 call fn106_1
 fclass.d t1,fa0
 slti s7,a5,918
 fadd.s ft2,ft3,fa0
 fmul.s fa2,fa0,ft0
 sh a5,950(s0)
 fsgnj.d ft1,fa0,ft1
 sra t2,a6,s4
 beq a7,t2,L106_19
 ld a7,1408(s0)
 ld a5,-1056(s0)
L106_19:
 fsub.d ft1,fa0,ft0
 blt s5,a6,L106_20
 fdiv.s ft1,ft3,fa0
 or s7,a3,s4
 addi a5,a2,1545
 lh a2,-1436(s1)
L106_20:
 lwu a3,-672(s1)
 sh s5,66(s0)
 bge a6,a2,L106_21
 fmv.x.d a2,fa2
 flw ft0,1704(s0)
L106_21:
 fsd ft2,-704(s0)
 sra t2,t1,t1
 andi a2,t1,-618
 xor a4,a6,a1
 sltu a7,t0,a5
 bltu a4,a3,L106_22
 mul a4,s7,a2
 flw ft2,-312(s1)
L106_22:
 mulh a5,a2,a2
 fadd.d ft3,fa1,fa0
 srl s5,s6,s4
 ld s7,-1904(s1)
 fcvt.w.d a6,ft3,rtz
 lw t0,1204(s1)
 srl a6,a5,t2
 slli a4,s4,49
 andi s6,a0,-1584
 ld a7,480(s0)
 ld t1,1056(s1)
 add a6,a4,a3
 bne a4,s5,L106_23
 addiw t2,s6,1375
 call fn106_3
 sh s7,-1138(s0)
L106_23:
 andi a7,a1,1499
 fsd ft0,-544(s0)
 fmsub.s ft2,fa3,ft2,ft3
 sltu a4,t0,t0
 srl s7,a1,t2
 fadd.d fa0,ft1,fa2
 fmv.x.d t2,ft0
 flw fa1,536(s0)
 fmul.d fa0,fa3,ft2
 fmv.d.x fa1,a2
 andi s8,s7,1
 beqz s8,L106_24
 ld a4,-648(s0)
 fld ft2,-1544(s0)
 fadd.d fa0,ft1,ft3
 lw t2,-1272(s0)
 fcvt.w.d s5,fa3,rtz
L106_24:
 sw t2,-1448(s2)
 ld s4,-776(s0)
 fsw fa0,-916(s1)
 lui a1,249447
 sd t2,1984(s0)
 feq.d a3,fa1,ft2
 or a4,a3,t1
 flw ft1,376(s0)
 lb t0,-1921(s1)
 lw a6,1988(s0)
 fld ft2,1616(s0)
 mulhu s7,a5,t2
 lw a3,1692(s2)
 fsgnj.d fa1,ft0,fa2
 addw a7,s5,a6
 mul t2,a1,a6
 divu a5,a6,t2
 lui a4,1000454
 feq.d a0,ft1,fa0
 fadd.s fa3,fa1,ft3
 add t0,a1,t2
 fmul.d fa2,ft2,fa0
 sltu a0,a0,s6
 ori s4,t2,-1203
 blt a0,t0,L106_25
 xori a1,a2,1010
 fmv.d.x fa2,a3
 lb a0,102(s0)
L106_25:
 fmv.d.x ft1,t0
 fmv.d.x fa1,t0
 sb a3,-1329(s2)
 fmin.d ft2,fa2,fa3
 sd a1,-224(s0)
 mulhsu a0,a3,a5
 ld a2,-1136(s0)
 fcvt.s.d fa0,ft0
 addw a5,a4,a6
 fclass.d t1,fa0
 subw a4,t0,t2
 sd a7,1848(s2)
 srli a4,a6,62
 sd a2,32(s1)
 addi a0,a0,1
 fcvt.d.l fa1,s4
 fsgnj.d fa1,ft3,fa2
 sd a5,160(s0)
 fmv.d.x ft1,t0
 fcvt.w.d t0,fa1,rtz
 lw s7,840(s2)
 bge s5,t2,L106_26
 ld t0,2016(s0)
L106_26:
 fsw fa3,756(s0)
 mulh t2,s7,s7
 and a6,a7,t0
 mulhu a3,a1,a5
 addw t1,s4,a6
 fsgnj.d fa1,fa2,ft3
 slli s4,s7,4
 addw a1,a0,a4
 sw s4,540(s0)
 fsw ft0,-4(s0)
 fadd.d fa2,ft0,ft2
 fmul.d fa2,ft1,ft2
 fmv.d.x fa0,a0
 addi a3,a5,-1427
 mulw t2,s6,t1
 lb t2,-1695(s1)
 fsqrt.s ft3,ft0
 fmv.x.d a6,fa3
 fcvt.s.d ft2,fa0
 mulw s5,s6,a1
 bne a2,a2,L106_27
 sh s5,-1524(s0)
 li s7,-1702568180
L106_27:
 flw fa0,164(s0)
 fsw fa0,1148(s0)
 lw a1,80(s1)
 fadd.s fa2,ft3,fa2
 srli a1,t2,28
 divu a1,a5,a6
 fmul.d ft2,fa0,ft1
 fsd ft1,-640(s0)
 sub s7,s5,a7
 fcvt.s.d ft3,ft1
 mul a6,a3,a5
 ld a3,-1248(s1)
 mulw a4,a2,t0
 bgeu t1,a2,L106_28
 remw t1,t1,s4
 mulhu a1,s7,a2
 flw ft3,1436(s0)
 fcvt.d.l ft0,t2
 sb s4,899(s0)
L106_28:
 slti s4,t1,-234
 li s6,-1413779626
 feq.d a4,ft1,ft0
 ori t0,a3,-394
 srl s6,t0,t1
 ld s7,-200(s0)
 fadd.d fa2,ft3,ft1
 fsd fa0,1280(s0)
 fmv.d.x fa0,t0
 lw a5,76(s0)
 andi s8,a1,2
 beqz s8,L106_29
 sd t1,-1656(s0)
 srl s5,s4,a4
 add a1,t0,t0
 slli a0,t2,20
 bltu s7,s4,L106_30
 lw t2,-612(s2)
 mulh a0,t1,a7
 fmin.d fa0,ft1,ft2
 bge t1,a4,L106_31
L106_31:
L106_30:
L106_29:
 fmin.d ft2,fa1,ft2
 lbu t2,-1689(s0)
 sd a4,320(s1)
 ld a5,-248(s1)
 fmul.d ft0,ft0,fa3
 fadd.s fa1,fa0,fa2
 xori t2,a0,-470
 lwu t0,-940(s1)
 feq.d s4,ft2,ft2
 fmsub.s ft3,ft2,ft3,ft2
 lh t1,1038(s1)
 fmin.d fa3,ft2,ft2
 fsw fa0,1708(s1)
 mulw a3,a3,a4
 fcvt.s.d fa3,fa2
 fsw ft3,1164(s2)
 andi s8,a7,1
 beqz s8,L106_32
 sltu s6,t1,a1
 addi a6,a6,-5
L106_32:
 fmsub.s ft3,fa3,fa2,ft0
 fcvt.w.d a4,fa2,rtz
 lwu a4,-1140(s1)
 mul t1,a7,s4
 lw t1,656(s0)
 sllw s5,t0,a5
 slt a2,t1,a6
 lb a6,1830(s2)
 addi a1,t1,280
 sd a5,-1944(s0)
 lw a6,-944(s1)
 flw ft3,1820(s0)
 fmv.d.x fa0,t1
 fadd.d fa2,ft1,fa2
 flw fa3,376(s2)
 lbu a6,1991(s1)
 fadd.s ft2,fa0,ft2
 fmv.x.d s6,ft3
 sltu a2,a2,s6
 fmv.d.x ft3,a5
 add t1,t2,t2
 lw s7,-368(s0)
 fmin.d fa3,fa2,fa2
 sd t1,1240(s1)
 feq.d a1,ft3,fa0
 addw a1,s4,a1
 lui s7,1011027
 addi a4,a5,-1620
 feq.d a2,fa3,fa3
 fmin.d fa2,fa3,fa2
 call fn106_1
 slti a5,a2,172
 sd t0,344(s1)
 addw a0,a5,s6
 slli a4,s5,60
 lbu t2,163(s0)
 blt a4,a1,L106_33
 sw a4,936(s2)
L106_33:
 lh t0,566(s0)
 sd a4,-1168(s0)
 fmadd.d ft1,fa1,fa0,fa0
 bgeu t1,t1,L106_34
 subw t2,s7,a0
 lui s4,655431
 feq.d a1,ft3,fa1
 lw a5,-812(s0)
 add s5,s7,t0
L106_34:
 flw ft1,-1816(s1)
 lb a7,1270(s0)
 addi a7,a4,1547
 mulw a0,a6,a5
 xor s6,s6,s4
 lbu s6,-1808(s1)
 sltu a2,t0,a2
 fadd.d fa1,ft0,fa1
 flw fa0,1960(s2)
 fmul.d fa2,ft0,fa2
 ori a5,a7,-795
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
buf106: .space 20480
tab106: .dword fn106_0,fn106_1,fn106_2,fn106_3

# SPDX-License-Identifier: Apache-2.0
# A random program (seed 100, kind int).
 .text
 .globl run
fn100_0:
 and a7,a2,a3
 and s7,a6,s7
 xor a1,t0,a4
 and a6,s4,s6
 ret
fn100_1:
 xor s6,s6,s4
 xor t0,t0,a4
 sub s5,a3,a6
 add a0,s7,t1
 xor a6,a7,s7
 sub a7,a7,a5
 add a0,s6,t2
 ret
fn100_2:
 add a6,s7,a7
 add a4,a5,a1
 ret
fn100_3:
 xor t1,a4,a4
 ld s7,8(s0)
 and a2,s4,a6
 xor a5,t1,a7
 xor a6,s5,t2
 xor a1,s6,t0
 sub a5,a7,a4
 sub a2,t2,a4
 add s4,s7,s4
 ret
fn100_4:
 and a1,s5,t0
 addi sp,sp,-16
 sd ra,8(sp)
 call fn100_1
 ld ra,8(sp)
 addi sp,sp,16
 and a1,t2,s6
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
 la s0,buf100+2048
 la s1,buf100+4096+2048
 la s2,buf100+3*4096+2048
 li t0,883851337054
 li t1,515685261532
 li t2,1004232691679
 li a0,644494586124
 li a1,-44589532644
 li a2,912162755261
 li a3,-1096228652111
 li a4,-956439013348
 li a5,297810648056
 li a6,-507628628990
 li a7,717401840259
 li s4,-773113468532
 li s5,422313423032
 li s6,725448142505
 li s7,73014372596
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
 addw s5,t2,s4
 slti a3,a5,-1148
 xori s4,a4,109
 srl a0,a2,a0
 sllw a0,t2,t2
 sltu a2,a7,a3
 bge a5,a1,L100_1
 srl a7,t1,t2
 slt t2,s5,s6
 mulh t2,s6,t0
 bge s5,a7,L100_2
 subw s5,t0,a6
 sll s5,s7,a5
 lb a6,726(s1)
 slti a4,a3,-1541
L100_2:
L100_1:
 sh a7,1510(s1)
 sra s4,a3,s5
 andi s8,s7,3
 beqz s8,L100_3
 sll s6,a2,t2
 and s4,s4,t1
L100_3:
 ld a6,-256(s1)
 ori a7,s5,878
 addi s4,t1,1847
 subw t1,s4,a6
 slt s4,s7,t1
 andi a6,a7,1857
 bge t2,t0,L100_4
 bne s7,a0,L100_5
 xor a0,a7,t1
 sub s4,s4,a3
L100_5:
 slt a4,a4,a2
 lbu a0,9(s2)
 or s6,a3,t1
L100_4:
 bge s6,a1,L100_6
 add a3,a1,t0
L100_6:
 and t0,s7,t0
 call fn100_4
 slt t0,a7,t1
 srl a7,s4,a7
 sub s6,a6,a2
 addw t0,s4,s5
 sub t0,s4,a6
 sd t2,-752(s0)
 ld s4,568(s2)
 slt s4,a4,a0
 xor a6,s6,a6
 addiw t1,a7,1699
 lw a3,-1140(s1)
 sub a6,a6,a0
 sllw a4,a3,s4
 xori t1,t0,1569
 li t2,-83219542
 lwu a7,-1268(s0)
 sllw a5,a6,t2
 sltu s4,a6,a3
 lb t1,1920(s1)
 sllw a4,s7,s6
 sra s5,s5,s7
 addi s7,t0,-207
 addi t1,t1,-1
 addi s4,a4,820
 ori a4,t0,49
 subw a5,s6,s5
 xor t0,s7,a6
 lh s4,-1960(s0)
 sltu t1,a7,a1
 and s7,s6,s4
 li a0,-749432889
 sll s5,a7,a6
 or s4,a3,t1
 sll a0,a2,a1
 sub a4,s7,s5
 bltu t2,a4,L100_7
 sd s6,1568(s1)
 addw t0,a3,a3
 slt t2,a0,a1
 and a3,s7,s7
 beq s4,a1,L100_8
 sw t0,1356(s0)
 ld t2,1816(s1)
L100_8:
L100_7:
 srl a5,a0,a3
 blt t0,a1,L100_9
 mul s5,t1,a2
 srl a1,s5,a6
 li s4,1463254379
 slti a2,t2,-1015
L100_9:
 lwu a4,1224(s2)
 addw s4,t1,a5
 sub a0,t1,t0
 ld a1,1904(s0)
 andi s8,a3,1
 beqz s8,L100_10
 sltu s4,a2,s7
 ld a5,304(s0)
 ori a3,a3,-1724
 and t1,a5,s4
 lb s6,-1240(s1)
L100_10:
 lh a5,228(s0)
 lui s7,652695
 sub s5,a4,a6
 lb a0,-1350(s1)
 lw a3,-1724(s2)
 slt t2,s5,a6
 ori s5,a7,-1390
 addi a1,a3,-1972
 li a1,1338145523
 sb a7,-1020(s2)
 srl a1,a3,t0
 slt s7,t1,s5
 ld s4,-64(s0)
 andi s8,s5,2
 beqz s8,L100_11
 sb a1,383(s2)
 li s4,-111265890
 mulh t0,a5,s4
 subw a3,a3,a3
L100_11:
 sub t1,a0,a7
 addiw a5,s4,-715
 bltu s5,a5,L100_12
 lwu a2,1292(s1)
 or s6,a3,t0
 subw t0,a7,a2
L100_12:
 lb a7,1886(s2)
 xor s4,a4,a6
 lwu a1,-1956(s0)
 addi s5,s5,3
 blt t0,t0,L100_13
 srli s5,a2,58
L100_13:
 sllw a2,a6,a7
 andi s8,s6,3
 beqz s8,L100_14
 mulhsu a6,s7,s6
 srl a2,s7,a2
L100_14:
 xor a7,a1,a4
 call fn100_1
 sltu t2,a3,a4
 slli a2,a7,12
 lw a6,-168(s1)
 addw a1,a5,a7
 mulhsu a2,t0,s5
 slli a5,a3,31
 sd a3,-1824(s2)
 lwu a6,216(s1)
 call fn100_3
 xor s6,s4,t2
 ld a4,-776(s0)
 subw s4,s5,a5
 lui a6,640346
 sub a2,a4,a7
 li a1,1755324421
 sra a4,a6,t1
 ld a6,-1768(s0)
 xori t1,s7,797
 sd s6,-1216(s1)
 sltu t0,a4,s5
 andi s8,s4,8
 beqz s8,L100_15
 lb s4,721(s1)
L100_15:
 lh t1,-1624(s2)
 lui s6,526633
 lh t0,1204(s0)
 xor s4,a3,s6
 sllw a3,t2,s7
 blt a0,t1,L100_16
 ld a5,680(s0)
 sd a1,-480(s0)
L100_16:
 bge a6,s7,L100_17
 sh a3,-1756(s1)
 sltu s4,a1,a5
 sllw s6,a5,a7
L100_17:
 slli t1,t0,3
 sra s4,a5,a1
 mulhsu s4,a7,a5
 srli t0,a7,11
 add a2,a5,s7
 subw a4,s4,a0
 ld a2,-232(s0)
 xori a4,a7,-1750
 andi s5,a3,1740
 slli a4,a6,49
 lb a4,-1507(s1)
 ori s7,t1,-325
 subw t0,a2,s6
 sll a3,s7,s6
 addi s6,s6,-5
 sltu a6,s7,a2
 add a2,a7,t2
 addi a6,a4,230
 srl a4,t0,a7
 addi t1,t1,1
 sw a6,-1176(s2)
 sd s7,-40(s0)
 mul a6,s7,a2
 sd t0,1528(s0)
 lwu s5,-128(s0)
 sltu s5,t0,t2
 and s6,s4,a6
 bgeu a2,t2,L100_18
 or s4,a2,s7
 bgeu s7,s6,L100_19
 srl t2,a5,t2
L100_19:
 sd a0,-1200(s2)
 li a5,990191130
 slt a3,a5,t1
L100_18:
 lw a1,1320(s0)
 slt s5,a0,a0
 lw a6,-492(s1)
 lw a2,1404(s2)
 addw a3,s6,a3
 addw t1,s7,s6
 ori s4,a3,1928
 lui t2,107663
 addi s5,s5,9
 sll s4,t0,a7
 subw a5,a6,s5
 addi s6,s6,-5
 addw s5,a7,s4
 sll a4,s7,a2
 and a6,a1,a1
 sll s6,a6,s4
 call fn100_4
 sra t1,a3,a6
 ld t2,1752(s0)
 sh t1,172(s1)
 sllw a5,a5,s4
 sll s4,s4,a5
 lbu s4,1315(s1)
 and a0,a5,a3
 addi a7,a7,9
 addi t2,s5,-2011
 or a7,a0,t0
 lui a2,261302
 sh t2,1690(s2)
 mulw t2,t1,a0
 or s4,a0,a1
 addw t2,t0,s6
 ld t1,-304(s2)
 andi s8,t0,3
 beqz s8,L100_20
 sd t1,-200(s0)
 addi a6,a4,1837
 sd s4,-296(s2)
 xor a5,a0,a0
 sw t1,-1252(s1)
L100_20:
 sb s5,579(s0)
 ori s7,a3,1116
 subw s7,a7,a3
 add a2,a5,s4
 subw a0,s7,t0
 sub a3,s5,a1
 lw s7,-564(s0)
 lwu a1,-416(s0)
 srl a0,t1,a7
 sd a7,1272(s2)
 and s6,a1,a2
 call fn100_0
 slli t2,a4,22
 and a5,a2,t0
 lb a1,1072(s2)
 blt a4,a1,L100_21
 xori t2,s5,1086
 and a2,a6,t1
L100_21:
 add a6,t2,s4
 sub a3,a3,a0
 lw t0,-496(s1)
 blt a6,a4,L100_22
 bltu t1,a1,L100_23
 lbu a1,-1283(s1)
 or t0,t0,t0
 lw a3,244(s0)
L100_23:
 lb a6,-1568(s0)
 ld a5,-416(s1)
 lbu a4,299(s0)
 sb a4,582(s1)
L100_22:
 sh t0,-32(s0)
 slti a1,s7,-1305
 call fn100_2
 lh s6,-556(s0)
 slli s4,t0,4
 slt a6,t0,a0
 lbu t0,1104(s1)
 sub a0,t0,s6
 lbu s4,136(s0)
 ld a0,1880(s1)
 addi a0,s4,556
 srl a2,s7,a0
 andi s8,a2,8
 beqz s8,L100_24
 slli a4,s5,24
L100_24:
 lwu a2,-636(s2)
 sd s4,-504(s1)
 slti a1,s4,-1676
 lb s5,-799(s1)
 bgeu t0,t0,L100_25
 sb a3,1060(s0)
L100_25:
 xori s4,t2,-1693
 sra a0,a3,a5
 srli t2,t1,51
 blt a1,a1,L100_26
 or a2,a6,a1
 sll a0,a1,s7
 andi a1,s6,-376
L100_26:
 sb s5,-251(s0)
 andi s8,t0,2
 beqz s8,L100_27
 lui a5,105760
 slt t2,s7,s7
 subw s4,s4,a6
 addi s7,t1,-229
L100_27:
 ld t1,-904(s1)
 sltu a3,t1,t2
 sw a7,-920(s1)
 sltu a7,t0,t1
 lui a2,711808
 slt s5,s7,a6
 slt a3,a1,s7
 and t0,t2,a5
 xor s6,s7,a1
 lh s4,-418(s1)
 slli t1,t1,39
 beq t2,a3,L100_28
 or t2,a2,a7
 sw a4,1552(s0)
 sltu t1,s6,s6
 andi s8,s5,8
 beqz s8,L100_29
 mul t2,s4,t1
L100_29:
L100_28:
 and s4,t1,t1
 beq a4,s4,L100_30
 sw a1,-248(s0)
 lbu s7,-1693(s0)
 and a5,s7,a3
 call fn100_3
 addi s7,a4,-1387
L100_30:
 bgeu s7,t1,L100_31
 sra a0,a7,s7
 ld a0,-40(s2)
 sd a2,1112(s0)
 sb a3,-1232(s2)
 sb a0,991(s1)
L100_31:
 sll a2,t0,a6
 sra a1,a0,s4
 sb a0,-1245(s0)
 addi a0,s4,289
 xori t2,t2,-1251
 sra a2,a2,a0
 addw s4,a0,t1
 addw s5,a6,a1
 lb a5,-1774(s2)
 xori s6,s6,-720
 sll a7,s6,a3
 lb a7,866(s0)
 bge s6,s4,L100_32
 addi a5,s6,1165
 sltu a7,s7,s7
 bltu a7,a2,L100_33
 lh a6,-1708(s1)
 and a2,t0,a5
 add a2,a0,a7
 mul a0,a3,s6
 sd a6,960(s0)
L100_33:
 lwu s7,1620(s2)
L100_32:
 sra a2,t1,a0
 call fn100_0
 ld a2,-1000(s2)
 rem t0,t2,s7
 slli s6,t1,3
 sltu s5,t1,a5
 slli s4,a7,37
 sd t1,-1648(s0)
 sll a7,a0,t2
 or t0,t2,a1
 slli t0,a3,45
 srl a2,a0,s7
 bgeu a3,a1,L100_34
 sh s5,-616(s1)
 divw t1,a1,a1
 mulhu s7,s4,s4
L100_34:
 sub s4,a7,a4
 li t2,475796806
 bge a0,a1,L100_35
 sra a0,t2,a1
L100_35:
 addiw s6,a2,1675
 sllw a7,a7,t1
 sltu a1,a0,s5
 slti s7,t0,-1280
 andi a5,t2,-1359
 lbu a2,-1398(s1)
 or a1,s7,a6
 sd s4,1856(s0)
 li t2,527656496
 sub a7,t0,t1
 sltu a4,t0,t2
 subw a5,t2,a5
 addi a4,t2,453
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
buf100: .space 20480
tab100: .dword fn100_0,fn100_1,fn100_2,fn100_3

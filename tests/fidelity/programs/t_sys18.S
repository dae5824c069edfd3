# SPDX-License-Identifier: Apache-2.0
# A random program (seed 9306, kind sys).
 .text
 .globl run
fn9306_0:
 sub s4,a7,t2
 xor a7,a4,a3
 xor a4,s4,t1
 ret
fn9306_1:
 and s6,a1,a4
 and a7,t1,t1
 xor a5,t1,s6
 xor a0,s5,t0
 and s6,s5,s7
 ret
fn9306_2:
 sub a3,a4,t0
 add a4,s5,a7
 and s4,a2,t1
 and a2,t1,a7
 add a7,a1,a6
 add a3,a7,s6
 sub a5,a6,a2
 xor a2,a4,a0
 ret
fn9306_3:
 sub a6,a5,s4
 ld a2,8(s0)
 add a0,a2,s6
 xor a2,a2,s7
 sub a3,a3,a5
 xor t1,a4,a5
 add a2,a4,t2
 xor a1,s4,t2
 ret
fn9306_4:
 sub a2,s5,s5
 addi sp,sp,-16
 sd ra,8(sp)
 call fn9306_1
 ld ra,8(sp)
 addi sp,sp,16
 xor a6,a7,s4
 add s6,s6,s7
 and t2,a2,a7
 and a4,a7,a4
 sub s5,a2,a7
 xor t0,t0,a7
 sub a2,a2,s6
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
 la s0,buf9306+2048
 la s1,buf9306+4096+2048
 la s2,buf9306+3*4096+2048
 li t0,-669833794127
 li t1,-824210445548
 li t2,-592535394675
 li a0,-119082710882
 li a1,-32016509782
 li a2,608407425070
 li a3,-1001282720669
 li a4,650934142855
 li a5,-829572582142
 li a6,-507806612290
 li a7,-742275050395
 li s4,-756850587596
 li s5,346238154591
 li s6,765243282417
 li s7,706898400075
 fcvt.d.l ft0,t0
 fcvt.d.l ft1,t1
 fcvt.d.l ft2,t2
 fcvt.d.l ft3,a0
 fcvt.d.l fa0,a1
 fcvt.d.l fa1,a2
 fcvt.d.l fa2,a3
 fcvt.d.l fa3,a4
 li s3,12
1:
 bge a5,a6,L9306_1
 fence rw,w
 addw s7,a7,s4
 subw t1,a5,a7
 sh t0,1444(s2)
 lw a7,-1376(s0)
L9306_1:
 bltu s7,s4,L9306_2
 lb a4,1376(s0)
 sll a3,t2,t0
L9306_2:
 beq s5,a2,L9306_3
 addw s5,a5,a7
 lwu s7,-408(s2)
 or a2,a7,s7
L9306_3:
 lb t0,-760(s0)
 amoswap.w a0,a1,(s2)
 call fn9306_0
 srl a1,t1,a5
 andi s8,a0,3
 beqz s8,L9306_4
 sub s6,s7,t1
L9306_4:
 and s6,a6,t2
 lh a4,1826(s1)
 call fn9306_3
 sb s7,549(s2)
 slti a1,a1,1830
 lb s7,1217(s1)
 remw a4,a6,t1
 andi s8,s6,1
 beqz s8,L9306_5
 sra a1,a5,a7
 mulhsu s4,a3,a0
 xor a4,a4,t1
L9306_5:
 slti t2,a4,1472
 slli a3,a7,6
 sub t2,t1,s4
 or a1,a4,a0
 fence rw,w
 andi s8,a7,1
 beqz s8,L9306_6
 sra t0,s5,s4
 csrr a7,minstret
 xor a0,a0,a0
 addw a2,a6,a6
 lui t2,467888
L9306_6:
 remw s5,s5,t2
 bgeu a6,a3,L9306_7
 lui s6,594418
 lb a4,1879(s0)
L9306_7:
 frflags s8
 sd a2,-240(s0)
 sd t0,1232(s1)
 or s5,s5,a1
 ori s4,s7,470
 sll a3,t1,t0
 sllw t0,s6,a1
 bltu s7,t0,L9306_8
 xori t0,t0,-1880
 ld s6,1392(s0)
 slli s4,a3,46
L9306_8:
 amoadd.d t2,a0,(s2)
 andi s7,t0,-1493
 addiw a0,s5,1131
 sh a7,-1386(s1)
 mulhsu t1,a1,a6
 slt a5,a0,a7
 lbu a2,-1427(s1)
 sub a1,s5,t2
 and a3,t1,s5
 csrr a0,mscratch
 or s4,s5,s7
 blt t0,a6,L9306_9
 lr.d s8,(s1)
 addi s8,s8,1
 sc.d s6,s8,(s1)
L9306_9:
 ori s6,a0,1277
 mul a5,t1,t0
 srli s7,t1,20
 lw a0,500(s0)
 sltu s7,a4,s5
 slti s6,a3,-291
 fence rw,w
 subw a7,s6,a6
 addiw a0,a0,266
 sll t0,a3,a2
 mulhsu a2,a1,a6
 slli s7,a6,55
 csrrs a3,sscratch,a3
 sllw a7,a2,t0
 andi s8,a5,1
 beqz s8,L9306_10
 addi a3,a3,9
 lw s7,2012(s1)
 addiw s5,a1,1055
L9306_10:
 andi s8,a0,2
 beqz s8,L9306_11
 sb s5,-945(s2)
 srli s7,a6,7
 sd t1,552(s1)
 beq a5,a2,L9306_12
 xori a1,t1,-1254
 ori s6,a0,-151
 xor t1,t0,a7
 xori t2,t0,1361
L9306_12:
L9306_11:
 li s4,383889107
 bltu a3,a4,L9306_13
 sltu a5,s7,t1
 sra a0,a0,a3
 csrw mscratch,a1
L9306_13:
 and a2,a7,a6
 lbu s4,841(s2)
 lr.d s8,(s1)
 addi s8,s8,1
 sc.d a1,s8,(s1)
 li a2,747031546
 or s5,t2,s4
 sll a0,t2,a4
 sub a4,a3,a5
 fence rw,w
 or a2,a1,a7
 xor s5,a3,s7
 blt a4,s4,L9306_14
 fence rw,w
 amoxor.d a4,s7,(s2)
 sllw a3,t0,s5
L9306_14:
 andi s8,a0,2
 beqz s8,L9306_15
 andi t1,t0,-381
 addw a1,t0,a3
L9306_15:
 amoswap.w a3,a5,(s1)
 frflags s8
 sra s4,a2,s5
 or a0,s6,t2
 subw a6,a1,a6
 slt a2,a0,a4
 slt t1,a0,t2
 addiw t1,s7,-1490
 ori a0,t2,-602
 bgeu a2,t2,L9306_16
 srl s7,t2,s7
 call fn9306_4
 addiw a6,a6,1997
 beq a4,a0,L9306_17
 slli a1,a5,58
 addw s7,a6,a5
L9306_17:
 sub a1,a6,s4
L9306_16:
 or t1,s5,a5
 andi s7,s6,-83
 sllw s4,a5,a2
 sh s6,-250(s0)
 sltu a7,a5,s7
 csrw mscratch,a4
 slli t1,a1,5
 mulw t2,s4,a0
 sd a1,1320(s0)
 sd t2,992(s1)
 or a2,s6,t2
 srl a4,s5,t0
 sllw a4,a4,t2
 sra a1,t2,s4
 slt s5,s4,a4
 andi s8,a5,8
 beqz s8,L9306_18
 sw t2,1496(s0)
 sllw a0,a1,a2
 sd a2,-1856(s0)
 fence
L9306_18:
 xori a6,s5,-1843
 addw a4,t1,a3
 srl t0,a1,a6
 slti a1,a7,1767
 sll a6,a3,a7
 add t0,a6,a2
 fsflags x0
 amomax.w a2,a1,(s1)
 sub a4,a2,a2
 xor a0,t2,a1
 bge a6,s6,L9306_19
 ori a1,a2,433
 addiw s7,s7,877
 sltu t2,t0,a5
 sltu a6,t1,t2
 or a6,a3,s5
L9306_19:
 call fn9306_0
 frflags s8
 sw s6,232(s0)
 mul s5,s5,a1
 sub a2,a7,a6
 bne a3,a2,L9306_20
 andi s8,a3,2
 beqz s8,L9306_21
 sh a0,-1852(s2)
L9306_21:
 and a6,t0,a7
L9306_20:
 srli s4,a0,11
 srl a1,a1,a2
 amoswap.w t0,a2,(s0)
 andi s8,a3,8
 beqz s8,L9306_22
 bge a3,t0,L9306_23
 ori a1,a2,-170
L9306_23:
L9306_22:
 xor a0,s7,t1
 rem a2,a1,a3
 sll s6,a4,a7
 bltu s6,a7,L9306_24
 andi s8,s5,2
 beqz s8,L9306_25
 addiw t0,t1,-935
 ld t1,1432(s1)
L9306_25:
 and a7,s4,a0
 slt a6,s4,a5
L9306_24:
 ori a7,a1,-253
 ld t2,1224(s0)
 sw a2,-316(s1)
 ld a0,720(s1)
 frflags s8
 mulw s7,s5,a6
 frflags s8
 lwu a5,1512(s2)
 slt a2,s5,s7
 rem a2,s7,a0
 li s4,-1461969852
 addi s7,s7,3
 lbu s6,1527(s0)
 sub a4,s7,s7
 xor s4,a2,t2
 bgeu a1,a1,L9306_26
 fence
 sw a7,-240(s0)
 lw t1,-460(s1)
 addi a5,a5,1
L9306_26:
 addiw a1,a4,-683
 sltu s5,a7,a5
 xori s4,a3,-1750
 sh t1,-1748(s0)
 xori t2,a4,1228
 addw a6,a7,s5
 sll a4,s4,a3
 beq a2,t1,L9306_27
 mulh a2,t0,a7
L9306_27:
 lb a6,291(s2)
 call fn9306_4
 sd a0,-1696(s1)
 csrr s7,minstret
 xor t1,t1,t1
 sltu a2,t1,a5
 sw s7,-1520(s0)
 slli a1,t2,46
 addi a6,t1,-97
 sllw a3,a3,a2
 rem s6,a4,a0
 srl t0,s4,s6
 xori a0,a4,-553
 srli a3,s6,13
 remw a1,s7,t2
 lwu t2,-16(s0)
 lr.d s8,(s1)
 addi s8,s8,1
 sc.d t2,s8,(s1)
 lh a7,376(s0)
 ori t2,t2,-2038
 amoadd.d s7,s6,(s0)
 fsflags x0
 ori s5,a3,-1087
 and a4,s7,a0
 lh a3,-1612(s2)
 lr.d s8,(s1)
 addi s8,s8,1
 sc.d a6,s8,(s1)
 lbu t2,625(s0)
 ori s6,a3,-477
 call fn9306_1
 ld s6,-256(s2)
 li a1,1858434801
 lr.d s8,(s1)
 addi s8,s8,1
 sc.d a4,s8,(s1)
 sb a5,615(s2)
 beq a4,a3,L9306_28
 or a4,a6,s7
 lui t1,76356
L9306_28:
 li s4,-1578058547
 mul a0,t0,a1
 blt t2,a7,L9306_29
 or a6,s7,s6
 add t0,s7,t1
L9306_29:
 lwu s4,1212(s2)
 or t0,a1,s5
 fsflags x0
 srl a1,a4,a7
 sub a6,a0,a3
 slli a7,a4,51
 fence
 and a6,s4,s6
 sltu s6,a5,s5
 ori s6,a2,-1639
 andi s4,a1,-844
 slli a3,a3,11
 sll a7,a7,s4
 csrr a5,minstret
 xor a1,a1,a1
 sltu a1,a3,s7
 subw s5,s5,s4
 slti t2,t0,558
 sub a7,a6,s5
 call fn9306_1
 sub s6,a2,t2
 subw a7,a1,a6
 xori s4,a3,-1282
 andi s8,t0,1
 beqz s8,L9306_30
 beq a5,a5,L9306_31
 sra t1,a4,s4
 sw t2,-2044(s0)
 ld t1,-576(s0)
 ori a3,a2,440
 sll s5,t2,s5
L9306_31:
L9306_30:
 sd a1,920(s2)
 slt s5,t0,t0
 or a7,t1,s7
 ld s7,56(s0)
 sw t2,-1500(s1)
 lbu a7,1222(s2)
 sltu a7,a6,a1
 beq s7,a1,L9306_32
 andi s8,t1,3
 beqz s8,L9306_33
 andi s8,a3,8
 beqz s8,L9306_34
L9306_34:
 slli s7,a6,58
 call fn9306_4
 bne s5,a7,L9306_35
L9306_35:
L9306_33:
 slli a0,s7,53
L9306_32:
 call fn9306_0
 lb t1,1482(s1)
 divu s6,t2,s6
 lui a4,658081
 sra a3,t0,a0
 sltu a6,a7,s4
 xori a6,t2,1501
 lw a1,-732(s0)
 ld s7,-1560(s2)
 li s6,203170333
 andi s6,s6,476
 csrw mscratch,a4
 lh a7,1636(s0)
 or a7,s7,s4
 sw s7,448(s0)
 mulw a1,a2,a6
 li a2,-1637339153
 sd t1,-1912(s1)
 sh s7,1830(s2)
 call fn9306_0
 sra a7,s7,a7
 slt a3,s5,t2
 lwu t0,1232(s0)
 ori t1,a6,-532
 and a7,a6,a4
 sb s4,-200(s0)
 addw a4,s5,a3
 bne a4,t1,L9306_36
 sd s5,1872(s0)
 li s5,1980481642
 addiw s4,t1,581
L9306_36:
 sd a7,1344(s0)
 srl a7,a4,a7
 lwu s4,616(s2)
 andi t1,a3,-1688
 bne a1,t2,L9306_37
 sd a5,272(s2)
 addw t2,t1,s7
 lwu t2,1604(s2)
L9306_37:
 and t1,s4,t1
 call fn9306_1
 ori s4,a2,543
 slli t1,a3,3
 blt a4,s6,L9306_38
 bne a3,s4,L9306_39
 beq a1,a7,L9306_40
L9306_40:
 beq s5,a0,L9306_41
L9306_41:
L9306_39:
 and t2,a6,a3
 addi t2,a7,-1563
 or a3,a0,a0
 mulhsu t1,t1,s4
L9306_38:
 csrrs t1,sscratch,a4
 slti a2,a2,2042
 and s5,s5,a7
 addi s5,a0,-750
 addiw s4,t0,1043
 addi a3,a3,3
 frflags s8
 xori s5,a2,1148
 add a1,a2,a4
 blt a2,s5,L9306_42
 sb a7,-1594(s2)
 csrw mscratch,s5
 li a1,1602876071
 sllw a2,a3,s5
L9306_42:
 lui a4,796096
 lwu a1,-1044(s2)
 lw a2,1844(s0)
 mulh a2,s4,a6
 sltu a4,t1,a3
 addiw a0,a6,582
 addi a2,s7,-457
 addw a3,s7,a2
 srl a5,t1,s6
 add a6,a4,s4
 sd s7,-664(s0)
 ori s6,t1,-1355
 lbu t1,897(s0)
 lbu a1,15(s0)
 addi t2,t2,1
 call fn9306_1
 ld t1,104(s0)
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
buf9306: .space 20480
tab9306: .dword fn9306_0,fn9306_1,fn9306_2,fn9306_3

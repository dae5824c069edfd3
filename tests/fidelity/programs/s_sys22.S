# SPDX-License-Identifier: Apache-2.0
# A random program (seed 7386, kind sys).
 .text
 .globl run
fn7386_0:
 and s5,s4,a6
 and a5,t2,a2
 xor a6,a1,t1
 add t0,a0,a0
 sub a2,a2,a2
 xor s7,a0,a6
 ret
fn7386_1:
 sub a6,a2,a5
 xor a6,a7,s5
 and a5,a1,a4
 and s7,t1,a1
 and a0,a7,s5
 add s7,s5,s7
 sub a2,s4,t2
 ret
fn7386_2:
 sub a5,s5,a4
 sub s5,t0,s4
 sub t1,a1,a5
 and a5,t0,a2
 sub a7,a3,a6
 and a4,t0,s5
 add s6,t1,a5
 and a6,a3,t1
 ret
fn7386_3:
 sub a7,s7,a7
 ld t2,8(s0)
 add a5,s4,a6
 add a6,s5,s7
 add s7,t2,a2
 add a5,t1,s6
 add a6,a3,a1
 xor a6,a5,s4
 ret
fn7386_4:
 sub s4,s5,a6
 addi sp,sp,-16
 sd ra,8(sp)
 call fn7386_1
 ld ra,8(sp)
 addi sp,sp,16
 add a4,s6,t0
 and a1,s4,a7
 sub a7,s7,t0
 add a0,a5,a6
 xor s7,a0,a2
 xor t1,t1,t1
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
 la s0,buf7386+2048
 la s1,buf7386+4096+2048
 la s2,buf7386+3*4096+2048
 li t0,481479634322
 li t1,-907027625246
 li t2,418806409538
 li a0,647543474666
 li a1,436532441391
 li a2,723203328918
 li a3,-993159397948
 li a4,306180585026
 li a5,-112392988346
 li a6,1084700202690
 li a7,309690523884
 li s4,565454208202
 li s5,-217821604915
 li s6,162371547767
 li s7,586455470418
 fcvt.d.l ft0,t0
 fcvt.d.l ft1,t1
 fcvt.d.l ft2,t2
 fcvt.d.l ft3,a0
 fcvt.d.l fa0,a1
 fcvt.d.l fa1,a2
 fcvt.d.l fa2,a3
 fcvt.d.l fa3,a4
 li s3,40
1:
 sh a3,1788(s0)
 sub a5,t0,a5
 ld a5,-248(s2)
 lw a6,-212(s0)
 lh a4,-1030(s0)
 lwu a4,-292(s0)
 sllw a0,a5,a0
 sub t0,t2,a6
 or s7,a7,a4
 addiw t1,a7,615
 sllw s7,a5,a1
 addi s6,s6,1
 ori s7,a6,1509
 subw s6,a2,a1
 lr.d s8,(s1)
 addi s8,s8,1
 sc.d s5,s8,(s1)
 addi t2,t2,9
 sub s5,a1,a2
 sra s7,s6,t1
 beq s5,s6,L7386_1
 bge s7,a4,L7386_2
 andi s4,a1,-1713
 bgeu s4,t1,L7386_3
L7386_3:
 slli s6,t2,43
 ori a0,a5,-1701
 addiw s7,a0,-758
L7386_2:
L7386_1:
 lr.d s8,(s1)
 addi s8,s8,1
 sc.d s6,s8,(s1)
 andi a3,a6,-225
 and a2,a5,a2
 sb t2,-1242(s2)
 lbu a3,583(s2)
 xori t1,a0,235
 addi s7,a4,-120
 amomax.w a4,a2,(s1)
 ld a0,-1064(s0)
 lb s5,618(s0)
 lbu t0,1520(s2)
 addiw a3,s4,1004
 li t0,813868049
 addi a4,a4,-1
 lh a5,1380(s0)
 lh t0,-440(s0)
 sh a1,-1704(s0)
 sllw a6,t1,a3
 call fn7386_1
 ld a4,-1208(s2)
 csrrs a4,sscratch,a2
 mulhsu a4,t0,t0
 srli a0,a7,20
 ld s4,112(s0)
 sltu s4,s6,s4
 lw a4,680(s2)
 sll a0,t1,t0
 addiw a7,s6,-317
 subw a4,s7,a7
 slt a3,a2,a7
 subw t0,a7,s5
 sll a4,a3,a6
 sb s6,-951(s1)
 sra t0,a7,s6
 sltu a7,a5,a5
 addiw a0,s6,-812
 bltu s7,t1,L7386_4
 slt s5,t1,s4
 call fn7386_0
 sra s4,s5,a3
 lb a3,-1991(s2)
 sll a7,a3,t2
L7386_4:
 fsflags x0
 addw a5,s7,a5
 addi a7,a4,751
 sw s7,-752(s2)
 fsflags x0
 srl a6,a6,t2
 sltu t1,a7,a5
 lh a2,774(s0)
 ori t2,t1,1946
 and a5,s6,t0
 slt a6,a3,a5
 lh a5,1068(s0)
 call fn7386_1
 addi t2,a7,581
 xor s4,a4,s7
 call fn7386_0
 frflags s8
 bne s4,a2,L7386_5
 sw a4,472(s2)
 lui s7,470879
 addw a5,t0,s4
L7386_5:
 xori t1,t2,-1825
 amoadd.d a2,a5,(s1)
 or a0,a1,t2
 addiw s5,s4,985
 slt a6,t2,a4
 andi a2,t0,-284
 slt t2,t0,s7
 bne a0,a6,L7386_6
 slt s5,a4,s6
 sd t2,760(s2)
L7386_6:
 xor a1,t1,a6
 blt s6,a5,L7386_7
 sd a0,-120(s0)
 amoadd.d a1,s6,(s0)
 sb t1,1624(s0)
 xori t1,s6,567
L7386_7:
 addw s6,a5,s5
 sh s7,542(s2)
 addi s6,s6,-5
 li s6,-267323236
 xor t2,s7,a0
 andi s4,a6,-1546
 subw a3,a0,a2
 srl a1,t1,s5
 amoadd.d a4,s4,(s2)
 bltu t1,a0,L7386_8
 ld s7,528(s2)
 sltu t0,a3,a2
 sub t0,a7,s7
 lb a4,819(s1)
L7386_8:
 slti a2,a5,-164
 fence rw,w
 add s5,a5,t0
 slt s6,s7,a5
 ld a3,1208(s2)
 lh a7,-1814(s1)
 csrrs s7,sscratch,s6
 addi a7,a7,1
 sll a7,a6,a5
 csrr a5,mscratch
 addiw a1,s4,1651
 slli s6,a4,12
 addw a0,t1,a2
 slt a5,s5,a6
 sub s5,t2,a5
 and s5,a2,t0
 lbu t1,50(s0)
 andi t1,s4,1372
 andi s8,t0,2
 beqz s8,L7386_9
 sh a2,1292(s0)
 andi s8,t2,2
 beqz s8,L7386_10
 slti s5,a3,267
 amoadd.d s5,a0,(s1)
 sra s6,s6,a7
L7386_10:
 sllw s6,s7,t0
 add t2,t0,t0
 lw t0,440(s0)
L7386_9:
 slt t0,a5,a7
 addi a7,t0,-1982
 andi s8,a1,2
 beqz s8,L7386_11
 beq s5,s7,L7386_12
 sltu a7,t0,a5
L7386_12:
 lb a4,2029(s2)
L7386_11:
 and a5,s5,t2
 li a1,26519722
 sd a6,904(s0)
 csrrs s4,sscratch,a7
 fsflags x0
 srli s6,a1,44
 lb s7,-1132(s2)
 addi t2,t2,-5
 add a7,a4,a6
 lb s6,1064(s0)
 mulw a1,s4,a6
 sra t0,s5,t0
 subw s7,a1,a6
 csrrs s4,sscratch,a4
 add a1,a3,t0
 csrr s6,mscratch
 srli a3,a7,60
 call fn7386_0
 ori a4,t1,1168
 blt a5,s4,L7386_13
 sh s5,1336(s0)
L7386_13:
 lh a4,1014(s0)
 li s5,-2143155925
 addiw a7,a6,850
 srli a7,s7,35
 sra t2,t0,s6
 sll a0,a2,t2
 and a7,a5,s5
 remu s5,a4,s7
 sh a1,-670(s1)
 lh a7,52(s0)
 slt a3,s6,t2
 srl a6,a6,a6
 addi a2,a7,1317
 frflags s8
 lbu s4,-660(s1)
 slli a0,s5,50
 fence
 mulhsu t1,a4,s7
 sd a4,520(s1)
 sub a6,a3,s4
 lui a3,437142
 bge s5,a7,L7386_14
 slli t2,a4,38
 addi a0,a0,1
 bltu s7,t0,L7386_15
 addi a7,a7,1
 srl a0,t0,a2
 lbu s6,16(s1)
L7386_15:
 sw a2,1472(s0)
L7386_14:
 ld t2,-1624(s1)
 blt a0,a3,L7386_16
 srl t0,a6,a7
 sd t2,-1752(s2)
 lr.d s8,(s1)
 addi s8,s8,1
 sc.d a0,s8,(s1)
 sh a5,-412(s0)
 and a2,a6,a2
L7386_16:
 sw a2,1404(s1)
 slli a7,a7,49
 or t2,t2,s6
 sw s5,576(s0)
 sd a2,48(s2)
 blt a0,a3,L7386_17
 subw s4,a1,a3
 subw s7,a2,t1
 lui a6,59788
 sll a4,a1,a0
 fsflags x0
L7386_17:
 sra t1,s6,t0
 fsflags x0
 remw a2,a3,t1
 andi t1,s6,1921
 bltu a1,s5,L7386_18
 lui s5,46441
 lbu s4,795(s2)
 remu a1,a2,a7
 or t0,a5,t0
L7386_18:
 addiw s6,t0,-568
 or a5,a2,s5
 bge s7,a7,L7386_19
 srl t0,t2,s5
 bne t2,a7,L7386_20
 xor t0,a3,s4
 or t1,t0,s5
 or a0,a4,t2
L7386_20:
 addiw a3,a2,1024
 addiw a0,a2,1150
 lwu a5,952(s0)
L7386_19:
 amomax.w a5,s6,(s1)
 sltu a2,a5,a4
 sw s5,1188(s1)
 sb a3,836(s2)
 add a7,a5,t2
 and s6,a1,a2
 lwu s4,1452(s0)
 sub a0,a1,s4
 lbu a5,760(s2)
 beq a0,a0,L7386_21
 sh t1,-216(s2)
 call fn7386_1
L7386_21:
 sra s6,s7,a7
 addi s7,a5,1524
 amomax.w a4,s6,(s0)
 mulw a2,t1,a7
 add a5,s4,a5
 lh a7,-1696(s2)
 lh a1,204(s2)
 sra a1,s4,a3
 bltu t0,s4,L7386_22
 mulw a5,t1,a7
L7386_22:
 sd a6,160(s0)
 lb a2,-1587(s2)
 add s5,s4,a1
 bgeu s6,s7,L7386_23
 addi s4,a5,-532
 amomax.w a7,a0,(s1)
 sw a2,-120(s1)
L7386_23:
 xor a1,a6,a7
 sd a5,-888(s0)
 mul s4,s5,a0
 bne s5,a5,L7386_24
 sub a7,t2,a1
 call fn7386_4
 lwu t0,404(s1)
 amoxor.d t0,a3,(s2)
 amoswap.w a3,a2,(s2)
L7386_24:
 bgeu a7,a5,L7386_25
 sw a6,-1008(s1)
 andi a6,s6,1222
 sra s6,s7,t0
 sll t2,s6,a7
L7386_25:
 div s5,a6,s4
 sra s5,a6,a0
 bge s7,a1,L7386_26
 slli a5,s6,55
 bgeu a5,a7,L7386_27
 or a2,a5,a1
 bltu a5,a1,L7386_28
L7386_28:
 lb s7,598(s1)
 lb s7,-997(s2)
L7386_27:
 slli a2,a4,13
 addi a0,s4,1471
 andi a4,s5,-527
L7386_26:
 bltu t2,a5,L7386_29
 lui s7,519105
 sra t2,a4,s6
 addiw s4,a2,1445
L7386_29:
 mulw t0,s5,t2
 lwu a0,-1588(s2)
 mul s7,a6,a6
 bne a3,s6,L7386_30
 lr.d s8,(s1)
 addi s8,s8,1
 sc.d a3,s8,(s1)
 lr.d s8,(s1)
 addi s8,s8,1
 sc.d t2,s8,(s1)
 sd s4,432(s1)
 ld a4,1488(s0)
L7386_30:
 sb a3,-1559(s2)
 addw a2,t2,a0
 amomax.w a0,a5,(s0)
 sd a3,-640(s1)
 addi a2,a2,9
 sb a5,1526(s1)
 subw a5,s4,t1
 sd a7,1720(s2)
 lb a7,-123(s0)
 bne s4,a6,L7386_31
 bge t2,a7,L7386_32
 srl t1,s7,a6
 sra t0,a2,a2
 lui s4,334065
 sll a7,a2,a7
 amoswap.w t2,s6,(s0)
L7386_32:
 lwu a3,1000(s1)
 bltu s6,a1,L7386_33
 and a4,a4,t2
 slli a4,a0,59
 blt s5,a4,L7386_34
L7386_34:
 amoswap.w s5,a2,(s2)
 sltu a6,s4,a7
L7386_33:
 li t0,-134939796
L7386_31:
 or s5,a5,s6
 sub a2,a4,t2
 addi s7,s7,3
 addi s7,s6,-1501
 or a2,t1,s5
 srl a7,s7,a6
 sltu a1,a6,t0
 andi s8,a3,8
 beqz s8,L7386_35
 lbu a0,576(s0)
L7386_35:
 xori s6,t1,-1934
 addw t2,s4,t1
 ld a7,-32(s0)
 subw s7,s6,a0
 andi s8,s6,1
 beqz s8,L7386_36
 bge t1,s7,L7386_37
 addw a5,t2,s7
 ld a3,-592(s0)
 sh t1,620(s2)
 lb a6,1434(s2)
L7386_37:
 frflags s8
 mul a1,t0,t2
 bgeu a0,s7,L7386_38
 bltu s4,a2,L7386_39
L7386_39:
 subw a6,s7,t0
 sra a2,a0,a1
 sh a4,-1142(s0)
 call fn7386_1
L7386_38:
 sllw s5,s6,t1
L7386_36:
 lui a6,1032493
 andi s8,a2,3
 beqz s8,L7386_40
 bne a5,a2,L7386_41
 lwu s7,-408(s2)
 addw t1,a4,a4
 slli s5,a6,38
L7386_41:
L7386_40:
 andi s8,t2,3
 beqz s8,L7386_42
 frflags s8
 srli t2,a2,25
L7386_42:
 xor s5,a3,t0
 sll a0,a7,a1
 addw a4,a6,s6
 sll t1,a7,t1
 mul s7,s4,s5
 call fn7386_0
 xori a3,s7,-632
 ori a7,a0,1870
 add a0,a5,t1
 lr.d s8,(s1)
 addi s8,s8,1
 sc.d a3,s8,(s1)
 csrw mscratch,s4
 or a7,t2,s7
 li s4,1161304375
 sra a6,s7,a0
 div s5,a2,t1
 addi t1,t1,1
 srl s5,s5,a7
 add t1,s4,a2
 addw a4,a1,a2
 lh t0,1524(s0)
 mulhu a5,a4,a1
 sd a5,-1624(s0)
 sllw a5,s5,s5
 lw a5,1944(s1)
 lr.d s8,(s1)
 addi s8,s8,1
 sc.d t2,s8,(s1)
 andi s8,a2,1
 beqz s8,L7386_43
 ori a4,a7,-2037
 lb t2,-822(s1)
 addiw a2,a0,1981
 sh t2,2044(s1)
 xor a0,a7,t2
L7386_43:
 slt a4,s5,a4
 lb a3,998(s1)
 xori s5,t1,736
 ld s7,1304(s2)
 sll a3,s7,s5
 lh a5,976(s0)
 mulh s4,s4,a4
 sub s7,s7,s7
 beq a2,a5,L7386_44
 bgeu s6,s7,L7386_45
 lwu a4,-1648(s1)
 bltu s4,s6,L7386_46
L7386_46:
 and a1,a3,a3
L7386_45:
 sb a2,-2048(s0)
 slt s4,t0,a6
L7386_44:
 csrr t0,minstret
 xor t2,t2,t2
 mulh a3,t0,t2
 lui t0,754138
 srl a0,a2,t1
 blt t2,t1,L7386_47
 blt t2,a1,L7386_48
 xor a5,a1,a6
 fsflags x0
 sd a0,-1512(s2)
L7386_48:
 andi s8,s6,8
 beqz s8,L7386_49
 srl t2,a2,t1
 or s5,s6,s7
 and a2,a2,t0
L7386_49:
 xor s5,a1,s5
L7386_47:
 lb t0,-960(s1)
 rem s4,t0,a6
 beq s7,a1,L7386_50
 sll s4,t0,s5
 li s5,-1099846055
 call fn7386_1
 srl a4,a2,a5
L7386_50:
 slli a5,a5,45
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
buf7386: .space 20480
tab7386: .dword fn7386_0,fn7386_1,fn7386_2,fn7386_3

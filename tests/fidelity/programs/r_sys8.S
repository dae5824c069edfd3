# SPDX-License-Identifier: Apache-2.0
# A random program (seed 108, kind sys).
 .text
 .globl run
fn108_0:
 add a0,a5,a0
 sub a4,a6,t1
 ret
fn108_1:
 add s7,s4,a4
 xor a2,a3,s4
 add t2,a1,a5
 add a7,a7,a4
 ret
fn108_2:
 xor a7,a5,t2
 and s4,t2,s6
 add s4,s4,a0
 ret
fn108_3:
 add t2,a2,t1
 ld a7,8(s0)
 xor a1,t2,s6
 add a0,a7,a3
 and s7,s7,s5
 ret
fn108_4:
 xor a4,a5,a6
 addi sp,sp,-16
 sd ra,8(sp)
 call fn108_1
 ld ra,8(sp)
 addi sp,sp,16
 sub a6,t0,t2
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
 la s0,buf108+2048
 la s1,buf108+4096+2048
 la s2,buf108+3*4096+2048
 li t0,-1003795346322
 li t1,-593381337863
 li t2,433240973177
 li a0,-1068100414763
 li a1,-316744343651
 li a2,-31699531849
 li a3,-497824513052
 li a4,766308577932
 li a5,-1076687241596
 li a6,-249880635658
 li a7,1004287355545
 li s4,214834264295
 li s5,-238121970143
 li s6,395882473760
 li s7,414406613151
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
 sub s7,a7,a3
 sb a0,-1386(s1)
 or s4,s6,a2
 or t1,s7,a5
 amoxor.d a7,s6,(s1)
 sra a6,a7,s7
 sra a6,s6,a4
 sllw s4,a2,a7
 csrr a0,mscratch
 li t1,2079934024
 sltu a0,s4,a4
 sd a2,-560(s0)
 lbu t2,-1827(s0)
 andi s8,s6,8
 beqz s8,L108_1
 srl t2,t0,s4
 amoswap.w a2,a1,(s0)
L108_1:
 sllw a7,a2,t2
 addi a4,s4,1244
 addiw s4,a5,1923
 subw a3,t0,a3
 andi t2,a0,-789
 addi s5,s7,551
 sra s7,s7,a3
 sub a5,a0,t2
 fence
 srl s5,a5,s6
 sub s6,a2,s5
 csrr a3,mscratch
 bltu a6,a3,L108_2
 csrr s7,mscratch
L108_2:
 remw t1,t1,a7
 andi s8,a0,1
 beqz s8,L108_3
 lui a6,248479
 slli a5,s7,12
 bgeu t1,t2,L108_4
 addi t0,a5,-593
L108_4:
 call fn108_3
L108_3:
 beq a1,t0,L108_5
 ld a3,-1600(s0)
L108_5:
 li s4,-191894683
 add s6,a0,a3
 li a3,-710699602
 mulh a6,t0,t2
 addi a6,t2,1338
 bltu a4,a5,L108_6
 sltu a1,a2,s5
 and a0,t1,a2
 remu s6,a1,a6
 sh s7,-1308(s2)
L108_6:
 sw s6,-1916(s1)
 lh a6,850(s0)
 remu s4,t2,a3
 addi a7,a7,3
 lr.d s8,(s1)
 addi s8,s8,1
 sc.d t1,s8,(s1)
 sh a4,254(s0)
 bgeu a2,a6,L108_7
 mul s5,s4,s7
 add a5,s6,a6
 sd t0,-1344(s1)
 xori t2,s4,1234
 lui s4,168552
L108_7:
 bltu a0,a1,L108_8
 ld a1,1696(s0)
 sltu s7,s4,a4
 csrr s7,mscratch
L108_8:
 beq a0,a1,L108_9
 ld t1,-976(s2)
 lw a6,1420(s2)
 mulw a0,a2,s6
L108_9:
 divu a4,a6,t1
 addi s4,s4,-1
 add a2,a5,a4
 amoadd.d a4,a2,(s2)
 beq a6,s7,L108_10
 slli a0,t2,52
 sra a4,a0,a3
L108_10:
 slt t2,a2,t2
 mulh a6,t2,a5
 ld s4,1680(s0)
 and s6,a3,a0
 blt t0,t0,L108_11
 and t0,a7,a3
 ld a5,728(s0)
 slti a0,s7,1568
L108_11:
 or s7,s7,a7
 sd t2,-32(s2)
 li a7,-302580418
 fence rw,w
 andi s7,a2,-910
 and a2,s6,s6
 or a6,s7,t1
 addi s4,s4,9
 mulhsu t2,t2,a3
 andi s8,t1,3
 beqz s8,L108_12
 mulhsu s4,a2,a0
 xor s5,s5,a1
 addi a0,a6,806
 lui a6,481824
L108_12:
 sll a7,a5,a0
 add a1,s7,a3
 amoxor.d a3,t1,(s2)
 sw s6,-1500(s2)
 lwu a0,284(s0)
 addiw s7,s4,-703
 sllw a7,a3,t2
 ori a1,a0,1869
 sllw t0,a4,s6
 xor a7,s6,s6
 lw s6,-1428(s1)
 mulhu s5,a1,s7
 lui t2,48255
 addiw a3,a2,26
 lwu a1,-1436(s2)
 srli a7,a5,51
 sllw a5,a3,a6
 xor a7,a4,s5
 lwu a5,-668(s2)
 rem a5,a6,t2
 add t2,s4,a3
 lh s4,1964(s0)
 beq s6,t2,L108_13
 mulw s6,a6,s5
L108_13:
 sltu a5,t0,a5
 andi s8,t2,1
 beqz s8,L108_14
 andi s8,s4,1
 beqz s8,L108_15
 ld s7,-1488(s2)
 xor a3,a4,s6
L108_15:
 addi a0,s6,-1850
 sw s6,928(s0)
L108_14:
 subw s4,a2,a6
 andi s7,a2,-578
 xor s6,a4,s5
 sltu a5,s6,s4
 sh t0,1004(s0)
 beq s5,a3,L108_16
 subw s6,a0,a7
 lr.d s8,(s1)
 addi s8,s8,1
 sc.d a0,s8,(s1)
 amoswap.w a1,a5,(s2)
 sh s6,-1732(s1)
 sw s4,-1468(s0)
L108_16:
 sll s4,a6,s6
 csrw mscratch,a7
 addw a2,a0,t1
 sllw a2,a1,a1
 blt s7,a3,L108_17
 lbu a4,672(s2)
 frflags s8
L108_17:
 sra a4,s5,a6
 addw s4,s6,a3
 srli a3,a7,9
 srl a1,s4,t0
 xori t1,s4,-1868
 bltu t2,a5,L108_18
 srl a4,a0,t2
L108_18:
 blt a7,a6,L108_19
 addw a1,t0,a3
 addi a5,a5,-1
 li s6,1771075494
 andi a3,a4,1562
 addi a4,s5,1099
L108_19:
 and t2,s6,s6
 bge t0,t2,L108_20
 amoswap.w t2,a3,(s2)
 add a4,t2,s5
L108_20:
 ld s6,1080(s0)
 sd a6,-592(s0)
 subw s4,t0,t2
 rem a1,s7,t0
 slti s7,t2,-824
 bgeu t1,a0,L108_21
 call fn108_0
 amoxor.d a5,s7,(s2)
 blt s7,t1,L108_22
 lh t2,-1664(s0)
L108_22:
 csrr a7,minstret
 xor t0,t0,t0
 lr.d s8,(s1)
 addi s8,s8,1
 sc.d a1,s8,(s1)
L108_21:
 bge a3,s6,L108_23
 slti a1,a4,1721
 sh s5,-794(s0)
 sltu a4,s6,a4
 beq a0,a3,L108_24
 bge a4,a5,L108_25
L108_25:
 xori a3,a2,1918
 add a2,a5,a4
 sw t1,1508(s2)
L108_24:
L108_23:
 xor s5,a1,t1
 sh a6,1162(s0)
 srli a7,s5,5
 lb s4,-1037(s0)
 mulw a2,t0,a0
 lw a7,768(s2)
 bge a3,a4,L108_26
 subw a7,a7,a3
 sd a2,-624(s1)
 csrr a7,mscratch
L108_26:
 subw a7,a1,s4
 sra a2,a4,a0
 addi t2,t2,9
 sll a3,s6,a6
 andi a5,a6,280
 sw s5,-1128(s0)
 lui s7,228762
 beq a0,a4,L108_27
 sra a6,a5,a5
 lb s4,-958(s2)
L108_27:
 lwu a3,-364(s1)
 srli t0,s6,40
 sra a4,s4,s5
 slt a2,s7,a5
 sltu a5,a3,a5
 lb a7,-896(s0)
 li a7,-450729390
 ld t2,-1752(s0)
 slti a0,s7,-218
 call fn108_1
 mulh t0,a3,s7
 xor s5,s7,a4
 andi s8,t2,2
 beqz s8,L108_28
 addi a6,a6,-1
 sltu a2,s5,s4
 amoswap.w a2,s7,(s0)
L108_28:
 addi s6,s6,1
 sll a3,a4,s4
 lwu s6,-928(s0)
 bge a3,a4,L108_29
 sll a3,a6,t1
 addw a1,s7,t2
 addw a5,t0,a2
 sllw s4,a4,a0
 and s7,s7,t1
L108_29:
 srli a1,a6,34
 xori a3,a2,-776
 andi a7,t0,600
 ld t1,-712(s1)
 lwu a5,-1096(s0)
 rem a3,a3,t0
 sw s6,76(s0)
 rem a1,t0,a4
 mulw a0,s5,a3
 andi a2,t2,-1414
 subw s7,a2,a4
 lbu s6,-874(s2)
 andi s8,s7,2
 beqz s8,L108_30
 li s7,-1547390937
 blt a7,s7,L108_31
 sw a3,1516(s0)
L108_31:
 ori a4,a0,-988
 csrw mscratch,a5
 srli a2,s6,14
L108_30:
 sll t2,a1,a2
 ld a7,1496(s1)
 lr.d s8,(s1)
 addi s8,s8,1
 sc.d a7,s8,(s1)
 lbu a1,64(s0)
 addi s7,s7,3
 mulhu a6,s4,s6
 slti t2,a3,280
 sll a7,s7,a6
 andi s8,a3,3
 beqz s8,L108_32
 andi s8,s5,1
 beqz s8,L108_33
 ld a4,-1680(s1)
 xori a0,a0,1342
 blt t2,t1,L108_34
L108_34:
L108_33:
 and s4,a2,t0
 call fn108_4
 mulw s5,s5,s6
 sltu a0,t0,s6
L108_32:
 amoadd.d a7,s4,(s0)
 lb a1,-494(s0)
 xori t2,t2,-1122
 slti a4,a7,483
 slt a4,t2,t1
 sll a3,t1,a7
 lw t0,-1532(s0)
 add s4,a3,a3
 addiw a7,s4,170
 slli a7,a2,49
 bgeu a1,a1,L108_35
 slt a7,a4,a6
 sllw a3,t2,a7
 add a2,t2,a3
 slt a7,t2,t0
L108_35:
 bgeu a6,a7,L108_36
 csrrs s7,sscratch,a6
 sh a7,896(s0)
L108_36:
 ori a3,s4,-1652
 li s5,1388747469
 amoxor.d a6,a0,(s1)
 sb t1,-893(s0)
 addi a7,t2,-930
 fence
 xor a6,a1,s5
 amomax.w t2,a4,(s2)
 bltu t0,s5,L108_37
 sra t0,t1,s4
 amoadd.d a3,a1,(s0)
 sd a4,1288(s2)
 srli a2,t2,31
L108_37:
 sw s7,-1144(s0)
 srl s5,s6,a2
 lw s6,888(s2)
 andi s8,t0,1
 beqz s8,L108_38
 subw s4,a7,s5
 call fn108_4
 sllw a1,a2,a1
L108_38:
 lh a6,-446(s0)
 srli a4,a4,62
 ld a3,-2040(s1)
 frflags s8
 sh t0,336(s1)
 or s6,a4,s6
 mulhu t0,a4,a2
 and t0,s6,s5
 sllw s5,a4,a1
 sd a0,-248(s0)
 xor a0,s7,a4
 csrr s5,mscratch
 lw t1,-1860(s0)
 ori a0,t1,-1644
 csrrs a6,sscratch,a5
 addw a7,s4,s5
 mulhu s7,t2,t0
 addi a2,a2,3
 bgeu s7,a3,L108_39
 csrr t2,minstret
 xor a2,a2,a2
 lbu t0,-12(s0)
 and s7,a5,a6
 amomax.w s6,a1,(s0)
L108_39:
 add t2,t1,s6
 call fn108_4
 ld t2,-240(s0)
 sd s7,1984(s2)
 bge a5,t0,L108_40
 lw a1,-1500(s2)
L108_40:
 csrrs s6,sscratch,t0
 sb s6,226(s1)
 and s6,a5,a2
 sd a6,376(s2)
 sh t2,844(s0)
 lwu s5,1228(s1)
 xori a3,s6,-1601
 sltu s7,a2,t0
 csrrs a6,sscratch,a3
 sltu s6,s7,a7
 beq a4,s6,L108_41
 sd a5,720(s0)
 slt a2,a3,s6
 or s5,t2,t0
 addi a0,a0,-5
L108_41:
 rem a2,a5,t2
 lwu a6,192(s0)
 sllw t1,s5,a4
 lw s5,808(s0)
 slli s6,t2,15
 subw t1,a6,s7
 srli a2,a6,22
 sh t1,-1050(s0)
 bltu a5,a5,L108_42
 bge a5,t2,L108_43
 ld a7,-1288(s1)
 andi s8,s6,1
 beqz s8,L108_44
L108_44:
 sd t0,1368(s0)
L108_43:
 ld a1,-16(s0)
 andi a4,a0,547
L108_42:
 xori s6,a5,2029
 and a0,a7,a5
 and a7,a1,s5
 bge t2,t2,L108_45
 add a3,s5,a1
L108_45:
 slli a3,a7,60
 sllw a6,s4,s5
 sd a5,-128(s0)
 csrrs a0,sscratch,t0
 addi a6,a7,1850
 lb a2,1028(s0)
 bge a2,a6,L108_46
 sllw s5,a6,a1
L108_46:
 andi s8,s4,8
 beqz s8,L108_47
 lw s5,124(s0)
 sra s6,s4,a2
 lh a6,460(s2)
 subw a4,t1,a0
L108_47:
 sll a1,t0,a0
 lw s7,-784(s0)
 subw a7,a7,a7
 addw s4,a2,t2
 add s6,s4,a1
 sll a1,s5,s6
 amoadd.d a6,a6,(s1)
 lbu s5,-22(s1)
 frflags s8
 ld t0,16(s0)
 ld a5,1104(s2)
 mulw s5,a6,t2
 and a4,t1,a3
 xori a1,a5,-90
 li a2,658599618
 addi t0,t0,-5
 sllw s5,a2,s4
 sw t1,-36(s0)
 sra t2,t2,a7
 sltu a7,t0,s4
 or a1,s5,t2
 call fn108_1
 lb s4,-1404(s1)
 andi s8,a2,1
 beqz s8,L108_48
 lh a3,1322(s0)
 call fn108_0
 add a6,t2,s5
 li t2,-1017886851
L108_48:
 bgeu a3,s5,L108_49
 mulw t1,t0,t2
L108_49:
 sll t0,a4,a7
 mul t0,t0,a6
 subw a1,a3,a4
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
buf108: .space 20480
tab108: .dword fn108_0,fn108_1,fn108_2,fn108_3

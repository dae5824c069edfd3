# SPDX-License-Identifier: Apache-2.0
# A random program (seed 202, kind br).
 .text
 .globl run
fn202_0:
 xor a2,t0,a4
 add a2,a0,s7
 ret
fn202_1:
 sub t1,a5,a5
 xor a5,a1,a1
 sub t2,a3,t0
 and a1,a4,a1
 add t2,t0,s5
 and s5,s4,a3
 and a6,a6,a2
 ret
fn202_2:
 add a3,t1,t1
 sub s6,s5,a5
 add t1,s6,s6
 sub t2,s7,t0
 add a1,a2,a1
 ret
fn202_3:
 add s6,a7,a5
 ld a6,8(s0)
 xor a4,t1,s5
 xor a0,s7,s7
 ret
fn202_4:
 add a1,a2,a3
 addi sp,sp,-16
 sd ra,8(sp)
 call fn202_1
 ld ra,8(sp)
 addi sp,sp,16
 and a4,a7,t0
 sub a2,a5,a4
 sub s6,a5,a0
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
 la s0,buf202+2048
 la s1,buf202+4096+2048
 la s2,buf202+3*4096+2048
 li t0,758530177636
 li t1,-387076858513
 li t2,223433415575
 li a0,795328512433
 li a1,128308165971
 li a2,106108775030
 li a3,-777464886707
 li a4,1004091927076
 li a5,-534475005516
 li a6,76790054569
 li a7,-165731343095
 li s4,-902176709795
 li s5,-928949281053
 li s6,61780923242
 li s7,-862176377457
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
 bge s6,a0,L202_1
 andi s8,a3,8
 beqz s8,L202_2
 subw a2,a0,a0
 lbu s5,-474(s2)
 andi a3,a4,-1747
 ld a1,1608(s2)
L202_2:
 beq s7,s7,L202_3
 andi s8,t0,8
 beqz s8,L202_4
L202_4:
 or s7,a0,t1
L202_3:
L202_1:
 ori s4,s5,-426
 mulh a1,s7,a7
 addiw a1,a2,1720
 andi s8,a0,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 andi s8,s5,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 or s5,a3,a3
 lbu a2,814(s2)
 subw s7,a2,s7
 ori a6,a2,-1925
 srl a5,a3,a6
 andi s8,t1,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 andi a1,s6,2043
 call fn202_2
 andi s8,a7,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 call fn202_1
 lb a5,1775(s0)
 mul t2,a2,s4
 sb s4,-934(s0)
 lw a6,-764(s0)
 andi s8,s6,1
 beqz s8,L202_5
 slti a0,a5,-1340
 addw t0,s7,a5
 slt a4,a0,s5
 sb a6,-633(s0)
L202_5:
 addw a6,s5,a0
 or t0,t0,a3
 call fn202_0
 sd a7,1024(s2)
 lh a2,496(s0)
 sub a6,a5,a5
 bge a3,a5,L202_6
 or a7,s7,a1
 sd s6,-1072(s1)
 bge a6,a4,L202_7
 sll s5,a5,a0
 bne s4,a6,L202_8
L202_8:
L202_7:
 sub s7,a2,a7
 or s6,a0,a1
L202_6:
 addw t0,s4,t0
 andi s8,a1,3
 beqz s8,L202_9
 xor s4,s6,a3
 add a1,s6,s5
L202_9:
 bltu t1,a3,L202_10
 sb a2,-1018(s1)
L202_10:
 slli a2,t2,45
 sllw s5,a7,a7
 srl s4,s6,a2
 mulh a1,a0,s6
 subw s6,a4,s4
 or a5,t0,a2
 ori s7,t1,-119
 ori a2,a6,318
 addw a6,s5,s5
 slli s6,a3,38
 addi a0,a0,-5
 bgeu s5,s4,L202_11
 call fn202_1
 andi s8,a3,3
 beqz s8,L202_12
 sub s6,t1,a4
 add s5,s5,s4
 slti a5,a1,-379
 andi s8,s4,3
 beqz s8,L202_13
L202_13:
L202_12:
L202_11:
 sltu a5,a3,s6
 lbu a2,-779(s0)
 lui a4,34780
 ld t1,-888(s0)
 andi s8,a5,3
 beqz s8,L202_14
 srli a1,t2,2
 slti s7,a6,-333
 addi a4,t0,1467
L202_14:
 andi s8,a4,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 or s7,t2,a3
 blt s6,s7,L202_15
 sh a3,-1514(s1)
L202_15:
 or a5,s4,s4
 sltu s6,a5,t0
 blt a7,a3,L202_16
 bltu t1,a3,L202_17
 subw s5,a3,a0
 xori s5,a6,-847
 sltu a3,s5,t2
L202_17:
 slt s5,a5,a7
 call fn202_4
L202_16:
 addiw t2,a2,-1854
 and a5,t1,a0
 lb s4,1232(s0)
 srl t2,s5,s7
 subw a3,a4,s6
 subw a1,s4,a0
 bgeu t0,t0,L202_18
 sb a6,-847(s1)
L202_18:
 lwu a6,1820(s2)
 sd a5,1792(s0)
 andi s7,a1,-641
 srli a3,a2,38
 call fn202_1
 andi s8,a7,8
 beqz s8,L202_19
 lui t2,908615
L202_19:
 bltu s5,t1,L202_20
 sw t0,-1568(s0)
 slli a6,a7,15
 bne t2,a6,L202_21
 sll t2,s4,a6
 lh s6,-952(s2)
 lw s5,-1636(s1)
L202_21:
L202_20:
 bge s6,t0,L202_22
 lh a3,402(s0)
 call fn202_3
 bgeu t1,a6,L202_23
 sb a6,-761(s0)
 lbu s5,1615(s0)
 mul a7,a4,t1
 andi s8,t0,2
 beqz s8,L202_24
L202_24:
 li a2,661379419
L202_23:
 bne a1,a0,L202_25
 slli a3,t2,42
 sll t2,a6,a3
L202_25:
 slt a2,s5,a0
L202_22:
 andi s8,t1,1
 beqz s8,L202_26
 andi s8,s4,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 andi a5,s5,-359
 sllw a7,s5,a7
L202_26:
 bltu a0,a6,L202_27
 andi s8,t0,3
 beqz s8,L202_28
 add a0,a5,s5
 addiw a3,t1,1416
 ld a5,-1608(s0)
 andi s8,a1,2
 beqz s8,L202_29
L202_29:
 mulw s6,t0,a6
L202_28:
 andi s8,a5,3
 beqz s8,L202_30
 ld a0,-1912(s0)
 srl a7,t1,a6
L202_30:
 addw a1,s5,a0
L202_27:
 bge t1,s4,L202_31
 sra a0,a7,s6
L202_31:
 addw s4,a0,s7
 lh s6,-538(s0)
 bne s6,s6,L202_32
 sw a0,12(s0)
 blt s6,a5,L202_33
 ld s5,1072(s2)
L202_33:
 or a4,a5,s5
 ld s5,2032(s1)
L202_32:
 addi t2,t0,903
 beq a1,s7,L202_34
 sllw a4,a3,t0
 ld a7,-1928(s0)
 beq s7,a0,L202_35
 addiw a4,a4,162
L202_35:
 andi s8,a3,8
 beqz s8,L202_36
 sll a4,s4,s5
 bge a4,s7,L202_37
L202_37:
 sub a5,s6,s7
 andi a6,s4,598
 sltu s5,a2,a7
L202_36:
 sw a6,204(s0)
L202_34:
 mul a1,a7,a0
 call fn202_4
 li t0,718999008
 ld a7,-928(s0)
 li s7,-142207123
 lb s7,-1916(s0)
 bgeu a1,s4,L202_38
 addi s7,s7,-5
L202_38:
 andi s8,a4,2
 beqz s8,L202_39
 lui a2,236767
 sra t0,a6,a1
 lh a3,-148(s2)
 bltu a6,a1,L202_40
 sltu s4,s5,a7
 and a0,a0,a5
 and a4,a6,s7
L202_40:
L202_39:
 add a7,a3,a6
 slli a0,s5,36
 sra t2,a3,a5
 addi a3,a3,1
 lb s5,-950(s0)
 sd a6,712(s2)
 xori a6,s7,-643
 ld a5,208(s1)
 xor a5,a1,t0
 andi a0,a2,855
 addi s4,a2,-1233
 sltu a4,a7,a3
 ld s6,-1008(s2)
 andi s8,a6,3
 beqz s8,L202_41
 addw t1,s6,s5
 bgeu a2,a3,L202_42
 andi s8,a5,2
 beqz s8,L202_43
L202_43:
 andi s8,t2,3
 beqz s8,L202_44
L202_44:
 or s7,a2,a0
 call fn202_4
L202_42:
L202_41:
 bge s5,s7,L202_45
 lwu a0,-596(s1)
 bne s5,s4,L202_46
 lh t2,-1814(s0)
 andi s8,t2,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 andi s8,a3,3
 beqz s8,L202_47
L202_47:
 andi s8,s4,2
 beqz s8,L202_48
L202_48:
L202_46:
 xori t1,a5,-1234
L202_45:
 mulh a3,t1,s6
 andi a4,a2,-64
 sllw t2,a3,a2
 addw s6,a1,s4
 andi s8,t2,8
 beqz s8,L202_49
 andi s8,t1,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 andi t2,s5,1243
 srli a1,s7,25
L202_49:
 sllw a7,t1,a0
 sll a3,a2,a3
 lbu s6,426(s0)
 sd s6,-752(s0)
 ori t1,a5,142
 mulw t2,a7,s5
 addi a7,a1,-1759
 call fn202_2
 addi a5,a5,9
 lb a4,80(s0)
 addiw a6,t0,1702
 mul s7,s7,a7
 bltu t0,a2,L202_50
 lw a1,1028(s0)
 li t0,-1608996381
 ld a3,-1128(s2)
 sll a5,t1,t2
L202_50:
 lbu a5,-701(s1)
 sd s4,1200(s2)
 blt t1,a4,L202_51
 lwu a2,1520(s2)
L202_51:
 srl t2,s6,s7
 slli s7,s4,20
 lwu a0,188(s0)
 andi s8,a5,2
 beqz s8,L202_52
 sllw a7,a3,t1
L202_52:
 beq a5,a3,L202_53
 xor t0,t1,s7
 lh s5,-136(s1)
 beq s4,s7,L202_54
 sb t1,-326(s0)
 lb s5,-1947(s2)
 srl a6,s5,s5
 call fn202_3
 call fn202_2
L202_54:
 bgeu s6,a2,L202_55
 sllw s4,t2,a2
 add a4,a3,t2
 andi s8,t1,1
 beqz s8,L202_56
L202_56:
L202_55:
L202_53:
 or t1,a3,s7
 sra a5,s4,t0
 andi s8,s5,2
 beqz s8,L202_57
 mulw s5,s5,t1
 sw a4,1932(s2)
 sb s5,-1172(s0)
L202_57:
 call fn202_3
 or s6,a0,a0
 addi a6,s4,-83
 lbu s5,-2021(s1)
 sltu s6,s7,a2
 beq t2,a2,L202_58
 srli a6,a4,37
 bgeu a3,a5,L202_59
 ld a0,672(s0)
L202_59:
 and s4,s4,s4
L202_58:
 sra a4,a2,t0
 addw a2,a6,t1
 lh a7,1804(s0)
 bne s6,s6,L202_60
 slti t2,s4,-69
L202_60:
 add a5,a3,a3
 andi s8,a2,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 mul a1,s7,a7
 bne a5,a4,L202_61
 addw a5,a2,a7
 sd a6,368(s0)
 slt a7,a3,a5
 lwu a4,-1392(s0)
L202_61:
 lb a6,1497(s1)
 or a2,s4,a6
 add t2,t1,a1
 blt s5,t2,L202_62
 mulw a5,a2,a1
 mulw t2,a2,t1
L202_62:
 sh t0,1606(s0)
 subw a7,a5,s5
 lb a7,316(s0)
 sltu a5,s7,s5
 call fn202_4
 ld s7,-2000(s1)
 bne a7,s6,L202_63
 addi t1,t1,-5
 andi s8,a6,2
 beqz s8,L202_64
 bge a1,a1,L202_65
L202_65:
L202_64:
 mulw a1,a2,a2
 andi s8,a0,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 xori s7,s6,645
L202_63:
 andi s8,s6,2
 beqz s8,L202_66
 blt a2,s7,L202_67
 call fn202_4
 bgeu a2,a2,L202_68
L202_68:
L202_67:
 xor s7,t0,a0
L202_66:
 and a4,a5,t2
 add t2,s7,s7
 add t2,a3,s6
 ld s4,-880(s2)
 ld a2,1848(s0)
 mulw a0,s7,s4
 addiw a2,a6,1356
 ori a3,a2,1875
 srli a3,a0,24
 bne a5,s4,L202_69
 bne a6,a3,L202_70
 slli s4,s6,34
L202_70:
 andi s8,s7,8
 beqz s8,L202_71
 subw a4,a6,a6
L202_71:
L202_69:
 srl s5,t0,a0
 sltu a5,s4,a7
 andi a7,a4,-721
 andi s8,a2,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 sltu t2,a6,a0
 lui a6,772559
 addi a4,s7,1867
 xor s4,t2,a0
 andi s8,a4,2
 beqz s8,L202_72
 bge a0,s6,L202_73
 call fn202_0
 lui a7,450662
 ld s5,1280(s0)
L202_73:
 srli a1,t1,26
 slti a2,t0,-735
L202_72:
 sd s5,192(s0)
 blt a3,s6,L202_74
 beq a5,t0,L202_75
 slti s5,t1,1015
 lui s6,654110
 or a2,t0,a5
 beq a3,a1,L202_76
L202_76:
L202_75:
 beq t1,s5,L202_77
 bltu s5,t1,L202_78
L202_78:
L202_77:
 blt t0,a5,L202_79
 call fn202_0
L202_79:
 bne s6,a2,L202_80
 bne t2,t2,L202_81
L202_81:
 slti a0,a2,184
L202_80:
L202_74:
 xori s7,a5,-469
 addi t0,a7,1372
 sllw a1,a2,a4
 bge a3,t2,L202_82
 mulhu a0,a6,a7
 li s7,-229967680
 andi s8,a2,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 call fn202_2
 call fn202_4
L202_82:
 call fn202_0
 blt s7,a3,L202_83
 ori a2,a2,1450
 lui a1,387956
 and a1,a2,a1
 lbu s4,1478(s0)
 mulhu a2,a6,a2
L202_83:
 slt t2,s4,a4
 andi s8,a6,2
 beqz s8,L202_84
 li s7,2010525585
 call fn202_0
 lh a2,-1616(s0)
L202_84:
 addw a3,s5,a0
 beq s4,s4,L202_85
 andi s8,a5,1
 beqz s8,L202_86
 call fn202_2
 li s5,922374023
 and a3,s7,a0
 andi s8,s6,2
 beqz s8,L202_87
L202_87:
 ld s7,-88(s1)
L202_86:
 andi s8,a7,2
 beqz s8,L202_88
 bne a1,t1,L202_89
L202_89:
 andi s8,s6,3
 beqz s8,L202_90
L202_90:
L202_88:
 bltu t2,a3,L202_91
 or a5,s5,s6
 lh a0,-710(s2)
 slt s4,a0,a1
 blt s6,a7,L202_92
L202_92:
 ori a6,s6,-678
L202_91:
L202_85:
 srli s6,s5,39
 call fn202_0
 sll t0,a2,t2
 addi a4,a3,743
 andi t1,t2,332
 slt a0,a5,s5
 bgeu a4,s7,L202_93
 and a1,s5,a2
 bgeu s7,a0,L202_94
 lb s7,-422(s2)
 call fn202_1
 bgeu s5,t0,L202_95
L202_95:
 ld a3,1144(s1)
 andi s8,t0,8
 beqz s8,L202_96
L202_96:
L202_94:
 addiw t2,a1,1362
L202_93:
 beq a6,a3,L202_97
 beq s6,s5,L202_98
 sb a3,-512(s1)
 srl s5,a5,t0
 lwu a7,732(s0)
 ori a5,a7,-602
L202_98:
 addiw t0,a3,1002
 sd s7,224(s0)
 andi s8,t2,8
 beqz s8,L202_99
 add a5,a6,a3
 bltu a6,t0,L202_100
L202_100:
L202_99:
L202_97:
 ld t1,-1608(s0)
 sw s6,1720(s0)
 mulw s4,s6,s5
 lw a7,1220(s0)
 addw s6,a4,a2
 blt a0,a5,L202_101
 sllw s4,a0,a0
 andi s8,a5,8
 beqz s8,L202_102
 andi s8,t2,8
 beqz s8,L202_103
L202_103:
 sllw s6,s7,a3
L202_102:
 call fn202_0
 call fn202_3
L202_101:
 subw t1,a3,t0
 sb t2,-1822(s0)
 lwu s5,-1556(s1)
 mulhu a7,a2,a4
 ld a3,-2040(s2)
 sra s4,s7,t2
 bgeu a4,a4,L202_104
 beq s6,a0,L202_105
 mulhu a0,t2,a6
 and s4,a1,a2
 slli a2,a5,25
 andi a7,s5,596
L202_105:
 sd a0,-120(s0)
 sra a4,a1,s4
L202_104:
 bltu s7,a5,L202_106
 addi a5,a5,-5
 and a4,t1,a4
 srl a3,s6,t0
 lw s5,1184(s0)
L202_106:
 lwu a2,1556(s1)
 bge t2,s7,L202_107
 sll t1,a7,t0
 sllw s7,a3,a1
L202_107:
 addiw a4,s6,-1861
 bge a5,s5,L202_108
 srli a7,s6,6
 addw a2,a3,t2
 addi t0,t1,-53
L202_108:
 addi a2,a2,1
 beq s7,a3,L202_109
 addiw t2,t2,1830
 andi s8,a6,1
 beqz s8,L202_110
 add a7,a5,a0
 andi s8,a4,3
 beqz s8,L202_111
L202_111:
 lb a1,956(s1)
 andi s8,a4,3
 beqz s8,L202_112
L202_112:
 addw a1,a1,s7
L202_110:
 call fn202_0
 li s5,-1883261600
L202_109:
 bltu t0,a5,L202_113
 andi s8,a1,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 sllw a2,a3,a3
 bgeu s5,s5,L202_114
 addi a3,a3,9
L202_114:
L202_113:
 sra a1,s7,s7
 addiw s4,a0,-431
 xor a2,t0,a7
 sll a7,s7,a4
 sra a7,s4,a1
 call fn202_2
 sd a7,-48(s1)
 xor a3,t0,s7
 slt a3,a7,a1
 lui a7,503133
 call fn202_0
 subw s6,a5,s4
 ori a4,s5,1308
 bne s4,s5,L202_115
 sllw a1,a1,a5
 bne s5,a5,L202_116
 call fn202_0
 andi s4,a2,365
 andi s8,a3,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 bgeu t0,a6,L202_117
L202_117:
L202_116:
L202_115:
 andi s6,s5,1031
 blt a1,a0,L202_118
 call fn202_3
 bgeu s4,a5,L202_119
 bgeu a6,a6,L202_120
L202_120:
 addi t1,t1,9
 sd a2,-584(s2)
 ld t1,1488(s0)
 beq a1,a1,L202_121
L202_121:
L202_119:
 beq s6,a5,L202_122
 call fn202_4
L202_122:
 andi s8,s4,8
 beqz s8,L202_123
 add s4,a3,a0
 call fn202_4
 sub a7,t1,a5
L202_123:
 srl s6,a0,t1
L202_118:
 sltu a3,a7,a7
 addi s7,a2,-1549
 andi s8,a5,1
 beqz s8,L202_124
 sb t0,1221(s2)
 sra s4,s6,a1
 sh s5,814(s1)
 or a0,s5,s7
 addi a4,a4,9
L202_124:
 andi s8,a6,1
 beqz s8,L202_125
 andi s8,t1,8
 beqz s8,L202_126
 andi s8,s7,3
 beqz s8,L202_127
L202_127:
 bge a1,s5,L202_128
L202_128:
 beq a0,a3,L202_129
L202_129:
 addw s4,s4,s4
 andi s8,a5,1
 beqz s8,L202_130
L202_130:
L202_126:
 xori a5,a2,1102
 call fn202_1
 lwu s5,-1056(s0)
L202_125:
 sll s7,s6,a3
 blt s5,a3,L202_131
 sra a1,t1,a4
 bne a7,s5,L202_132
 or s7,t1,a5
 addi a3,t2,1441
L202_132:
 beq t0,s7,L202_133
 andi s8,a3,2
 beqz s8,L202_134
L202_134:
 blt s5,a0,L202_135
L202_135:
L202_133:
 lwu t2,848(s1)
L202_131:
 mulhu s5,a5,a1
 sb a1,2(s0)
 andi s8,a5,1
 beqz s8,L202_136
 add s5,t1,s4
 ld t0,1568(s0)
 bltu t0,a1,L202_137
 xor s7,a3,a2
 bge a7,a4,L202_138
L202_138:
L202_137:
 slli a6,a7,1
 bge s6,a7,L202_139
 sra s5,a5,a4
 andi s8,a5,3
 beqz s8,L202_140
L202_140:
L202_139:
L202_136:
 ori a1,a2,-1733
 xor a6,t1,a0
 srl a4,a0,a3
 sw a0,1432(s1)
 andi s8,a0,2
 beqz s8,L202_141
 andi s8,a6,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 li t0,1617497615
 lwu a1,-112(s1)
 sra a0,a6,a3
 blt a7,s5,L202_142
 bgeu a2,s7,L202_143
L202_143:
 andi s8,a3,8
 beqz s8,L202_144
L202_144:
 blt a0,s6,L202_145
L202_145:
 lui s7,146395
L202_142:
L202_141:
 lui s7,787853
 beq a3,a6,L202_146
 lh a6,-1136(s1)
 andi s8,s7,8
 beqz s8,L202_147
 sd s5,-720(s2)
 andi s8,a1,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 slti a4,a3,-791
 or a7,s4,s7
 sll a0,a3,s5
L202_147:
L202_146:
 bge a6,a4,L202_148
 slli a3,s7,2
 xor a1,s5,s5
 sltu s5,s4,a2
 lui a1,541725
L202_148:
 andi s8,t0,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 andi s8,a7,2
 beqz s8,L202_149
 bge a0,t0,L202_150
 sltu a4,a5,a4
 call fn202_2
 sltu a7,t0,a4
L202_150:
 bltu a3,s6,L202_151
 xor a1,t2,t2
 sb s7,142(s0)
L202_151:
 andi a0,s6,-1377
 slti t0,t0,1364
L202_149:
 sh a2,-2038(s0)
 mulhu a2,t0,a2
 bge a1,s4,L202_152
 lui a6,688571
 andi s8,s4,3
 slli s8,s8,3
 la s9,tab202
 add s9,s9,s8
 ld s9,0(s9)
 jalr ra,s9
 bltu s7,a2,L202_153
 and t1,s6,s4
L202_153:
L202_152:
 lb s7,-875(s0)
 and t1,s6,t1
 addi a4,a4,-5
 addiw a0,a5,-833
 andi s8,a6,8
 beqz s8,L202_154
 xor s4,a4,a2
 bge s4,a3,L202_155
 call fn202_3
 bltu a7,s4,L202_156
L202_156:
 call fn202_4
 ld s7,512(s0)
 beq s5,s7,L202_157
L202_157:
L202_155:
L202_154:
 ld t1,-1912(s0)
 bgeu t2,s5,L202_158
 bge a6,t1,L202_159
 call fn202_1
 bne t1,t1,L202_160
L202_160:
 lui s4,836553
 bgeu t0,a3,L202_161
L202_161:
L202_159:
 mulw s5,a2,a6
 andi s8,t2,8
 beqz s8,L202_162
 sh t2,1132(s0)
 sllw a3,a6,t0
 call fn202_2
L202_162:
 lwu a6,-372(s0)
L202_158:
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
buf202: .space 20480
tab202: .dword fn202_0,fn202_1,fn202_2,fn202_3

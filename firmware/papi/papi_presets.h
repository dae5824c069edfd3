/* SPDX-License-Identifier: Apache-2.0 */
/* The preset events of PAPI in the order of their codes: X(name, category, description). Which of
 * them a machine has is its profile's matter (hw/interface/pmu/presets_*.h). For C and C++. */
#ifndef PES_PAPI_PRESETS_H
#define PES_PAPI_PRESETS_H

/* clang-format off */
#define PES_PAPI_PRESETS(X) \
    X(L1_DCM, L1, "L1 data cache misses") \
    X(L1_ICM, L1, "L1 instruction cache misses") \
    X(L2_DCM, L2, "L2 data cache misses") \
    X(L2_ICM, L2, "L2 instruction cache misses") \
    X(L3_DCM, L3, "L3 data cache misses") \
    X(L3_ICM, L3, "L3 instruction cache misses") \
    X(L1_TCM, L1, "L1 cache misses") \
    X(L2_TCM, L2, "L2 cache misses") \
    X(L3_TCM, L3, "L3 cache misses") \
    X(CA_SNP, CACH, "Requests for a snoop") \
    X(CA_SHR, CACH, "Requests for a shared line") \
    X(CA_CLN, CACH, "Requests for a clean line") \
    X(CA_INV, CACH, "Requests to invalidate a line") \
    X(CA_ITV, CACH, "Requests for line intervention") \
    X(L3_LDM, L3, "L3 load misses") \
    X(L3_STM, L3, "L3 store misses") \
    X(BRU_IDL, IDL, "Cycles the branch unit idles") \
    X(FXU_IDL, IDL, "Cycles the integer unit idles") \
    X(FPU_IDL, IDL, "Cycles the FPU idles") \
    X(LSU_IDL, IDL, "Cycles the load/store unit idles") \
    X(TLB_DM, TLB, "Data TLB misses") \
    X(TLB_IM, TLB, "Instruction TLB misses") \
    X(TLB_TL, TLB, "TLB misses") \
    X(L1_LDM, L1, "L1 load misses") \
    X(L1_STM, L1, "L1 store misses") \
    X(L2_LDM, L2, "L2 load misses") \
    X(L2_STM, L2, "L2 store misses") \
    X(BTAC_M, BR, "Branch target cache misses") \
    X(PRF_DM, CACH, "Data prefetch misses") \
    X(L3_DCH, L3, "L3 data cache hits") \
    X(TLB_SD, TLB, "TLB shootdowns") \
    X(CSR_FAL, CND, "Failed store conditionals") \
    X(CSR_SUC, CND, "Successful store conditionals") \
    X(CSR_TOT, CND, "Store conditionals") \
    X(MEM_SCY, MEM, "Cycles stalled for memory") \
    X(MEM_RCY, MEM, "Cycles stalled for memory reads") \
    X(MEM_WCY, MEM, "Cycles stalled for memory writes") \
    X(STL_ICY, IDL, "Cycles without an instruction issued") \
    X(FUL_ICY, INS, "Cycles at the full issue rate") \
    X(STL_CCY, IDL, "Cycles without an instruction completed") \
    X(FUL_CCY, INS, "Cycles at the full completion rate") \
    X(HW_INT, MSC, "Hardware interrupts") \
    X(BR_UCN, BR, "Unconditional branches") \
    X(BR_CN, BR, "Conditional branches") \
    X(BR_TKN, BR, "Conditional branches taken") \
    X(BR_NTK, BR, "Conditional branches not taken") \
    X(BR_MSP, BR, "Conditional branches mispredicted") \
    X(BR_PRC, BR, "Conditional branches predicted") \
    X(FMA_INS, FP, "Fused multiply-adds completed") \
    X(TOT_IIS, INS, "Instructions issued") \
    X(TOT_INS, INS, "Instructions completed") \
    X(INT_INS, INS, "Integer instructions") \
    X(FP_INS, FP, "Floating-point instructions") \
    X(LD_INS, INS, "Load instructions") \
    X(SR_INS, INS, "Store instructions") \
    X(BR_INS, BR, "Branch instructions") \
    X(VEC_INS, INS, "Vector instructions") \
    X(RES_STL, IDL, "Cycles stalled on any resource") \
    X(FP_STAL, FP, "Cycles the FPU is stalled") \
    X(TOT_CYC, MSC, "Cycles") \
    X(LST_INS, INS, "Loads and stores completed") \
    X(SYC_INS, MSC, "Synchronisation instructions") \
    X(L1_DCH, L1, "L1 data cache hits") \
    X(L2_DCH, L2, "L2 data cache hits") \
    X(L1_DCA, L1, "L1 data cache accesses") \
    X(L2_DCA, L2, "L2 data cache accesses") \
    X(L3_DCA, L3, "L3 data cache accesses") \
    X(L1_DCR, L1, "L1 data cache reads") \
    X(L2_DCR, L2, "L2 data cache reads") \
    X(L3_DCR, L3, "L3 data cache reads") \
    X(L1_DCW, L1, "L1 data cache writes") \
    X(L2_DCW, L2, "L2 data cache writes") \
    X(L3_DCW, L3, "L3 data cache writes") \
    X(L1_ICH, L1, "L1 instruction cache hits") \
    X(L2_ICH, L2, "L2 instruction cache hits") \
    X(L3_ICH, L3, "L3 instruction cache hits") \
    X(L1_ICA, L1, "L1 instruction cache accesses") \
    X(L2_ICA, L2, "L2 instruction cache accesses") \
    X(L3_ICA, L3, "L3 instruction cache accesses") \
    X(L1_ICR, L1, "L1 instruction cache reads") \
    X(L2_ICR, L2, "L2 instruction cache reads") \
    X(L3_ICR, L3, "L3 instruction cache reads") \
    X(L1_ICW, L1, "L1 instruction cache writes") \
    X(L2_ICW, L2, "L2 instruction cache writes") \
    X(L3_ICW, L3, "L3 instruction cache writes") \
    X(L1_TCH, L1, "L1 cache hits") \
    X(L2_TCH, L2, "L2 cache hits") \
    X(L3_TCH, L3, "L3 cache hits") \
    X(L1_TCA, L1, "L1 cache accesses") \
    X(L2_TCA, L2, "L2 cache accesses") \
    X(L3_TCA, L3, "L3 cache accesses") \
    X(L1_TCR, L1, "L1 cache reads") \
    X(L2_TCR, L2, "L2 cache reads") \
    X(L3_TCR, L3, "L3 cache reads") \
    X(L1_TCW, L1, "L1 cache writes") \
    X(L2_TCW, L2, "L2 cache writes") \
    X(L3_TCW, L3, "L3 cache writes") \
    X(FML_INS, FP, "Floating-point multiplies") \
    X(FAD_INS, FP, "Floating-point adds") \
    X(FDV_INS, FP, "Floating-point divides") \
    X(FSQ_INS, FP, "Floating-point square roots") \
    X(FNV_INS, FP, "Floating-point inverses") \
    X(FP_OPS, FP, "Floating-point operations") \
    X(SP_OPS, FP, "Single-precision operations") \
    X(DP_OPS, FP, "Double-precision operations") \
    X(VEC_SP, FP, "Single-precision vector instructions") \
    X(VEC_DP, FP, "Double-precision vector instructions") \
    X(REF_CYC, MSC, "Reference clock cycles")
/* clang-format on */

#endif

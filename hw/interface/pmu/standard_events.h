// SPDX-License-Identifier: Apache-2.0
// Names that the RISC-V performance events specification (github.com/riscv/
// riscv-performance-events, draft of 2025-04) gives to what the pulse sources count. Freestanding.
//
// A source without a row has no counterpart there. No name stands twice, so that the names of one
// event table differ.
#pragma once

#include "hw/interface/pmu/pulse_sources.h"

namespace pes {

struct StandardEvent {
    Event source;
    const char* name;
    const char* difference = ""; ///< from the specification's event, in a few words; empty: none
};

inline constexpr StandardEvent kStandardEvents[] = {
    {Event::Cycles, "CYCLES.HART", "counts while WFI waits"},
    {Event::Instructions, "INST.RET"},
    {Event::L1IMiss, "CACHE.L1I.RD.CODE.MISS", "prefetches too"},
    {Event::L1IAccess, "CACHE.L1I.RD.CODE.ACCESS", "cycles; a request that waits counts in each"},
    {Event::L1DMiss, "CACHE.L1D.RD.DATA.MISS", "reads of page walks too"},
    {Event::L1DAccess, "CACHE.L1D.ACCESS", "cycles; a request that waits counts in each"},
    {Event::ItlbMiss, "TLB.L1I.CODE.MISS", "of instructions that reach decode"},
    {Event::DtlbMiss, "TLB.L1D.LDST.MISS"},
    {Event::Load, "INST.LOAD.RET", "cycles; no LR, no AMO"},
    {Event::Store, "INST.STORE.RET", "cycles; LR too"},
    {Event::Branch, "INST.BRJMP.RET", "cycles"},
    {Event::BranchMispredict, "INST.MISPRED.SPEC"},
    {Event::ExceptionReturn, "INST.BRJMP.TRAPRET.RET"},
    {Event::Call, "INST.BRJMP.CALLALL.RET", "cycles"},
    {Event::Integer, "INST.INT.RET", "cycles; no AMO"},
    {Event::FloatingPoint, "INST.FP.RET", "cycles; no loads and stores"},
    {Event::ConditionalBranch, "INST.BRJMP.BRANCH.RET", "cycles"},
    {Event::TakenBranch, "INST.BRJMP.BRANCH.TK.RET", "cycles"},
    {Event::DirectionMispredict, "INST.MISPRED.BRANCH.SPEC"},
    {Event::Jal, "INST.BRJMP.DIR.RET", "cycles"},
    {Event::UnconditionalJump, "INST.BRJMP.UNCOND.RET", "cycles; no MRET, no SRET"},
    {Event::Compressed, "INST.RVC.RET", "cycles"},
    {Event::ExternalLoad, "INST.LOAD.UC.RET", "cycles"},
    {Event::ExternalStore, "INST.STORE.UC.RET", "cycles"},
    {Event::FetchBusy, "CACHE.L1I.RD.CODE.MISS.CYCLES", "of the instructions that are decoded"},
    {Event::Decoded, "INST.DEC.SPEC"}, // these: names of the draft of Smpdis
    {Event::DecodedTransfer, "INST.DEC.BRJMP.SPEC"},
    {Event::DecodedLoad, "INST.DEC.LOAD.SPEC"},
    {Event::DecodedStore, "INST.DEC.STORE.SPEC"},
    {Event::DecodedLoadStore, "INST.DEC.LDST.SPEC"},
    {Event::PdisSample, "PDIS.SAMPLES"},
    {Event::PdisCollision, "PDIS.COLLISIONS"},
    {Event::PdisFiltered, "PDIS.FILTERED"},
    {Event::PdisDropped, "PDIS.DROPPED"},
};

/// Null if the specification has no event that the source is nearest to.
constexpr const StandardEvent* standard_event(Event source) {
    for (const StandardEvent& row : kStandardEvents) {
        if (row.source == source) {
            return &row;
        }
    }
    return nullptr;
}

} // namespace pes

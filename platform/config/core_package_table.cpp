// SPDX-License-Identifier: Apache-2.0
// The rows of package_parameters().
#include "platform/config/core_package.h"

#include <array>

namespace pes {
namespace {

using enum PackageParameter::Effect;
using Scale = PackageParameter::Scale;
using Row = PackageParameter;

constexpr std::string_view kRefill =
    "timing.refill_cycles is measured with lines of two 64-bit beats and stays as it is";
constexpr std::string_view kRegions = "dram.* and the addresses of the devices decide";
constexpr std::string_view kTriggers = "it belongs to Sdtrig";

constexpr auto kRows = std::to_array<Row>({
    // What programs see.
    {"XLEN", Fixed, "64", "the model has the 64-bit instruction set"},
    {"VLEN", Fixed, "64", "virtual addresses are those of Sv39"},
    {"RVA", Extends, "a", "atomics"},
    {"RVB", Extends, "zba_zbb_zbc_zbs", "bit manipulation"},
    {"ZKN", Extends, "zbkb", "cryptography; all of zkn in a package that has ALUBypass"},
    {"RVF", Extends, "f", "single precision"},
    {"RVD", Extends, "d", "double precision"},
    {"RVZCB", Extends, "zcb", "more compressed instructions"},
    {"RVZiCond", Extends, "zicond", "conditional zero"},
    {"RVC", Fixed, "1", "fetch and branch prediction work on 16-bit parcels"},
    {"RVV", Fixed, "0", "the model has no vector unit"},
    {"RVH", Fixed, "0", "the model has no hypervisor mode"},
    {"RVZCMP", Fixed, "0", "push, pop and double moves are not executed"},
    {"RVZCMT", Fixed, "0", "table jumps are not executed"},
    {"RVZiCbom", Fixed, "0", "the model has no cache management instructions"},
    {"RVZicntr", Fixed, "1", "cycle and instret are always readable"},
    {"RVZihpm", Fixed, "1", "hpmcounter3 and up are always readable"},
    {"XF16", Fixed, "0", "no half precision"},
    {"XF16ALT", Fixed, "0", "no bfloat16"},
    {"XF8", Fixed, "0", "no quarter precision"},
    {"XFVec", Fixed, "0", "no packed floating point"},
    {"MmuPresent", Fixed, "1", "satp always has Sv39"},
    {"RVS", Fixed, "1", "S-mode is always there"},
    {"RVU", Fixed, "1", "U-mode is always there"},
    {"SoftwareInterruptEn", Fixed, "1", "software interrupts are always there"},
    {"TvalEn", Sets, "hart.xtval", "mtval and stval", Scale::Flag},
    {"DirectVecOnly", Sets, "hart.mtvec_vectored", "mtvec has no vectored mode", Scale::NotFlag},
    {"NrPMPEntries", Sets, "hart.pmp_entries", "protected regions"},
    {"PMPNapotEn", Sets, "hart.pmp_napot", "PMP with NAPOT", Scale::Flag},
    {"PMPCfgRstVal", Fixed, "0", "PMP is off after reset"},
    {"PMPAddrRstVal", Fixed, "0", "PMP is off after reset"},
    {"PMPEntryReadOnly", Fixed, "0", "M-mode may write each entry of PMP"},
    {"SvnapotEn", Note, "0", "the model has no Svnapot: a page-table entry with bit N faults"},
    {"PerfCounterEn", Note, "1", "counters.programmable decides which counters there are"},
    {"CvxifEn", Note, "1", "no coprocessor is connected: its instructions are illegal"},
    {"CoproType", Note, "COPRO_NONE", "no coprocessor is connected: its instructions are illegal"},
    {"DebugEn", Note, "1", "the model has no debug mode; gdb works without"},
    {"Sdtrig", Note, "0", "the model has no triggers; gdb works without"},
    // Caches and TLBs.
    {"IcacheByteSize", Sets, "timing.l1i.bytes", "size of L1I"},
    {"IcacheSetAssoc", Sets, "timing.l1i.ways", "ways of L1I"},
    {"IcacheLineWidth", Sets, "timing.l1i.line_bytes", kRefill, Scale::Bytes, "128"},
    {"DcacheByteSize", Sets, "timing.l1d.bytes", "size of L1D"},
    {"DcacheSetAssoc", Sets, "timing.l1d.ways", "ways of L1D"},
    {"DcacheLineWidth", Sets, "timing.l1d.line_bytes", kRefill, Scale::Bytes, "128"},
    {"DCacheType", Fixed, "WT", "L1D is CVA6's own write-through cache"},
    {"WtDcacheWbufDepth", Sets, "timing.write_buffer_words", "words of the write buffer"},
    {"MemTidWidth", Sets, "timing.writes_in_flight", "bits that number writes", Scale::PowerOfTwo},
    {"DcacheFlushOnFence", Fixed, "0", "a fence does not empty L1D"},
    {"DcacheFlushOnFenceI", Fixed, "0", "fence.i does not empty L1D"},
    {"DcacheInvalidateOnFlush", Note, "0", "only HPDCACHE has it"},
    {"InstrTlbEntries", Sets, "hart.itlb_entries", "entries of the instruction TLB"},
    {"DataTlbEntries", Sets, "hart.dtlb_entries", "entries of the data TLB"},
    {"UseSharedTlb", Fixed, "0", "the model has no second-level TLB"},
    {"SharedTlbDepth", Elsewhere, "", "it belongs to UseSharedTlb"},
    // The pipeline.
    {"SuperscalarEn", Fixed, "0", "one instruction is issued in a cycle"},
    {"ALUBypass", Elsewhere, "", "it belongs to SuperscalarEn"},
    {"NrCommitPorts", Sets, "timing.commit_ports", "instructions that retire in a cycle"},
    {"NrScoreboardEntries", Sets, "timing.scoreboard_entries", "instructions in flight"},
    {"NrLoadPipeRegs", Sets, "timing.load_pipe_registers", "registers behind the load unit"},
    {"NrStorePipeRegs", Sets, "timing.store_pipe_registers", "registers behind the store unit"},
    {"NrLoadBufEntries", Fixed, "2", "two loads wait for L1D at most"},
    {"BPType", Fixed, "BHT", "the model has no predictor with private histories"},
    {"BHTEntries", Sets, "timing.bht_rows", "branch history counters, two a row", Scale::Half},
    {"BHTHist", Elsewhere, "", "it belongs to BPType = PH_BHT"},
    {"BTBEntries", Sets, "timing.btb_rows", "branch targets, two a row", Scale::Half},
    {"RASDepth", Sets, "timing.ras_entries", "return address stack"},
    {"FpgaEn", Note, "0", "memories of an FPGA: a predictor may learn a cycle later than here"},
    {"FpgaAlteraEn", Note, "0",
     "memories of an FPGA: a predictor may learn a cycle later than here"},
    {"TechnoCut", Note, "0", "the memories of a technology have the same cycles"},
    // The bus.
    {"NOCType", Fixed, "NOC_TYPE_AXI4_ATOP", "memory behind AXI is what the timing is of"},
    {"AxiDataWidth", Fixed, "64", "a refill has beats of 64 bits"},
    {"AxiAddrWidth", Note, "64", "a width of wires"},
    {"AxiIdWidth", Note, "4", "a width of wires"},
    {"AxiUserWidth", Note, "64", "a width of wires"},
    {"AxiBurstWriteEn", Note, "0", "write-through sends no bursts"},
    {"MaxOutstandingStores", Note, "7", "only the write-back cache has this limit"},
    {"DcacheIdWidth", Note, "1", "only HPDCACHE numbers more loads"},
    {"DataUserEn", Note, "0", "user bits carry nothing"},
    {"FetchUserEn", Note, "0", "user bits carry nothing"},
    {"FetchUserWidth", Note, "64", "a width of wires"},
    // The addresses of the SoC.
    {"NrNonIdempotentRules", Elsewhere, "", kRegions},
    {"NonIdempotentAddrBase", Elsewhere, "", kRegions},
    {"NonIdempotentLength", Elsewhere, "", kRegions},
    {"NrExecuteRegionRules", Elsewhere, "", kRegions},
    {"ExecuteRegionAddrBase", Elsewhere, "", kRegions},
    {"ExecuteRegionLength", Elsewhere, "", kRegions},
    {"NrCachedRegionRules", Elsewhere, "", kRegions},
    {"CachedRegionAddrBase", Elsewhere, "", kRegions},
    {"CachedRegionLength", Elsewhere, "", kRegions},
    {"DmBaseAddress", Elsewhere, "", "it belongs to DebugEn"},
    {"HaltAddress", Elsewhere, "", "it belongs to DebugEn"},
    {"ExceptionAddress", Elsewhere, "", "it belongs to DebugEn"},
    {"SdtrigMcontrol6", Elsewhere, "", kTriggers},
    {"SdtrigMcontrol6ExecAddr", Elsewhere, "", kTriggers},
    {"SdtrigMcontrol6ExecData", Elsewhere, "", kTriggers},
    {"SdtrigMcontrol6Store", Elsewhere, "", kTriggers},
    {"SdtrigMcontrol6LoadAddr", Elsewhere, "", kTriggers},
    {"SdtrigMcontrol6LoadData", Elsewhere, "", kTriggers},
    {"SdtrigIcount", Elsewhere, "", kTriggers},
    {"SdtrigEtrigger", Elsewhere, "", kTriggers},
    {"SdtrigItrigger", Elsewhere, "", kTriggers},
    {"SdtrigNrTriggers", Elsewhere, "", kTriggers},
    {"SdtrigTriggerChaining", Elsewhere, "", kTriggers},
    {"SdtrigSupportedActions", Elsewhere, "", kTriggers},
    {"SdtrigSupportedMatch", Elsewhere, "", kTriggers},
    {"SdtrigSupportTextra", Elsewhere, "", kTriggers},
});

} // namespace

std::span<const PackageParameter> package_parameters() {
    return kRows;
}

} // namespace pes

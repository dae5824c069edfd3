// SPDX-License-Identifier: Apache-2.0
// Everything about a hart that is configuration. The keys: platform/config/setting_table.cpp.
#pragma once

#include "hw/common/event.h"
#include "hw/core/arch/extensions.h"
#include "hw/core/timing/timing_config.h"
#include "hw/interface/types.h"

#include <cstddef>
#include <cstdint>

namespace pes {

/// Which way the hart goes through its instructions. Cycles, events, interrupts and memory are the
/// same on all of them.
enum class ExecutionPath : std::uint8_t {
    Auto, ///< the fast path unless single instructions are observed
    Step, ///< one instruction at a time
    Fast, ///< as Auto, and nothing that watches single instructions may be attached
};

/// Where an interrupt that ends WFI is taken. CVA6 decodes on while WFI waits, and what is decoded
/// retires first; the specification has it taken on the instruction behind WFI.
enum class WfiInterrupt : std::uint8_t { BehindDecoded, AtOnce };

struct HartConfig {
    std::uint32_t id = 0;           ///< mhartid
    Address reset_pc = 0x8000'0000; ///< overwritten by the loader with the ELF's entry
    bool time_csr = true;           ///< false: `time` traps, as on the CVA6 core
    bool misaligned_access = false; ///< true: hardware handles misaligned loads and stores
    /// v5.3.0 loses most exceptions of misaligned loads and stores; see memory/misaligned.cpp.
    UpstreamDefect misaligned_trap = UpstreamDefect::Corrected;
    /// v5.3.0 ignores error responses of the bus: a load gets the data that the bus returns, a
    /// store is lost. [core/cache_subsystem/wt_axi_adapter.sv]
    UpstreamDefect bus_errors = UpstreamDefect::Corrected;
    WfiInterrupt wfi_interrupt = WfiInterrupt::BehindDecoded;
    Extensions extensions;
    unsigned ctr_depth = 256;   ///< the largest that sctrdepth takes: 16..256, a power of two
    unsigned pmp_entries = 8;   ///< 0..16
    unsigned itlb_entries = 16; ///< powers of two, 2..64
    unsigned dtlb_entries = 16;
    /// Where a load finds what `time` reads; kNever: nowhere.
    Address mtime = kNever;
    /// Cacheable main memory; everything else is a device to the hart: never cached, no AMO.
    MemoryRange memory{0x8000'0000, 0x1000'0000};
    ExecutionPath path = ExecutionPath::Auto;
    /// The pulse sources that are counted; the others need not pulse.
    EventMask sources = kBaseEvents;
    /// Every cycle and pulse is given to an instruction: truth/oracle.h.
    bool truth = false;
    /// With the truth: instructions can be asked for by cycle (truth/instruction_window.h).
    bool window = false;
    /// What samples with their causes need of these two.
    bool keeps_window() const { return window || extensions.sspesa; }
    bool keeps_truth() const { return truth || keeps_window(); }
    /// Pages of 80 KiB that the decode cache may hold; results do not depend on it.
    std::size_t decoded_pages = 1024;
    TimingConfig timing;
};

} // namespace pes

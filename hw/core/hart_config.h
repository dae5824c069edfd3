// SPDX-License-Identifier: Apache-2.0
// The configuration of a hart. Its settings are in platform/config/setting_table.cpp.
#pragma once

#include "hw/common/event.h"
#include "hw/core/arch/extensions.h"
#include "hw/core/memory/pmp.h"
#include "hw/core/timing/timing_config.h"
#include "hw/interface/types.h"

#include <cstddef>
#include <cstdint>

namespace pes {

/// The path through the instructions. Cycles, events, interrupts and memory are the same on all
/// paths.
enum class ExecutionPath : std::uint8_t {
    Auto, ///< the fast path unless single instructions are observed
    Step, ///< one instruction at a time
    Fast, ///< as Auto, but refuses observers of single instructions
};

/// Whether hot paths of the fast path become code of the host. Changes speed, never a result.
enum class NativePaths : std::uint8_t {
    Auto, ///< on a host for which there is code
    On,   ///< as Auto, but refuses other hosts
    Off,
};

/// Where an interrupt that ends WFI is taken. The specification takes it on the instruction after
/// WFI. CVA6 continues to decode while WFI waits, and the decoded instructions retire first.
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
    /// v5.3.0 does not look at R, nor at MXR, for a load whose page is in the TLB. [cva6_mmu.sv]
    UpstreamDefect load_rights = UpstreamDefect::Corrected;
    /// v5.3.0 checks an access as a store if a store is taken in the cycle behind it, else as a
    /// load. [load_store_unit.sv, pmp_data_if.sv]
    UpstreamDefect pmp_check = UpstreamDefect::Corrected;
    WfiInterrupt wfi_interrupt = WfiInterrupt::BehindDecoded;
    Extensions extensions;
    unsigned ctr_depth = 256;     ///< largest sctrdepth in entries: 16..256, a power of two
    unsigned pmp_entries = 8;     ///< 0..64
    unsigned pmp_granularity = 8; ///< bytes, a power of two, 4..4096
    PmpNapot pmp_napot = PmpNapot::Present;
    unsigned itlb_entries = 16; ///< powers of two, 2..64
    unsigned dtlb_entries = 16;
    /// The address at which a load reads what `time` reads; kNever: none.
    Address mtime = kNever;
    /// Cacheable main memory. The hart treats everything else as a device: not cached, no AMO.
    MemoryRange memory{0x8000'0000, 0x1000'0000};
    ExecutionPath path = ExecutionPath::Auto;
    /// The pulse sources that are counted. Others need not pulse.
    EventMask sources = kBaseEvents;
    /// Charge every cycle and pulse to an instruction: truth/oracle.h.
    bool truth = false;
    /// Sources that pulse, in addition to `sources`, because pulses are charged; nobody counts
    /// them.
    EventMask charged{};
    EventMask pulsing() const { return sources | charged; }
    /// Answer questions for instructions by cycle (truth/instruction_window.h).
    bool window = false;
    /// True if a feature needs the window: sampling from the host, or Sspesa.
    bool keeps_window() const { return window || extensions.sspesa; }
    bool has_oracle() const { return truth || keeps_window(); }
    /// Size of the decode cache in pages (decode_cache.h). Results do not depend on it.
    std::size_t decoded_pages = 2048;
    /// The process will be copied by fork(): what the fast path remembers stays behind, and the
    /// copy calls Hart::forget_blocks() first.
    bool copied = false;
    /// Bytes that the fast path may use for what it remembers. Results do not depend on it.
    std::uint64_t memo_memory = std::uint64_t{512} << 20;
    NativePaths jit = NativePaths::Auto;
    /// A path of a block becomes native code when it has been taken so often.
    std::uint64_t jit_after = 1000;
    TimingConfig timing;
};

} // namespace pes

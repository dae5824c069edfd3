// SPDX-License-Identifier: Apache-2.0
// The trace part of a platform: one encoder a hart, and funnels. Without a funnel each encoder has
// the three sinks itself; with funnels the encoders send to theirs, and the sinks are the funnels'.
// With the standard registers the sinks are RAM sinks: one for each encoder, or one behind funnel
// 0, to which the other funnels send.
#pragma once

#include "hw/interface/maps/trace.h"
#include "hw/interface/maps/trace_control.h"
#include "hw/interface/trace/protocol.h"
#include "hw/interface/trace/timestamp.h"
#include "hw/interface/types.h"
#include "hw/trace/register_set.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace pes {

struct TraceConfig {
    bool enabled = true;
    trace::RegisterSet registers = trace::RegisterSet::SiFive;
    Address base = 0x1100'0000;         ///< encoder of hart n: + 0x1000 n
    Address funnel_base = 0x1101'8000;  ///< funnel k: + 0x1000 k
    Address stimuli_base = 0x1102'8000; ///< those of encoder n for user mode: + 0x1000 n
    Address ram_base = 0x1103'0000;     ///< RAM sink n: + 0x1000 n
    /// Memory sinks that write there send their bytes out of the chip: standard registers only.
    Address port_base = 0x1104'0000;
    std::uint32_t funnels = 0; ///< at least; several harts have one in any case
    trace::Protocol protocol = trace::Protocol::Nexus; ///< E-Trace: standard registers only
    trace::TimestampDialect timestamps = trace::TimestampDialect::SiFive;
    std::uint32_t timestamp_bits = trace::kSiFiveTimestampBits;
    std::uint32_t source_bits = 0; ///< of SRC, at least; a funnel's encoders need enough
    std::uint32_t filters = 4;     ///< of an encoder with standard registers
    std::uint32_t comparators = 4; ///< likewise
    std::uint32_t fifo_bytes = 1024;
    std::uint32_t sram_bytes = 0x1'0000;
    std::uint32_t word_bytes = 8;
    std::uint32_t burst_bytes = 64;
    Cycle gather_cycles = 256;
    Cycle memory_latency = 10; ///< of a burst of the memory sink, without its beats
    /// Probe as the host sets it up, or port: 8 data bits a reference clock of so many cycles + 1.
    std::uint32_t probe_divider = 0;
    Cycle latency = 2; ///< that a register access costs
};

/// The software trace modules, one a hart.
struct SoftwareTraceSettings {
    bool enabled = true;
    Address base = 0x1102'0000; ///< module of hart n: + 0x1000 n
    std::uint32_t csr = 0x8F0;  ///< a write of it is an event
    std::uint32_t value_bits = 64;
    Cycle word_cycles = 1; ///< of a 16-bit word on the link
};

inline constexpr std::uint32_t kMostFunnels = 4;

/// Funnels of a platform with so many harts.
constexpr std::uint32_t funnel_count(const TraceConfig& config, std::uint32_t harts) {
    return std::max<std::uint32_t>(config.funnels, harts > 1 ? 1 : 0);
}

inline constexpr std::uint64_t kTracePortBytes = 0x1'0000;

/// RAM sinks of a platform with so many harts.
constexpr std::uint32_t ram_sink_count(const TraceConfig& config, std::uint32_t harts) {
    if (config.registers == trace::RegisterSet::SiFive) {
        return 0;
    }
    return funnel_count(config, harts) != 0 ? 1 : harts;
}

/// Of the messages: the standard registers have those of N-Trace.
constexpr trace::TimestampDialect dialect(const TraceConfig& config) {
    return config.registers == trace::RegisterSet::Standard ? trace::TimestampDialect::NTrace
                                                            : config.timestamps;
}

/// Width of SRC with so many harts.
constexpr std::uint32_t source_bits(const TraceConfig& config, std::uint32_t harts) {
    return std::max<std::uint32_t>(config.source_bits,
                                   static_cast<std::uint32_t>(std::bit_width(harts - 1)));
}

} // namespace pes

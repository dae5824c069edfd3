// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/trace/trace_blocks.h"

#include "hw/interface/maps/csr.h"
#include "hw/interface/trace/etrace/frame.h"

namespace pes {
namespace {

constexpr unsigned kPhysicalBits = 56; // Sv39 harts

std::uint32_t sinks_of(const TraceConfig& config, TraceRoute route) {
    namespace sink = trace_map::sink;
    constexpr std::uint32_t kFunnel = 1U << sink::kFunnel;
    constexpr std::uint32_t kRam = 1U << sink::kSram | 1U << sink::kMemory;
    const bool standard = config.registers == trace::RegisterSet::Standard;
    const std::uint32_t own = standard ? kRam : kRam | 1U << sink::kProbe;
    switch (route) {
    case TraceRoute::OwnSinks:
        return own;
    case TraceRoute::Funnel:
        return kFunnel;
    case TraceRoute::OwnSinksOrFunnel:
        return standard ? kFunnel : own | kFunnel;
    }
    return own;
}

} // namespace

trace::SinkConfig sink_config(const PlatformConfig& platform, TraceRoute route) {
    const TraceConfig& config = platform.trace;
    return {.sinks = sinks_of(config, route),
            .word_bytes = config.word_bytes,
            .sram_bytes = config.sram_bytes,
            .burst_bytes = config.burst_bytes,
            .gather_cycles = config.gather_cycles,
            .memory_latency = config.memory_latency,
            .address_bits = kPhysicalBits,
            .idle_byte = config.protocol == trace::Protocol::ETrace ? trace::etrace::kIdleByte
                                                                    : trace::kIdleByte,
            .lazy_memory = platform.harts == 1,
            .port = trace_port_range(platform),
            .port_divider = config.probe_divider};
}

trace::EncoderConfig encoder_config(const PlatformConfig& platform, unsigned index,
                                    const std::string& name, bool funnel) {
    const TraceConfig& config = platform.trace;
    return {.name = name,
            .registers = config.registers,
            .hart = index,
            .source = index,
            .source_bits = source_bits(config, platform.harts),
            .fifo_bytes = config.fifo_bytes,
            .timestamps = {dialect(config), config.timestamp_bits},
            .timestamp_type =
                funnel ? trace::TimestampType::Slave : trace::TimestampType::InternalCore,
            .protocol = config.protocol,
            .filters = config.filters,
            .comparators = config.comparators};
}

trace::FunnelConfig funnel_config(const PlatformConfig& platform, const std::string& name,
                                  bool first) {
    return {.name = name,
            .registers = platform.trace.registers,
            .timestamp_bits = platform.trace.timestamp_bits,
            .timestamp_type =
                first ? trace::TimestampType::InternalBus : trace::TimestampType::Slave};
}

std::array<std::uint64_t, trace::kEventCounters> traced_counters(Hart& hart, Cycle at) {
    constexpr std::array<std::uint16_t, 2> kFixed{csr::kMcycle, csr::kMinstret};
    constexpr unsigned kFirstProgrammed = 3;
    std::array<std::uint64_t, trace::kEventCounters> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t number = i < kFixed.size()
                                       ? kFixed.at(i)
                                       : csr::kMcycle + kFirstProgrammed + (i - kFixed.size());
        values.at(i) = hart.observe_counter(static_cast<std::uint16_t>(number), at);
    }
    return values;
}

} // namespace pes

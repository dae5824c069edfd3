// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/trace/trace_blocks.h"

#include "hw/interface/maps/csr.h"

#include <cstdlib>

namespace pes {
namespace {

namespace control = trace_map::control;
namespace probe = trace_map::probe;
namespace sink = trace_map::sink;
namespace timestamp = trace_map::timestamp;

constexpr unsigned kPhysicalBits = 56;       // Sv39 harts
constexpr std::uint32_t kEightBitsWide = 11; // pibMode
constexpr std::uint32_t kCounting = timestamp::kActive | timestamp::kCount;

std::uint32_t probe_on(std::uint32_t divider) {
    return probe::kActive | probe::kEnable | kEightBitsWide << probe::kModeShift |
           divider << probe::kDividerShift;
}

/// The registers are the platform's own: a refused access would be its mistake.
void poke(RegisterBlock& block, Address offset, std::uint32_t value, Cycle at) {
    if (block.write(offset, sizeof value, value, at) != AccessStatus::Ok) {
        std::abort();
    }
}

std::uint32_t look(RegisterBlock& block, Address offset, Cycle at) {
    std::uint64_t value = 0;
    if (block.read(offset, sizeof(std::uint32_t), value, at) != AccessStatus::Ok) {
        std::abort();
    }
    return static_cast<std::uint32_t>(value);
}

} // namespace

trace::SinkConfig sink_config(const PlatformConfig& platform, std::uint32_t sinks) {
    const TraceConfig& config = platform.trace;
    return {.sinks = sinks,
            .word_bytes = config.word_bytes,
            .sram_bytes = config.sram_bytes,
            .burst_bytes = config.burst_bytes,
            .gather_cycles = config.gather_cycles,
            .memory_latency = config.memory_latency,
            .address_bits = kPhysicalBits,
            .lazy_memory = platform.harts == 1};
}

trace::EncoderConfig encoder_config(const PlatformConfig& platform, unsigned index,
                                    const std::string& name, bool funnel) {
    const TraceConfig& config = platform.trace;
    return {.name = name,
            .hart = index,
            .source = index,
            .source_bits = source_bits(config, platform.harts),
            .fifo_bytes = config.fifo_bytes,
            .timestamps = {config.timestamps, config.timestamp_bits},
            .timestamp_type =
                funnel ? trace::TimestampType::Slave : trace::TimestampType::InternalCore};
}

trace::FunnelConfig funnel_config(const PlatformConfig& platform, const std::string& name,
                                  bool first) {
    return {.name = name,
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

void start_funnel(RegisterBlock& block, bool to_probe, std::uint32_t divider) {
    const std::uint32_t to = to_probe ? sink::kProbe : sink::kFunnel;
    poke(block, trace_map::kControl, control::kActive, 0);
    poke(block, trace_map::kProbeControl, probe_on(divider), 0);
    poke(block, trace_map::kTimestampControl, kCounting, 0);
    poke(block, trace_map::kControl,
         control::kActive | control::kEnable | to << control::kSinkShift, 0);
}

void start_encoder(RegisterBlock& block, const TraceSetup& setup, bool to_probe,
                   std::uint32_t divider) {
    poke(block, trace_map::kControl, control::kActive, 0);
    if (to_probe) {
        poke(block, trace_map::kProbeControl, probe_on(divider), 0);
    }
    poke(block, trace_map::kTimestampControl,
         kCounting | timestamp::kEnable | timestamp::kBranchMask << timestamp::kBranchShift |
             timestamp::kInstrumentation | timestamp::kOwnership,
         0);
    poke(block, trace_map::kItcTraceEnable, setup.instrumentation ? ~0U : 0, 0);
    poke(block, trace_map::kEventControl,
         setup.program == ProgramTrace::Events
             ? trace_map::event::kAll | (setup.counters ? trace_map::event::kCounters : 0)
             : 0,
         0);
    const std::uint32_t value =
        encoder_control(setup, to_probe ? sink::kProbe : sink::kFunnel) | control::kActive;
    poke(block, trace_map::kControl, value | control::kEnable, 0);
    poke(block, trace_map::kControl, value | control::kEnable | control::kTracing, 0);
}

void stop_encoder(RegisterBlock& block, Cycle at) {
    const std::uint32_t value = look(block, trace_map::kControl, at);
    poke(block, trace_map::kControl, value & ~(control::kEnable | control::kTracing), at);
}

} // namespace pes

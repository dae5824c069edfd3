// SPDX-License-Identifier: Apache-2.0
// Trace blocks as the settings want them, and what a debugger would write to their registers.
#pragma once

#include "hw/core/hart.h"
#include "hw/trace/counter_source.h"
#include "hw/trace/encoder/encoder.h"
#include "hw/trace/sinks/funnel.h"
#include "hw/trace/sinks/trace_sink.h"
#include "platform/config/config.h"
#include "platform/soc/trace/trace_setup.h"

#include <array>
#include <cstdint>
#include <string>

namespace pes {

inline constexpr std::uint32_t kOwnTraceSinks =
    1U << trace_map::sink::kSram | 1U << trace_map::sink::kProbe | 1U << trace_map::sink::kMemory;
inline constexpr std::uint32_t kFunnelSink = 1U << trace_map::sink::kFunnel;

/// `sinks`: bit n = code n is connected.
trace::SinkConfig sink_config(const PlatformConfig& platform, std::uint32_t sinks);
/// Of hart `index`; with a funnel, its timestamps are the funnel's.
trace::EncoderConfig encoder_config(const PlatformConfig& platform, unsigned index,
                                    const std::string& name, bool funnel);
/// `first`: its timestamps are those of all.
trace::FunnelConfig funnel_config(const PlatformConfig& platform, const std::string& name,
                                  bool first);

/// mcycle, minstret and the programmable counters behind them, as a tracer sees them.
std::array<std::uint64_t, trace::kEventCounters> traced_counters(Hart& hart, Cycle at);

/// Before the first instruction: messages go to the probe, or to the next funnel. `divider` is that
/// of the probe.
void start_funnel(RegisterBlock& block, bool to_probe, std::uint32_t divider);
void start_encoder(RegisterBlock& block, const TraceSetup& setup, bool to_probe,
                   std::uint32_t divider);
/// The run has ended.
void stop_encoder(RegisterBlock& block, Cycle at);

} // namespace pes

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

/// Where the messages of a block can go.
enum class TraceRoute : std::uint8_t {
    OwnSinks,         ///< of an encoder without funnel, or of the last funnel
    Funnel,           ///< of an encoder in front of a funnel
    OwnSinksOrFunnel, ///< of another funnel; with the standard registers to the funnel only
};

trace::SinkConfig sink_config(const PlatformConfig& platform, TraceRoute route);
/// Of hart `index`; with a funnel, its timestamps are the funnel's.
trace::EncoderConfig encoder_config(const PlatformConfig& platform, unsigned index,
                                    const std::string& name, bool funnel);
/// `first`: its timestamps are those of all.
trace::FunnelConfig funnel_config(const PlatformConfig& platform, const std::string& name,
                                  bool first);

/// mcycle, minstret and the programmable counters behind them, as a tracer sees them.
std::array<std::uint64_t, trace::kEventCounters> traced_counters(Hart& hart, Cycle at);

/// What a debugger does before the first instruction: messages go to the probe, or through the port
/// of a RAM sink, or to the next funnel. `ram_sink`: null without one; `to_host`: not to a funnel.
void start_funnel(const TraceConfig& config, RegisterBlock& funnel, RegisterBlock* ram_sink,
                  bool to_host);
void start_encoder(const TraceConfig& config, RegisterBlock& encoder, RegisterBlock* ram_sink,
                   const TraceSetup& setup, bool to_host);
/// The run has ended.
void stop_encoder(RegisterBlock& encoder, Cycle at);

} // namespace pes

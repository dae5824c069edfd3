// SPDX-License-Identifier: Apache-2.0
// What the host writes to the registers of trace blocks, in either set, before the first
// instruction and at the end of a run.
#include "platform/soc/trace/trace_blocks.h"

#include "hw/interface/maps/trace.h"
#include "hw/interface/maps/trace_control.h"
#include "hw/trace/filter_settings.h"

#include <algorithm>
#include <cstdlib>

namespace pes {
namespace {

/// The registers are the platform's own: a refused access would be its mistake.
void poke(RegisterBlock& block, Address offset, std::uint32_t value, Cycle at = 0) {
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

std::uint32_t events_of(const TraceSetup& setup) {
    if (setup.program != ProgramTrace::Events) {
        return 0;
    }
    return trace_map::event::kAll | (setup.counters ? trace_map::event::kCounters : 0);
}

// ------------------------------------------------------------------------------------------------
// SiFive's registers

namespace sifive {

namespace control = trace_map::control;
namespace probe = trace_map::probe;
namespace sink = trace_map::sink;
namespace timestamp = trace_map::timestamp;

constexpr std::uint32_t kEightBitsWide = 11; // pibMode
constexpr std::uint32_t kCounting = timestamp::kActive | timestamp::kCount;

std::uint32_t probe_on(std::uint32_t divider) {
    return probe::kActive | probe::kEnable | kEightBitsWide << probe::kModeShift |
           divider << probe::kDividerShift;
}

void start_funnel(RegisterBlock& block, bool to_probe, std::uint32_t divider) {
    const std::uint32_t to = to_probe ? sink::kProbe : sink::kFunnel;
    poke(block, trace_map::kControl, control::kActive);
    poke(block, trace_map::kProbeControl, probe_on(divider));
    poke(block, trace_map::kTimestampControl, kCounting);
    poke(block, trace_map::kControl,
         control::kActive | control::kEnable | to << control::kSinkShift);
}

void start_encoder(RegisterBlock& block, const TraceSetup& setup, bool to_probe,
                   std::uint32_t divider) {
    poke(block, trace_map::kControl, control::kActive);
    if (to_probe) {
        poke(block, trace_map::kProbeControl, probe_on(divider));
    }
    poke(block, trace_map::kTimestampControl,
         kCounting | timestamp::kEnable | timestamp::kBranchMask << timestamp::kBranchShift |
             timestamp::kInstrumentation | timestamp::kOwnership);
    poke(block, trace_map::kItcTraceEnable, setup.instrumentation ? ~0U : 0);
    poke(block, trace_map::kEventControl, events_of(setup));
    const std::uint32_t value =
        encoder_control(setup, to_probe ? sink::kProbe : sink::kFunnel) | control::kActive;
    poke(block, trace_map::kControl, value | control::kEnable);
    poke(block, trace_map::kControl, value | control::kEnable | control::kTracing);
}

} // namespace sifive

// ------------------------------------------------------------------------------------------------
// Trace Control Interface 1.0: sinks first, then funnels, then encoders

namespace standard {

namespace control = trace_control;
namespace ram = trace_control::ram;
namespace te = trace_control::encoder;
namespace timestamp = trace_control::timestamp;

constexpr std::uint32_t kCounting = control::kActive | timestamp::kCount;
constexpr unsigned kHalfBits = 32;

void poke_wide(RegisterBlock& block, Address low_half, std::uint64_t value) {
    poke(block, low_half, static_cast<std::uint32_t>(value));
    poke(block, low_half + sizeof(std::uint32_t), static_cast<std::uint32_t>(value >> kHalfBits));
}

void start_ram_sink(RegisterBlock& block, const TraceConfig& config) {
    constexpr std::uint32_t kMode = control::kActive | ram::kModeMemory;
    poke(block, control::kControl, kMode);
    poke_wide(block, ram::kStartLow, config.port_base);
    poke_wide(block, ram::kLimitLow, config.port_base + kTracePortBytes - config.word_bytes);
    poke_wide(block, ram::kWritePointerLow, config.port_base);
    poke(block, control::kControl, kMode | control::kEnable);
}

void start_funnel(RegisterBlock& block) {
    poke(block, control::kControl, control::kActive);
    poke(block, timestamp::kControl, kCounting);
    poke(block, control::kControl, control::kActive | control::kEnable);
}

/// A synchronising message every 1024 messages, or a PC sample every 16384 half-words, as with
/// SiFive's registers.
std::uint32_t control_of(const TraceSetup& setup) {
    constexpr std::uint32_t kMessages =
        te::kSyncMessages << te::kSyncModeShift | 6U << te::kSyncMaxShift;
    constexpr std::uint32_t kSamples =
        te::kSyncHalfWords << te::kSyncModeShift | 10U << te::kSyncMaxShift;
    std::uint32_t mode = te::kModeOff;
    switch (setup.program) {
    case ProgramTrace::None:
        break;
    case ProgramTrace::Events:
        mode = te::kModeVendor;
        break;
    case ProgramTrace::Branches:
        mode = te::kModeBranches;
        break;
    case ProgramTrace::History:
    case ProgramTrace::PlainHistory:
        mode = te::kModeHistory;
        break;
    }
    return control::kActive | mode << te::kModeShift | (setup.stall ? te::kStallEnable : 0) |
           (setup.program == ProgramTrace::Events ? kSamples | te::kContext : kMessages);
}

/// trTeInstFeatures: all that leaves something out; of E-Trace, branch trace has full addresses.
std::uint32_t features_of(const TraceSetup& setup) {
    switch (setup.program) {
    case ProgramTrace::History:
        return te::kImplicitReturn | te::kRepeatedHistory | te::kExtendAddress |
               te::kBranchPrediction | te::kJumpTargetCache;
    case ProgramTrace::Branches:
        return te::kNoAddressDifference; // N-Trace does not have it
    default:
        return 0;
    }
}

/// A filter and a comparator for each range.
void set_filters(RegisterBlock& block, const TraceFilterSetup& setup) {
    namespace filter = trace_control::filter;
    namespace comparator = trace_control::comparator;
    const auto code = [](auto value) { return static_cast<std::uint32_t>(value); };
    const std::uint32_t inside =
        code(trace::CompareFunction::GreaterOrEqual) << comparator::kPrimaryFunctionShift |
        code(trace::CompareFunction::Less) << comparator::kSecondaryFunctionShift |
        code(trace::MatchMode::Both) << comparator::kModeShift;
    if (!setup.any()) {
        return;
    }
    const bool traps = setup.traps != TracedTraps::Any;
    const bool interrupts = setup.traps == TracedTraps::Interrupts;
    const std::uint32_t conditions = filter::kEnable |
                                     (setup.privileges != 0 ? filter::kPrivilege : 0) |
                                     (traps ? filter::kInterrupt : 0);
    const std::uint32_t match = setup.privileges | (interrupts ? filter::kInterruptValue : 0);
    const auto count = static_cast<std::uint32_t>(std::max<std::size_t>(setup.ranges.size(), 1));
    for (std::uint32_t index = 0; index < count; ++index) {
        std::uint32_t control = conditions;
        if (!setup.ranges.empty()) {
            const Address base = comparator::kStride * index;
            poke_wide(block, base + comparator::kPrimaryLow, setup.ranges[index].begin);
            poke_wide(block, base + comparator::kSecondaryLow, setup.ranges[index].end);
            poke(block, base + comparator::kControl, inside);
            control |= (filter::kComparatorMatch | index << filter::kComparatorIndexShift)
                       << filter::kComparatorShift;
        }
        const Address base = filter::kStride * index;
        poke(block, base + filter::kMatchInstruction, match);
        poke(block, base + filter::kControl, control);
    }
    poke(block, te::kFilters, (1U << count) - 1);
}

void start_encoder(RegisterBlock& block, const TraceSetup& setup) {
    namespace vendor = trace_control::vendor;
    poke(block, control::kControl, control::kActive);
    const std::uint32_t features = look(block, te::kFeatures, 0); // the source at reset
    poke(block, te::kFeatures, features | features_of(setup));
    poke(block, timestamp::kControl, kCounting | timestamp::kEnable);
    poke(block, vendor::kItcTraceEnable, setup.instrumentation ? ~0U : 0);
    poke(block, vendor::kInstrumentation,
         setup.instrumentation ? trace_map::instrumentation::kStimuli : 0);
    poke(block, vendor::kEventControl, events_of(setup));
    set_filters(block, setup.filter);
    const std::uint32_t value = control_of(setup);
    poke(block, control::kControl, value | control::kEnable);
    // The mode is not asked in E-Trace.
    const bool packets = (look(block, control::kControl, 0) >> te::kFormatShift &
                          te::kFormatMask) == te::kFormatETrace;
    if (!packets || setup.program != ProgramTrace::None) {
        poke(block, control::kControl, value | control::kEnable | te::kTracing);
    }
}

} // namespace standard

} // namespace

void start_funnel(const TraceConfig& config, RegisterBlock& funnel, RegisterBlock* ram_sink,
                  bool to_host) {
    if (config.registers == trace::RegisterSet::SiFive) {
        sifive::start_funnel(funnel, to_host, config.probe_divider);
        return;
    }
    if (ram_sink != nullptr) {
        standard::start_ram_sink(*ram_sink, config);
    }
    standard::start_funnel(funnel);
}

void start_encoder(const TraceConfig& config, RegisterBlock& encoder, RegisterBlock* ram_sink,
                   const TraceSetup& setup, bool to_host) {
    if (config.registers == trace::RegisterSet::SiFive) {
        sifive::start_encoder(encoder, setup, to_host, config.probe_divider);
        return;
    }
    if (ram_sink != nullptr) {
        standard::start_ram_sink(*ram_sink, config);
    }
    standard::start_encoder(encoder, setup);
}

/// Enable and Tracing are the same bits of the same register in both sets.
void stop_encoder(RegisterBlock& encoder, Cycle at) {
    namespace control = trace_map::control;
    static_assert(control::kEnable == trace_control::kEnable &&
                  control::kTracing == trace_control::encoder::kTracing &&
                  trace_map::kControl == trace_control::kControl);
    const std::uint32_t value = look(encoder, trace_map::kControl, at);
    poke(encoder, trace_map::kControl, value & ~(control::kEnable | control::kTracing), at);
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/trace/trace_system.h"

#include "hw/interface/maps/csr.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace pes {
namespace {

namespace control = trace_map::control;
namespace probe = trace_map::probe;
namespace sink = trace_map::sink;
namespace timestamp = trace_map::timestamp;

constexpr std::uint32_t kOwnSinks = 1U << sink::kSram | 1U << sink::kProbe | 1U << sink::kMemory;
constexpr std::uint32_t kFunnelSink = 1U << sink::kFunnel;
constexpr unsigned kPhysicalBits = 56;       // Sv39 harts
constexpr std::uint32_t kEightBitsWide = 11; // pibMode

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

// --- Composition ---------------------------------------------------------------------------------

TraceSystem::TraceSystem(const PlatformConfig& config, const ClockDomain& clock, Router& router,
                         std::span<HartModule* const> harts, OutputFile* probe_file)
    : clock_(clock), harts_(harts.begin(), harts.end()), probe_divider_(config.trace.probe_divider),
      probe_(probe_file) {
    for (unsigned index = 0; index < funnel_count(config.trace, config.harts); ++index) {
        add_funnel(index, config);
    }
    for (unsigned index = 0; index < harts_.size(); ++index) {
        add_encoder(index, config);
    }
    for (const auto& module : encoders_) {
        sinks_.push_back(&module->sink());
    }
    for (const auto& module : funnels_) {
        sinks_.push_back(&module->sink());
    }
    map(config, router);
}

void TraceSystem::add_funnel(unsigned index, const PlatformConfig& config) {
    const std::string name = "funnel" + std::to_string(index);
    const bool first = index == 0;
    funnels_.push_back(std::make_unique<trace::TraceFunnelModule>(
        name.c_str(),
        trace::FunnelConfig{.name = name,
                            .timestamp_bits = config.trace.timestamp_bits,
                            .timestamp_type = first ? trace::TimestampType::InternalBus
                                                    : trace::TimestampType::Slave},
        sink_config(config, first ? kOwnSinks : kOwnSinks | kFunnelSink),
        trace::TraceFunnelModule::Surroundings{
            .clock = clock_,
            .notice = notice_,
            .kernel_changed = [this] { kernel_changed(); },
            .probe = &probe_,
            .master = first ? nullptr : &funnels_.front()->funnel().timestamps(),
            .latency = config.trace.latency}));
    if (!first) {
        trace::TraceFunnelModule& here = *funnels_.back();
        here.sink().set_funnel(funnels_.front()->funnel().add_input(here.funnel()));
    }
}

void TraceSystem::add_encoder(unsigned index, const PlatformConfig& config) {
    const std::string name = "encoder" + std::to_string(index);
    const bool funnel = !funnels_.empty();
    links_.push_back(std::make_unique<Link>(*this, index));
    encoders_.push_back(std::make_unique<trace::TraceEncoderModule>(
        name.c_str(),
        trace::EncoderConfig{.name = name,
                             .hart = index,
                             .source = index,
                             .source_bits = source_bits(config.trace, config.harts),
                             .fifo_bytes = config.trace.fifo_bytes,
                             .timestamps = {config.trace.timestamps, config.trace.timestamp_bits},
                             .timestamp_type = funnel ? trace::TimestampType::Slave
                                                      : trace::TimestampType::InternalCore},
        sink_config(config, funnel ? kFunnelSink : kOwnSinks),
        trace::TraceEncoderModule::Surroundings{
            .clock = clock_,
            .hart = *links_.back(),
            .notice = notice_,
            .kernel_changed = [this] { kernel_changed(); },
            .probe = &probe_,
            .master = funnel ? &funnels_.front()->funnel().timestamps() : nullptr,
            .latency = config.trace.latency}));
    trace::TraceEncoderModule& here = *encoders_.back();
    for (unsigned line = 0; line < kBankLineCount; ++line) {
        harts_[index]->connect(static_cast<BankLine>(line), here.triggers());
    }
    if (funnel) {
        trace::TraceFunnelModule& to = *funnels_[index * funnels_.size() / harts_.size()];
        here.sink().set_funnel(to.funnel().add_input(here.encoder().messages()));
    }
}

void TraceSystem::map(const PlatformConfig& config, Router& router) {
    for (unsigned index = 0; index < encoders_.size(); ++index) {
        router.map("encoder" + std::to_string(index),
                   config.trace.base + index * trace_map::kBlockBytes, trace_map::kBlockBytes,
                   encoders_[index]->socket());
        encoders_[index]->bus().bind(router.initiators);
    }
    for (unsigned index = 0; index < funnels_.size(); ++index) {
        router.map("funnel" + std::to_string(index),
                   config.trace.funnel_base + index * trace_map::kBlockBytes,
                   trace_map::kBlockBytes, funnels_[index]->socket());
        funnels_[index]->bus().bind(router.initiators);
    }
}

void TraceSystem::attach_wave(WaveSink& wave) {
    const auto attach = [&wave](auto& modules, const char* name) {
        for (std::size_t index = 0; index < modules.size(); ++index) {
            modules[index]->sink().attach_wave(wave, "trace." + (name + std::to_string(index)));
        }
    };
    attach(encoders_, "encoder");
    attach(funnels_, "funnel");
}

void TraceSystem::kernel_changed() {
    for (HartModule* hart : harts_) {
        hart->kernel_changed();
    }
}

void TraceSystem::Link::let_sinks_run(Cycle at) {
    if (owner_.harts_.size() == 1) {
        module_.wait_until(at);
        return;
    }
    for (const auto& module : owner_.encoders_) {
        module->serve_until(at);
    }
    for (const auto& module : owner_.funnels_) {
        module->serve_until(at);
    }
}

Address TraceSystem::Link::pc() const {
    return module_.hart().state().pc;
}

std::array<std::uint64_t, trace::kEventCounters> TraceSystem::Link::counters(Cycle at) {
    constexpr std::array<std::uint16_t, 2> kFixed{csr::kMcycle, csr::kMinstret};
    constexpr unsigned kFirstProgrammed = 3;
    std::array<std::uint64_t, trace::kEventCounters> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t number = i < kFixed.size()
                                       ? kFixed.at(i)
                                       : csr::kMcycle + kFirstProgrammed + (i - kFixed.size());
        values.at(i) = module_.hart().observe_counter(static_cast<std::uint16_t>(number), at);
    }
    return values;
}

void TraceSystem::Link::hold_until(Cycle at) {
    module_.hart().hold_until(at);
}

void TraceSystem::Link::attach(HartObserver& observer) {
    module_.hart().add_observer(observer);
}

void TraceSystem::Link::detach(HartObserver& observer) {
    module_.hart().remove_observer(observer);
}

// --- The host's part -----------------------------------------------------------------------------

void TraceSystem::set_up(const TraceSetup& setup) {
    set_up_ = true;
    const std::uint32_t probe_on = probe::kActive | probe::kEnable |
                                   kEightBitsWide << probe::kModeShift |
                                   probe_divider_ << probe::kDividerShift;
    constexpr std::uint32_t counting = timestamp::kActive | timestamp::kCount;
    for (std::size_t index = 0; index < funnels_.size(); ++index) {
        RegisterBlock& block = funnels_[index]->funnel().registers();
        const std::uint32_t to = index == 0 ? sink::kProbe : sink::kFunnel;
        poke(block, trace_map::kControl, control::kActive, 0);
        poke(block, trace_map::kProbeControl, probe_on, 0);
        poke(block, trace_map::kTimestampControl, counting, 0);
        poke(block, trace_map::kControl,
             control::kActive | control::kEnable | to << control::kSinkShift, 0);
    }
    const std::uint32_t to = funnels_.empty() ? sink::kProbe : sink::kFunnel;
    for (const auto& module : encoders_) {
        RegisterBlock& block = module->encoder().registers();
        poke(block, trace_map::kControl, control::kActive, 0);
        if (funnels_.empty()) {
            poke(block, trace_map::kProbeControl, probe_on, 0);
        }
        poke(block, trace_map::kTimestampControl,
             counting | timestamp::kEnable | timestamp::kBranchMask << timestamp::kBranchShift |
                 timestamp::kInstrumentation | timestamp::kOwnership,
             0);
        poke(block, trace_map::kItcTraceEnable, setup.instrumentation ? ~0U : 0, 0);
        poke(block, trace_map::kEventControl,
             setup.program == ProgramTrace::Events
                 ? trace_map::event::kAll | (setup.counters ? trace_map::event::kCounters : 0)
                 : 0,
             0);
        const std::uint32_t value = encoder_control(setup, to) | control::kActive;
        poke(block, trace_map::kControl, value | control::kEnable, 0);
        poke(block, trace_map::kControl, value | control::kEnable | control::kTracing, 0);
    }
}

void TraceSystem::finish(Cycle at) {
    for (const auto& module : encoders_) {
        module->bring_up_to(at);
    }
    drain(at); // the last messages of a trace need room: nobody can be held any more
    if (set_up_) {
        for (const auto& module : encoders_) {
            RegisterBlock& block = module->encoder().registers();
            const std::uint32_t value = look(block, trace_map::kControl, at);
            poke(block, trace_map::kControl, value & ~(control::kEnable | control::kTracing), at);
        }
    }
    drain(at);
}

void TraceSystem::drain(Cycle at) {
    for (trace::TraceSink* unit : sinks_) {
        unit->drain(at);
    }
}

void TraceSystem::state(Archive& archive) {
    archive(probe_);
    for (const auto& module : funnels_) {
        archive(*module);
    }
    for (const auto& module : encoders_) {
        archive(*module);
    }
}

TraceReport TraceSystem::report() const {
    TraceReport report;
    for (std::size_t index = 0; index < encoders_.size(); ++index) {
        report.encoders.push_back(encoders_[index]->encoder().counts());
        report.sinks.push_back(
            {"encoder " + std::to_string(index), encoders_[index]->sink().statistics()});
    }
    for (std::size_t index = 0; index < funnels_.size(); ++index) {
        report.funnels.push_back(funnels_[index]->funnel().dropped());
        report.sinks.push_back(
            {"funnel " + std::to_string(index), funnels_[index]->sink().statistics()});
    }
    report.probe_bytes = probe_.delivered();
    report.probe_crc32 = probe_.crc32();
    report.probe_begins_inside = probe_.before() != 0;
    report.probe_bytes_unread = probe_.unread();
    return report;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/trace/trace_system.h"

#include "platform/soc/trace/trace_blocks.h"

#include <algorithm>
#include <string>

namespace pes {

// --- Composition ---------------------------------------------------------------------------------

TraceSystem::TraceSystem(const PlatformConfig& config, const ClockDomain& clock, Router& router,
                         std::span<HartModule* const> harts, OutputFile* probe_file)
    : clock_(clock), harts_(harts.begin(), harts.end()), config_(config.trace), probe_(probe_file) {
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
        name.c_str(), funnel_config(config, name, first),
        sink_config(config, first ? TraceRoute::OwnSinks : TraceRoute::OwnSinksOrFunnel),
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
        name.c_str(), encoder_config(config, index, name, funnel),
        sink_config(config, funnel ? TraceRoute::Funnel : TraceRoute::OwnSinks),
        trace::TraceEncoderModule::Surroundings{
            .clock = clock_,
            .hart = *links_.back(),
            .notice = notice_,
            .kernel_changed = [this] { kernel_changed(); },
            .probe = &probe_,
            .master = funnel ? &funnels_.front()->funnel().timestamps() : nullptr,
            .latency = config.trace.latency,
            .stimuli = true}));
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
        router.map("stimuli" + std::to_string(index),
                   config.trace.stimuli_base + index * trace_map::kBlockBytes,
                   trace_map::kBlockBytes, encoders_[index]->stimuli_socket());
        encoders_[index]->bus().bind(router.initiators);
    }
    for (unsigned index = 0; index < funnels_.size(); ++index) {
        router.map("funnel" + std::to_string(index),
                   config.trace.funnel_base + index * trace_map::kBlockBytes,
                   trace_map::kBlockBytes, funnels_[index]->socket());
        funnels_[index]->bus().bind(router.initiators);
    }
    unsigned ram_sinks = 0;
    const auto map_ram_sink = [&](trace::RamSinkTarget* sink) {
        if (sink != nullptr) {
            router.map("ram_sink" + std::to_string(ram_sinks),
                       config.trace.ram_base + ram_sinks * trace_control::kComponentBytes,
                       trace_control::kComponentBytes, sink->socket());
            ++ram_sinks;
        }
    };
    for (const auto& module : encoders_) {
        map_ram_sink(module->ram_sink());
    }
    for (const auto& module : funnels_) {
        map_ram_sink(module->ram_sink());
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
    return traced_counters(module_.hart(), at);
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
    for (std::size_t index = 0; index < funnels_.size(); ++index) {
        trace::TraceFunnelModule& module = *funnels_[index];
        start_funnel(config_, module.funnel().registers(), module.ram_sink_registers(), index == 0);
    }
    for (const auto& module : encoders_) {
        start_encoder(config_, module->encoder().registers(), module->ram_sink_registers(), setup,
                      funnels_.empty());
    }
}

void TraceSystem::finish(Cycle at) {
    for (const auto& module : encoders_) {
        module->bring_up_to(at);
    }
    drain(at); // the last messages of a trace need room: nobody can be held any more
    if (set_up_) {
        for (const auto& module : encoders_) {
            stop_encoder(module->encoder().registers(), at);
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
    report.standard_registers = config_.registers == trace::RegisterSet::Standard;
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

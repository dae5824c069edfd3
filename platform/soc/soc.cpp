// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/soc.h"

#include "hw/interface/maps/interrupts.h"
#include "platform/host/end_request.h"
#include "platform/host/output_file.h"
#include "platform/host/user_error.h"
#include "platform/soc/guest/console.h"
#include "platform/soc/guest/sample_channel.h"
#include "platform/soc/waves/lockstep_window.h"

#include <algorithm>
#include <utility>

namespace pes {
namespace {

ExitReason reason_of(HartModule::Outcome outcome) {
    switch (outcome) {
    case HartModule::Outcome::Running:
        return ExitReason::Running;
    case HartModule::Outcome::Stopped:
        return ExitReason::Guest;
    case HartModule::Outcome::CycleLimit:
        return ExitReason::MaxCycles;
    case HartModule::Outcome::TrapLoop:
        return ExitReason::TrapLoop;
    case HartModule::Outcome::Deadlock:
        return ExitReason::DeadWait;
    }
    return ExitReason::Running;
}

/// Cycles that a read adds for which there is no device. [axi_err_slv.sv]
constexpr Cycle kRefusal = 1;

StimulusWriter::Sink stimulus_sink(unsigned hart, const HostSide& host) {
    if (hart >= host.counter_stimuli.size()) {
        return {};
    }
    return [file = host.counter_stimuli[hart]](std::string_view text) { file->write(text); };
}

} // namespace

Soc::~Soc() = default;

Soc::Soc(const sc_core::sc_module_name& name, const PlatformConfig& config, const BootImage& boot,
         const HostSide& host)
    : sc_core::sc_module(name), config_(config), clock_(config.clock_hz),
      router_("router", clock_.time_of(kRefusal)), memory_("dram", config.hart.memory.size, clock_),
      memory_view_(config.hart.memory.base, memory_.memory().bytes()),
      device_master_(memory_, config.hart.memory.base),
      group_([this] { return next_device_event(); }) {
    boot.load(memory_.memory().bytes(), config.hart.memory.base);
    add_devices(host);
    for (unsigned index = 0; index < config.harts; ++index) {
        add_hart(index, boot, host);
    }
    map_devices();
    connect_trace(host);
    wire_interrupts();
    if (config.htif.enabled) {
        connect_htif(boot, host);
    }
    if (host.wave != nullptr) {
        for (std::size_t index = 0; index < devices_.size(); ++index) {
            devices_[index]->device().attach_wave(*host.wave, descriptions_[index]->traits().name);
        }
        if (trace_) {
            trace_->attach_wave(*host.wave);
        }
    }
    const auto functions =
        std::make_shared<FunctionNames>([&boot](Address pc) { return boot.function_name(pc); });
    for (const auto& unit : harts_) {
        unit->attach_observers(host.wave, functions);
    }
    if (boot.kernel_entry()) {
        hand_over_.emplace(boot, memory_view_, [this] {
            waits_for_kernel_ = false;
            tell_of_modes(nullptr);
        });
        tell_of_modes(&*hand_over_);
    }
}

void Soc::tell_of_modes(ModeSink* sink) {
    for (const auto& unit : harts_) {
        unit->hart().tell_of_modes(sink);
    }
}

void Soc::add_devices(const HostSide& host) {
    DeviceHost side{.harts = config_.harts,
                    .clock_hz = config_.clock_hz,
                    .console = [&console = host.console](
                                   std::uint8_t byte) { console.put(static_cast<char>(byte)); },
                    .console_input = host.console_input,
                    .exit = [this](std::uint64_t code) { guest_exit(code); },
                    .memory = &device_master_,
                    .share = host.share,
                    .root = host.root,
                    .control = host.control,
                    .disk = host.disk,
                    .virtio_console_input = host.virtio_console_input};
    if (Console* console = host.virtio_console) {
        side.virtio_console = [console](std::span<const std::byte> bytes) {
            console->write(bytes);
        };
    }
    for (const auto& description : config_.devices) {
        if (!description->present()) {
            continue;
        }
        descriptions_.push_back(description.get());
        const DeviceTraits& traits = description->traits();
        const auto outputs = static_cast<unsigned>(description->lines(config_.harts).size());
        devices_.push_back(std::make_unique<DeviceModule>(
            std::string(traits.name).c_str(), description->build(side), outputs, clock_,
            AccessLatency(description->latency, traits.narrow ? kSecondWord : 0)));
        if (description->machine_time()) {
            machine_timer_ = devices_.back().get();
        }
        if (description->interrupt_sources() != 0) {
            interrupt_controller_ = devices_.back().get();
        }
    }
}

void Soc::add_hart(unsigned index, const BootImage& boot, const HostSide& host) {
    const auto differ = [this, index](const std::string& report) {
        counters_differ(index, report);
    };
    harts_.push_back(std::make_unique<HartUnit>(
        config_, clock_,
        HartUnit::Place{
            .index = index,
            .entry = boot.entry(),
            .device_tree = boot.device_tree_address(),
            .information = boot.information(),
            .wave = host.wave,
            .taps = index < host.taps.size() ? host.taps[index] : std::vector<HartTap*>(),
            .lockstep = {.on_difference = differ,
                         .wanted = [this] { return difference_.empty(); },
                         .keep_window = lockstep_window(host.lockstep_vcd),
                         .name_of_pc = [&boot](Address pc) { return boot.place_name(pc); }},
            .stimulus = stimulus_sink(index, host),
            .timer = {.mtime = [this](Cycle at) { return machine_timer_->device().mtime(at); },
                      .set_stimecmp =
                          [this, index](std::uint64_t stimecmp, Cycle at) {
                              machine_timer_->set_stimecmp(index, stimecmp, at);
                          }}}));
    device_master_.add(harts_.back()->hart());
    if (config_.harts > 1) {
        group_.add(harts_.back()->module());
    }
}

void Soc::map_devices() {
    const MemoryRange& dram = config_.hart.memory;
    for (const auto& unit : harts_) {
        unit->module().bus.bind(router_.initiators);
    }
    router_.map("dram", dram.base, dram.size, memory_.socket);
    for (std::size_t index = 0; index < devices_.size(); ++index) {
        const DeviceDescription& description = *descriptions_[index];
        router_.map(std::string(description.traits().name), description.range.base,
                    description.range.size, devices_[index]->socket());
    }
}

void Soc::connect_trace(const HostSide& host) {
    std::vector<HartModule*> harts;
    for (const auto& unit : harts_) {
        harts.push_back(&unit->module());
    }
    if (config_.trace.enabled) {
        trace_ = std::make_unique<TraceSystem>(config_, clock_, router_, harts, host.trace);
    }
    if (config_.software_trace.enabled) {
        software_trace_ = std::make_unique<SoftwareTraceSystem>(config_, clock_, router_, harts,
                                                                host.software_trace);
    }
}

const LevelWire& Soc::wire(LevelOut& from, LevelSink& to, unsigned line) {
    const std::string wire_name = "wire" + std::to_string(wires_.size());
    wires_.push_back(std::make_unique<LevelWire>(wire_name.c_str(), to, line));
    from.bind(*wires_.back());
    return *wires_.back();
}

void Soc::wire_interrupts() {
    LevelSink& sources = interrupt_controller_->sources();
    for (std::size_t index = 0; index < devices_.size(); ++index) {
        const std::vector<DeviceLine> lines = descriptions_[index]->lines(config_.harts);
        for (std::size_t line = 0; line < lines.size(); ++line) {
            const bool to_hart = lines[line].to == DeviceLine::To::Hart;
            wire(devices_[index]->outputs[line],
                 to_hart ? harts_[lines[line].hart]->interrupts() : sources, lines[line].number);
        }
    }
    for (unsigned index = 0; index < harts_.size(); ++index) {
        HartModule& hart = harts_[index]->module();
        threshold_wires_.push_back(
            &wire(hart.threshold_irq, sources, irq::pes_threshold_source(index)));
        wire(hart.buffer_full_irq, sources, irq::pes_buffer_full_source(index));
    }
}

/// A program without tohost ends through the finisher only.
void Soc::connect_htif(const BootImage& boot, const HostSide& host) {
    const std::optional<SymbolPlace> tohost = boot.symbol("tohost");
    if (!tohost) {
        return;
    }
    const Address base = config_.hart.memory.base;
    if (tohost->address % sizeof(std::uint64_t) != 0 ||
        !memory_view_.at(tohost->address, sizeof(std::uint64_t))) {
        throw UserError("the program's symbol tohost is not an aligned 64-bit word in main "
                        "memory, expected one (or --set htif.enabled=false)");
    }
    const std::optional<SymbolPlace> fromhost = boot.symbol("fromhost");
    const MemoryRange unused = boot.unused_memory();
    htif_.emplace(memory_view_, tohost->address, fromhost ? fromhost->address : 0, host.console,
                  host.samples, host.files,
                  PlatformFacts{.facts = {.clock_hz = config_.clock_hz,
                                          .timebase_hz = timebase_hz(config_),
                                          .free_base = unused.base,
                                          .free_size = unused.size},
                                .text = program_line(boot.elf_files())},
                  Htif::Requests{.exit = [this](std::uint64_t code) { guest_exit(code); },
                                 .checkpoint = [this] { rest_requested(); },
                                 .input_ended =
                                     [this] {
                                         return std::ranges::any_of(
                                             devices_, [](const auto& module) {
                                                 return module->device().input_ended();
                                             });
                                     }});
    memory_.watch(tohost->address - base,
                  [this](std::uint64_t, Cycle) { htif_->tohost_written(); });
}

/// The next cycle in which a device may touch a hart.
Cycle Soc::next_device_event() const {
    Cycle next = kNever;
    for (const auto& module : devices_) {
        next = std::min(next, module->device().next_change());
    }
    return next;
}

RunEnd Soc::run(Cycle max_cycles, const std::function<std::optional<ExitReason>()>& between) {
    // The turns of several harts must not end at the limit before the rest, but as they would.
    const bool rest_first = harts_.size() > 1 && rest_.at <= max_cycles;
    set_cycle_limit(rest_first ? kNever : max_cycles);
    when_memory_runs_out([this] {
        for (const auto& unit : harts_) {
            unit->module().look_now();
        }
    });
    if (std::exchange(restored_, false)) {
        leave_rest();
    }
    while (ended_hart() == nullptr) {
        run_piece();
        if (rests()) {
            pc_watches_.clear();
            std::exchange(rest_, {}).then();
            if (clock_.now() >= max_cycles) { // nor do sinks go on while harts wait for their turn
                return ended(ExitReason::MaxCycles);
            }
            set_cycle_limit(max_cycles);
            leave_rest();
            continue;
        }
        if (const std::optional<ExitReason> wish = between()) {
            return ended(*wish);
        }
    }
    return ended(reason_of(ended_hart()->module().outcome()));
}

void Soc::set_cycle_limit(Cycle limit) {
    for (const auto& unit : harts_) {
        unit->module().set_cycle_limit(limit);
    }
}

void Soc::set_debugger(Debugger* debugger) {
    for (unsigned index = 0; index < harts_.size(); ++index) {
        module(index).set_debugger(debugger, index);
    }
}

std::vector<NoProgress::Look> Soc::look_at_harts() const {
    std::vector<NoProgress::Look> looks;
    for (unsigned index = 0; index < harts_.size(); ++index) {
        const HartModule& module = harts_[index]->module();
        const Hart& hart = module.hart();
        if (!hart.sleeps()) {
            looks.push_back(NoProgress::look_of(index, hart.now(), hart.state(),
                                                hart.traps() + module.accesses()));
        }
    }
    return looks;
}

const HartUnit* Soc::ended_hart() const {
    const auto found = std::ranges::find_if(harts_, [](const auto& unit) {
        return unit->module().outcome() != HartModule::Outcome::Running;
    });
    return found == harts_.end() ? nullptr : found->get();
}

RunEnd Soc::ended(ExitReason reason) {
    when_memory_runs_out({});
    RunEnd end;
    // How far a sleeping hart's time has come depends on its counters: it sleeps up to the end.
    const auto has_time = [this](HartUnit& unit) {
        return &unit == ended_hart() || harts_.size() == 1 || !unit.hart().sleeps();
    };
    for (unsigned index = 0; index < harts_.size(); ++index) {
        HartUnit& unit = *harts_[index];
        const Hart& hart = unit.hart();
        end.hart = &unit == ended_hart() ? index : end.hart;
        end.cycles = std::max(end.cycles, has_time(unit) ? hart.reached() : hart.last_retirement());
    }
    for (const auto& unit : harts_) {
        unit->hart().settle(has_time(*unit) ? unit->hart().reached() : end.cycles);
        unit->bank().finish();
    }
    // A difference is the result, however the run would have ended.
    end.reason = difference_.empty() ? reason : ExitReason::CountersDiffer;
    end.guest_code = end.reason == ExitReason::Guest ? guest_code_.value_or(0) : 0;
    end.report = difference_;
    return end;
}

std::uint64_t Soc::threshold_interrupts() const {
    std::uint64_t sum = 0;
    for (const LevelWire* wire : threshold_wires_) {
        sum += wire->rises();
    }
    return sum;
}

/// The first request counts; the hart finishes the instruction in hand.
void Soc::guest_exit(std::uint64_t code) {
    if (!guest_code_) {
        guest_code_ = code;
        request_stop();
    }
}

void Soc::counters_differ(unsigned hart, const std::string& report) {
    difference_ = config_.harts == 1 ? report : "hart " + std::to_string(hart) + ": " + report;
    request_stop();
}

void Soc::request_stop() {
    for (const auto& unit : harts_) {
        unit->module().request_stop();
    }
}

} // namespace pes

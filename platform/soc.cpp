// SPDX-License-Identifier: Apache-2.0
#include "platform/soc.h"

#include "hw/common/host/user_error.h"
#include "hw/common/maps/interrupts.h"
#include "hw/common/maps/plic.h"
#include "platform/console.h"
#include "platform/sample_channel.h"

#include <algorithm>

namespace pes {
namespace {

constexpr Cycle kPieceCycles = 5'000'000; // of a run: fine enough for a progress line
constexpr unsigned kArgument0 = 10;       // a0
constexpr unsigned kArgument1 = 11;       // a1
constexpr std::string_view kCommitScope = "hart0.commit";

unsigned line_of(Interrupt interrupt) {
    return static_cast<unsigned>(interrupt);
}

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

HartConfig with_entry(HartConfig config, Address entry) {
    config.reset_pc = entry;
    return config;
}

/// A recorded bank wants single cycles; the hart asks how many it may skip when it is built.
HpmBank& with_wave(HpmBank& bank, WaveSink* wave) {
    if (wave != nullptr) {
        bank.attach_wave(*wave, "hart0.hpm");
    }
    return bank;
}

} // namespace

Soc::Soc(sc_core::sc_module_name name, const PlatformConfig& config, const Program& program,
         const HostSide& host)
    : sc_core::sc_module(name), config_(config), clock_(config.clock_hz),
      bank_(make_counter_bank(
          config.counters,
          {.on_difference = [this](const std::string& report) { counters_differ(report); },
           .vcd = host.lockstep_vcd})),
      router_("router"), memory_("dram", config.hart.memory.size, clock_),
      memory_view_(config.hart.memory.base, memory_.memory().bytes()),
      clint_("clint", config.clint, clock_, config.latency.clint),
      plic_("plic", config.plic, clock_, config.latency.plic),
      uart_("uart", config.uart, clock_, config.latency.uart),
      finisher_([this](std::uint64_t code) { guest_exit(code); }),
      finisher_target_("finisher", finisher_.registers(), clock_, config.latency.finisher),
      hart_("hart0", with_entry(config.hart, program.entry()), clock_, with_wave(*bank_, host.wave),
            config.quantum, [this](Cycle at) { return clint_.clint().mtime(at); }) {
    program.require_fits(config.hart.memory);
    program.load(memory_.memory().bytes(), config.hart.memory.base);
    uart_.uart().set_output(
        [&console = host.console](std::uint8_t byte) { console.put(static_cast<char>(byte)); });
    map_devices();
    wire_interrupts(host.wave);
    if (config.htif.enabled) {
        connect_htif(program, host);
    }
    if (host.wave != nullptr) {
        attach_waves(*host.wave);
    }
    if (HartObserver* observer = bank_->observer()) {
        hart().add_observer(*observer);
    }
    hart().set_register(kArgument0, config.hart.id);
    hart().set_register(kArgument1, 0); // no device tree
}

void Soc::map_devices() {
    const MemoryRange& dram = config_.hart.memory;
    const DeviceMap& map = config_.map;
    hart_.bus.bind(router_.initiators);
    router_.map("dram", dram.base, dram.size, memory_.socket);
    router_.map("clint", map.clint.base, map.clint.size, clint_.socket());
    router_.map("plic", map.plic.base, map.plic.size, plic_.socket());
    router_.map("uart", map.uart.base, map.uart.size, uart_.socket());
    router_.map("finisher", map.finisher.base, map.finisher.size, finisher_target_.socket);
}

void Soc::wire(LevelOut& from, LevelSink& to, unsigned line) {
    const std::string wire_name = "wire" + std::to_string(wires_.size());
    wires_.push_back(std::make_unique<LevelWire>(wire_name.c_str(), to, line));
    from.bind(*wires_.back());
}

void Soc::wire_interrupts(WaveSink* wave) {
    LevelSink* hart = &hart_.interrupts();
    if (wave != nullptr && wave->wants(CommitWave::kGroup)) {
        hart = &interrupt_wave_.emplace(*wave, kCommitScope, *hart);
    }
    wire(uart_.interrupt, plic_.sources(), irq::kUartSource);
    wire(hart_.threshold_irq, plic_.sources(), irq::kPesThresholdSource);
    wire(hart_.buffer_full_irq, plic_.sources(), irq::kPesBufferFullSource);
    wire(clint_.timer[0], *hart, line_of(Interrupt::MachineTimer));
    wire(clint_.software[0], *hart, line_of(Interrupt::MachineSoftware));
    wire(plic_.eip[plic::kMachineContext], *hart, line_of(Interrupt::MachineExternal));
    wire(plic_.eip[plic::kSupervisorContext], *hart, line_of(Interrupt::SupervisorExternal));
}

/// A program without tohost ends through the finisher only.
void Soc::connect_htif(const Program& program, const HostSide& host) {
    const std::optional<SymbolPlace> tohost = program.symbol("tohost");
    if (!tohost) {
        return;
    }
    const Address base = config_.hart.memory.base;
    if (tohost->address % sizeof(std::uint64_t) != 0 ||
        !memory_view_.at(tohost->address, sizeof(std::uint64_t))) {
        throw UserError("the program's symbol tohost is not an aligned 64-bit word in main "
                        "memory, expected one (or --set htif.enabled=false)");
    }
    const std::optional<SymbolPlace> fromhost = program.symbol("fromhost");
    htif_.emplace(memory_view_, tohost->address, fromhost ? fromhost->address : 0, host.console,
                  host.samples, [this](std::uint64_t code) { guest_exit(code); });
    memory_.watch(tohost->address - base,
                  [this](std::uint64_t, Cycle) { htif_->tohost_written(); });
}

void Soc::attach_waves(WaveSink& wave) {
    plic_.plic().attach_wave(wave, "plic");
    if (wave.wants(CommitWave::kGroup)) {
        commit_wave_.emplace(wave, kCommitScope);
        hart().add_observer(*commit_wave_);
    }
}

RunEnd Soc::run(Cycle max_cycles, const std::function<RunWish()>& between) {
    hart_.set_cycle_limit(max_cycles);
    const sc_core::sc_time piece = clock_.time_of(kPieceCycles);
    while (hart_.outcome() == HartModule::Outcome::Running) {
        sc_core::sc_start(piece);
        if (between() == RunWish::Stop) {
            hart().settle();
            return ended(ExitReason::Interrupted);
        }
    }
    return ended(reason_of(hart_.outcome()));
}

RunEnd Soc::ended(ExitReason reason) {
    bank_->finish();
    if (!difference_.empty()) { // the result, however the run would have ended
        reason = ExitReason::CountersDiffer;
    }
    // The last instruction retires a few cycles behind the decode cycle that is the hart's time.
    return {.reason = reason,
            .guest_code = reason == ExitReason::Guest ? guest_code_.value_or(0) : 0,
            .cycles = std::max(hart().now(), hart().last_retirement()),
            .report = difference_};
}

/// The first request counts; the hart finishes the instruction in hand.
void Soc::guest_exit(std::uint64_t code) {
    if (!guest_code_) {
        guest_code_ = code;
        hart_.request_stop();
    }
}

void Soc::counters_differ(const std::string& report) {
    difference_ = report;
    hart_.request_stop();
}

} // namespace pes

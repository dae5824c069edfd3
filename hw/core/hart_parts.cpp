// SPDX-License-Identifier: Apache-2.0
#include "hw/core/hart_parts.h"

#include "hw/interface/maps/csr.h"
#include "hw/interface/maps/ctr.h"

#include <algorithm>
#include <cstdlib>

namespace pes {

namespace {

std::optional<Oracle> make_truth(const HartConfig& config, PulseLog& pulses) {
    if (!config.has_oracle()) {
        return std::nullopt;
    }
    return std::optional<Oracle>(std::in_place, pulses, config.truth ? Ledger::Kept : Ledger::None,
                                 config.keeps_window() ? Window::Kept : Window::None);
}

/// Somebody samples what is decoded, or counts it.
bool watches_decode(const HartConfig& config) {
    return config.extensions.smpdis || config.sources.has(Event::Decoded);
}

} // namespace

HartParts::HartParts(const HartConfig& settings, HartBus& world, CounterBank& bank)
    : config(settings), bus(world), feed(bank, interrupts, attention),
      truth(make_truth(config, feed.pulses())),
      execution(config, bus,
                bank.owns(csr::kScountovf) ? OverflowInterrupt::Present : OverflowInterrupt::Absent,
                time, csrs, pipeline),
      csrs(arch(), feed, interrupts, attention, time),
      sample_ending(arch().csr, bus, feed, skidless),
      buffer_port(config, arch(), execution.data(), interrupts, time),
      code(config, arch(), execution.data().mmu(), execution.data().host(), time),
      pipeline(config.timing, feed.pulses(), code, config.pulsing(), truth ? &*truth : nullptr,
               watches_decode(config) ? &watch.emplace(sample_ending) : nullptr),
      devices(config, bus, execution.data().host(), feed, time) {
    pipeline.tables().branch_tables().leave_boot_rom(config.memory.base);
    if (config.extensions.ssplcofi) {
        skidless.emplace(arch(), feed, time, attention, *truth);
    }
    if (config.extensions.sspesa) {
        attribution.emplace(arch().csr, interrupts, feed.bank(), *truth, skidless);
    }
    if (config.extensions.smctr) {
        add_transfer_records();
    }
}

void HartParts::add_transfer_records() {
    transfers.emplace(config.ctr_depth, feed.bank().owns(csr::kScountovf));
    bool added = csrs.add_indirect(IndirectLevel::Supervisor, ctr::kFirstSelect, ctr::kLastSelect,
                                   *transfers);
    for (const std::uint16_t number : TransferRecords::kCsrs) {
        added &= csrs.add(number, *transfers, CsrGuard::TransferRecords);
    }
    if (!added) {
        std::abort();
    }
}

/// Addresses of machine mode are not translated, whatever satp holds.
void HartParts::enter_context() {
    if (truth) {
        const bool translated =
            arch().privilege != Privilege::Machine && arch().csr.translation_on();
        truth->enter({.privilege = arch().privilege, .satp = translated ? arch().csr.satp() : 0});
    }
    if (watch) {
        watch->enter(arch().privilege);
    }
}

Cycle HartParts::undisturbed_until() const {
    if (time.decode < time.held_until || observers.blocks_ahead(time.decode) == 0 ||
        question_waits()) {
        return 0;
    }
    const Cycle known = std::min({time.horizon, interrupts.next_rise(), pipeline_watches.next()});
    return watch ? std::min(known, watch->quiet_until()) : known;
}

Cycle HartParts::retire_jump(const Instruction& instruction, std::uint64_t fact) {
    const bool taken = takes(instruction, fact);
    if (transfers) [[unlikely]] {
        return retire_recorded(instruction, taken);
    }
    return pipeline.retire_branch(instruction, arch().pc, arch().next_pc, taken);
}

Cycle HartParts::retire_recorded(const Instruction& jump, bool taken) {
    const Cycle retired = pipeline.retire_branch(jump, arch().pc, arch().next_pc, taken);
    record_jump(jump, taken, pipeline.mispredicted(), retired);
    return retired;
}

Cycle HartParts::retire_access(const Instruction& instruction, std::uint64_t fact) {
    return pipeline.retire_memory(instruction, access_of(instruction, fact),
                                  notes().device_latency);
}

} // namespace pes

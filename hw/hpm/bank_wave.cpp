// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/bank_wave.h"

#include "hw/hpm/pcer_csr.h"
#include "hw/interface/maps/csr.h"
#include "hw/interface/pmu/counter_csr.h"

#include <bit>

namespace pes {
namespace {

std::string indexed(const char* name, unsigned index) {
    std::string text(name);
    text.append("(").append(std::to_string(index)).append(")");
    return text;
}

} // namespace

BankWave::BankWave(WaveSink& sink, std::string_view scope, const CounterConfig& config,
                   const CounterBank& bank)
    : sink_(sink) {
    if (config.profile->registers != RegisterSet::Hpm) {
        declare_pcer(scope, config, bank);
        return;
    }
    declare_registers(scope, config, bank);
    const auto add_line = [&](std::string_view name, BankLine line) {
        const bool level = bank.interrupt(line).level;
        lines_.push_back({line, sink_.declare(kGroup, scope, name, 1, level), level});
    };
    add_line("perf_counter_irq_o", BankLine::Threshold);
    add_line("buffer_full_irq_o", BankLine::BufferFull);
    if (config.sscofpmf) {
        add_line("overflow_irq_o", BankLine::Overflow);
    }
}

void BankWave::declare_registers(std::string_view scope, const CounterConfig& config,
                                 const CounterBank& bank) {
    const auto add = [&](std::string_view name, std::uint16_t csr, unsigned width,
                         Side side = Side::Output) {
        declare(scope, name, csr, width, bank, side);
    };
    const auto selector_width =
        static_cast<unsigned>(std::bit_width(config.profile->selector_mask));
    add("cycle_q", csr::kMcycle, 64);
    add("instret_q", csr::kMinstret, 64);
    for (unsigned i = 1; i <= config.programmable; ++i) {
        const unsigned index = kFirstProgrammable + i - 1;
        add(indexed("generic_counter_q", i), counter_csr(index), config.width);
        add(indexed("mhpmevent_q", i), event_csr(index), selector_width);
        add(indexed("threshold_q", i), threshold_csr(index), 64);
    }
    add("threshold_cycle_q", csr::kMhpmthresholdCycle, 64);
    add("threshold_instret_q", csr::kMhpmthresholdInstret, 64);
    add("mcountinhibit_q", csr::kMcountinhibit, 32);
    add("mmaped_addr_d", csr::kMhpmmmaped, 64, Side::Input);
    add("mmaped_addr_q", csr::kMhpmmmaped, 64);
    add("mmaped_size_q", csr::kMhpmmsize, 64);
    add("mmaped_offset_q", csr::kMhpmmoffset, 64);
    if (config.sscofpmf) {
        add("overflow_q", csr::kScountovf, 32);
    }
}

void BankWave::declare_pcer(std::string_view scope, const CounterConfig& config,
                            const CounterBank& bank) {
    declare(scope, "pcmr_q", csr::kPcmr, 2, bank);
    declare(scope, "pcer_q", csr::kPcer, kPcerWidth, bank);
    const bool shared = config.profile->registers == RegisterSet::PcerShared;
    for (unsigned index = 0; index < (shared ? 1 : kPcerCounters); ++index) {
        declare(scope, indexed("pccr_q", index), pccr_csr(index), kPcerWidth, bank);
    }
}

void BankWave::declare(std::string_view scope, std::string_view name, std::uint16_t csr,
                       unsigned width, const CounterBank& bank, Side side) {
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
    const std::uint64_t value = bank.peek(csr) & mask;
    registers_.push_back({.csr = csr,
                          .signal = sink_.declare(kGroup, scope, name, width, value),
                          .mask = mask,
                          .published = value,
                          .side = side});
}

void BankWave::ticked(const CounterBank& bank) {
    // The registers now hold the values of cycle now + 1. The last cycle before the window is
    // reported too, so that no older change appears inside the window.
    const Cycle at = bank.now() + 1;
    if (at + 1 >= sink_.window_from() && at < sink_.window_to()) {
        publish(bank, at);
    }
}

Cycle BankWave::quiet_cycles(Cycle now) const {
    // The pulses of cycle c change the registers of c + 1: cycles from - 1 .. to - 2 are needed.
    const Cycle from = sink_.window_from();
    if (now + 2 < from) {
        return from - now - 2;
    }
    return now + 2 < sink_.window_to() ? 0 : kNever;
}

void BankWave::publish(const CounterBank& bank, Cycle at) {
    for (Register& entry : registers_) {
        const std::uint64_t value = bank.peek(entry.csr) & entry.mask;
        if (value != entry.published) {
            entry.published = value;
            sink_.change(entry.signal, entry.side == Side::Input ? at - 1 : at, value);
        }
    }
    for (Line& entry : lines_) {
        const bool level = bank.interrupt(entry.line).level;
        if (level != entry.published) {
            entry.published = level;
            sink_.change(entry.signal, at, level);
        }
    }
}

} // namespace pes

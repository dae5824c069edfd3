// SPDX-License-Identifier: Apache-2.0
#include "tests/fidelity/kernel_machine.h"

#include "hw/hpm/tlm_bank.h"
#include "platform/boot/loader.h"
#include "platform/host/user_error.h"

#include <cstring>

namespace pes::fidelity {

namespace {

// Layout of `results`: how many words follow, then for each repetition cycles, instructions, 24
// counters and the checksum.
constexpr unsigned kCounters = 24;
constexpr unsigned kRecordWords = 2 + kCounters + 1;
constexpr Cycle kCycleLimit = 20'000'000; // the longest kernel takes a hundredth

Address place_of(const Program& program, const char* symbol, const std::filesystem::path& elf) {
    const auto place = program.symbol(symbol);
    if (!place) {
        throw UserError(elf.string() + " is no timing kernel: it has no symbol '" + symbol + "'");
    }
    return place->address;
}

const ClintDescription& clint_of(const PlatformConfig& config) {
    return config.devices.get<ClintDescription>();
}

const PlicDescription& plic_of(const PlatformConfig& config) {
    return config.devices.get<PlicDescription>();
}

} // namespace

PlatformConfig kernel_config(std::span<const std::string> settings) {
    PlatformConfig config = make_config({}, settings, "reference");
    config.hart.memory.size = 16 << 20;
    config.counters.programmable = kCounters;
    config.hart.timing.load_dtlb_event = UpstreamDefect::Reproduced;
    return config;
}

KernelMachine::KernelMachine(const PlatformConfig& config)
    : KernelMachine(config, std::make_unique<TlmCounterBank>(config.counters)) {}

KernelMachine::KernelMachine(PlatformConfig config, std::unique_ptr<HpmBank> bank)
    : config_(std::move(config)), ram_(config_.hart.memory.size), clint_(clint_of(config_).config),
      plic_(plic_of(config_).config), bank_(std::move(bank)), hart_(config_.hart, *this, *bank_) {
    if (HartObserver* observer = bank_->observer()) {
        hart_.add_observer(*observer);
    }
    clint_.connect_software(this);
}

Repetitions KernelMachine::run(const std::filesystem::path& elf) {
    const Program program = Program::read(elf, config_.hart.memory.base);
    program.require_fits(config_.hart.memory);
    program.load(ram_, config_.hart.memory.base);
    tohost_ = place_of(program, "tohost", elf);
    const Address results = place_of(program, "results", elf);
    hart_.set_pc(program.entry());
    hart_.set_horizon(kCycleLimit);
    const HartStop stop = hart_.run();
    if (!ended_) {
        throw UserError(elf.string() +
                        (stop == HartStop::TrapLoop ? " ended in a trap loop" : " did not end"));
    }
    Repetitions repetitions;
    for (unsigned repetition = 0; repetition < kRepetitions; ++repetition) {
        const Address record = results + 8 * (1 + Address{repetition} * kRecordWords);
        Measurement& to = repetitions[repetition];
        to.cycles = word(record);
        to.instructions = word(record + 8);
        for (unsigned event = 0; event < kEvents; ++event) {
            to.events[event] = word(record + 8 * (2 + Address{event}));
        }
        to.checksum = word(record + 8 * (2 + Address{kCounters}));
    }
    return repetitions;
}

std::uint64_t KernelMachine::word(Address address) const {
    std::uint64_t value = 0;
    std::memcpy(&value, &ram_.at(address - config_.hart.memory.base), sizeof value);
    return value;
}

BusResult KernelMachine::load(Address address, void* data, unsigned size, Cycle at) {
    std::uint64_t value = 0;
    AccessStatus status = AccessStatus::AddressError;
    Cycle latency = 0;
    if (clint_of(config_).range.contains(address)) {
        status = clint_.registers().read(address - clint_of(config_).range.base, size, value, at);
        latency = clint_of(config_).latency;
    } else if (plic_of(config_).range.contains(address)) {
        status = plic_.registers().read(address - plic_of(config_).range.base, size, value, at);
        latency = plic_of(config_).latency;
    } else if (config_.hart.memory.contains(address)) { // tohost
        value = word(address & ~Address{7});
        status = AccessStatus::Ok;
    }
    std::memcpy(data, &value, size);
    return {.status = status == AccessStatus::Ok ? BusStatus::Ok : BusStatus::Error,
            .latency = static_cast<std::uint32_t>(latency)};
}

BusResult KernelMachine::store(Address address, const void* data, unsigned size, Cycle at) {
    std::uint64_t value = 0;
    std::memcpy(&value, data, size);
    AccessStatus status = AccessStatus::AddressError;
    if (address == tohost_) {
        ended_ = (value & 1) != 0;
        hart_.set_horizon(ended_ ? 0 : kCycleLimit);
        status = AccessStatus::Ok;
    } else if (clint_of(config_).range.contains(address)) {
        status = clint_.registers().write(address - clint_of(config_).range.base, size, value, at);
    }
    return {.status = status == AccessStatus::Ok ? BusStatus::Ok : BusStatus::Error};
}

/// All of RAM but the word `tohost`.
bool KernelMachine::direct_memory(Address address, DirectMemory& region) {
    const MemoryRange& memory = config_.hart.memory;
    const Address end = memory.base + memory.size;
    if (!memory.contains(address) || address - tohost_ < 8) {
        return false;
    }
    const Address start = address < tohost_ ? memory.base : tohost_ + 8;
    region = {.data = ram_.data() + (start - memory.base),
              .start = start,
              .end = address < tohost_ ? tohost_ : end};
    return true;
}

/// The software interrupt; mip is a register behind the line.
void KernelMachine::set_level(unsigned, bool level, Cycle at) {
    constexpr Cycle kMipRegister = 1;
    hart_.set_interrupt(Interrupt::MachineSoftware, level, at + kMipRegister);
}

} // namespace pes::fidelity

// SPDX-License-Identifier: Apache-2.0
#include "tests/fidelity/fuzz/machine.h"

#include "hw/hpm/tlm_bank.h"
#include "platform/boot/loader.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <cstring>

namespace pes::cycle_fuzz {
namespace {

constexpr Cycle kCycleLimit = 1'000'000;
constexpr Cycle kMipRegister = 1; // mip is a register behind the lines

/// Counts cycles from the first retirement, as the judge does.
class Recorder : public HartObserver {
  public:
    explicit Recorder(RunLog& log) : log_(log) {}
    void retired(const Retirement& retirement) override {
        if (log_.steps.empty()) {
            log_.begin = retirement.cycle;
        }
        log_.steps.push_back(
            {.cycle = retirement.cycle - log_.begin, .pc = retirement.pc, .raw = retirement.raw});
    }
    void trapped(const TrapTaken& trap) override {
        log_.steps.push_back(
            {.cycle = trap.cycle - log_.begin, .pc = trap.epc, .cause = trap.cause, .trap = true});
    }

  private:
    RunLog& log_;
};

Address place_of(const pes::Program& program, const char* symbol) {
    const auto place = program.symbol(symbol);
    if (!place) {
        throw UserError(program.name() + " has no symbol '" + symbol + "'");
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

PlatformConfig judged_config(std::span<const std::string> settings) {
    PlatformConfig config = make_config({}, settings, "--set");
    config.hart.memory.size = 16 << 20;
    config.counters.programmable = 29;
    config.hart.timing.load_dtlb_event = UpstreamDefect::Reproduced;
    config.hart.misaligned_trap = UpstreamDefect::Reproduced;
    config.hart.bus_errors = UpstreamDefect::Reproduced;
    config.hart.mtime = machine_time(config).address;
    return config;
}

Machine::Machine(const PlatformConfig& config)
    : config_(config), ram_(config_.hart.memory.size), clint_(clint_of(config_).config),
      plic_(plic_of(config_).config), bank_(std::make_unique<TlmCounterBank>(config_.counters)),
      hart_(config_.hart, *this, *bank_), software_line_(hart_) {
    if (HartObserver* observer = bank_->observer()) {
        hart_.add_observer(*observer);
    }
    clint_.connect_timer(this);
    clint_.connect_software(&software_line_);
}

RunLog Machine::run(const std::filesystem::path& elf, bool recording) {
    const pes::Program program = pes::Program::read(elf, config_.hart.memory.base);
    program.require_fits(config_.hart.memory);
    program.load(ram_, config_.hart.memory.base);
    tohost_ = place_of(program, "tohost");
    const Address results = place_of(program, "results");
    hart_.set_pc(program.entry());
    RunLog log;
    Recorder recorder(log);
    if (recording) {
        hart_.add_observer(recorder);
    }
    run_to_end();
    if (recording) {
        hart_.remove_observer(recorder);
    }
    log.problem = problem_;
    std::vector<std::uint64_t> words(word(results));
    for (std::size_t index = 0; index < words.size(); ++index) {
        words[index] = word(results + 8 * (1 + index));
    }
    log.passes = passes_of(words);
    return log;
}

void Machine::run_to_end() {
    while (!ended_) {
        set_horizon();
        const HartStop stop = hart_.run();
        if (ended_) {
            break;
        }
        if (stop == HartStop::TrapLoop || hart_.now() >= kCycleLimit) {
            problem_ = stop == HartStop::TrapLoop ? "the program ended in a trap loop"
                                                  : "the program did not end";
            break;
        }
        clint_.advance(hart_.now());
    }
}

void Machine::set_horizon() {
    hart_.set_horizon(ended_ ? 0 : std::min(kCycleLimit, clint_.next_change()));
}

std::uint64_t Machine::word(Address address) const {
    std::uint64_t value = 0;
    std::memcpy(&value, &ram_.at(address - config_.hart.memory.base), sizeof value);
    return value;
}

BusResult Machine::load(Address address, void* data, unsigned size, Cycle at) {
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

BusResult Machine::store(Address address, const void* data, unsigned size, Cycle at) {
    std::uint64_t value = 0;
    std::memcpy(&value, data, size);
    AccessStatus status = AccessStatus::AddressError;
    Cycle latency = 0;
    if (address == tohost_) {
        ended_ = (value & 1) != 0;
        status = AccessStatus::Ok;
        set_horizon();
    } else if (clint_of(config_).range.contains(address)) {
        status = clint_.registers().write(address - clint_of(config_).range.base, size, value, at);
        set_horizon();
    } else if (plic_of(config_).range.contains(address)) {
        status = plic_.registers().write(address - plic_of(config_).range.base, size, value, at);
        latency = plic_of(config_).latency;
    }
    return {.status = status == AccessStatus::Ok ? BusStatus::Ok : BusStatus::Error,
            .latency = static_cast<std::uint32_t>(latency)};
}

/// All of RAM but the word `tohost`.
bool Machine::direct_memory(Address address, DirectMemory& region) {
    const MemoryRange& memory = config_.hart.memory;
    if (!memory.contains(address) || address - tohost_ < 8) {
        return false;
    }
    const Address start = address < tohost_ ? memory.base : tohost_ + 8;
    region = {.data = ram_.data() + (start - memory.base),
              .start = start,
              .end = address < tohost_ ? tohost_ : memory.base + memory.size};
    return true;
}

void Machine::set_level(unsigned, bool level, Cycle at) {
    hart_.set_interrupt(Interrupt::MachineTimer, level, at + kMipRegister);
}

void Machine::SoftwareLine::set_level(unsigned, bool level, Cycle at) {
    hart.set_interrupt(Interrupt::MachineSoftware, level, at + kMipRegister);
}

} // namespace pes::cycle_fuzz

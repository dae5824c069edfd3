// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/trace/traced_guest.h"

#include "platform/boot/loader.h"

#include <cstring>

namespace pes::trace::test {

namespace {

HartConfig guest_config(const Extensions& extensions) {
    HartConfig config;
    config.extensions = extensions;
    config.memory.size = 16 << 20;
    return config;
}

constexpr Cycle kWire = 3; ///< from the counters to mip: gateway, target, mip
constexpr std::uint64_t kTransmitterReady = 0x60; ///< in the line status of a 16550

} // namespace

TracedGuest::TracedGuest(const std::filesystem::path& elf, const Extensions& extensions)
    : config_(guest_config(extensions)), ram_(config_.memory.size), hart_(config_, *this, bank_) {
    const Program program = Program::read(elf, config_.memory.base);
    program.require_fits(config_.memory);
    program.load(ram_, config_.memory.base);
    hart_.set_pc(program.entry());
    bank_.connect(BankLine::Threshold, *this);
    bank_.connect(BankLine::BufferFull, *this);
}

void TracedGuest::run_to(Cycle cycle) {
    hart_.set_horizon(cycle);
    hart_.run();
}

BusResult TracedGuest::load(Address, void* data, unsigned size, Cycle) {
    std::memcpy(data, &kTransmitterReady, size);
    return {};
}

void TracedGuest::set_level(unsigned line, bool level, Cycle at) {
    if (static_cast<BankLine>(line) == BankLine::Threshold) {
        hart_.set_interrupt(Interrupt::MachineExternal, level, at + kWire);
    }
}

BusResult TracedGuest::store(Address, const void*, unsigned, Cycle) {
    return {};
}

bool TracedGuest::direct_memory(Address address, DirectMemory& region) {
    if (!config_.memory.contains(address)) {
        return false;
    }
    region = {.data = ram_.data(),
              .start = config_.memory.base,
              .end = config_.memory.base + config_.memory.size};
    return true;
}

} // namespace pes::trace::test

// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/core/bare_machine.h"

#include "hw/core/arch/csr_numbers.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace pes::test {

HartConfig BareMachine::default_config() {
    HartConfig config;
    config.reset_pc = kCode;
    config.pmp_granularity = 4; // tests protect single words
    config.extensions.isa = kWholeIsa;
    config.memory = {.base = kRam, .size = kRamSize};
    return config;
}

BareMachine::BareMachine(const HartConfig& config, std::unique_ptr<CounterBank> bank)
    : ram_(std::make_shared<std::vector<std::byte>>(kRamSize)), bank_(std::move(bank)),
      hart_(config, *this, *bank_) {
    bank_->connect(BankLine::Threshold, *this);
    bank_->connect(BankLine::BufferFull, *this);
    hart_.add_observer(*this);
}

BareMachine::BareMachine(BareMachine& neighbour, const HartConfig& config) : BareMachine(config) {
    ram_ = neighbour.ram_;
    hart_.add_neighbour(neighbour.hart_);
    neighbour.hart_.add_neighbour(hart_);
}

Address BareMachine::place(Address address, std::initializer_list<Word> words) {
    return place(address, std::vector<Word>(words));
}

Address BareMachine::place(Address address, const std::vector<Word>& words) {
    for (const Word word : words) {
        poke<Word>(address, word);
        address += sizeof(Word);
    }
    return address;
}

std::uint64_t BareMachine::counter(std::uint16_t number) {
    hart_.settle(hart_.last_retirement());
    return bank_->read(number);
}

void BareMachine::stop_at_traps() {
    place(kHandler, {addi(t4, t4, 1), csrr(t3, csr::kMcause),
                     j(static_cast<std::int32_t>(stop_address() - (kHandler + 8)))});
    place(stop_address(), {j(0)});
    set_csr(csr::kMtvec, kHandler);
}

void BareMachine::open_protection() {
    constexpr std::uint64_t kNapotReadWriteExecute = 0x1F;
    set_csr(csr::kPmpaddr0, ~std::uint64_t{0});
    set_csr(csr::kPmpcfg0, kNapotReadWriteExecute);
}

BareMachine::End BareMachine::run(Address start, Address stop, Cycle budget) {
    hart_.set_pc(start);
    return resume(stop, budget);
}

BareMachine::End BareMachine::resume(Address stop, Cycle budget) {
    stop_ = stop;
    reached_ = false;
    hart_.set_horizon(hart_.now() + budget);
    const HartStop why = hart_.run();
    if (reached_) {
        return End::Reached;
    }
    switch (why) {
    case HartStop::Horizon:
        return End::OutOfCycles;
    case HartStop::WaitForInterrupt:
        return End::Waiting;
    default:
        return End::TrapLoop;
    }
}

BareMachine::End BareMachine::run_in_steps(Address start, Address stop, Cycle step, Cycle budget) {
    const Cycle limit = hart_.now() + budget;
    End end = run(start, stop, step);
    while ((end == End::OutOfCycles || end == End::Waiting) && hart_.now() < limit) {
        end = resume(stop, step);
    }
    return end;
}

BareMachine::End BareMachine::execute(std::initializer_list<Word> words) {
    return run(kCode, place_program(words));
}

BareMachine::End BareMachine::execute_in(Privilege privilege, std::initializer_list<Word> words) {
    constexpr Address kEntry = kRam + 0x3000;
    place(kEntry, {kMret});
    const std::uint64_t status = csr(csr::kMstatus) & ~mstatus::kMpp;
    set_csr(csr::kMstatus, status | static_cast<std::uint64_t>(privilege) << mstatus::kMppShift);
    set_csr(csr::kMepc, kCode);
    return run(kEntry, place_program(words));
}

/// Returns the address behind it.
Address BareMachine::place_program(std::initializer_list<Word> words) {
    const Address behind = place(kCode, words);
    place(behind, {j(0)});
    hart_.code_changed(); // code of an earlier run may have been here
    return behind;
}

void BareMachine::fill_late(const MemoryRange& range, LateWriter& writer) {
    if (!lazy_.claim({&(*ram_)[range.base - kRam], range.size}, writer)) {
        throw std::logic_error("a part of the memory is filled late already");
    }
}

std::optional<TrapTaken> BareMachine::trap() const {
    return traps_.empty() ? std::nullopt : std::optional(traps_.back());
}

void BareMachine::connect(BankLine line, Interrupt input, Cycle delay) {
    wires_[static_cast<unsigned>(line)] = Wire{input, delay};
}

// --- What the hart sees -------------------------------------------------------------------------

BusStatus BareMachine::record(const BusAccess& access) {
    accesses_.push_back(access);
    if (react_) {
        react_(access);
    }
    const bool device = access.address >= kDevice && access.address < kDeviceError;
    const bool watched = watched_ && (access.address & ~Address{7}) == *watched_;
    return device || watched ? BusStatus::Ok : BusStatus::Error;
}

BusResult BareMachine::load(Address address, void* data, unsigned size, Cycle at) {
    const BusStatus status = record({Access::Load, address, size, 0, at});
    if (in_ram(address)) {
        std::memcpy(data, &(*ram_)[address - kRam], size);
    } else {
        std::memcpy(data, &device_value_, size);
    }
    return {.status = status, .latency = device_latency_};
}

BusResult BareMachine::store(Address address, const void* data, unsigned size, Cycle at) {
    std::uint64_t value = 0;
    std::memcpy(&value, data, size);
    const BusStatus status = record({Access::Store, address, size, value, at});
    if (status == BusStatus::Ok && in_ram(address)) {
        std::memcpy(&(*ram_)[address - kRam], data, size);
    }
    return {.status = status, .latency = device_latency_};
}

bool BareMachine::direct_memory(Address address, DirectMemory& region) {
    if (!in_ram(address)) {
        return false;
    }
    Address start = kRam;
    Address end = kRam + kRamSize;
    if (watched_) {
        if ((address & ~Address{7}) == *watched_) {
            return false;
        }
        if (address < *watched_) {
            end = *watched_;
        } else {
            start = *watched_ + 8;
        }
    }
    region = {.data = &(*ram_)[start - kRam], .start = start, .end = end, .lazy = &lazy_};
    return true;
}

void BareMachine::set_level(unsigned line, bool level, Cycle at) {
    edges_.push_back({static_cast<BankLine>(line), level, at});
    if (const std::optional<Wire>& wire = wires_[line]) {
        hart_.set_interrupt(wire->input, level, at + wire->delay);
    }
}

void BareMachine::stop_if_reached(Address next) {
    if (next == stop_ || next == stop_address()) {
        reached_ = true;
        hart_.set_horizon(0);
    }
}

void BareMachine::retired(const Retirement& retirement) {
    retirements_.push_back(retirement);
    stop_if_reached(retirement.next_pc);
}

void BareMachine::trapped(const TrapTaken& trap) {
    traps_.push_back(trap);
    stop_if_reached(trap.vector);
}

} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
// Drives one bank as a hart would: cycles with pulses, CSR accesses in a named cycle.
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/interface/maps/csr.h"

#include <initializer_list>
#include <vector>

namespace pes::test {

// Numbers of CSRs, selectors of CVA6's events and bits of the specifications, as they print them.
inline constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};
inline constexpr std::uint16_t kCounter3 = 0xB03, kCounter4 = 0xB04;
inline constexpr std::uint16_t kEvent3 = 0x323, kEvent4 = 0x324, kScountovf = 0xDA0;
inline constexpr std::uint64_t kSelectLoad = 5, kSelectStore = 6;
inline constexpr std::uint64_t kOverflow = 1ULL << 63, kNotInMachine = 1ULL << 62;

/// Every CSR number that the bank implements.
inline std::vector<std::uint16_t> owned_csrs(const CounterBank& bank) {
    std::vector<std::uint16_t> csrs;
    for (std::uint16_t csr = 0; csr < 0x1000; ++csr) {
        if (bank.owns(csr)) {
            csrs.push_back(csr);
        }
    }
    return csrs;
}

class BankBench {
  public:
    explicit BankBench(CounterBank& bank) : bank_(bank) {}

    /// One cycle with these pulses.
    void cycle(std::initializer_list<Event> events = {}, unsigned retired = 0) {
        CyclePulses pulses{.events = {}, .retired = static_cast<std::uint8_t>(retired)};
        for (const Event event : events) {
            pulses.events |= event_bit(event);
            ++totals_.events[static_cast<std::size_t>(event)];
        }
        totals_.retired += retired;
        bank_.tick(pulses, bank_.now() + 1);
    }
    void cycles(unsigned count, std::initializer_list<Event> events = {}, unsigned retired = 0) {
        for (; count != 0; --count) {
            cycle(events, retired);
        }
    }
    /// A CSR write in the next cycle, together with the pulses of that cycle.
    void write(std::uint16_t csr, std::uint64_t value, std::initializer_list<Event> events = {},
               unsigned retired = 0) {
        bank_.write(csr, value);
        cycle(events, retired);
    }
    /// A span of `count` cycles in one go, in which `event` pulses `pulses` times.
    void advance(Cycle count, Event event = Event::None, std::uint64_t pulses = 0,
                 std::uint64_t retired = 0) {
        totals_.events[static_cast<std::size_t>(event)] += pulses;
        totals_.retired += retired;
        bank_.advance(totals_, bank_.now() + count);
    }

    const EventTotals& totals() const { return totals_; }
    std::uint64_t read(std::uint16_t csr) const { return bank_.read(csr); }
    bool irq() const { return bank_.interrupt(BankLine::Threshold).level; }
    Cycle irq_since() const { return bank_.interrupt(BankLine::Threshold).since; }
    bool overflow() const { return bank_.interrupt(BankLine::Overflow).level; }
    Cycle overflow_since() const { return bank_.interrupt(BankLine::Overflow).since; }
    /// The next cycle is the last one in the present mode.
    void change_privilege(Privilege mode) { bank_.set_privilege(mode, bank_.now() + 2); }
    bool full() const { return bank_.interrupt(BankLine::BufferFull).level; }
    Cycle now() const { return bank_.now(); }

  private:
    CounterBank& bank_;
    EventTotals totals_;
};

} // namespace pes::test

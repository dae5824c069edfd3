// SPDX-License-Identifier: Apache-2.0
// A deliberately naive counter bank: every register is a variable, and every cycle walks over all
// of them as the clock edge of the hardware would. It shares no code with the model but the CSR
// map, and of the profiles cva6 and u74 it has tables of its own.
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/hpm/counter_config.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace pes::test {

class ReferenceBank : public CounterBank {
  public:
    explicit ReferenceBank(const CounterConfig& config = {});

    bool owns(std::uint16_t csr) const override;
    std::uint64_t read(std::uint16_t csr) const override;
    void write(std::uint16_t csr, std::uint64_t value) override;
    void tick(const CyclePulses& pulses, Cycle cycle) override;
    void advance(const EventTotals&, Cycle) override;
    Cycle now() const override { return now_; }
    void connect(BankLine, LevelSink&) override {} // whoever compares asks
    BankInterrupt interrupt(BankLine line) const override {
        switch (line) {
        case BankLine::Threshold:
            return threshold_;
        case BankLine::BufferFull:
            return full_;
        case BankLine::Overflow:
            break;
        }
        return overflow_;
    }
    void set_privilege(Privilege mode, Cycle from) override { modes_.emplace_back(from, mode); }
    bool can_interrupt(Privilege, CountedEvents) const override { return false; }
    Cycle safe_cycles() const override { return 0; }

  private:
    bool exists(unsigned n) const { return n == 0 || n == 2 || (n >= 3 && n < 3 + programmable_); }
    std::uint64_t stored_selector(std::uint64_t value) const;
    std::uint64_t step_of(std::uint64_t event, const CyclePulses& pulses) const;
    void clock_edge(const CyclePulses& pulses, Privilege mode);
    Privilege mode_of(Cycle cycle) const;
    void update_lines();

    bool u74_;
    unsigned programmable_;
    std::uint64_t counter_max_;
    bool freezes_;
    bool sscofpmf_;
    bool smcntrpmf_;
    Cycle now_ = 0;

    std::array<std::uint64_t, 32> counter_{};
    std::array<std::uint64_t, 32> event_{}; ///< [0] mcyclecfg, [2] minstretcfg
    std::vector<std::pair<Cycle, Privilege>> modes_{{0, Privilege::Machine}};
    bool requested_ = false;
    std::array<std::uint64_t, 32> threshold_value_{};
    std::uint64_t inhibit_ = 0;
    std::uint64_t base_ = 0, size_ = 0, offset_ = 0;
    std::uint64_t control_ = 0x801; // 64-byte records, comparator on
    bool write_enable_ = false;
    std::uint16_t write_csr_ = 0;
    std::uint64_t write_data_ = 0;
    BankInterrupt threshold_, full_, overflow_;
};

} // namespace pes::test

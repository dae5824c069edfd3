// SPDX-License-Identifier: Apache-2.0
// The registers of a counter bank as waveform signals (group "hpm"), for any bank: it reads them
// through the CounterBank contract.
//
// Signals, named as the published figures: cycle_q, instret_q, generic_counter_q(1..n),
// mhpmevent_q(1..n), threshold_q(1..n) with index i for mhpmcounter(i + 2), threshold_cycle_q,
// threshold_instret_q, mcountinhibit_q, mmaped_addr_d, mmaped_addr_q, mmaped_size_q,
// mmaped_offset_q, perf_counter_irq_o, buffer_full_irq_o; with Sscofpmf overflow_q, whose bit n is
// the OF of counter n, and overflow_irq_o; of the PCER unit pcmr_q, pcer_q and pccr_q(n), with 0
// for n where one counter serves all. A name in _d is the input of the register
// in _q: the same value, one cycle earlier.
//
// Inside the window each change is reported in its cycle; outside, values are updated at the end of
// a span.
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/common/wave.h"
#include "hw/hpm/counter_config.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

class BankWave {
  public:
    static constexpr const char* kGroup = "hpm";

    BankWave(WaveSink& sink, std::string_view scope, const CounterConfig& config,
             const CounterBank& bank);

    /// Call after tick() and after advance() of the bank.
    void ticked(const CounterBank& bank);
    void advanced(const CounterBank& bank) { publish(bank, bank.now() + 1); }

    /// The number of cycles after `now` that the wave does not need as single cycles.
    Cycle quiet_cycles(Cycle now) const;

    /// Of a checkpoint: what has been shown, which is not yet what the registers are.
    void state(class Archive& archive);

  private:
    enum class Side : std::uint8_t { Output, Input }; ///< _q, _d
    struct Register {
        std::uint16_t csr;
        SignalId signal;
        std::uint64_t mask; ///< visible bits: of mhpmevent only the selector
        std::uint64_t published;
        Side side;
    };
    struct Line {
        BankLine line;
        SignalId signal;
        bool published;
    };

    void declare_registers(std::string_view scope, const CounterConfig& config,
                           const CounterBank& bank);
    void declare_pcer(std::string_view scope, const CounterConfig& config, const CounterBank& bank);
    void declare(std::string_view scope, std::string_view name, std::uint16_t csr, unsigned width,
                 const CounterBank& bank, Side side = Side::Output);
    void publish(const CounterBank& bank, Cycle at);

    WaveSink& sink_;
    std::vector<Register> registers_;
    std::vector<Line> lines_;
};

} // namespace pes

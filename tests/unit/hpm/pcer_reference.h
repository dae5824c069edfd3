// SPDX-License-Identifier: Apache-2.0
// A deliberately naive PCER unit: every register is a variable, and every cycle looks at all of
// them as the clock edge would. It shares no code with the model but the profile's table.
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/interface/pmu/profile_cv32e40p.h"

#include <array>
#include <cstdint>

namespace pes::test {

enum class PcerVariant : std::uint8_t { PerEvent, Shared };

class PcerReference {
  public:
    explicit PcerReference(PcerVariant variant) : variant_(variant) {}

    std::uint64_t read(unsigned csr) const {
        if (csr >= 0xC00) { // user alias
            csr -= csr >= 0xCC0 ? 0xCC0 - 0x7E0 : 0xC80 - 0x780;
        }
        if (csr == 0x7E0) {
            return pcer_;
        }
        if (csr == 0x7E1) {
            return pcmr_;
        }
        if (variant_ == PcerVariant::Shared) {
            return pccr_[0];
        }
        return csr == 0x79F ? 0 : pccr_[csr - 0x780];
    }

    void clock_edge(const CyclePulses& pulses) { count(pulses); }
    void clock_edge(const CyclePulses& pulses, unsigned csr, std::uint64_t value) {
        count(pulses);
        const auto low = static_cast<std::uint32_t>(value);
        if (csr == 0x7E0) {
            pcer_ = low & 0x1F'FFFF;
        } else if (csr == 0x7E1) {
            pcmr_ = low & 3;
        } else if (variant_ == PcerVariant::Shared) {
            pccr_[0] = low;
        } else if (csr == 0x79F) {
            pccr_.fill(low);
        } else {
            pccr_[csr - 0x780] = low;
        }
    }

  private:
    static unsigned step(const EventRow& row, const CyclePulses& pulses) {
        switch (row.source) {
        case Event::None:
            return 0;
        case Event::Cycles:
            return 1;
        case Event::Instructions:
            return pulses.retired;
        default:
            return pulses.events.has(row.source) ? 1 : 0;
        }
    }

    void increment(std::uint32_t& counter) const {
        const bool saturates = (pcmr_ & 2) != 0;
        if (!(saturates && counter == 0xFFFF'FFFF)) {
            ++counter;
        }
    }

    void count(const CyclePulses& pulses) {
        if ((pcmr_ & 1) == 0) {
            return;
        }
        bool any = false;
        for (const EventRow& row : kCv32e40pEvents) {
            const unsigned steps = (pcer_ >> row.selector & 1) != 0 ? step(row, pulses) : 0;
            any = any || steps != 0;
            for (unsigned i = 0; i < steps && variant_ == PcerVariant::PerEvent; ++i) {
                increment(pccr_[row.selector]);
            }
        }
        if (any && variant_ == PcerVariant::Shared) {
            increment(pccr_[0]);
        }
    }

    PcerVariant variant_;
    std::uint32_t pcmr_ = 3, pcer_ = 0;
    std::array<std::uint32_t, 31> pccr_{};
};

} // namespace pes::test

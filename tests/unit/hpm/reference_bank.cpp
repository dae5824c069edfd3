// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hpm/reference_bank.h"

#include <cstdlib>

namespace pes::test {

ReferenceBank::ReferenceBank(const CounterConfig& config)
    : programmable_(config.programmable),
      counter_max_(config.width == 64 ? ~0ULL : (1ULL << config.width) - 1),
      freezes_(config.write_freezes) {}

bool ReferenceBank::owns(std::uint16_t csr) const {
    return csr == 0xB00 || (csr >= 0xB02 && csr <= 0xB1F) || csr == 0x320 ||
           (csr >= 0x323 && csr <= 0x33F) || (csr >= 0xB21 && csr <= 0xB3F) ||
           (csr >= 0xBC0 && csr <= 0xBC3);
}

std::uint64_t ReferenceBank::read(std::uint16_t csr) const {
    if (csr >= 0xB00 && csr <= 0xB1F) {
        return counter_[csr - 0xB00];
    }
    if (csr >= 0x323 && csr <= 0x33F) {
        return event_[csr - 0x320];
    }
    if (csr >= 0xB21 && csr <= 0xB3F) {
        return threshold_value_[csr == 0xB21 ? 0 : csr - 0xB20];
    }
    switch (csr) {
    case 0x320:
        return inhibit_;
    case 0xBC0:
        return base_;
    case 0xBC1:
        return size_;
    case 0xBC2:
        return offset_;
    case 0xBC3:
        return control_ | (full_.level ? 1ULL << 63 : 0);
    default:
        std::abort();
    }
}

void ReferenceBank::write(std::uint16_t csr, std::uint64_t value) {
    write_enable_ = true;
    write_csr_ = csr;
    write_data_ = value;
}

void ReferenceBank::tick(const CyclePulses& pulses, Cycle cycle) {
    clock_edge(pulses);
    write_enable_ = false;
    now_ = cycle;
    update_lines();
}

void ReferenceBank::clock_edge(const CyclePulses& pulses) {
    const auto writes = [this](std::uint16_t csr) { return write_enable_ && write_csr_ == csr; };
    const bool strobe = write_enable_ && ((write_csr_ >= 0xB03 && write_csr_ <= 0xB1F) ||
                                          (write_csr_ >= 0x323 && write_csr_ <= 0x33F));
    const std::uint64_t inhibit = inhibit_; // as it was before this edge
    const std::array<std::uint64_t, 32> event = event_;
    for (unsigned n = 0; n < 32; ++n) {
        if (!exists(n)) {
            continue;
        }
        const bool counts = (inhibit >> n & 1) == 0;
        if (n == 0) {
            counter_[0] += counts ? 1 : 0;
        } else if (n == 2) {
            counter_[2] += counts ? pulses.retired : 0;
        } else if (!(strobe && freezes_) && counts && event[n] >= 1 && event[n] <= 22 &&
                   (pulses.events >> event[n] & 1) != 0) {
            counter_[n] = counter_[n] == counter_max_ ? 0 : counter_[n] + 1;
        }
        if (writes(static_cast<std::uint16_t>(0xB00 + n))) {
            counter_[n] = n >= 3 ? write_data_ & counter_max_ : write_data_;
        }
        if (n >= 3 && writes(static_cast<std::uint16_t>(0x320 + n))) {
            event_[n] = write_data_ % 32;
        }
        if (writes(static_cast<std::uint16_t>(n == 0 ? 0xB21 : 0xB20 + n))) {
            threshold_value_[n] = write_data_;
        }
        if (writes(0x320)) {
            inhibit_ = (inhibit_ & ~(1ULL << n)) | (write_data_ & 1ULL << n);
        }
    }
    base_ = writes(0xBC0) ? write_data_ : base_;
    size_ = writes(0xBC1) ? write_data_ : size_;
    offset_ = writes(0xBC2) ? write_data_ : offset_;
    control_ = writes(0xBC3) ? write_data_ & 0xFF01 : control_;
}

void ReferenceBank::update_lines() {
    bool reached = false;
    for (unsigned n = 0; n < 32; ++n) {
        reached |= threshold_value_[n] != 0 && counter_[n] >= threshold_value_[n];
    }
    const std::uint64_t room = offset_ < size_ ? size_ - offset_ : 0;
    const std::uint64_t record = (control_ >> 8 & 0xFF) * 8;
    const bool full = (control_ & 1) != 0 && size_ != 0 && (offset_ > size_ || room < record);
    if (threshold_.level != reached) {
        threshold_ = {reached, now_ + 1};
    }
    if (full_.level != full) {
        full_ = {full, now_ + 1};
    }
}

void ReferenceBank::advance(const EventTotals&, Cycle) {
    std::abort(); // safe_cycles() is 0: nobody may ask
}

} // namespace pes::test

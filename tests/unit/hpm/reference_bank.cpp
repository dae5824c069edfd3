// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hpm/reference_bank.h"

#include "hw/interface/pmu/profile_u74.h"

#include <cstdlib>
#include <span>

namespace pes::test {
namespace {

// The U74's events from mask bit 8 on; None: this hart has no such thing.
constexpr Event kRetired[] = {Event::Exception,
                              Event::IntegerLoad,
                              Event::IntegerStore,
                              Event::Atomic,
                              Event::System,
                              Event::IntegerArithmetic,
                              Event::ConditionalBranch,
                              Event::Jal,
                              Event::Jalr,
                              Event::IntegerMultiply,
                              Event::IntegerDivide,
                              Event::FloatLoad,
                              Event::FloatStore,
                              Event::FloatAdd,
                              Event::FloatMultiply,
                              Event::FloatFusedMultiplyAdd,
                              Event::FloatDivideSqrt,
                              Event::FloatOther};
constexpr Event kPipeline[] = {
    Event::AddressStall,     Event::DivideStall,     Event::CsrStall,
    Event::FetchBusy,        Event::DataBusy,        Event::DirectionMispredict,
    Event::TargetMispredict, Event::FlushByCsrWrite, Event::FlushByOther,
    Event::MultiplyStall,    Event::FloatStall};
constexpr Event kMemory[] = {Event::L1IMiss,  Event::DataMissOrIo, Event::None,
                             Event::ItlbMiss, Event::DtlbMiss,     Event::None};

/// True if an event of the mask pulses.
bool u74_counts(std::uint64_t selector, EventMask pulses) {
    std::span<const Event> events;
    switch (selector & 0xFF) {
    case 0:
        events = kRetired;
        break;
    case 1:
        events = kPipeline;
        break;
    case 2:
        events = kMemory;
        break;
    default:
        break;
    }
    bool counts = false;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const bool selected = (selector >> (8 + i) & 1) != 0 && events[i] != Event::None;
        counts = counts || (selected && pulses.has(events[i]));
    }
    return counts;
}

} // namespace

ReferenceBank::ReferenceBank(const CounterConfig& config)
    : u74_(config.profile == &kU74Profile), programmable_(config.programmable),
      counter_max_(config.width == 64 ? ~0ULL : (1ULL << config.width) - 1),
      freezes_(config.write_freezes), sscofpmf_(config.sscofpmf), smcntrpmf_(config.smcntrpmf) {}

bool ReferenceBank::owns(std::uint16_t csr) const {
    return csr == 0xB00 || (csr >= 0xB02 && csr <= 0xB1F) || csr == 0x320 ||
           (csr >= 0x323 && csr <= 0x33F) || (csr >= 0xB21 && csr <= 0xB3F) ||
           (csr >= 0xBC0 && csr <= 0xBC3) || (sscofpmf_ && csr == 0xDA0) ||
           (smcntrpmf_ && (csr == 0x321 || csr == 0x322));
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
    case 0x321:
        return event_[0];
    case 0x322:
        return event_[2];
    case 0xDA0: {
        std::uint64_t image = 0;
        for (unsigned n = 3; n < 32; ++n) {
            image |= (event_[n] >> 63) << n;
        }
        return image;
    }
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
    clock_edge(pulses, mode_of(cycle));
    write_enable_ = false;
    now_ = cycle;
    update_lines();
}

Privilege ReferenceBank::mode_of(Cycle cycle) const {
    Privilege mode = Privilege::Machine;
    for (const auto& [from, entered] : modes_) {
        mode = from <= cycle ? entered : mode;
    }
    return mode;
}

std::uint64_t ReferenceBank::stored_selector(std::uint64_t value) const {
    return u74_ ? value & 0x00FF'FFFF'FFFF'FFFF : value % 32;
}

std::uint64_t ReferenceBank::step_of(std::uint64_t event, const CyclePulses& pulses) const {
    const std::uint64_t selector = stored_selector(event);
    if (u74_) {
        return u74_counts(selector, pulses.events) ? 1 : 0;
    }
    if (selector >= 1 && selector <= 22) {
        return pulses.events.has(static_cast<Event>(selector)) ? 1 : 0;
    }
    if (sscofpmf_ && selector == 23) {
        return 1;
    }
    return sscofpmf_ && selector == 24 ? pulses.retired : 0;
}

void ReferenceBank::clock_edge(const CyclePulses& pulses, Privilege mode) {
    const auto writes = [this](std::uint16_t csr) { return write_enable_ && write_csr_ == csr; };
    const bool strobe = write_enable_ && ((write_csr_ >= 0xB03 && write_csr_ <= 0xB1F) ||
                                          (write_csr_ >= 0x323 && write_csr_ <= 0x33F));
    const std::uint64_t inhibit = inhibit_; // as it was before this edge
    const std::array<std::uint64_t, 32> event = event_;
    // The bit that stops a counter in this mode: 62 M, 61 S, 60 U.
    const unsigned filter = mode == Privilege::Machine      ? 62
                            : mode == Privilege::Supervisor ? 61
                                                            : 60;
    requested_ = false;
    for (unsigned n = 0; n < 32; ++n) {
        if (!exists(n)) {
            continue;
        }
        const bool counts = (inhibit >> n & 1) == 0 && (event[n] >> filter & 1) == 0;
        const bool written = writes(static_cast<std::uint16_t>(0xB00 + n));
        if (n == 0) {
            counter_[0] += counts ? 1 : 0;
        } else if (n == 2) {
            counter_[2] += counts ? pulses.retired : 0;
        } else if (!(strobe && freezes_) && counts) {
            std::uint64_t step = step_of(event[n], pulses);
            for (; step != 0; --step) {
                if (counter_[n] == counter_max_) {
                    counter_[n] = 0;
                    if (sscofpmf_ && event_[n] >> 63 == 0 && !written) {
                        event_[n] |= 1ULL << 63;
                        requested_ = true;
                    }
                } else {
                    ++counter_[n];
                }
            }
        }
        if (written) {
            counter_[n] = n >= 3 ? write_data_ & counter_max_ : write_data_;
        }
        if (writes(static_cast<std::uint16_t>(n == 0 ? 0x321 : 0x320 + n))) {
            const bool filters = n >= 3 ? sscofpmf_ : smcntrpmf_;
            event_[n] = (n >= 3 ? stored_selector(write_data_) : 0) |
                        (filters ? write_data_ & 0x7000'0000'0000'0000 : 0) |
                        (n >= 3 && sscofpmf_ ? write_data_ & 1ULL << 63 : 0);
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
    if (overflow_.level != requested_) {
        overflow_ = {requested_, now_ + 1};
    }
    if (full_.level != full) {
        full_ = {full, now_ + 1};
    }
}

void ReferenceBank::advance(const EventTotals&, Cycle) {
    std::abort(); // safe_cycles() is 0: nobody may ask
}

} // namespace pes::test

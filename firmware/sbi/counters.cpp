// SPDX-License-Identifier: Apache-2.0
#include "firmware/sbi/counters.h"

#include "firmware/boot/csr.h"
#include "firmware/boot/indexed_csr.h"
#include "firmware/boot/probe.h"

namespace pes {

Counters counters_of_harts[PES_MAX_HARTS];

namespace {

/// The register with a counter's mode filters.
constexpr uint16_t filter_csr(unsigned n) {
    return n == kCycleIndex     ? csr::kMcyclecfg
           : n == kInstretIndex ? csr::kMinstretcfg
                                : event_csr(n);
}

} // namespace

void Counters::probe() {
    if (!csr_exists<csr::kMcountinhibit>()) {
        return; // counters with registers of their own (CV32E40P): none of these is there
    }
    has_overflow_ = csr_exists<csr::kScountovf>();
    has_fixed_filters_ = csr_exists<csr::kMcyclecfg>();
    write_csr<csr::kMcountinhibit>(~uint64_t{5}); // all but cycle and instret
    for_each_index([this]<unsigned N>() {
        if constexpr (N < kFirstProgrammable) {
            present_ |= 1U << N;
            if (has_fixed_filters_) {
                write_csr<filter_csr(N)>(0);
            }
        } else if (const uint64_t stored = csr_read_back<counter_csr(N)>(~uint64_t{0})) {
            // A counter that does not exist reads 0, or traps on some machines.
            present_ |= 1U << N;
            width_ = 64 - static_cast<unsigned>(__builtin_clzl(stored));
            write_csr<counter_csr(N)>(0);
            write_csr<event_csr(N)>(0);
        }
    });
}

uint64_t Counters::value(unsigned n) const {
    uint64_t value = 0;
    with_index(n, [&value]<unsigned N>() { value = read_csr<counter_csr(N)>(); });
    return value;
}

void Counters::set_value(unsigned n, uint64_t value) {
    with_index(n, [value]<unsigned N>() { write_csr<counter_csr(N)>(value); });
}

void Counters::set_event(unsigned n, uint64_t selector, uint64_t filters) {
    with_index(n, [this, selector, filters]<unsigned N>() {
        if constexpr (N >= kFirstProgrammable) {
            write_csr<event_csr(N)>(has_overflow_ ? selector | filters : selector);
        } else if (has_fixed_filters_) {
            write_csr<filter_csr(N)>(filters);
        }
    });
}

bool Counters::overflowed(unsigned n) const {
    return has_overflow_ && (read_csr<csr::kScountovf>() >> n & 1) != 0;
}

void Counters::clear_overflow(unsigned n) {
    if (!has_overflow_) {
        return;
    }
    with_index(n, []<unsigned N>() {
        if constexpr (N >= kFirstProgrammable) {
            clear_csr<event_csr(N)>(csr::kMhpmeventOverflow);
        }
    });
}

uint64_t Counters::event(unsigned n) const {
    uint64_t selector = 0;
    with_index(n, [&selector]<unsigned N>() {
        if constexpr (N >= kFirstProgrammable) {
            selector =
                read_csr<event_csr(N)>() & ~(csr::kMhpmeventInhibits | csr::kMhpmeventOverflow);
        }
    });
    return selector;
}

void Counters::set_threshold(unsigned n, uint64_t threshold) {
    with_index(n, [threshold]<unsigned N>() { write_csr<threshold_csr(N)>(threshold); });
}

uint64_t Counters::threshold(unsigned n) const {
    uint64_t threshold = 0;
    with_index(n, [&threshold]<unsigned N>() { threshold = read_csr<threshold_csr(N)>(); });
    return threshold;
}

bool Counters::running(unsigned n) const {
    return (read_csr<csr::kMcountinhibit>() >> n & 1) == 0;
}

void Counters::run(uint32_t mask) {
    clear_csr<csr::kMcountinhibit>(mask);
}

void Counters::hold(uint32_t mask) {
    set_csr<csr::kMcountinhibit>(mask);
}

} // namespace pes

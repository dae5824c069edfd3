// SPDX-License-Identifier: Apache-2.0
// The sampling interrupt. The entry code (boot/trap_entry.S) has inhibited the sampled counters
// and lets them run again as its last act. Events between the threshold and that inhibition still
// count, the handler's own first instructions among them; the record's counter value shows how
// many.
//
// Order, which matters: claim, records, reset of the fired counters, and only then complete. The
// line is a level: completed while it is still up, it would pend again at once.
#include "firmware/boot/csr.h"
#include "firmware/boot/indexed_csr.h"
#include "firmware/pes/plic.h"
#include "firmware/pes/sampler.h"
#include "hw/interface/maps/interrupts.h"
#include "hw/interface/maps/sample_record.h"

namespace pes {

namespace {

uint64_t interrupted_mode() {
    return (read_csr<csr::kMstatus>() & kStatusMpp) >> kStatusMppShift;
}

} // namespace

/// A counter that the hart filters has fired for the program, wherever its interrupt has been
/// taken: what is not recorded is lost. One without filters has counted the other modes too.
void Sampler::take(const Fired& fired, const Entry& entry) {
    const unsigned n = fired.counter;
    throttled_ += period_[n] > wanted_[n] ? 1 : 0;
    if ((modes_of_[n] >> interrupted_mode() & 1) != 0) {
        record(fired, entry);
    } else {
        ++filtered_;
        lost_ += counters().has_filters(n) ? 1 : 0;
    }
    period_[n] = throttle_.next_period(period_[n], wanted_[n], counters().largest(n));
}

/// A record of version 1, by the interrupted instruction.
inline SampleRecord Sampler::plain_record(const Fired& fired, const Entry& entry) const {
    const unsigned n = fired.counter;
    return {
        .magic = kSampleMagic,
        .size = kSampleSize,
        .version = kSampleVersion,
        .hart = static_cast<uint32_t>(hart_id()),
        .counter = static_cast<uint8_t>(n),
        .privilege = static_cast<uint8_t>(interrupted_mode()),
        .flags = period_[n] > wanted_[n] ? kSampleLengthened : uint16_t{0},
        .event = fired.event,
        .pc = read_csr<csr::kMepc>(),
        .cycle = entry.cycle,
        .counter_value = fired.value,
        .threshold = period_[n],
        .lost = lost_,
    };
}

/// With all that was asked for. The hart captures the cause of the counter that came first: one
/// that fires before this handler is done has none.
[[gnu::noinline]] void Sampler::record_detailed(const Fired& fired, const Entry& entry) {
    const uint64_t offset = read_csr<csr::kMhpmmoffset>();
    const unsigned n = fired.counter;
    auto& record = *reinterpret_cast<SampleRecord*>(base_ + offset);
    record = plain_record(fired, entry);
    const bool caused = (by_cause_ >> n & 1) != 0 && read_csr<csr::kMhpmmsdata>() == n;
    uint64_t data = 0;
    if (by_decode(n)) {
        const decoded::Sample sample = decoded::last();
        record.pc = sample.pc;
        data = sample.data_address;
    } else if (caused) {
        record.pc = read_csr<csr::kMhpmmspc>();
        data = read_csr<csr::kMhpmmsaddr>();
    }
    if (caused || by_decode(n)) {
        record.flags = static_cast<uint16_t>(record.flags | kSampleCaused);
    }
    if (parts_ != 0) {
        record.version = kDetailedVersion;
        record.size = static_cast<uint16_t>(write_parts(
            base_ + offset + kSampleSize, parts_, {.data_address = data, .frame = entry.frame}));
    }
    write_csr<csr::kMhpmmoffset>(offset + record.size);
    ++samples_;
}

void Sampler::record(const Fired& fired, const Entry& entry) {
    const uint64_t offset = read_csr<csr::kMhpmmoffset>();
    if (state_ == sbi::sampling::kHandedOver || offset + record_size_ > size_) {
        ++lost_;
        return;
    }
    if ((parts_ | by_cause_ | by_decode_) != 0) {
        record_detailed(fired, entry);
        return;
    }
    *reinterpret_cast<SampleRecord*>(base_ + offset) = plain_record(fired, entry);
    write_csr<csr::kMhpmmoffset>(offset + kSampleSize);
    ++samples_;
}

template <unsigned N>
void Sampler::examine(const Entry& entry) {
    const uint64_t threshold = read_csr<threshold_csr(N)>();
    const uint64_t value = read_csr<counter_csr(N)>();
    if (threshold == 0 || value < threshold) {
        return;
    }
    // A threshold of cycle or instret is a point in time, not a period.
    if constexpr (N < kFirstProgrammable) {
        take({N, 0, value - (threshold - period_[N])}, entry);
        write_csr<threshold_csr(N)>(value + period_[N]);
    } else {
        take({N, read_csr<event_csr(N)>() & ~csr::kMhpmeventInhibits, value}, entry);
        write_csr<counter_csr(N)>(0);
        if (by_decode(N)) {
            decoded::set_period(period_[N]);
        } else {
            write_csr<threshold_csr(N)>(period_[N]);
        }
    }
}

void Sampler::take_samples(uint64_t entry_cycle, const TrapFrame* frame) {
    throttle_.enter(Throttle::Way::Interrupt);
    const Entry entry{.cycle = entry_cycle, .frame = frame};
    for_each_counter(enabled_, [this, &entry](unsigned n) {
        with_index(n, [this, &entry]<unsigned N>() { examine<N>(entry); });
    });
}

void Sampler::announce_full() {
    clear_csr<csr::kMhpmmcontrol>(csr::kMhpmmcontrolFullEnable); // the line falls until resume()
    set_csr<csr::kMip>(kInterruptSsi);
}

namespace {

void handle(uint64_t entry_cycle, const TrapFrame* frame) {
    const uint64_t hart = hart_id();
    const MachinePlic plic(hart);
    Sampler& sampler = samplers[hart];
    const uint32_t threshold_id =
        irq::id_of(irq::pes_threshold_source(static_cast<unsigned>(hart)));
    const uint32_t full_id = irq::id_of(irq::pes_buffer_full_source(static_cast<unsigned>(hart)));
    while (const uint32_t id = plic.claim()) {
        if (id == threshold_id) {
            sampler.take_samples(entry_cycle, frame);
        } else if (id == full_id) {
            sampler.announce_full();
        }
        plic.complete(id);
    }
    sampler.leave();
}

} // namespace

extern "C" void external_interrupt(uint64_t entry_cycle) {
    handle(entry_cycle, nullptr);
}

extern "C" void external_interrupt_with_registers(uint64_t entry_cycle, const TrapFrame* frame) {
    handle(entry_cycle, frame);
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Sampling calls: validation and state. The interrupt side is handler.cpp.
//
// Programmable counters count from 0 to the threshold. cycle and instret belong to everybody, so
// they are never reset: their threshold moves ahead of them instead, which gives the same samples.
#include "firmware/pes/sampler.h"

#include "firmware/boot/csr.h"
#include "firmware/boot/frame.h"
#include "firmware/boot/indexed_csr.h"
#include "firmware/boot/probe.h"
#include "firmware/pes/call_stack.h"
#include "firmware/pes/plic.h"
#include "firmware/sbi/event_map.h"
#include "firmware/sbi/machine.h"
#include "hw/interface/maps/interrupts.h"
#include "hw/interface/maps/sample_record.h"

extern "C" {
extern const char machine_vectors;
extern const char machine_vectors_with_registers;
}

namespace pes {

Sampler samplers[PES_MAX_HARTS];

namespace {

constexpr sbi::Result kDone{sbi::kSuccess, 0};
/// The buffer is announced while a few records still fit: samples go on until the supervisor has
/// come. The comparator knows no reserve, but it can be told a larger record.
uint64_t buffer_control(uint64_t size, uint64_t record) {
    constexpr uint64_t kReservedRecords = 4;
    constexpr uint64_t kWorthwhile = 16; // records a buffer must hold to have a reserve
    const uint64_t reserve = (size < kWorthwhile * record ? 1 : kReservedRecords) * record / 8;
    const uint64_t words =
        reserve <= csr::kMhpmmcontrolRecordMask ? reserve : csr::kMhpmmcontrolRecordMask;
    return csr::kMhpmmcontrolFullEnable | words << csr::kMhpmmcontrolRecordShift;
}

/// The handler finds the program's registers in a frame, which takes time.
void save_registers(bool wanted) {
    constexpr uint64_t kVectored = 1;
    const auto vectors = wanted ? &machine_vectors_with_registers : &machine_vectors;
    write_csr<csr::kMtvec>(reinterpret_cast<uint64_t>(vectors) | kVectored);
}

constexpr bool is_fixed(unsigned n) {
    return n < kFirstProgrammable;
}

/// INH bits of the modes that are not sampled.
constexpr uint64_t filters_of(uint64_t modes) {
    return ((modes & sbi::sampling::kModeUser) != 0 ? 0 : csr::kMhpmeventUserInhibit) |
           ((modes & sbi::sampling::kModeSupervisor) != 0 ? 0 : csr::kMhpmeventSupervisorInhibit) |
           ((modes & sbi::sampling::kModeMachine) != 0 ? 0 : csr::kMhpmeventMachineInhibit);
}

} // namespace

void Sampler::probe() {
    available_ = csr_exists<csr::kMhpmmmaped>() && csr_exists<threshold_csr(kCycleIndex)>();
    if (!available_) {
        return;
    }
    modes_ = sbi::sampling::kModeUser | sbi::sampling::kModeSupervisor;
    for_each_counter(counters().present(), [](unsigned n) { counters().set_threshold(n, 0); });
    write_csr<csr::kMhpmmsize>(0);
    write_csr<csr::kMhpmmoffset>(0);
    write_csr<csr::kMhpmmcontrol>(buffer_control(0, kSampleSize));
    knows_causes_ = csr_exists<csr::kMhpmmspc>();
    knows_calls_ = has_call_stack();
    knows_decoded_ = decoded::present();
    const auto hart = static_cast<unsigned>(hart_id());
    const MachinePlic plic(hart);
    plic.enable(irq::id_of(irq::pes_threshold_source(hart)));
    plic.enable(irq::id_of(irq::pes_buffer_full_source(hart)));
    plic.accept_all();
    set_csr<csr::kMie>(kInterruptMei);
}

bool Sampler::may_take(uint64_t counter) const {
    return counter < kCounterLimit && counters().exists(static_cast<unsigned>(counter)) &&
           counters().owner(static_cast<unsigned>(counter)) != CounterOwner::Pmu;
}

/// The hart stops the counter in the modes that are not sampled, if it can. cycle and instret are
/// everybody's: their filters are there while sampling runs.
void Sampler::filter(unsigned n) const {
    counters().set_event(n, counters().event(n), filters_of(modes_of_[n]));
}

/// Counting starts anew: the next sample is `period` events away. The counter must be held.
void Sampler::arm(unsigned n, uint64_t period) {
    wanted_[n] = period;
    period_[n] = period;
    filter(n);
    if (is_fixed(n)) {
        counters().set_threshold(n, counters().value(n) + period);
    } else if (by_decode(n)) {
        counters().set_value(n, 0);
        counters().set_threshold(n, 1);
        decoded::set_up(kind_, modes_of_[n]);
        decoded::set_period(period);
    } else {
        counters().set_value(n, 0);
        counters().set_threshold(n, period);
    }
}

/// Holds the counters. One of them may have fired so lately that its interrupt has not been taken
/// yet: its sample is taken now, while there still is a buffer to put it in.
void Sampler::hold(uint32_t mask) {
    counters().hold(mask);
    throttle_.enter(Throttle::Way::Call);
    take_samples(counters().value(kCycleIndex));
}

void Sampler::begin(uint32_t mask) {
    machine_local().sampled = mask;
    state_ = mask != 0 ? sbi::sampling::kRunning : sbi::sampling::kStopped;
}

sbi::Result Sampler::enable(uint64_t counter, uint64_t event, uint64_t threshold) {
    if (state_ != sbi::sampling::kStopped) {
        return {sbi::kAlreadyStarted, 0};
    }
    const auto n = static_cast<unsigned>(counter);
    if (counter >= kCounterLimit || !counters().exists(n) || threshold == 0 ||
        threshold > counters().largest(n) || (is_fixed(n) && event != 0)) {
        return {sbi::kInvalidParam, 0};
    }
    if (method_ == sbi::sampling::kDecoded) {
        return enable_decoded(n, event, threshold);
    }
    if (!is_fixed(n) && !selects_event(event)) {
        return kSbiNotSupported;
    }
    if (!may_take(counter)) {
        return {sbi::kDenied, 0};
    }
    by_decode_ &= ~(1U << n);
    take_over(n, event, threshold);
    return kDone;
}

void Sampler::take_over(unsigned n, uint64_t event, uint64_t period) {
    counters().set_owner(n, CounterOwner::Sampler);
    if (!is_fixed(n)) {
        counters().hold(1U << n);
        counters().set_event(n, event);
    }
    modes_of_[n] = static_cast<uint8_t>(modes_);
    by_cause_ = (by_cause_ & ~(1U << n)) | (method_ == sbi::sampling::kCause ? 1U << n : 0);
    wanted_[n] = period;
    enabled_ |= 1U << n;
}

/// The counter counts samples, of which there is one unit.
sbi::Result Sampler::enable_decoded(unsigned n, uint64_t kind, uint64_t period) {
    if (is_fixed(n) || kind >= decoded::kKinds || period > decoded::kLongestPeriod) {
        return {sbi::kInvalidParam, 0};
    }
    if (!may_take(n) || (by_decode_ & ~(1U << n)) != 0) {
        return {sbi::kDenied, 0};
    }
    counters().hold(decoded::kHold);
    kind_ = kind;
    by_decode_ = 1U << n;
    take_over(n, decoded::kEvent, period);
    return kDone;
}

sbi::Result Sampler::disable(uint64_t counter) {
    if (state_ != sbi::sampling::kStopped) {
        return {sbi::kAlreadyStarted, 0};
    }
    if (counter >= kCounterLimit) {
        return {sbi::kInvalidParam, 0};
    }
    const auto n = static_cast<unsigned>(counter);
    if ((enabled_ >> n & 1) == 0) {
        return {sbi::kAlreadyStopped, 0};
    }
    enabled_ &= ~(1U << n);
    by_decode_ &= ~(1U << n);
    counters().set_owner(n, CounterOwner::None);
    if (!is_fixed(n)) {
        counters().set_event(n, 0);
    }
    return kDone;
}

sbi::Result Sampler::set_buffer(uint64_t base, uint64_t size) {
    return state_ == sbi::sampling::kStopped ? attach(base, size)
                                             : sbi::Result{sbi::kAlreadyStarted, 0};
}

sbi::Result Sampler::attach(uint64_t base, uint64_t size) {
    const bool detach = base == 0 && size == 0;
    if (!detach && size < kSampleSize) {
        return {sbi::kInvalidParam, 0};
    }
    if (!detach && (base % alignof(SampleRecord) != 0 || !supervisor_owns(base, size))) {
        return {sbi::kInvalidAddress, 0};
    }
    base_ = base;
    size_ = size;
    samples_ = 0;
    lost_ = 0;
    throttled_ = 0;
    filtered_ = 0;
    write_csr<csr::kMhpmmoffset>(0);
    write_csr<csr::kMhpmmmaped>(base);
    write_csr<csr::kMhpmmsize>(size);
    write_csr<csr::kMhpmmcontrol>(buffer_control(size, record_size_));
    return kDone;
}

sbi::Result Sampler::start() {
    if (state_ != sbi::sampling::kStopped) {
        return {sbi::kAlreadyStarted, 0};
    }
    if (size_ < record_size_) {
        return {sbi::kNoShmem, 0};
    }
    if (enabled_ == 0) {
        return {sbi::kInvalidState, 0};
    }
    counters().hold(held());
    for_each_counter(enabled_, [this](unsigned n) { arm(n, wanted_[n]); });
    write_csr<csr::kMhpmmcontrol>(buffer_control(size_, record_size_));
    save_registers((parts_ & sbi::sampling::kRecordRegisters) != 0);
    if ((parts_ & sbi::sampling::kRecordCalls) != 0) {
        follow_calls((modes_ & sbi::sampling::kModeSupervisor) != 0);
    }
    begin(held());
    throttle_.reset();
    throttle_.leave(enabled_, Throttle::Way::Call);
    counters().run(held());
    return kDone;
}

sbi::Result Sampler::stop() {
    if (state_ != sbi::sampling::kRunning) {
        return {state_ == sbi::sampling::kStopped ? sbi::kAlreadyStopped : sbi::kInvalidState, 0};
    }
    hold(held());
    for_each_counter(enabled_, [](unsigned n) { counters().set_threshold(n, 0); });
    if (by_decode_ != 0) {
        decoded::off();
    }
    const uint32_t fixed = enabled_ & ((1U << kFirstProgrammable) - 1);
    for_each_counter(fixed, [](unsigned n) { counters().set_event(n, 0); }); // no filters
    counters().run(fixed);
    begin(0);
    save_registers(false);
    if ((parts_ & sbi::sampling::kRecordCalls) != 0) {
        leave_calls();
    }
    return kDone;
}

sbi::Result Sampler::status(uint64_t item) const {
    switch (item) {
    case sbi::sampling::kState:
        return {sbi::kSuccess, state_};
    case sbi::sampling::kSamples:
        return {sbi::kSuccess, samples_};
    case sbi::sampling::kLost:
        return {sbi::kSuccess, lost_};
    case sbi::sampling::kBytes:
        return {sbi::kSuccess, read_csr<csr::kMhpmmoffset>()};
    case sbi::sampling::kThrottled:
        return {sbi::kSuccess, throttled_};
    case sbi::sampling::kFiltered:
        return {sbi::kSuccess, filtered_};
    default:
        return {sbi::kInvalidParam, 0};
    }
}

sbi::Result Sampler::set_modes(uint64_t modes) {
    if (modes == 0 || (modes & ~sbi::sampling::kModesKnown) != 0) {
        return {sbi::kInvalidParam, 0};
    }
    modes_ = modes;
    return kDone;
}

sbi::Result Sampler::set_method(uint64_t method) {
    if (method > sbi::sampling::kDecoded) {
        return {sbi::kInvalidParam, 0};
    }
    if ((method == sbi::sampling::kCause && !knows_causes_) ||
        (method == sbi::sampling::kDecoded && !knows_decoded_)) {
        return kSbiNotSupported;
    }
    method_ = method;
    return kDone;
}

sbi::Result Sampler::set_record(uint64_t parts) {
    if (state_ != sbi::sampling::kStopped) {
        return {sbi::kAlreadyStarted, 0};
    }
    if ((parts & ~sbi::sampling::kRecordKnown) != 0) {
        return {sbi::kInvalidParam, 0};
    }
    if ((parts & sbi::sampling::kRecordCalls) != 0 && !knows_calls_) {
        return kSbiNotSupported;
    }
    parts_ = parts;
    record_size_ = sample_size(parts);
    return kDone;
}

/// The buffer is the supervisor's until resume(). Sampled counters stand still meanwhile: reading
/// the buffer is the tool's work, not the program's.
sbi::Result Sampler::hand_over() {
    if (state_ == sbi::sampling::kHandedOver) {
        return {sbi::kInvalidState, 0};
    }
    if (size_ == 0) {
        return {sbi::kNoShmem, 0};
    }
    hold(sampled());
    state_ = sbi::sampling::kHandedOver;
    return {sbi::kSuccess, read_csr<csr::kMhpmmoffset>()};
}

sbi::Result Sampler::resume() {
    if (state_ != sbi::sampling::kHandedOver) {
        return {sbi::kInvalidState, 0};
    }
    write_csr<csr::kMhpmmoffset>(0);
    write_csr<csr::kMhpmmcontrol>(buffer_control(size_, record_size_));
    const uint32_t mask = sampled();
    begin(mask);
    throttle_.leave(mask, Throttle::Way::Call);
    counters().run(mask);
    return kDone;
}

sbi::Result sampling_extension(const sbi::Call& call) {
    const uint64_t* argument = call.argument;
    if (!sampler().available()) {
        return kSbiNotSupported;
    }
    switch (call.function) {
    case sbi::sampling::kCounters:
        return {sbi::kSuccess, counters().present()};
    case sbi::sampling::kEnable:
        return sampler().enable(argument[0], argument[1], argument[2]);
    case sbi::sampling::kDisable:
        return sampler().disable(argument[0]);
    case sbi::sampling::kSetBuffer:
        return sampler().set_buffer(argument[0], argument[1]);
    case sbi::sampling::kStart:
        return sampler().start();
    case sbi::sampling::kStop:
        return sampler().stop();
    case sbi::sampling::kStatus:
        return sampler().status(argument[0]);
    case sbi::sampling::kHandOver:
        return sampler().hand_over();
    case sbi::sampling::kResume:
        return sampler().resume();
    case sbi::sampling::kModes:
        return sampler().set_modes(argument[0]);
    case sbi::sampling::kMethod:
        return sampler().set_method(argument[0]);
    case sbi::sampling::kRecord:
        return sampler().set_record(argument[0]);
    default:
        return kSbiNotSupported;
    }
}

} // namespace pes

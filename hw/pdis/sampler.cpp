// SPDX-License-Identifier: Apache-2.0
// Names of sections are those of the draft.
#include "hw/pdis/sampler.h"

namespace pes::pdis {

namespace {

constexpr std::uint64_t kCountEnd = std::uint64_t{1} << 32;
constexpr std::uint64_t kCountBits = kCountEnd - 1;
constexpr unsigned kInitialShift = 32;

constexpr std::uint64_t kModes = control::kU | control::kS | control::kM;
constexpr std::uint64_t kWritable =
    control::kSel | control::kAcc | control::kTs | control::kPa | kModes | control::kOf;

std::uint64_t mode_bit(Privilege mode) {
    switch (mode) {
    case Privilege::User:
        return control::kU;
    case Privilege::Supervisor:
        return control::kS;
    case Privilege::Machine:
        break;
    }
    return control::kM;
}

} // namespace

// --- Counting and selection ("Instruction Selection and Execution") -----------------------------

bool Sampler::runs() const {
    return !inhibited_ && (control_ & mode_bit(mode_)) != 0;
}

void Sampler::rebase(std::uint64_t value) {
    base_ = value & kCountBits;
    total_at_base_ = total();
    counting_ = runs();
}

void Sampler::entered(Privilege mode, const DecodedTotals& totals) {
    totals_ = totals;
    const std::uint64_t value = count();
    mode_ = mode;
    rebase(value);
}

DecodeVerdict Sampler::decoded(const DecodedInstruction& instruction, const DecodedTotals& totals) {
    totals_ = totals;
    if (!counting_ || !belongs_to(instruction.type, group())) {
        return DecodeVerdict::Passes;
    }
    const bool busy = active_ || instruction.cycle <= active_until_;
    const bool overflows = count() >= kCountEnd;
    if (overflows) {
        ++counts_.overflows;
        rebase(initial_);
    }
    if (busy) {
        counts_.collisions += overflows ? 1 : 0;
        return overflows ? DecodeVerdict::Collides : DecodeVerdict::Passes;
    }
    if (!overflows && !accelerate_) {
        return DecodeVerdict::Passes;
    }
    counts_.accelerated += overflows ? 0 : 1;
    accelerate_ = false;
    active_ = Active{.control = control_, .mask = mask_, .match = match_, .filter = filter_};
    return DecodeVerdict::Sampled;
}

std::uint64_t Sampler::indifferent_to() const {
    if (!counting_) {
        return kNever;
    }
    return accelerate_ ? 0 : kCountEnd - count() - 1;
}

// --- The end of a sample ("Sample Filtering") ---------------------------------------------------

bool Sampler::qualifies(const Active& active, const Record& record) const {
    if (((record[kHeader] ^ active.match) & active.mask) != 0) {
        return false;
    }
    const std::uint64_t number = active.filter >> filter::kLatencyShift;
    const bool long_enough = latency_of(record, number) >= (active.filter & filter::kThreshold);
    return long_enough != ((active.filter & filter::kInvert) != 0);
}

/// False if there is no place in memory.
bool Sampler::keep(const Record& record, Cycle at) {
    if (buffer_) {
        return buffer_->append(record, at);
    }
    record_ = record;
    return true;
}

SampleEffect Sampler::ended(const SampledInstruction& instruction) {
    const Active active = *active_;
    active_.reset();
    active_until_ = instruction.times.ended;
    const Record record = make_record(instruction, active.control);
    if (!qualifies(active, record)) {
        ++counts_.filtered;
        accelerate_ = (active.control & control::kAcc) != 0;
        return {.fate = SampleFate::Filtered};
    }
    if (!keep(record, instruction.times.ended)) {
        ++counts_.dropped;
        accelerate_ = (active.control & control::kAcc) != 0;
        return {.fate = SampleFate::Dropped};
    }
    ++counts_.samples;
    const bool first = !overflowed();
    control_ |= control::kOf;
    const bool unfiltered = active.mask == 0 && active.filter == 0;
    return {.overflow_interrupt = first,
            .skidless = first && unfiltered && instruction.end == SampledInstruction::End::Retired};
}

// --- Registers ("CSRs") -------------------------------------------------------------------------

std::uint64_t Sampler::read(std::uint16_t number) const {
    if (number == config_.mpdisctl) {
        return control_ | hardwired();
    }
    switch (static_cast<Register>(number - config_.spdisctl)) {
    case kControl:
        return (control_ & ~control::kM) | hardwired();
    case kCounter:
        return (count() & kCountBits) | initial_ << kInitialShift;
    case kEventMask:
        return mask_;
    case kEventMatch:
        return match_;
    case kFilter:
        return filter_;
    case kBufferControl:
        return buffer_->read_control();
    case kBufferAddress:
        return buffer_->address();
    }
    return 0;
}

void Sampler::write(const CsrWrite& write) {
    if (write.number == config_.mpdisctl) {
        write_control(write.value, kWritable);
        return;
    }
    switch (static_cast<Register>(write.number - config_.spdisctl)) {
    case kControl:
        write_control(write.value, kWritable & ~control::kM);
        break;
    case kCounter:
        initial_ = write.value >> kInitialShift;
        rebase(write.value);
        break;
    case kEventMask:
        mask_ = write.value & kEventBits;
        break;
    case kEventMatch:
        match_ = write.value & kEventBits;
        break;
    case kFilter:
        write_filter(write.value);
        break;
    case kBufferControl:
        buffer_->write_control(write.value, write.at);
        break;
    case kBufferAddress:
        buffer_->write_address(write.value);
        break;
    }
}

/// A reserved SEL keeps the one before.
void Sampler::write_control(std::uint64_t value, std::uint64_t mask) {
    if ((value & control::kSel) > control::kLastSel) {
        mask &= ~control::kSel;
    }
    const std::uint64_t present = count();
    control_ = (control_ & ~mask) | (value & mask);
    accelerate_ = accelerate_ && (control_ & control::kAcc) != 0;
    rebase(present);
}

/// Likewise LATSEL.
void Sampler::write_filter(std::uint64_t value) {
    const bool legal = (value & filter::kLatency) >> filter::kLatencyShift <= filter::kLastLatency;
    filter_ = (value & (filter::kThreshold | filter::kInvert)) |
              ((legal ? value : filter_) & filter::kLatency);
}

void Sampler::inhibit(bool inhibited) {
    const std::uint64_t present = count();
    inhibited_ = inhibited;
    rebase(present);
}

// --- The record behind siselect ("Supervisor PDIS Sample Data Register Access") -----------------

bool Sampler::has(const IndirectRegister& /*which*/) const {
    return !buffer_;
}

std::uint64_t Sampler::read(const IndirectRegister& which) const {
    const auto word = (which.select - kSelect) * kShownWords + which.alias - 1;
    return word < kRecordWords ? record_[word] : 0;
}

/// Hardware alone writes them.
void Sampler::write(const IndirectRegister& /*which*/, const CsrWrite& /*write*/) {}

} // namespace pes::pdis

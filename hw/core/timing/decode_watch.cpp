// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/decode_watch.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace pes {

namespace {

DecodedType type_of(TimingClass timing) {
    switch (timing) {
    case TimingClass::Load:
    case TimingClass::LoadReserved:
        return DecodedType::Load;
    case TimingClass::Store:
    case TimingClass::StoreConditional:
        return DecodedType::Store;
    case TimingClass::Amo:
        return DecodedType::LoadStore;
    case TimingClass::Branch:
    case TimingClass::Jal:
    case TimingClass::Jalr:
    case TimingClass::TrapReturn:
        return DecodedType::Transfer;
    default:
        return DecodedType::Other;
    }
}

bool accesses_memory(DecodedType type) {
    return type == DecodedType::Load || type == DecodedType::Store ||
           type == DecodedType::LoadStore;
}

/// Index = DecodedGroup.
constexpr Event kDecodedEvents[] = {Event::Decoded, Event::DecodedLoad, Event::DecodedStore,
                                    Event::DecodedLoadStore, Event::DecodedTransfer};
static_assert(std::size(kDecodedEvents) == kDecodedGroups);

Event event_of(SampleFate fate) {
    switch (fate) {
    case SampleFate::Recorded:
        return Event::PdisSample;
    case SampleFate::Filtered:
        return Event::PdisFiltered;
    case SampleFate::Dropped:
        break;
    }
    return Event::PdisDropped;
}

/// From the decoder to the register in front of issue.
constexpr Cycle kToIssueStage = 1;

} // namespace

bool DecodeWatch::report(const Instruction& instruction, Address pc, Cycle cycle) {
    const DecodedType type = type_of(instruction.timing);
    for (std::size_t group = 0; group < kDecodedGroups; ++group) {
        if (belongs_to(type, static_cast<DecodedGroup>(group))) {
            ++totals_[group];
            pulse(kDecodedEvents[group], cycle);
        }
    }
    reported_ = cycle;
    const DecodedInstruction decoded{.pc = pc, .type = type, .cycle = cycle};
    const DecodeVerdict verdict =
        tap_ != nullptr ? tap_->decoded(decoded, totals_) : DecodeVerdict::Passes;
    if (verdict == DecodeVerdict::Collides) {
        pulse(Event::PdisCollision, cycle);
    }
    if (verdict != DecodeVerdict::Sampled) {
        return false;
    }
    sample_ = {};
    sample_.decoded = decoded;
    sample_.raw = instruction.raw;
    sample_.times.decoded = cycle;
    return true;
}

void DecodeWatch::decoded(const Instruction& instruction, Address pc, Cycle cycle,
                          const Waits& waits, const CodeReader& registers) {
    if (!report(instruction, pc, cycle)) {
        return;
    }
    following_ = true;
    in_memory_ = is_atomic(instruction.timing);
    sample_.itlb_miss = waits.walked();
    sample_.l1i_miss = waits.missed();
    if (accesses_memory(sample_.decoded.type)) {
        if (const auto base = registers.integer_register(instruction.rs1)) {
            sample_.data = *base + static_cast<Address>(instruction.imm);
        }
    }
}

void DecodeWatch::timed(Cycle issued, Cycle completed, Cycle before, Cycle ended) {
    SampledTimes& times = sample_.times;
    times.dispatched = times.decoded + kToIssueStage;
    times.issued = issued;
    times.completed = completed;
    times.oldest = std::max(before, times.decoded);
    times.ended = ended;
}

bool DecodeWatch::decoded_in_vain(const Instruction& instruction, Address pc, Cycle cycle) {
    return report(instruction, pc, cycle);
}

void DecodeWatch::flushed(const Discarded& how) {
    SampledTimes& times = sample_.times;
    times.ended = how.flush;
    if (const Cycle dispatched = times.decoded + kToIssueStage; dispatched <= how.flush) {
        times.dispatched = dispatched;
        times.issued = how.issued;
    }
    sample_.flush = how.reason;
    sample_.flushed_by = how.by;
    end(SampledInstruction::End::Flushed);
}

void DecodeWatch::retired(Address next_pc, bool taken, const MemoryAccess& access) {
    const DecodedType type = sample_.decoded.type;
    sample_.taken = taken;
    sample_.target = next_pc;
    if (accesses_memory(type)) {
        sample_.physical = access.physical;
        sample_.dtlb_miss = access.walk != nullptr;
        sample_.l1d_miss = sample_.l1d_miss || in_memory_ || !access.cacheable;
    }
    if (in_memory_) {
        sample_.source = DataSource::Memory;
    } else if (type == DecodedType::Load) {
        sample_.source = !access.cacheable  ? DataSource::Device
                         : sample_.l1d_miss ? DataSource::Memory
                                            : DataSource::FirstLevel;
    }
    end(SampledInstruction::End::Retired);
}

void DecodeWatch::trapped(bool interrupted) {
    if (interrupted) {
        sample_.data.reset();
    }
    end(SampledInstruction::End::Trapped);
}

void DecodeWatch::end(SampledInstruction::End how) {
    following_ = false;
    sample_.end = how;
    pulse(event_of(sink_.sample_ended(sample_)), sample_.times.ended);
}

void DecodeWatch::pulse(Event event, Cycle cycle) {
    if (pulses_ != nullptr) {
        pulses_->pulse(event, cycle);
    }
}

/// A cycle decodes one instruction at most. Behind the last instruction of a block, which a branch
/// may be that is mispredicted, at most two are decoded in vain: from its issue until it resolves
/// in the next cycle.
Cycle DecodeWatch::quiet_until() const {
    constexpr std::uint64_t kInVain = 2;
    const std::uint64_t many = tap_ != nullptr ? tap_->indifferent_to() : kNever;
    if (many <= kInVain) {
        return 0;
    }
    const std::uint64_t cycles = many - kInVain + 1;
    return cycles > kNever - reported_ ? kNever : reported_ + cycles;
}

BlockDecoded DecodeWatch::since(const DecodedTotals& before) const {
    BlockDecoded counts{};
    for (std::size_t group = 0; group < kDecodedGroups; ++group) {
        counts[group] = static_cast<std::uint16_t>(totals_[group] - before[group]);
    }
    return counts;
}

void DecodeWatch::add(const BlockDecoded& more) {
    for (std::size_t group = 0; group < kDecodedGroups; ++group) {
        totals_[group] += more[group];
    }
}

} // namespace pes

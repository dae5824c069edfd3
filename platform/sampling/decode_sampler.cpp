// SPDX-License-Identifier: Apache-2.0
#include "platform/sampling/decode_sampler.h"

#include <algorithm>
#include <utility>

namespace pes {
namespace {

namespace header = pdis::header;

constexpr std::uint64_t kEveryInstruction = 0, kLoads = 1, kEither = 3, kTransfers = 4;
constexpr std::uint64_t kLoadType = 1;
constexpr std::uint64_t kTrapReturn = std::uint64_t{1} << 42; ///< TRET
constexpr std::uint64_t kCountEnd = std::uint64_t{1} << 32;
constexpr unsigned kInitialShift = 32;

/// Of instructions that are not thrown away, those with all bits of `shown`.
constexpr DecodeChoice with(std::uint64_t select, std::uint64_t shown = 0) {
    return {.select = select, .mask = header::kFlushed | shown, .match = shown};
}

struct Row {
    Event event;
    DecodeChoice choice;
};

/// A record has no place for what an instruction did beyond this.
constexpr Row kRows[] = {
    {Event::Cycles, with(kEveryInstruction)},
    {Event::Instructions, with(kEveryInstruction)},
    {Event::Load, {.select = kLoads, .mask = header::kFlushed | header::kType, .match = kLoadType}},
    {Event::Store, with(2)},
    {Event::L1DMiss,
     {.select = kLoads,
      .mask = header::kFlushed | header::kType | header::kFirstMiss,
      .match = kLoadType | header::kFirstMiss}},
    {Event::L1IMiss, with(kEveryInstruction, header::kIcacheMiss)},
    {Event::ItlbMiss, with(kEveryInstruction, header::kItlbMiss)},
    {Event::DtlbMiss, with(kEither, header::kFirstTlbMiss)},
    {Event::Branch, {.select = kTransfers, .mask = header::kFlushed | kTrapReturn, .match = 0}},
    {Event::BranchMispredict, with(kTransfers, header::kMispredicted)},
};

} // namespace

std::optional<DecodeChoice> decode_choice(EventMask sources) {
    for (const Row& row : kRows) {
        if (sources == event_bit(row.event)) {
            return row.choice;
        }
    }
    return std::nullopt;
}

std::string decode_events(const PmuProfile& profile) {
    std::string names = "cycle, instret";
    for (const EventRow& row : profile) {
        if (decode_choice(event_bit(row.source))) {
            names += std::string(", ") + row.name;
        }
    }
    return names;
}

/// OF = 1: no interrupt. The first period begins where that of the other methods does.
DecodeSampler::DecodeSampler(unsigned hart, const SamplingPlan& plan)
    : RecordingTap(plan), hart_number_(hart), random_(plan.seed) {
    using namespace pdis::control;
    const DecodeChoice choice = *decode_choice(plan.sources);
    const pdis::SamplerConfig& config = sampler_.config();
    write(config.spdisctl + 2, choice.mask);
    write(config.spdisctl + 3, choice.match);
    write(config.mpdisctl, choice.select | kU | kS | kM | kOf);
    const std::uint64_t first = plan.seed == 0 ? plan.period : 1 + random_.below(plan.period);
    write(config.spdisctl + 1,
          (kCountEnd - next_interval()) << kInitialShift | (kCountEnd - first));
}

void DecodeSampler::write(std::uint32_t number, std::uint64_t value) {
    sampler_.write(
        {.number = static_cast<std::uint16_t>(number), .value = value, .argument = 0, .at = 0});
}

/// As of HostCounters.
std::uint64_t DecodeSampler::next_interval() {
    const std::uint64_t mean = period();
    const std::uint64_t most = mean / 100 * plan().spread + mean % 100 * plan().spread / 100;
    const std::uint64_t least = std::max<std::uint64_t>(1, mean - std::min(mean, most));
    return most == 0 ? mean : least + random_.below(mean + most - least + 1);
}

/// The hart does not sample for its guest.
void DecodeSampler::attach(Hart& hart) {
    RecordingTap::attach(hart);
    hart.connect(*this, sampler_.config().stateen_bit);
}

void DecodeSampler::entered(Privilege mode, const DecodedTotals& totals) {
    mode_ = mode;
    sampler_.entered(mode, totals);
}

DecodeVerdict DecodeSampler::decoded(const DecodedInstruction& instruction,
                                     const DecodedTotals& totals) {
    const DecodeVerdict verdict = sampler_.decoded(instruction, totals);
    if (verdict == DecodeVerdict::Sampled) {
        sampled_in_ = mode_;
        ended_ = std::exchange(running_, std::exchange(next_, period()));
        const auto number = static_cast<std::uint16_t>(sampler_.config().spdisctl + 1);
        const std::uint64_t count = sampler_.read(number) & (kCountEnd - 1);
        write(number, (kCountEnd - next_interval()) << kInitialShift | count);
    }
    return verdict;
}

/// How many events the last record stands for.
std::uint64_t DecodeSampler::weight() const {
    if (!plan().sources.has(Event::Cycles)) {
        return ended_;
    }
    const std::uint64_t latencies =
        sampler_.read(IndirectRegister{.level = IndirectLevel::Supervisor,
                                       .select = pdis::kSelect,
                                       .alias = pdis::kLatencies + 1});
    const unsigned shift = pdis::latency::kBits * plan().method->latency;
    return ended_ * (latencies >> shift & pdis::latency::kMost);
}

SampleEffect DecodeSampler::ended(const SampledInstruction& instruction) {
    const SampleEffect effect = sampler_.ended(instruction);
    if (effect.fate == SampleFate::Recorded) {
        add({.record = {.magic = kSampleMagic,
                        .size = kSampleSize,
                        .version = kSampleVersion,
                        .hart = hart_number_,
                        .counter = plan().counter,
                        .privilege = static_cast<std::uint8_t>(sampled_in_),
                        .flags = 0,
                        .event = plan().selector,
                        .pc = instruction.decoded.pc,
                        .cycle = instruction.times.ended,
                        .counter_value = 0,
                        .threshold = weight(),
                        .lost = sampler_.counts().collisions}});
    }
    return {.fate = effect.fate};
}

} // namespace pes

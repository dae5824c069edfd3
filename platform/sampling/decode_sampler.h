// SPDX-License-Identifier: Apache-2.0
// Samples decoded instructions from the host's side: the sampler of Smpdis (hw/pdis), programmed by
// the host, and one record as of the other methods for each of its own. The guest sees none of it.
#pragma once

#include "hw/common/random_numbers.h"
#include "hw/interface/pmu/profile.h"
#include "hw/pdis/sampler.h"
#include "platform/sampling/recording_tap.h"

#include <optional>
#include <string>
#include <vector>

namespace pes {

/// The records that stand for an event: what mpdisctl.SEL counts, and the bits of the header by
/// which the filter keeps a record.
struct DecodeChoice {
    std::uint64_t select = 0;
    std::uint64_t mask = 0;
    std::uint64_t match = 0;
};

/// Nothing: no field of a record shows the event.
std::optional<DecodeChoice> decode_choice(EventMask sources);
inline bool samples_decoded(const SamplingMethod& method) {
    return method.trigger == SamplingMethod::Trigger::Decoded;
}
/// Every method can sample every event, but for those of which only the record tells.
inline bool can_sample(const SamplingMethod& method, EventMask sources) {
    return !samples_decoded(method) || decode_choice(sources).has_value();
}
/// The names for which there is one, separated by ", ".
std::string decode_events(const PmuProfile& profile);

class DecodeSampler final : public RecordingTap, private DecodeTap {
  public:
    DecodeSampler(unsigned hart, const SamplingPlan& plan);

    CounterBank& wrap(CounterBank& seen, HpmBank&) override { return seen; }
    void attach(Hart& hart) override;

  private:
    /// A record of cycles weighs its own latency times the period, whatever the other one took.
    std::uint64_t joined_weight(const SampleRecord&, const SampleRecord& kept) const override {
        return 2 * kept.threshold;
    }
    DecodeVerdict decoded(const DecodedInstruction& instruction,
                          const DecodedTotals& totals) override;
    SampleEffect ended(const SampledInstruction& instruction) override;
    void entered(Privilege mode, const DecodedTotals& totals) override;
    std::uint64_t indifferent_to() const override { return sampler_.indifferent_to(); }

    void write(std::uint32_t number, std::uint64_t value);
    std::uint64_t next_interval();
    std::uint64_t weight() const;

    const unsigned hart_number_;
    pdis::Sampler sampler_;
    RandomNumbers random_;
    Privilege mode_ = Privilege::Machine;
    Privilege sampled_in_ = Privilege::Machine; ///< mode of the one that is sampled
    /// Periods of the interval that ended with the sampled one, of the running one and of the next.
    std::uint64_t ended_ = period(), running_ = period(), next_ = period();
};

} // namespace pes

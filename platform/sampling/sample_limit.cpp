// SPDX-License-Identifier: Apache-2.0
#include "platform/sampling/sample_limit.h"

#include "platform/sampling/host_sampler.h"

namespace pes {

void SampleLimit::add(RecordingTap& tap) {
    taps_.push_back(&tap);
    tap.limit(*this);
}

void SampleLimit::recorded() {
    if (++count_ <= kMost) {
        return;
    }
    count_ = 0;
    for (RecordingTap* tap : taps_) {
        tap->thin();
        count_ += tap->records().size();
    }
}

void RecordingTap::add(const SampleRecord& record) {
    SampleRecord added = record;
    if (odd_one_) {
        added.threshold = joined_weight(*odd_one_, added);
        odd_one_.reset();
    }
    records_.push_back(added);
    if (limit_ != nullptr) {
        limit_->recorded();
    }
}

void RecordingTap::thin() {
    std::vector<SampleRecord> kept;
    for (std::size_t index = 1; index < records_.size(); index += 2) {
        kept.push_back(records_[index]);
        kept.back().threshold = joined_weight(records_[index - 1], records_[index]);
    }
    if (records_.size() % 2 != 0) {
        odd_one_ = records_.back();
    }
    records_ = std::move(kept);
    period_ *= 2;
    period_changed();
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/sampling/interval_recorder.h"

namespace pes {

CounterBank& IntervalRecorder::wrap(CounterBank& seen, HpmBank&) {
    std::vector<HostCounter> counters{{.sources = event_bit(Event::Cycles), .period = kShortest}};
    for (const Event source : sources_) {
        counters.push_back({.sources = event_bit(source)});
    }
    seen_.resize(sources_.size());
    counts_.resize(sources_.size());
    CrossingSink& sink = *this;
    return counters_.emplace(seen, counters, sink);
}

void IntervalRecorder::crossed(const Crossing&) {
    for (std::size_t index = 0; index < sources_.size(); ++index) {
        const std::uint64_t now = counters_->counted(static_cast<unsigned>(index + 1));
        counts_[index].push_back(now - seen_[index]);
        seen_[index] = now;
    }
    if (counts_.front().size() >= kMost) {
        join_pairs();
    }
}

void IntervalRecorder::join_pairs() {
    for (std::vector<std::uint64_t>& counts : counts_) {
        for (std::size_t index = 0; index < counts.size() / 2; ++index) {
            counts[index] = counts[2 * index] + counts[2 * index + 1];
        }
        counts.resize(counts.size() / 2);
    }
    interval_ *= 2;
    counters_->lengthen(0, interval_);
}

} // namespace pes

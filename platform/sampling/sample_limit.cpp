// SPDX-License-Identifier: Apache-2.0
#include "platform/sampling/sample_limit.h"

#include "platform/sampling/recording_tap.h"

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
        count_ += tap->samples().size();
    }
}

} // namespace pes

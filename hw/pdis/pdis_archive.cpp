// SPDX-License-Identifier: Apache-2.0
// What a checkpoint has of the sampling of decoded instructions. Of a sample that has not ended it
// is the selection and its settings; the hart has the instruction.
#include "hw/common/archive.h"
#include "hw/pdis/sampler.h"

namespace pes::pdis {

/// Translations that were found ahead stay what they were until a fence.
void MemoryBuffer::state(Archive& archive) {
    archive(control_, address_, current_, next_, fences_);
}

void Sampler::Active::state(Archive& archive) {
    archive(control, mask, match, filter);
}

void Sampler::state(Archive& archive) {
    archive.one_of(mode_, Privilege::Machine);
    archive(totals_, control_, mask_, match_, filter_, initial_, inhibited_);
    if ((control_ & control::kSel) > control::kLastSel) {
        archive.refuse("a value is out of its range");
    }
    archive(base_, total_at_base_, counting_);
    archive(active_, active_until_, accelerate_, record_);
    if (buffer_) {
        archive(*buffer_);
    }
    archive(counts_.samples, counts_.collisions, counts_.filtered, counts_.dropped,
            counts_.overflows, counts_.accelerated);
}

} // namespace pes::pdis

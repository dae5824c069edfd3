// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/guest/sample_channel.h"

#include <algorithm>
#include <bit>

namespace pes {

void SampleChannel::write(std::span<const std::byte> bytes) {
    if (file_ != nullptr) {
        file_->write(bytes);
    }
    while (!bytes.empty()) {
        const std::size_t passed = std::min(bytes.size(), details_left_);
        details_left_ -= passed;
        bytes = bytes.subspan(passed);
        const std::size_t taken = std::min(bytes.size(), record_.size() - filled_);
        std::ranges::copy(bytes.first(taken), record_.begin() + static_cast<long>(filled_));
        filled_ += taken;
        bytes = bytes.subspan(taken);
        if (filled_ == record_.size()) {
            count();
            filled_ = 0;
        }
    }
}

void SampleChannel::state(Archive& archive) {
    archive.raw(record_);
    archive.below(filled_, record_.size());
    archive.below(details_left_, kLargestSample);
    archive(records_, lost_, malformed_);
}

void SampleChannel::count() {
    const auto record = std::bit_cast<SampleRecord>(record_);
    const bool size_fits =
        record.version == kDetailedVersion
            ? record.size >= kSampleSize + sizeof(SampleDetails) && record.size <= kLargestSample
            : record.size == kSampleSize;
    if (record.magic != kSampleMagic || !size_fits) {
        ++malformed_;
        return;
    }
    details_left_ = record.size - kSampleSize;
    ++records_;
    lost_ = std::max(lost_, record.lost);
}

} // namespace pes

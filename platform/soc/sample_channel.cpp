// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/sample_channel.h"

#include <algorithm>
#include <bit>

namespace pes {

void SampleChannel::write(std::span<const std::byte> bytes) {
    if (file_ != nullptr) {
        file_->write(bytes);
    }
    while (!bytes.empty()) {
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

void SampleChannel::count() {
    const auto record = std::bit_cast<SampleRecord>(record_);
    if (record.magic != kSampleMagic || record.size != kSampleSize) {
        ++malformed_;
        return;
    }
    ++records_;
    lost_ = std::max(lost_, record.lost);
}

} // namespace pes

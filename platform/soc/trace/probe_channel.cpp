// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/trace/probe_channel.h"

#include "platform/host/output_file.h"

namespace pes {

void ProbeChannel::send(std::span<const std::uint8_t> bytes) {
    if (file_ != nullptr) {
        file_->write(std::as_bytes(bytes));
        delivered_ += bytes.size();
        crc32_.add(bytes.data(), bytes.size());
    } else {
        unread_ += bytes.size();
    }
}

void ProbeChannel::state(Archive& archive) {
    std::uint64_t so_far = before_ + delivered_;
    archive(so_far, unread_);
    if (!archive.saves()) {
        before_ = so_far;
    }
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "hw/core/truth/waits.h"

#include <algorithm>

namespace pes {

/// A wait that ends before an earlier stage's costs nothing.
void Waits::note(CycleReason reason, Cycle retires) {
    if (count_ != 0 && retires <= list_[count_ - 1].until) {
        return;
    }
    if (count_ != 0 && (count_ == kMost || list_[count_ - 1].reason == reason)) {
        list_[count_ - 1].until = retires;
        return;
    }
    list_[count_++] = {.until = retires, .reason = reason};
}

void Waits::fetched(Cycle offered, Cycle decode) {
    const Cycle retires = offered + kBehindDecode;
    until(CycleReason::Base, retires - std::min(retires, walk_ + miss_));
    until(CycleReason::Itlb, retires - std::min(retires, miss_));
    until(CycleReason::L1IMiss, retires);
    until(CycleReason::Base, decode + kBehindDecode);
    offered_ = offered;
    fetched_ = decode + kBehindDecode;
}

} // namespace pes

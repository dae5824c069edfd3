// SPDX-License-Identifier: Apache-2.0
// Mutual exclusion of harts in machine mode. Whoever waits goes on answering the other harts: the
// holder may be waiting for an answer of ours.
#pragma once

#include <stdint.h>

namespace pes {

class SpinLock {
  public:
    /// Calls `meanwhile` between two attempts.
    template <typename Meanwhile>
    void acquire(Meanwhile meanwhile) {
        while (__atomic_exchange_n(&held_, 1U, __ATOMIC_ACQUIRE) != 0) {
            meanwhile();
        }
    }
    void release() { __atomic_store_n(&held_, 0U, __ATOMIC_RELEASE); }

  private:
    uint32_t held_ = 0;
};

} // namespace pes

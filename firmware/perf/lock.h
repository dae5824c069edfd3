// SPDX-License-Identifier: Apache-2.0
// One hart at a time, and no interrupt meanwhile: for what the harts share, at initialisation.
#pragma once

#include "firmware/perf/machine.h"

namespace pes::perf {

/// Interrupts are masked while it lives.
class InterruptMask {
  public:
    InterruptMask() : state_(machine::mask_interrupts()) {}
    ~InterruptMask() { machine::restore_interrupts(state_); }
    InterruptMask(const InterruptMask&) = delete;
    InterruptMask& operator=(const InterruptMask&) = delete;

  private:
    uint64_t state_;
};

class Lock {
  public:
    void acquire() {
        while (__atomic_test_and_set(&taken_, __ATOMIC_ACQUIRE)) {
        }
    }
    void release() { __atomic_clear(&taken_, __ATOMIC_RELEASE); }

  private:
    uint8_t taken_ = 0;
};

class LockGuard {
  public:
    explicit LockGuard(Lock& lock) : lock_(lock) { lock_.acquire(); }
    ~LockGuard() { lock_.release(); }
    LockGuard(const LockGuard&) = delete;
    LockGuard& operator=(const LockGuard&) = delete;

  private:
    InterruptMask mask_;
    Lock& lock_;
};

} // namespace pes::perf

// SPDX-License-Identifier: Apache-2.0
// The parts of the workload. Each runs one hot function and returns a checksum of what it computed.
// The hot functions are static, not in an unnamed namespace, and closed to inlining and cloning:
// profiles then show their plain names.
#pragma once

#include <stdint.h>

namespace pes::workload {

uint64_t multiply_matrices(unsigned rounds);
uint64_t checksum_block(unsigned rounds);
uint64_t sort_numbers(unsigned rounds);
uint64_t walk_list(unsigned rounds);
uint64_t search_text(unsigned rounds);

/// A fixed sequence of numbers; the same in every run.
class Sequence {
  public:
    explicit Sequence(uint64_t seed) : state_(seed) {}
    uint32_t next() {
        state_ = state_ * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        return static_cast<uint32_t>(state_ >> 33);
    }

  private:
    uint64_t state_;
};

} // namespace pes::workload

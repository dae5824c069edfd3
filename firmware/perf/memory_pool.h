// SPDX-License-Identifier: Apache-2.0
// Memory for trace buffers: what the program has given (perfSetPlatform), or else the upper half of
// the platform's unused memory, from its end downwards. Nothing is given back.
#pragma once

#include <stdint.h>

namespace pes::perf {

/// On a boundary of every sink's word, or 0 if there is not so much left.
uint64_t take_from_pool(uint64_t bytes);
uint64_t left_in_pool();
void refill_pool(); ///< for tests

} // namespace pes::perf

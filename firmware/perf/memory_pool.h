// SPDX-License-Identifier: Apache-2.0
// Memory for trace buffers, set aside when the program is linked. Nothing is given back.
#pragma once

#include <stdint.h>

namespace pes::perf {

/// On a boundary of every sink's word, or 0 if there is not so much left.
uint64_t take_from_pool(uint64_t bytes);

} // namespace pes::perf

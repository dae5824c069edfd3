// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

namespace pes::overhead {

inline constexpr unsigned kGemmSize = 40;

void prepare_gemm();
void gemm();
void nothing(); ///< called instead of it, to see what the calls around it count

} // namespace pes::overhead

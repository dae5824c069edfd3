// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

namespace pes::overhead {

inline constexpr unsigned kGemmSize = 40;

void prepare_gemm();
void gemm();

} // namespace pes::overhead

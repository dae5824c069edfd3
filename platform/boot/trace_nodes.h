// SPDX-License-Identifier: Apache-2.0
// The nodes of the trace components: binding riscv,trace-component of the Linux patch series
// "RISC-V trace framework and drivers" (version of 2026). Those with SiFive's registers, which do
// not tell what they are, have names of their own and the same connections.
#pragma once

#include "hw/common/device/tree_node.h"
#include "platform/config/config.h"

#include <cstdint>
#include <vector>

namespace pes {

inline constexpr std::uint32_t kFirstCpuPhandle = 64; ///< of cpu nodes, if there are components

bool has_trace_nodes(const PlatformConfig& config);

/// For /soc. Each output refers to the input that it is connected to, and the other way round.
std::vector<TreeNode> trace_nodes(const PlatformConfig& config);

} // namespace pes

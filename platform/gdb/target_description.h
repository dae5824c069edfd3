// SPDX-License-Identifier: Apache-2.0
// The registers of a hart as gdb wants to be told them. Source: gdb manual, appendix G.5.12
// "RISC-V Features".
#pragma once

#include "platform/gdb/target.h"

#include <string>
#include <vector>

namespace pes::gdb {

/// The document target.xml.
std::string target_description(const std::vector<RegisterDescription>& further);

} // namespace pes::gdb

// SPDX-License-Identifier: Apache-2.0
// The truth about a hart's run as a CSV file: docs/truth.md.
#pragma once

#include "hw/core/truth/truth_table.h"

#include <functional>
#include <iosfwd>

namespace pes {

/// Modes and address spaces that are wanted.
using TruthContexts = std::function<bool(const TruthTable::Context&)>;

/// Writes "hart,privilege,satp,pc,count,cycles", a column for each reason and one for each pulse
/// source; one line for each address in each mode and address space, in this order. A cycle that
/// two instructions share is half a cycle of each. Only what `contexts` takes; if it is empty, all.
void write_truth(std::ostream& out, unsigned hart, const TruthTable& table,
                 const TruthContexts& contexts = {});

} // namespace pes

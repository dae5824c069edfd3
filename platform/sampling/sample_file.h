// SPDX-License-Identifier: Apache-2.0
// Samples as the records of a file (hw/interface/maps/sample_record.h).
#pragma once

#include "platform/sampling/recording_tap.h"

#include <ostream>
#include <span>

namespace pes {

/// Records of version 2 with data address, address space and calls if there are stacks, else of
/// version 1.
void write_samples(std::ostream& out, std::span<const TakenSample> samples,
                   const StackTable* stacks);

} // namespace pes

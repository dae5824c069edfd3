// SPDX-License-Identifier: Apache-2.0
// What records of version 2 hold behind their first 64 bytes (hw/interface/maps/sample_record.h).
#pragma once

#include "firmware/boot/frame.h"
#include "hw/interface/maps/sample_record.h"

#include <stdint.h>

namespace pes {

/// Bytes of a record with these parts (sbi::sampling::kRecord..), at most.
uint64_t sample_size(uint64_t parts);

struct SampleSource {
    uint64_t data_address;  ///< 0: not known
    const TrapFrame* frame; ///< null: the registers are not at hand
};

/// Writes the parts, of which there are some, to `address`, behind the first 64 bytes. Returns the
/// size of the record.
uint64_t write_parts(uint64_t address, uint64_t parts, const SampleSource& source);

} // namespace pes

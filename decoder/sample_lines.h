// SPDX-License-Identifier: Apache-2.0
// Samples of any profiler as text, a line for each: an address, and what the sample stands for.
#pragma once

#include "hw/interface/maps/sample_record.h"
#include "hw/interface/types.h"
#include "platform/profile/sample_profile.h"

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace pes {

struct SampleLine {
    Address pc = 0;
    std::uint64_t period = 0; ///< events that it stands for; 0: not known
};

/// Whether sample records follow, and not lines of text; takes nothing from the stream.
bool begins_with_record(std::istream& input);

/// The first hexadecimal word of each line, and the decimal number that is the next word, if it is
/// one; lines that are blank or begin with # are passed over. Throws UserError that names `path`
/// and the number of a line without such a word.
std::vector<SampleLine> read_sample_lines(std::istream& input, const std::string& path);

/// As a record of user mode.
SampleRecord record_of(const SampleLine& line, const EventId& event);

} // namespace pes

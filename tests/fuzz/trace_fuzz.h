// SPDX-License-Identifier: Apache-2.0
// What the fuzzers of the trace decoder run on any bytes. The first byte chooses how they are read
// (width of SRC, dialect, counter width, stimulus; E-Trace, packets of Open SoC Debug), the rest is
// the file.
#pragma once

#include <cstdint>
#include <span>

namespace pes::fuzz {

/// Aborts if something that must hold does not: every byte of the file is accounted for once, and
/// calls and returns of the records pair up.
void decode_anything(std::span<const std::uint8_t> input);

} // namespace pes::fuzz

// SPDX-License-Identifier: Apache-2.0
// What the lines of all text files of SiFive's published decoder (0.18) have in common:
//
//   # ELFPATH=<path>                              the first line of each file
//   [source] ticks <text> ffl:<file>:<symbol>:<line>
//
// In TextStyle::Published with what that decoder does wrong: ticks are the low 32 bits as a signed
// number. A line at an address outside of the program has no " ffl:".
#pragma once

#include "decoder/trace/program/code_places.h"
#include "decoder/trace/records/perf_stream.h"

#include <cstdint>
#include <string>

namespace pes::trace {

enum class TextStyle : std::uint8_t {
    Published, ///< byte for byte
    Fixed,     ///< with its defects mended, and nothing else
};

std::string published_head_line(const ElfProgram& program);

/// Replaces `line` by the beginning of a new one. A time that is not known is 0.
void begin_published_line(std::string& line, std::uint16_t source, TraceTime time, TextStyle style);

/// Whether the address is in the program.
bool end_published_line(std::string& line, CodePlaces& places, std::uint16_t source,
                        Address address);

} // namespace pes::trace

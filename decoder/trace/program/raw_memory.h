// SPDX-License-Identifier: Apache-2.0
// Code that is in no ELF file: memory of the target as raw bytes, from a file with its address, or
// from a directory of files whose names end in ".0xADDRESS" (pages of a kernel, saved by a tracer).
#pragma once

#include "platform/program/program_file.h"
#include "platform/program/program_image.h"

namespace pes::trace {

/// `text`: FILE@ADDRESS or DIRECTORY. Throws UserError.
void add_raw_memory(ProgramImage& image, const std::string& text, Xlen xlen);

/// What of it is read, for those who must not write there.
std::vector<std::string> raw_memory_files(const std::string& text);

} // namespace pes::trace

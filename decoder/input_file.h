// SPDX-License-Identifier: Apache-2.0
// Input files of the commands. What is wrong with one is a UserError.
#pragma once

#include <fstream>
#include <string>

namespace pes {

std::ifstream open_input(const std::string& path);

/// To be called after the last read.
void require_read(const std::ifstream& input, const std::string& path);

} // namespace pes

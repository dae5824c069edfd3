// SPDX-License-Identifier: Apache-2.0
// What the command-line parser's own messages lack: CLI11 says only that a subcommand is missing,
// and adds hints on further lines, while a user error is one sentence.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace pes {

/// Throws UserError that names the first word if it is neither an option nor one of `names`.
void require_known_subcommand(int argc, const char* const* argv,
                              std::initializer_list<std::string_view> names);

std::string first_line(const std::string& text);

} // namespace pes

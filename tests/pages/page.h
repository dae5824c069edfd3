// SPDX-License-Identifier: Apache-2.0
// Pages of docs/ of which programs write a section.
#pragma once

#include <string>
#include <string_view>

namespace pes::pages {

/// Both throw std::runtime_error.
std::string read_file(const std::string& file);
void write_file(const std::string& file, const std::string& text);

/// The page with `text` between the two lines, and nothing else changed. Throws std::runtime_error
/// if it does not have them in this order.
std::string with_section(const std::string& page, std::string_view begin_line,
                         std::string_view end_line, const std::string& text);

} // namespace pes::pages

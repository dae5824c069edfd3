// SPDX-License-Identifier: Apache-2.0
// Pieces of terminal output: bars, names that are safe to print, headings.
#pragma once

#include "platform/profile/report.h"

#include <string>
#include <string_view>

namespace pes {

/// Of the standard output: characters of the locale, colours on a terminal that has them.
TextStyle terminal_style(bool ascii, bool no_color);

/// A bar of at most `cells` characters for `fraction` (0..1), padded with blanks to that width.
std::string bar(double fraction, unsigned cells, TextStyle style);

/// The text with control characters replaced, so that a name from a file cannot steer the terminal.
std::string printable(std::string_view text);

/// The last two components of a path: enough to tell files apart, short enough for a table.
std::string short_path(std::string_view path);

std::string heading(std::string_view text, TextStyle style);

/// "app/sort.cpp:12", or "(no line)".
std::string line_text(const RowPlace& place);

/// "functions", "addresses".
std::string rows_text(GroupBy by);

/// What a row is about, its line padded to `line_width`: "0x...80000010  app/sort.cpp:12 sort+0x4".
std::string place_text(const RowPlace& place, GroupBy by, std::size_t line_width);

/// "sort(int*)" or, outside of every symbol, "(outside of symbols)".
std::string function_text(const std::string& function);

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Formatted text at the end of a string. Only for source files: users of the library need no fmt.
#pragma once

#include <iterator>
#include <spdlog/fmt/fmt.h>
#include <string>

namespace pes::trace {

template <typename... Values>
void append_text(std::string& text, fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
}

} // namespace pes::trace

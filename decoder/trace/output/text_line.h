// SPDX-License-Identifier: Apache-2.0
// How text that a program writes to a stimulus falls into lines.
#pragma once

#include <cstddef>

namespace pes::trace {

inline constexpr std::size_t kLongestTextLine =
    4096; ///< a stream without line ends must not fill the memory

constexpr bool ends_text_line(char character) {
    return character == '\0' || character == '\n' || character == '\r';
}

} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
// Counts in messages.
#pragma once

#include <cstdint>
#include <spdlog/fmt/fmt.h>
#include <string>

namespace pes::trace {

/// "1 byte", "5 bytes".
inline std::string count_of(std::uint64_t count, const char* thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

} // namespace pes::trace

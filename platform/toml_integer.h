// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pes {

/// An integer as TOML 1.0 writes one that is not negative: a prefix for the base, no leading zero
/// without one, underscores between digits only. Nothing if `text` is none.
std::optional<std::uint64_t> parse_toml_integer(std::string_view text);

} // namespace pes

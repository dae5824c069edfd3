// SPDX-License-Identifier: Apache-2.0
// The settings counters.* as text, for users of the library, which has no configuration file.
#pragma once

#include "hw/hpm/counter_config.h"

#include <string>
#include <string_view>

namespace pes {

/// KEY=VALUE, separated by blanks, commas or lines; "counters." in front of a key may be missing. A
/// profile brings its own defaults, wherever it stands. Returns "", or one sentence; then `config`
/// is unchanged.
std::string read_counter_settings(std::string_view text, CounterConfig& config);

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The settings of pes-vp as Markdown.
#pragma once

#include <string>

namespace pes::pages {

/// One table for each prefix of the keys, in the order of --show-config.
std::string setting_reference();

} // namespace pes::pages

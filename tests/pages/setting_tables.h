// SPDX-License-Identifier: Apache-2.0
// The settings of pes-vp, and what else sets them, as Markdown.
#pragma once

#include <string>

namespace pes::pages {

/// One table for each prefix of the keys, in the order of --show-config.
std::string setting_reference();

/// What becomes of each parameter of a CVA6 package.
std::string package_reference();

} // namespace pes::pages

// SPDX-License-Identifier: Apache-2.0
// Tables of metrics and standard events as Markdown.
#pragma once

#include <string>

namespace pes::pages {

std::string metric_formulas();
std::string top_down_formulas();
std::string standard_events();

} // namespace pes::pages

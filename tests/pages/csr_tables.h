// SPDX-License-Identifier: Apache-2.0
// The hart's CSRs as Markdown.
#pragma once

#include <string>

namespace pes::pages {

std::string hart_csrs();

} // namespace pes::pages

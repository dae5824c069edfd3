// SPDX-License-Identifier: Apache-2.0
// The report for people: one HTML file with its charts inside, readable in light and dark.
#pragma once

#include "tb/lab/results.h"

#include <string>

namespace pes::lab {

/// `title`: of the page.
std::string html_report(const Results& results, const std::string& title);

} // namespace pes::lab

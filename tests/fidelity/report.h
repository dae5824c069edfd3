// SPDX-License-Identifier: Apache-2.0
// The comparison as a page of Markdown; the same comparison gives the same bytes.
#pragma once

#include "tests/fidelity/comparison.h"

#include <span>
#include <string>

namespace pes::fidelity {

std::string markdown_report(std::span<const Comparison> comparisons);

} // namespace pes::fidelity

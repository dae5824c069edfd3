// SPDX-License-Identifier: Apache-2.0
// What the data of a page say that its run has spent, to be compared with those of another page.
#pragma once

#include "platform/profile/comparison.h"

#include <nlohmann/json.hpp>

namespace pes {

using PageJson = nlohmann::ordered_json;

/// Throws a JSON exception for data of another form.
RunCosts costs_of_page(const PageJson& data);

} // namespace pes

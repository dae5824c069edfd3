// SPDX-License-Identifier: Apache-2.0
// The page around the data of a run, as the build has embedded it; empty without its libraries.
#pragma once

#include <string_view>
#include <vector>

namespace pes {

const std::vector<std::string_view>& page_before_data();
const std::vector<std::string_view>& page_behind_data();

} // namespace pes

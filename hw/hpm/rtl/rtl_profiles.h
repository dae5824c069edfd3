// SPDX-License-Identifier: Apache-2.0
// The profiles whose selectors pes_hpm knows. The place in the list is the value of its parameter
// Profile; PES_RTL_PROFILES (CMakeLists.txt) has their names in the same order.
#pragma once

#include "hw/interface/pmu/profile_cva6.h"
#include "hw/interface/pmu/profile_u74.h"

#include <array>

namespace pes {

inline constexpr std::array kRtlProfiles{&kCva6Profile, &kU74Profile};

} // namespace pes

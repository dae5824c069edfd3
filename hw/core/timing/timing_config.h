// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
namespace pes {
struct TimingConfig {};
} // namespace pes

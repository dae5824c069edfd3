// SPDX-License-Identifier: Apache-2.0
// How a method's samples reach memory, which decides what one costs the guest.
#pragma once

#include "platform/sampling/method.h"

#include <string_view>

namespace pes::lab {

/// The name of a delivery in [[deliveries]]; empty: hardware alone delivers, and the guest pays
/// nothing.
std::string_view delivery_of(const SamplingMethod& method);

} // namespace pes::lab

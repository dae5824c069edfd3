// SPDX-License-Identifier: Apache-2.0
// A custom CSR that something outside of the hart listens to. It reads as 0.
#pragma once

#include "hw/common/types.h"

#include <cstdint>

namespace pes {

class CustomCsr {
  public:
    CustomCsr() = default;
    CustomCsr(const CustomCsr&) = delete;
    CustomCsr& operator=(const CustomCsr&) = delete;
    virtual ~CustomCsr() = default;

    /// An instruction has written it. `argument` is x10 as the instruction found it, `at` the cycle
    /// of its retirement.
    virtual void written(std::uint64_t value, std::uint64_t argument, Cycle at) = 0;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Test finisher (sifive,test1): a store to its one register ends the run with an exit code.
// Timing: the run ends after the storing instruction.
#pragma once

#include "hw/common/register_block.h"

#include <cstdint>
#include <functional>

namespace pes {

class Finisher {
  public:
    using ExitHandler = std::function<void(std::uint64_t code)>;

    explicit Finisher(ExitHandler exit);

    RegisterBlock& registers() { return registers_; }

  private:
    void written(std::uint64_t value);

    ExitHandler exit_;
    RegisterBlock registers_;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Test finisher (sifive,test1): a store to its one register ends the run with an exit code.
// Timing: the run ends after the storing instruction.
#pragma once

#include "hw/common/device/device.h"
#include "hw/common/register_block.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace pes {

class Finisher : public Device {
  public:
    using ExitHandler = std::function<void(std::uint64_t code)>;

    explicit Finisher(ExitHandler exit);

    RegisterBlock& registers() override { return registers_; }
    void state(Archive& archive) override { archive(registers_); }

  private:
    std::vector<Register> describe();
    void written(std::uint64_t value);

    ExitHandler exit_;
    RegisterBlock registers_;
};

} // namespace pes

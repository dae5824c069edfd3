// SPDX-License-Identifier: Apache-2.0
// The interrupt outputs of a bank, and since when they are as they are.
#pragma once

#include "hw/common/counter_bank.h"

#include <array>

namespace pes {

class BankLines {
  public:
    const BankInterrupt& operator[](BankLine line) const {
        return lines_[static_cast<unsigned>(line)];
    }
    /// The level from cycle `from` on.
    void set(BankLine line, bool level, Cycle from) {
        BankInterrupt& output = lines_[static_cast<unsigned>(line)];
        if (output.level != level) {
            output = {level, from};
        }
    }

  private:
    std::array<BankInterrupt, kBankLineCount> lines_{};
};

} // namespace pes

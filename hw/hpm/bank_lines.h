// SPDX-License-Identifier: Apache-2.0
// The interrupt outputs of a bank, the cycles of their last changes, and their sinks.
#pragma once

#include "hw/common/counter_bank.h"

#include <array>
#include <vector>

namespace pes {

class BankLines {
  public:
    const BankInterrupt& operator[](BankLine line) const {
        return lines_[static_cast<unsigned>(line)];
    }
    void connect(BankLine line, LevelSink& sink) {
        sinks_[static_cast<unsigned>(line)].push_back(&sink);
    }

    /// The level from cycle `from` on.
    void set(BankLine line, bool level, Cycle from) {
        const auto number = static_cast<unsigned>(line);
        BankInterrupt& output = lines_[number];
        const bool changes = output.level != level;
        if (changes) {
            output = {level, from};
        }
        const bool tells = line == BankLine::Overflow ? level : changes;
        if (tells) {
            for (LevelSink* sink : sinks_[number]) {
                sink->set_level(number, level, from);
            }
        }
    }
    void reset() { lines_ = {}; }
    void state(Archive& archive) {
        for (BankInterrupt& line : lines_) {
            archive(line.level, line.since);
        }
    }

  private:
    std::array<std::vector<LevelSink*>, kBankLineCount> sinks_;
    std::array<BankInterrupt, kBankLineCount> lines_{};
};

} // namespace pes

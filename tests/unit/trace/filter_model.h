// SPDX-License-Identifier: Apache-2.0
// A second model of filters and comparators: register values as a driver would write them, and all
// that a hart has retired, to what is traced. It asks each instruction for itself and looks back
// for latches and traps; it shares no code with hw/trace.
#pragma once

#include "tests/unit/trace/random_program.h"

#include <cstdint>
#include <map>
#include <vector>

namespace pes::trace::test {

class FilterModel {
  public:
    /// By offset in the page of an encoder; what is not listed is 0.
    using Registers = std::map<Address, std::uint32_t>;

    FilterModel(const Registers& registers, const std::vector<Step>& steps)
        : registers_(registers), steps_(steps) {}

    /// By step. A trap counts if the instruction that has retired last does.
    std::vector<bool> traced() const;

  private:
    std::uint64_t field(Address offset, unsigned from, unsigned bits) const;
    std::uint64_t wide(Address low) const;
    bool qualifies(std::size_t step) const;
    bool filter_matches(unsigned filter, std::size_t step) const;
    bool in_matching_trap(unsigned filter, std::size_t step) const;
    bool output(unsigned comparator, std::size_t step) const;
    bool primary(unsigned comparator, std::size_t step) const;
    bool secondary(unsigned comparator, std::size_t step) const;
    std::uint64_t input(std::uint64_t which, std::size_t step) const;

    const Registers registers_;
    const std::vector<Step>& steps_;
};

/// Values for the registers of so many filters and comparators, which fit these steps.
FilterModel::Registers random_filters(std::mt19937_64& random, const std::vector<Step>& steps,
                                      unsigned filters, unsigned comparators);

/// Traps of other causes and with trap values.
void vary_traps(std::mt19937_64& random, std::vector<Step>& steps);

} // namespace pes::trace::test

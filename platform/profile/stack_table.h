// SPDX-License-Identifier: Apache-2.0
// Call stacks, each kept once: samples refer to them by number.
#pragma once

#include "hw/interface/types.h"

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace pes {

class StackTable {
  public:
    using Stack = std::vector<Address>;

    /// Numbers are given in the order in which stacks are first seen, from 0 on.
    std::size_t number_of(Stack stack) {
        const auto [known, added] = numbers_.try_emplace(std::move(stack), stacks_.size());
        if (added) {
            stacks_.push_back(&known->first);
        }
        return known->second;
    }
    const Stack& operator[](std::size_t number) const { return *stacks_[number]; }
    std::size_t size() const { return stacks_.size(); }

  private:
    std::map<Stack, std::size_t> numbers_;
    std::vector<const Stack*> stacks_; ///< keys of the map, which do not move
};

} // namespace pes

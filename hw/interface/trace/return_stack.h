// SPDX-License-Identifier: Apache-2.0
// Return addresses of calls that are open, for history trace with optimisation: a return that goes
// where the stack says is not reported, since a decoder that keeps the same stack knows.
//
// Both sides follow the hints of hw/interface/riscv/instruction_class.h for each retired
// instruction: Call pushes the address behind it, Return pops, ReturnAndCall pops and then pushes.
// Traps leave the stack alone; every synchronising message empties it, so that decoding can begin
// there. A return that is reported pops as well. A decoder may keep more addresses than an encoder,
// never fewer: the one that holds fewer reports more returns.
#pragma once

#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <optional>

namespace pes::trace {

/// `depth` is a power of two. The oldest address is lost when a call nests deeper.
template <std::size_t depth>
class ReturnStack {
    static_assert(depth != 0 && (depth & (depth - 1)) == 0);

  public:
    void push(Address address) {
        addresses_[top_++ % depth] = address;
        held_ = held_ < depth ? held_ + 1 : depth;
    }
    std::optional<Address> pop() {
        if (held_ == 0) {
            return std::nullopt;
        }
        --held_;
        return addresses_[--top_ % depth];
    }
    /// The address that pop() would give.
    std::optional<Address> top() const {
        return held_ == 0 ? std::nullopt : std::optional(addresses_[(top_ - 1) % depth]);
    }
    std::size_t held() const { return held_; }
    void clear() { held_ = 0; }
    template <typename Archive>
    void state(Archive& archive) { ///< of a checkpoint
        archive(addresses_, top_);
        archive.below(held_, depth + 1);
    }

  private:
    std::array<Address, depth> addresses_{};
    std::size_t top_ = 0;
    std::size_t held_ = 0;
};

} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
// The instrumented functions that a hart is in, so that a record of entry or exit can name the
// start of the caller. The compiler tells the address behind the call only.
#pragma once

#include <stdint.h>

namespace pes::perf {

class FunctionStack {
  public:
    static constexpr unsigned kDepth = 128; ///< deeper callers are not known

    /// The start of the function that `function` has been called from; 0 if it is not known.
    uint64_t enter(uint64_t function) {
        const uint64_t caller = top();
        if (depth_ < kDepth) {
            functions_[depth_] = function;
        }
        ++depth_;
        return caller;
    }
    /// The same at its exit. Functions that were left without an exit (longjmp) go with it.
    uint64_t leave(uint64_t function) {
        if (depth_ > kDepth) {
            --depth_; // one of those that are not kept
            return top();
        }
        unsigned depth = depth_;
        while (depth != 0 && functions_[depth - 1] != function) {
            --depth;
        }
        depth_ = depth != 0 ? depth - 1 : depth_; // or it was entered before anybody looked
        return top();
    }

  private:
    uint64_t top() const { return depth_ == 0 || depth_ > kDepth ? 0 : functions_[depth_ - 1]; }

    uint64_t functions_[kDepth] = {};
    unsigned depth_ = 0;
};

} // namespace pes::perf

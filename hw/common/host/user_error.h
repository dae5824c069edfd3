// SPDX-License-Identifier: Apache-2.0
// A mistake of the person at the keyboard: one sentence that names the offending thing, its value
// and what was expected. main() prints it and exits with kUserErrorExit.
#pragma once

#include <stdexcept>

namespace pes {

class UserError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

inline constexpr int kUserErrorExit = 2;

} // namespace pes

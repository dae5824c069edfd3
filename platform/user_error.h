// SPDX-License-Identifier: Apache-2.0
// A mistake of the person at the command line: reported as one sentence, exit code 2.
#pragma once

#include <stdexcept>

namespace pes {

/// Thrown before a run starts, caught in main. The text names the offending thing, its value and
/// what was expected.
class UserError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline constexpr int kUserErrorExit = 2;

} // namespace pes

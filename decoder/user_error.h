// SPDX-License-Identifier: Apache-2.0
// A mistake of the person at the keyboard: one sentence that names what is wrong and what was
// expected. main() prints it and exits with 2.
#pragma once

#include <stdexcept>

namespace pes {

class UserError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

} // namespace pes

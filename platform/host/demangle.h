// SPDX-License-Identifier: Apache-2.0
// The names that people wrote for the symbols of C++.
#pragma once

#include <string>

namespace pes {

/// The symbol itself if it is not mangled.
std::string demangle(const std::string& symbol);

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/host/demangle.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace pes {

std::string demangle(const std::string& symbol) {
    // Only names that begin with _Z are mangled; the demangler would also turn "i" into "int".
    if (!symbol.starts_with("_Z")) {
        return symbol;
    }
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> plain(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && plain ? plain.get() : symbol;
}

} // namespace pes

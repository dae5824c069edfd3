// SPDX-License-Identifier: Apache-2.0
// The commands of gdb's `monitor`: what the platform can tell beyond registers and memory.
#pragma once

#include <string>
#include <string_view>

namespace pes {

class Soc;

class Monitor {
  public:
    explicit Monitor(Soc& soc) : soc_(soc) {}

    /// What to print. `hart` is the one that gdb looks at.
    std::string answer(unsigned hart, std::string_view line);

    /// gdb's addresses of memory are physical ones.
    bool uses_physical() const { return physical_; }

  private:
    std::string help() const;
    std::string cycle(unsigned hart) const;
    std::string set_physical(std::string_view word);

    Soc& soc_;
    bool physical_ = false;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The commands of gdb's `monitor`: what the platform can tell beyond registers and memory.
#pragma once

#include "hw/interface/types.h"

#include <functional>
#include <string>
#include <string_view>

namespace pes {

class Soc;

/// What a debugger gets from the run around the platform.
struct DebugHooks {
    /// Called each time that the platform stands still.
    std::function<void()> before_stop;
    /// "main+0x1c"; empty if unknown.
    std::function<std::string(Address)> name_of_pc;
    /// Saves the platform before the next instruction of the hart; returns a sentence.
    std::function<std::string(unsigned hart, const std::string& file)> save;
    /// Why the run cannot go back, as a sentence; empty: it can.
    std::string no_way_back{};
};

class Monitor {
  public:
    Monitor(Soc& soc, const DebugHooks& hooks) : soc_(soc), hooks_(hooks) {}

    /// What to print. `hart` is the one that gdb looks at.
    std::string answer(unsigned hart, std::string_view line);

    /// gdb's addresses of memory are physical ones.
    bool uses_physical() const { return physical_; }
    void use_physical(bool physical) { physical_ = physical; }

  private:
    std::string cycle(unsigned hart, std::string_view word);
    std::string counters(unsigned hart, std::string_view word);
    std::string truth(unsigned hart, std::string_view word);
    std::string checkpoint(unsigned hart, std::string_view word);
    std::string set_physical(unsigned hart, std::string_view word);
    std::string help(unsigned hart, std::string_view word);

    struct Command {
        std::string_view name;
        std::string_view usage;
        std::string_view meaning;
        std::string (Monitor::*run)(unsigned hart, std::string_view word);
    };
    static const Command kCommands[];

    Soc& soc_;
    const DebugHooks& hooks_;
    bool physical_ = false;
};

} // namespace pes

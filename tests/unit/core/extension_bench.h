// SPDX-License-Identifier: Apache-2.0
// A hart with optional extensions, and whether an instruction is legal in a mode.
#pragma once

#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/bare_machine.h"

namespace pes::test {

inline constexpr Privilege kModes[] = {Privilege::User, Privilege::Supervisor, Privilege::Machine};
inline constexpr std::uint64_t kAll = ~std::uint64_t{0};

class ExtensionBench : public BareMachine {
  public:
    explicit ExtensionBench(const Extensions& extensions, const CounterConfig& counters = {})
        : BareMachine(config(extensions), std::make_unique<TlmCounterBank>(counters)) {
        open_protection();
        stop_at_traps();
    }
    /// On a fresh bench: `word` in `mode` is an illegal instruction.
    bool is_illegal(Privilege mode, Word word) {
        execute_in(mode, {word});
        return trap() && trap()->cause == static_cast<std::uint64_t>(Cause::IllegalInstruction) &&
               trap()->tval == word;
    }

  private:
    static HartConfig config(const Extensions& extensions) {
        HartConfig config = default_config();
        config.extensions = extensions;
        return config;
    }
};

} // namespace pes::test

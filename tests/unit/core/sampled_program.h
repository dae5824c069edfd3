// SPDX-License-Identifier: Apache-2.0
// User programs that are sampled with Sspesa or Ssplcofi, by the hart's own handler.
#pragma once

#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/bare_machine.h"
#include "tests/unit/core/hart_life.h"

#include <memory>
#include <random>
#include <vector>

namespace pes::test {

inline constexpr std::uint64_t kInstructions = 24; ///< selector of Sscofpmf's own
inline constexpr Extensions kSspesa{.sspesa = true};
inline constexpr Extensions kSsplcofi{.sspesa = true, .ssplcofi = true};

/// What the handler stores of each sample.
struct Sample {
    Address epc = 0;
    Address pc = 0;
    std::uint64_t counter = 0;
    Address data = 0;

    bool operator==(const Sample&) const = default;
};

enum class Way : std::uint8_t { Overflow, Threshold };

struct Plan {
    Extensions extensions = kSspesa;
    std::uint64_t selector = kInstructions;
    std::uint64_t period = 100;
    Way way = Way::Overflow;
    ExecutionPath path = ExecutionPath::Step;
};

/// A user program whose counter 3 asks for an interrupt every period; user mode alone counts. The
/// handler stores a sample and arms the counter anew; it passes over other traps.
class Sampled : public BareMachine {
  public:
    explicit Sampled(const Plan& plan,
                     std::unique_ptr<CounterBank> bank = std::make_unique<TlmCounterBank>());

    void run_in_user_mode(const std::vector<Word>& words);
    std::vector<Sample> samples() const;

  private:
    static HartConfig config(const Plan& plan);
};

/// Plain instructions, and now and then a trap; behind them a load that misses, and a branch that
/// nobody can predict.
std::vector<Word> random_sampled_program(std::mt19937& random);

/// Registers that it uses.
void prepare(Sampled& machine);

} // namespace pes::test

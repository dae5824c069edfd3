// SPDX-License-Identifier: Apache-2.0
// What trace costs the simulation, and how fast it is decoded (docs/performance.md, Trace).
#pragma once

#include "tests/bench/contender.h"

namespace pes::bench {

class TraceMeasurement {
  public:
    explicit TraceMeasurement(const Settings& settings);

    /// All commands once.
    void take_turn();
    /// `empty`: the empty program on the platform as it is.
    TraceResults results(const Contender& empty) const;

  private:
    struct Program {
        Program(const Settings& settings, const ScratchDirectory& scratch, const char* name);

        const char* name;
        Contender no_blocks, idle, timer, six_records, one_records, branch, history;
    };

    ProgramTrace result(const Program& program, const Contender& empty) const;

    ScratchDirectory scratch_;
    Contender empty_without_blocks_;
    std::vector<Program> programs_;
};

} // namespace pes::bench

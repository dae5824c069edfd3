// SPDX-License-Identifier: Apache-2.0
// The wave group "commit": what retires on each of the two commit ports, and the traps.
// Timing: a port's signals hold in the cycle of retirement, trap_valid in the cycle in which a trap
// is taken; mepc_q and mcause_q are registers and show a trap taken in cycle T from T + 1 on. What
// software writes to them is not shown. The function is that of the youngest instruction that has
// retired.
#pragma once

#include "hw/common/archive.h"
#include "hw/common/retirement.h"
#include "hw/common/wave.h"
#include "platform/soc/waves/function_names.h"

#include <array>
#include <memory>

namespace pes {

class CommitWave : public HartObserver {
  public:
    static constexpr const char* kGroup = "commit";

    /// Without `functions`, their names are not shown.
    CommitWave(WaveSink& sink, std::string_view scope,
               std::shared_ptr<FunctionNames> functions = nullptr);

    void retired(const Retirement& retirement) override;
    void trapped(const TrapTaken& trap) override;
    void state(Archive& archive); ///< of a checkpoint

  private:
    static constexpr unsigned kPorts = 2; // CVA6 retires at most two instructions a cycle

    struct Port {
        SignalId valid, pc, instruction;
    };

    WaveSink& sink_;
    std::array<Port, kPorts> ports_{};
    SignalId privilege_;
    SignalId mepc_;
    SignalId mcause_;
    SignalId trap_valid_{};
    std::shared_ptr<FunctionNames> functions_; ///< null: not shown
    SignalId function_{};
    Cycle last_cycle_ = kNever;
    unsigned next_port_ = 0;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/commit_wave.h"

#include <string>
#include <utility>

namespace pes {

CommitWave::CommitWave(WaveSink& sink, std::string_view scope,
                       std::shared_ptr<FunctionNames> functions)
    : sink_(sink), privilege_(sink.declare(kGroup, scope, "priv_lvl_q", 2,
                                           static_cast<std::uint64_t>(Privilege::Machine))),
      mepc_(sink.declare(kGroup, scope, "mepc_q", 64, 0)),
      mcause_(sink.declare(kGroup, scope, "mcause_q", 64, 0)), functions_(std::move(functions)) {
    for (unsigned index = 0; index < kPorts; ++index) {
        const std::string suffix = std::string("(").append(std::to_string(index)).append(")");
        ports_[index] = {sink.declare(kGroup, scope, "commit_valid" + suffix, 1, 0),
                         sink.declare(kGroup, scope, "commit_pc" + suffix, 64, 0),
                         sink.declare(kGroup, scope, "commit_instr" + suffix, 32, 0)};
    }
    trap_valid_ = sink.declare(kGroup, scope, "trap_valid", 1, 0);
    if (functions_) {
        function_ =
            sink.declare_text(kGroup, scope, "function", functions_, FunctionNames::kOutside);
    }
}

void CommitWave::retired(const Retirement& retirement) {
    // One cycle of margin: the falling edge of `valid` may be inside although the rise is not.
    if (retirement.cycle + 1 < sink_.window_from() || retirement.cycle >= sink_.window_to()) {
        return;
    }
    next_port_ = retirement.cycle == last_cycle_ ? (next_port_ + 1) % kPorts : 0;
    last_cycle_ = retirement.cycle;
    const Port& port = ports_[next_port_];
    sink_.change(port.valid, retirement.cycle, 1);
    sink_.change(port.valid, retirement.cycle + 1, 0); // replaced if the next cycle retires too
    sink_.change(port.pc, retirement.cycle, retirement.pc);
    sink_.change(port.instruction, retirement.cycle, retirement.raw);
    sink_.change(privilege_, retirement.cycle, static_cast<std::uint64_t>(retirement.privilege));
    if (functions_) {
        sink_.change(function_, retirement.cycle, functions_->number_of(retirement.pc));
    }
}

void CommitWave::trapped(const TrapTaken& trap) {
    sink_.change(trap_valid_, trap.cycle, 1);
    sink_.change(trap_valid_, trap.cycle + 1, 0);
    if (trap.to == Privilege::Machine) {
        sink_.change(mepc_, trap.cycle + 1, trap.epc);
        sink_.change(mcause_, trap.cycle + 1, trap.cause);
    }
    sink_.change(privilege_, trap.cycle + 1, static_cast<std::uint64_t>(trap.to));
}

/// All harts have the same functions.
void CommitWave::state(Archive& archive) {
    archive(last_cycle_);
    archive.below(next_port_, kPorts);
    if (functions_) {
        archive(*functions_);
    }
}

} // namespace pes

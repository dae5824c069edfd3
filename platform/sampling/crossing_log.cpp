// SPDX-License-Identifier: Apache-2.0
#include "platform/sampling/crossing_log.h"

#include "platform/host/user_error.h"
#include "platform/soc/privilege_letter.h"

#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

bool delivers(unsigned cause, Crossing::Kind kind) {
    const auto is = [cause](Interrupt line) { return cause == static_cast<unsigned>(line); };
    return kind == Crossing::Kind::Overflow
               ? is(Interrupt::CounterOverflow)
               : is(Interrupt::SupervisorExternal) || is(Interrupt::MachineExternal);
}

std::string place(const SeenInstruction& instruction) {
    const TruthTable::Key& key = instruction.key;
    return fmt::format("{},{},{:#x},{:#x}", instruction.number, letter_of(key.context.privilege),
                       key.context.satp, key.pc);
}

} // namespace

CounterBank& CrossingLog::wrap(CounterBank& seen, HpmBank& guest) {
    if (!guest.watch_crossings(*this)) {
        throw UserError("--crossings needs counters that the platform can look into, expected "
                        "--counters tlm or lockstep");
    }
    return seen;
}

void CrossingLog::attach(Hart& hart) {
    hart_ = &hart;
    hart.tell_of_interrupts(*this);
}

void CrossingLog::crossed(const Crossing& crossing) {
    const std::size_t number = lines_.size();
    lines_.push_back({.crossing = crossing});
    std::optional<Interrupt>& last = last_[static_cast<std::size_t>(crossing.kind)];
    if (last && last->cycle >= crossing.cycle) {
        lines_.back().interrupt = last; // told of after the interrupt whose handler finds it
    } else {
        pending_.push_back(number);
    }
    if (crossing.sources.any()) {
        hart_->ask({.sight = Sight::Cause,
                    .cycle = crossing.cycle,
                    .sources = crossing.sources,
                    .beyond = crossing.sources.has(Event::Cycles) ? 1 : crossing.beyond,
                    .sink = this,
                    .tag = number});
    }
}

void CrossingLog::seen(std::uint64_t tag, const SeenInstruction* instruction) {
    if (instruction != nullptr) {
        lines_[tag].cause = *instruction;
    }
}

void CrossingLog::interrupted(unsigned cause, Cycle cycle, const SeenInstruction& squashed) {
    for (const Crossing::Kind kind : {Crossing::Kind::Threshold, Crossing::Kind::Overflow}) {
        if (delivers(cause, kind)) {
            last_[static_cast<std::size_t>(kind)] = {.cycle = cycle, .squashed = squashed};
        }
    }
    std::erase_if(pending_, [&](std::size_t number) {
        Line& line = lines_[number];
        if (!delivers(cause, line.crossing.kind)) {
            return false;
        }
        line.interrupt = {.cycle = cycle, .squashed = squashed};
        return true;
    });
}

std::string CrossingLog::csv(unsigned hart) const {
    std::string text = "hart,counter,kind,event,cycle,instret,privilege,satp,pc,trap_cycle,"
                       "trap_instret,trap_privilege,trap_satp,trap_pc\n";
    for (const Line& line : lines_) {
        const Crossing& crossing = line.crossing;
        text += fmt::format("{},{},{},{:#x},{},", hart, crossing.counter, to_string(crossing.kind),
                            crossing.selector, crossing.cycle);
        text += line.cause ? place(*line.cause) : ",,,";
        text += line.interrupt ? fmt::format(",{},{}\n", line.interrupt->cycle,
                                             place(line.interrupt->squashed))
                               : ",,,,,\n";
    }
    return text;
}

} // namespace pes

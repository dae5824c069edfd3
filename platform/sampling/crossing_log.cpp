// SPDX-License-Identifier: Apache-2.0
#include "platform/sampling/crossing_log.h"

#include "platform/host/user_error.h"
#include "platform/soc/outputs/privilege_letter.h"

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

CrossingLog::CrossingLog(unsigned hart, OutputFile& file) : number_(hart), file_(file) {
    file.write("hart,counter,kind,event,cycle,instret,privilege,satp,pc,trap_cycle,"
               "trap_instret,trap_privilege,trap_satp,trap_pc\n");
}

CounterBank& CrossingLog::wrap(CounterBank& seen, HpmBank& guest) {
    if (!guest.watch_crossings(*this)) {
        throw UserError("--crossings needs counters that the platform can look into, expected "
                        "--counters tlm or lockstep");
    }
    return seen;
}

void CrossingLog::attach(Hart& hart) {
    hart_ = &hart;
    hart.connect(*this);
    hart.tell_of_interrupts(*this);
}

void CrossingLog::state(Archive& archive) {
    archive(written_, lines_, pending_, last_);
    for (const std::uint64_t number : pending_) {
        if (number < written_ || number - written_ >= lines_.size()) {
            archive.refuse("a value is out of its range");
        }
    }
}

void CrossingLog::crossed(const Crossing& crossing) {
    if (lines_.size() >= kMostWaiting) {
        write_first();
    }
    const std::uint64_t number = written_ + lines_.size();
    lines_.push_back({.crossing = crossing, .asks = crossing.sources.any()});
    std::optional<CrossingInterrupt>& last = last_[static_cast<std::size_t>(crossing.kind)];
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
    write_complete();
}

void CrossingLog::seen(std::uint64_t tag, const SeenInstruction* instruction) {
    if (tag < written_ || tag - written_ >= lines_.size()) {
        return; // written without its cause
    }
    line(tag).asks = false;
    if (instruction != nullptr) {
        line(tag).cause = *instruction;
    }
    write_complete();
}

void CrossingLog::interrupted(unsigned cause, Cycle cycle, const SeenInstruction& squashed) {
    for (const Crossing::Kind kind : {Crossing::Kind::Threshold, Crossing::Kind::Overflow}) {
        if (delivers(cause, kind)) {
            last_[static_cast<std::size_t>(kind)] = {.cycle = cycle, .squashed = squashed};
        }
    }
    std::erase_if(pending_, [&](std::uint64_t number) {
        if (!delivers(cause, line(number).crossing.kind)) {
            return false;
        }
        line(number).interrupt = {.cycle = cycle, .squashed = squashed};
        return true;
    });
    write_complete();
}

void CrossingLog::write_complete() {
    while (!lines_.empty() && lines_.front().interrupt && !lines_.front().asks) {
        write_first();
    }
}

void CrossingLog::write_first() {
    const Line& line = lines_.front();
    const Crossing& crossing = line.crossing;
    std::string text = fmt::format("{},{},{},{:#x},{},", number_, crossing.counter,
                                   to_string(crossing.kind), crossing.selector, crossing.cycle);
    text += line.cause ? place(*line.cause) : ",,,";
    text += line.interrupt
                ? fmt::format(",{},{}\n", line.interrupt->cycle, place(line.interrupt->squashed))
                : ",,,,,\n";
    file_.write(text);
    lines_.pop_front();
    std::erase(pending_, written_);
    ++written_;
}

void CrossingLog::finish() {
    while (!lines_.empty()) {
        write_first();
    }
}

} // namespace pes

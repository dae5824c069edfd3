// SPDX-License-Identifier: Apache-2.0
#include "hw/core/truth/instruction_window.h"

#include <utility>

namespace pes {

namespace {

/// Sources that are not pulsed: their owners are known otherwise.
constexpr EventMask kNoPulses = event_bit(Event::Cycles) | event_bit(Event::Instructions);

} // namespace

void InstructionWindow::begin(const TruthTable::Key& key) {
    in_hand_ = {.key = key, .number = number_};
}

void InstructionWindow::decoded(Cycle cycle) {
    in_hand_.decode = cycle;
    decoded_.push(in_hand_);
    look_again();
}

void InstructionWindow::retired(Cycle cycle) {
    in_hand_.retired = cycle;
    last_ = in_hand_;
    retired_.push(in_hand_);
    ++number_;
    look_again();
}

void InstructionWindow::trapped() {
    last_ = in_hand_;
}

void InstructionWindow::interrupted(unsigned cause, Cycle cycle) const {
    for (InterruptSink* sink : interrupt_sinks_) {
        sink->interrupted(cause, cycle, seen(in_hand_));
    }
}

void InstructionWindow::charged(Owner owner, Cycle from, Cycle to) {
    cycles_.push({.owner = owner_of(owner), .event = Event::Cycles, .from = from, .to = to});
}

void InstructionWindow::pulsed(Owner owner, Event event, Cycle from, Cycle to) {
    pulses_.push({.owner = owner_of(owner), .event = event, .from = from, .to = to});
}

bool InstructionWindow::resume(std::uint64_t number, const TruthTable::Context& context,
                               std::span<const RunInstruction> last) {
    if (number == number_) {
        return false;
    }
    std::uint64_t next = number - last.size();
    for (const RunInstruction& instruction : last) {
        if (next >= number_) {
            last_ = {.key = {.context = context, .pc = instruction.pc},
                     .number = next,
                     .decode = instruction.decode,
                     .retired = instruction.retired};
            decoded_.push(last_);
            retired_.push(last_);
        }
        ++next;
    }
    number_ = number;
    return true;
}

void InstructionWindow::ask(const SightQuestion& question) {
    Entry found;
    const Answer kind = look(question, found);
    if (kind == Answer::Later) {
        waiting_.push_back(question);
    } else {
        answer(question, kind, found);
    }
}

void InstructionWindow::finish() {
    // An answer may ask again.
    for (const SightQuestion& question : std::exchange(waiting_, {})) {
        answer(question, Answer::Unknown, {});
    }
}

void InstructionWindow::look_again() {
    if (waiting_.empty()) [[likely]] {
        return;
    }
    for (const SightQuestion& question : std::exchange(waiting_, {})) {
        ask(question);
    }
}

void InstructionWindow::answer(const SightQuestion& question, Answer kind,
                               const Entry& found) const {
    if (kind != Answer::Found) {
        question.sink->seen(question.tag, nullptr);
        return;
    }
    const SeenInstruction instruction = seen(found);
    question.sink->seen(question.tag, &instruction);
}

InstructionWindow::Answer InstructionWindow::look(const SightQuestion& question,
                                                  Entry& found) const {
    switch (question.sight) {
    case Sight::Cause:
        return look_for_cause(question, found);
    case Sight::LastRetired:
    case Sight::NextRetired:
        return look_for_retired(question, found);
    case Sight::Decoded:
        break;
    }
    const bool reached = !decoded_.empty() && decoded_[0].decode >= question.cycle;
    if (!reached) {
        return Answer::Later;
    }
    for (std::size_t age = 0; age < decoded_.size() && decoded_[age].decode >= question.cycle;
         ++age) {
        found = decoded_[age];
    }
    return Answer::Found;
}

InstructionWindow::Answer InstructionWindow::look_for_retired(const SightQuestion& question,
                                                              Entry& found) const {
    std::size_t age = 0;
    for (; age < retired_.size() && retired_[age].retired > question.cycle; ++age) {
        found = retired_[age];
    }
    if (question.sight == Sight::NextRetired) {
        return age != 0 ? Answer::Found : Answer::Later;
    }
    if (age == retired_.size()) {
        return Answer::Unknown;
    }
    found = retired_[age];
    return Answer::Found;
}

/// Of the instructions that retire in the cycle, the one with this number of younger ones; or null.
const InstructionWindow::Entry* InstructionWindow::retired_in(Cycle cycle, unsigned younger) const {
    for (std::size_t age = 0; age < retired_.size(); ++age) {
        if (retired_[age].retired == cycle && younger-- == 0) {
            return &retired_[age];
        }
    }
    return nullptr;
}

InstructionWindow::Answer InstructionWindow::look_for_cause(const SightQuestion& question,
                                                            Entry& found) const {
    const auto inside = [&question](const Owned& owned) {
        return owned.from <= question.cycle && question.cycle < owned.to;
    };
    if (question.sources.has(Event::Instructions)) {
        if (const Entry* entry = retired_in(question.cycle, question.beyond)) {
            found = *entry;
            return Answer::Found;
        }
    }
    // A source counts once in a cycle: for the oldest of those who pulse it.
    const bool pulsed = (question.sources - kNoPulses).any();
    for (std::size_t age = pulsed ? pulses_.size() : 0; age-- != 0;) {
        if (question.sources.has(pulses_[age].event) && inside(pulses_[age])) {
            found = pulses_[age].owner;
            return Answer::Found;
        }
    }
    if (!question.sources.has(Event::Cycles)) {
        return Answer::Unknown;
    }
    for (std::size_t age = 0; age < cycles_.size(); ++age) {
        if (inside(cycles_[age])) {
            const Entry* younger = question.beyond == 0 ? retired_in(question.cycle, 0) : nullptr;
            found = younger != nullptr ? *younger : cycles_[age].owner;
            return Answer::Found;
        }
    }
    const bool charged = !cycles_.empty() && question.cycle < cycles_[0].to;
    return charged ? Answer::Unknown : Answer::Later;
}

} // namespace pes

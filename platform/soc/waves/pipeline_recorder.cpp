// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/pipeline_recorder.h"

#include "platform/host/numbers.h"

#include <algorithm>
#include <utility>

namespace pes {
namespace {

constexpr std::uint64_t kInterrupt = std::uint64_t{1} << 63;

/// What each wait has cost on its own, in pipeline order, and how long older instructions keep it
/// from retiring. waits.h says how they are noted; the cycles of Base are those of every
/// instruction, or of the queue, which has a stage.
std::string text_of(const Passage& passage) {
    std::string text;
    const auto add = [&text](const char* reason, Cycle cycles) {
        text += (text.empty() ? "" : ", ") + std::string(reason) + " " + std::to_string(cycles);
    };
    Cycle until = passage.waits.empty() ? passage.ended : passage.waits.front().until;
    for (const Wait& wait : passage.waits) {
        if (wait.reason != CycleReason::Base && wait.until > until) {
            add(to_string(wait.reason), wait.until - until);
        }
        until = std::max(until, wait.until);
    }
    if (passage.ended > passage.ready) {
        add("order", passage.ended - passage.ready);
    }
    return text.empty() ? "no waits" : "waits: " + text;
}

const char* name_of(Privilege privilege) {
    switch (privilege) {
    case Privilege::User:
        return "user mode";
    case Privilege::Supervisor:
        return "supervisor mode";
    case Privilege::Machine:
        break;
    }
    return "machine mode";
}

std::string cause_of(const TrapTaken& trap) {
    return (trap.cause & kInterrupt) != 0
               ? "interrupt " + std::to_string(trap.cause & ~kInterrupt)
               : "exception " + std::to_string(trap.cause) + ", tval " + hex(trap.tval);
}

} // namespace

PipelineRecorder::PipelineRecorder(unsigned hart, PipelineLog& log,
                                   trace::Disassembler* disassembler, const PipelineWindow& window)
    : index_(hart), log_(log), disassembler_(disassembler), window_(window) {}

CounterBank& PipelineRecorder::wrap(CounterBank& seen, HpmBank& /*guest*/) {
    return seen;
}

void PipelineRecorder::attach(Hart& hart) {
    hart_ = &hart;
    hart.watch_pipeline(*this, *this, window_.from - std::min(window_.from, window_.lead));
}

/// The first one may have been fetched before anybody noted when.
void PipelineRecorder::passed(const Passage& passage) {
    complete_ = passage.offered != 0;
    known_ = {.thread = index_,
              .fetched = std::max(passage.requested, last_start_),
              .offered = passage.offered,
              .decode = passage.decode,
              .issue = passage.issue,
              .request = passage.request,
              .complete = passage.ready};
    registers_ = passage.registers;
    waits_ = text_of(passage);
}

void PipelineRecorder::discarded(const DiscardedPassage& passage) {
    discarded_.push_back(passage);
}

void PipelineRecorder::retired(const Retirement& retirement) {
    if (complete_) {
        known_.pc = retirement.pc;
        known_.raw = retirement.raw;
        known_.detail = std::string(name_of(retirement.privilege)) + "; " + waits_;
        known_.last = retirement.cycle;
        add(std::move(known_), registers_, writers_);
    } else {
        writers_ = {}; // what it writes is not known
    }
    add_discarded(retirement.pc, writers_);
}

/// What traps has no result, but those behind it may have been promised one.
void PipelineRecorder::trapped(const TrapTaken& trap) {
    Writers writers = writers_;
    if (complete_) {
        known_.pc = trap.epc;
        known_.raw = hart_->word_in_decode();
        known_.detail = std::string(name_of(trap.from)) + "; " + cause_of(trap) + "; " + waits_;
        known_.last = trap.cycle;
        known_.how = LoggedInstruction::End::Flushed;
        add(std::move(known_), registers_, writers);
    }
    add_discarded(trap.epc, writers);
}

/// A result of one of them is never in the registers.
void PipelineRecorder::add_discarded(Address cause, const Writers& behind) {
    Writers writers = discarded_.empty() ? Writers() : behind;
    for (const DiscardedPassage& passage : discarded_) {
        const bool issues = passage.issue < passage.flush;
        add({.thread = index_,
             .pc = passage.pc,
             .raw = passage.raw,
             .detail = "thrown away behind " + hex(cause),
             .fetched = std::max(passage.requested, last_start_),
             .offered = passage.offered,
             .decode = passage.decode,
             .issue = issues ? passage.issue : kNever,
             .last = passage.flush,
             .how = LoggedInstruction::End::Flushed},
            issues ? passage.registers : PassageRegisters(), writers);
    }
    discarded_.clear();
    complete_ = false;
}

/// An operand comes from the pipeline if the instruction that writes it is still there in the cycle
/// of the issue, else from the registers.
void PipelineRecorder::find_producers(const Writers& writers, const PassageRegisters& registers,
                                      LoggedInstruction& instruction) const {
    for (const RegisterIndex index : registers.read) {
        const Writer& writer = writers[index];
        if (index == kNoRegister || !writer.logged || writer.last < instruction.issue) {
            continue;
        }
        if (std::ranges::find(instruction.producers, writer.instruction) ==
            instruction.producers.end()) {
            instruction.producers.push_back(writer.instruction);
        }
    }
    if (registers.awaited != kNoRegister && writers[registers.awaited].seen) {
        instruction.detail += "; last operand from " + hex(writers[registers.awaited].pc);
    }
}

void PipelineRecorder::add(LoggedInstruction instruction, const PassageRegisters& registers,
                           Writers& writers) {
    last_start_ = instruction.fetched;
    if (last_start_ >= window_.to) {
        leave();
    }
    if (hart_ == nullptr) {
        return;
    }
    find_producers(writers, registers, instruction);
    Writer written{.pc = instruction.pc, .last = instruction.last, .seen = true};
    if (instruction.last >= window_.from) {
        if (disassembler_ != nullptr) {
            instruction.text = instruction.raw
                                   ? disassembler_->text(instruction.pc, *instruction.raw)
                                   : kNotFetched;
        }
        written.instruction = log_.add(std::move(instruction));
        written.logged = true;
    }
    if (registers.written != kSinkRegister) {
        writers[registers.written] = std::move(written);
    }
}

/// Everything that follows is fetched later.
void PipelineRecorder::leave() {
    if (hart_ != nullptr) {
        hart_->leave_pipeline(*this);
        log_.end(index_);
        hart_ = nullptr;
    }
}

} // namespace pes

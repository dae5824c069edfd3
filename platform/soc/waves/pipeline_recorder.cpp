// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/pipeline_recorder.h"

#include "platform/host/numbers.h"

#include <algorithm>
#include <utility>

namespace pes {
namespace {

constexpr std::uint64_t kInterrupt = std::uint64_t{1} << 63;

/// A stage that the instruction has left in the cycle in which it came is not shown.
void enter(std::vector<KanataInstruction::Stage>& stages, Cycle from, const char* name) {
    while (!stages.empty() && stages.back().from >= from) {
        stages.pop_back();
    }
    stages.push_back({.from = from, .name = name});
}

/// Common to all: up to issue.
std::vector<KanataInstruction::Stage> front(Cycle requested, Cycle offered, Cycle decode,
                                            Cycle end) {
    std::vector<KanataInstruction::Stage> stages{{.from = requested, .name = "F"}};
    enter(stages, offered, "Q");
    enter(stages, decode, "Dc");
    if (decode + 1 <= end) {
        enter(stages, decode + 1, "Is");
    }
    return stages;
}

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

PipelineRecorder::PipelineRecorder(unsigned hart, KanataWriter& writer,
                                   trace::Disassembler& disassembler, const PipelineWindow& window)
    : index_(hart), writer_(writer), disassembler_(disassembler), window_(window) {}

CounterBank& PipelineRecorder::wrap(CounterBank& seen, HpmBank& /*guest*/) {
    return seen;
}

void PipelineRecorder::attach(Hart& hart) {
    hart_ = &hart;
    hart.watch_pipeline(*this, *this, window_.from - std::min(window_.from, window_.lead));
}

std::string PipelineRecorder::label(Address pc, std::optional<std::uint32_t> raw) {
    return hex(pc) + ": " + (raw ? disassembler_.text(pc, *raw) : "(not fetched)");
}

/// The first one may have been fetched before anybody noted when.
void PipelineRecorder::passed(const Passage& passage) {
    known_.complete = passage.offered != 0;
    known_.stages = front(std::max(passage.requested, last_start_), passage.offered, passage.decode,
                          passage.ended);
    if (passage.issue < passage.ended) {
        enter(known_.stages, passage.issue + 1, "Ex");
    }
    if (passage.request && *passage.request > passage.issue) {
        enter(known_.stages, *passage.request, "Me");
    }
    if (passage.ready < passage.ended) {
        enter(known_.stages, passage.ready, "Wt");
    }
    known_.ended = passage.ended;
    known_.waits = text_of(passage);
}

void PipelineRecorder::discarded(const DiscardedPassage& passage) {
    discarded_.push_back(passage);
}

void PipelineRecorder::retired(const Retirement& retirement) {
    if (known_.complete) {
        enter(known_.stages, retirement.cycle, "Cm");
        add({.thread = index_,
             .label = label(retirement.pc, retirement.raw),
             .detail = std::string(name_of(retirement.privilege)) + "; " + known_.waits,
             .stages = std::move(known_.stages),
             .end = retirement.cycle + 1});
    }
    add_discarded(retirement.pc);
}

void PipelineRecorder::trapped(const TrapTaken& trap) {
    if (known_.complete) {
        add({.thread = index_,
             .label = label(trap.epc, hart_->word_in_decode()),
             .detail =
                 std::string(name_of(trap.from)) + "; " + cause_of(trap) + "; " + known_.waits,
             .stages = std::move(known_.stages),
             .end = trap.cycle + 1,
             .how = KanataInstruction::End::Flushed});
    }
    add_discarded(trap.epc);
}

void PipelineRecorder::add_discarded(Address cause) {
    for (const DiscardedPassage& passage : discarded_) {
        Stages stages = front(std::max(passage.requested, last_start_), passage.offered,
                              passage.decode, passage.flush);
        if (passage.issue < passage.flush) {
            enter(stages, passage.issue + 1, "Ex");
        }
        add({.thread = index_,
             .label = label(passage.pc, passage.raw),
             .detail = "thrown away behind " + hex(cause),
             .stages = std::move(stages),
             .end = passage.flush + 1,
             .how = KanataInstruction::End::Flushed});
    }
    discarded_.clear();
    known_.complete = false;
}

void PipelineRecorder::add(KanataInstruction instruction) {
    last_start_ = instruction.stages.front().from;
    if (last_start_ >= window_.to) {
        leave();
    } else if (instruction.end > window_.from) {
        writer_.add(std::move(instruction));
    }
}

/// Everything that follows is fetched later.
void PipelineRecorder::leave() {
    if (hart_ != nullptr) {
        hart_->leave_pipeline(*this);
        writer_.end(index_);
        hart_ = nullptr;
    }
}

} // namespace pes

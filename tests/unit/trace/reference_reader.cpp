// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/trace/reference_reader.h"

#include "hw/interface/riscv/instruction_class.h"

#include <bit>
#include <sstream>

namespace pes::trace::test {

void ReferenceReader::fail(const std::string& what) {
    if (mistake_.empty()) {
        std::ostringstream text;
        text << what << " at 0x" << std::hex << pc_;
        mistake_ = text.str();
    }
}

void ReferenceReader::lose() {
    pc_ = 0;
    reference_ = 0;
    units_ = 0;
    history_.clear();
    calls_.clear();
    branch_.reset();
}

/// The highest bit is the stop bit, the oldest branch is behind it.
void ReferenceReader::add_history(std::uint64_t history) {
    for (std::uint64_t bit = std::bit_floor(history) >> 1; bit != 0; bit >>= 1) {
        history_.push_back((history & bit) != 0);
    }
}

void ReferenceReader::read(const TraceMessage& message) {
    switch (message.code) {
    case MessageCode::Error:
        lose();
        return;
    case MessageCode::Ownership:
        return;
    case MessageCode::ResourceFull: {
        const std::uint64_t data = message.value(Field::ResourceData);
        switch (static_cast<Resource>(message.value(Field::ResourceCode))) {
        case Resource::InstructionCount:
            units_ += data;
            return;
        case Resource::History:
            add_history(data);
            return;
        case Resource::Taken:
            history_.insert(history_.end(), data, true);
            return;
        case Resource::NotTaken:
            history_.insert(history_.end(), data, false);
            return;
        case Resource::HistoryRepeat:
            for (std::uint64_t left = message.value(Field::HistoryRepeat); left > 0; --left) {
                add_history(data);
            }
            return;
        default:
            fail("unexpected RCODE");
            return;
        }
    }
    case MessageCode::RepeatBranch:
        if (!branch_) {
            fail("no branch message to repeat");
            return;
        }
        for (std::uint64_t left = message.value(Field::BranchCount); left > 0; --left) {
            play(*branch_);
        }
        return;
    default:
        break;
    }
    branch_.reset();
    if (message.code == MessageCode::DirectBranch || message.code == MessageCode::IndirectBranch) {
        branch_ = message;
    }
    play(message);
}

void ReferenceReader::play(const TraceMessage& message) {
    const bool history = message.has(Field::History);
    if (history) {
        add_history(message.value(Field::History));
    }
    const bool direct =
        message.code == MessageCode::DirectBranch || message.code == MessageCode::DirectBranchSync;
    walk(units_ + message.value(Field::InstructionCount), history  ? LastBranch::InHistory
                                                          : direct ? LastBranch::Taken
                                                                   : LastBranch::NotTaken);
    units_ = 0;
    if (!message.has(Field::Address)) {
        return;
    }
    const std::uint64_t field = message.value(Field::Address) << 1;
    if (message.has(Field::SyncReason)) {
        const bool known_better = direct && pc_ != 0 && pc_ != field;
        reference_ = field;
        calls_.clear();
        if (known_better) {
            fail("F-ADDR of a direct branch is not its target");
        }
    } else {
        reference_ ^= field;
    }
    pc_ = reference_;
}

void ReferenceReader::walk(std::uint64_t units, LastBranch last) {
    if (pc_ == 0) { // not synchronised: what it counts is of before
        history_.clear();
        return;
    }
    while (units > 0 && mistake_.empty()) {
        const auto place = code_.find(pc_);
        if (place == code_.end()) {
            fail("no instruction");
            return;
        }
        const unsigned own = instruction_length(place->second) / 2;
        if (own > units) {
            fail("I-CNT ends inside an instruction");
            return;
        }
        units -= own;
        executed_.push_back(pc_);
        pc_ = step(pc_, last, units == 0);
    }
    if (!history_.empty()) {
        fail("more HIST than branches");
    }
}

Address ReferenceReader::step(Address pc, LastBranch last, bool is_last) {
    const InstructionFlow flow = classify_flow(code_.at(pc));
    const Address behind = pc + flow.length;
    switch (flow.kind) {
    case FlowKind::Sequential:
        return behind;
    case FlowKind::Branch: {
        bool taken = is_last && last == LastBranch::Taken;
        if (last == LastBranch::InHistory) {
            if (history_.empty()) {
                fail("more branches than HIST");
                return behind;
            }
            taken = history_.front();
            history_.erase(history_.begin());
        }
        return taken ? flow.target(pc) : behind;
    }
    case FlowKind::DirectJump:
        if (flow.is_call()) {
            calls_.push_back(behind);
        }
        return flow.target(pc);
    case FlowKind::IndirectJump: {
        Address target = 0;
        if (flow.is_return() && !calls_.empty()) {
            target = calls_.back();
            calls_.pop_back();
        }
        if (flow.is_call()) {
            calls_.push_back(behind);
        }
        if (!is_last && (returns_ == Returns::Reported || target == 0)) {
            fail("goes on behind an indirect jump");
        }
        return target;
    }
    case FlowKind::TrapReturn:
        if (!is_last) {
            fail("goes on behind a trap return");
        }
        return 0;
    }
    return behind;
}

} // namespace pes::trace::test

// SPDX-License-Identifier: Apache-2.0
// The functions of Pipeline that every instruction uses, and the state between two instructions.
// Included at the end of pipeline.h, so that they are inlined.
#pragma once

#include "hw/core/timing/memory/write_buffer_state.h"
#include "hw/core/timing/pipeline.h"
#include "hw/core/timing/pulses/pulse_log_state.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace pes {

/// Decode takes an instruction when the queue offers it and the one before has been issued, or is
/// issued in the same cycle.
[[gnu::always_inline]] inline Cycle Pipeline::fetch(Address pc, Address physical, unsigned length,
                                                    const PageWalk* walk,
                                                    const SecondHalf* second) {
    attribution_.begin(pc);
    Cycle offered = frontend_.fetch(pc, physical, length, walk, second);
    next_pc_ = pc + length;
    if (frontend_.target_waits()) [[unlikely]] {
        offered = place_word(pc, offered);
    }
    const Cycle earliest = decode_ + 1;
    pulses_.level(Event::FetchEmpty, std::max(earliest, queue_kept_), offered);
    const Cycle decode = std::max({offered, earliest, issue_, resume_});
    decode_ = decode;
    if (stale_until_ != 0) [[unlikely]] {
        stall_without_instruction();
    }
    frontend_.pop(decode);
    stage_ = Stage::Decoded;
    attribution_.fetched(offered, decode);
    return decode;
}

inline Cycle Pipeline::unit_free(ClassTiming::Unit unit, Cycle earliest) const {
    earliest = std::max(earliest, unit_free_[static_cast<std::size_t>(unit)]);
    return unit == ClassTiming::Unit::LoadStore ? load_store_.issue_from(earliest) : earliest;
}

inline void Pipeline::stall(const Instruction& instruction, Cycle from, Cycle to) {
    pulses_.level(Event::PipelineStall, from, to);
    if (further_.any()) [[unlikely]] {
        name_stall(instruction, from, to, scoreboard_.writer(scoreboard_.last_operand(instruction)),
                   scoreboard_.register_ready(instruction.rs1));
    }
}

inline void Pipeline::occupy_unit(ClassTiming::Unit unit) {
    using Unit = ClassTiming::Unit;
    if (unit == Unit::LoadStore) {
        load_store_.issue(issue_);
    } else if (unit == Unit::Multiply) { // its result takes the write port one cycle after an ALU's
        free_from(Unit::FixedLatency) = std::max(free_from(Unit::FixedLatency), issue_ + 2);
    } // Fpu: by a division, when it is known for how long
}

[[gnu::always_inline]] inline Cycle Pipeline::issue(const Instruction& instruction) {
    if (ignores_operands(instruction.timing)) [[unlikely]] {
        return issue_trapping(instruction);
    }
    if (refuses(float_use_, instruction)) [[unlikely]] {
        return issue_trapping(offered(instruction));
    }
    const Cycle seen = decode_ + 1;
    const Cycle operands = scoreboard_.operands_ready(instruction);
    if (seen < operands) {
        stall(instruction, seen, operands);
    }
    Cycle earliest = std::max({seen, operands, scoreboard_.entry_free()});
    if (write_after_write_) [[likely]] {
        earliest = std::max(earliest, scoreboard_.writer_retires(instruction));
    }
    const ClassTiming::Unit unit = timing_of(instruction.timing).unit;
    ready_ = earliest;
    const Cycle issue = unit_free(unit, earliest);
    issue_ = issue;
    class_ = instruction.timing;
    rd_ = instruction.rd;
    stage_ = Stage::Issued;
    request_.reset();
    occupy_unit(unit);
    if (attribution_.wanted()) [[unlikely]] {
        note_issue(instruction, operands);
    }
    return issue;
}

/// Common end, once for each instruction and so part of every caller: retirement order, class
/// pulses, and the level "every entry in use", which holds from the cycle after the last free entry
/// was taken until the oldest retires.
[[gnu::always_inline]] inline Cycle Pipeline::finish(const Instruction& instruction, Cycle ready,
                                                     Cycle result, RetirePort port) {
    const Cycle before = scoreboard_.last_retirement();
    const Cycle retired = scoreboard_.retire(instruction.rd, ready, result, port);
    if (attribution_.wanted()) [[unlikely]] {
        note_retirement(before, ready, retired);
    }
    pulses_.retire(instruction.commit_events, retired);
    retired_last_.add(instruction.commit_events, retired, instruction.rd, port);
    if (further_.any()) [[unlikely]] {
        scoreboard_.note_writer(instruction.rd, instruction.timing);
    }
    const Cycle behind_issue = issue_ + 1;
    if (behind_issue < scoreboard_.entry_free()) {
        pulses_.level(Event::ScoreboardFull, behind_issue, scoreboard_.entry_free());
    }
    stale_until_ = 0;
    stage_ = Stage::Done;
    if (result > behind_issue && reads_its_result(instruction)) {
        stale_from_ = behind_issue;
        stale_until_ = result;
        stale_writer_ = instruction.timing;
    }
    return retired;
}

[[gnu::always_inline]] inline Cycle Pipeline::retire(const Instruction& instruction,
                                                     UnitSteps steps) {
    const ClassTiming& timing = timing_of(instruction.timing);
    if (timing.direct) {
        const Cycle result = issue_ + timing.result;
        return finish(instruction, result + 1, result, RetirePort::Any);
    }
    return retire_indirectly(instruction, steps);
}

[[gnu::always_inline]] inline std::optional<Address> Pipeline::predict(const ControlFlow& flow,
                                                                       Cycle scan) {
    if (flow.kind == ControlFlow::Kind::Jump && flow.link == ControlFlow::Link::None) {
        return flow.target();
    }
    if (flow.kind != ControlFlow::Kind::Branch) {
        return predict_jump(flow, scan);
    }
    const auto cold = flow.offset < 0 ? BranchDirection::Taken : BranchDirection::NotTaken;
    if (predictor_.predict_branch(flow.pc, cold, flow.predicted_in(scan)) ==
        BranchDirection::Taken) {
        return flow.target();
    }
    went_on_ = scan;
    return std::nullopt;
}

/// The address at which the frontend continues after a jump or branch that it has just scanned.
[[gnu::always_inline]] inline Address
Pipeline::fetched_behind(const ControlFlow& flow, std::optional<Address> target, Cycle flush) {
    if (target) {
        if (frontend_.asks_for_next_page()) [[unlikely]] {
            jump_at_end_of_page(*target, flush);
        } else {
            frontend_.follow_prediction();
        }
        return *target;
    }
    return flow.kind == ControlFlow::Kind::Return ? fetched_behind_return(flow.next())
                                                  : flow.next();
}

inline PulseFloors Pipeline::pulse_floors() const {
    PulseFloors floors;
    floors[PulseFloor::Retirement] = fpu_port_.any() ? 0 : scoreboard_.next_retirement(decode_ + 2);
    floors[PulseFloor::Fetch] = frontend_.earliest_request();
    floors[PulseFloor::Request] = frontend_.asks_from();
    floors[PulseFloor::Resolution] = issue_ + 2;
    floors[PulseFloor::Empty] = std::max(decode_ + 1, queue_kept_);
    floors[PulseFloor::BehindIssue] = decode_ + 3; // the next one decodes, issues, and then
    floors[PulseFloor::Issue] = decode_ + 1;
    return floors;
}

template <typename Archive>
void Pipeline::relative_state(Archive& archive, Cycle decode, Cycle first_uncertain) {
    decode_ = decode;
    const Cycle next_decode = decode + 1;
    const Cycle next_issue = decode + 2;
    archive.cycle(issue_, next_decode);
    archive.cycle(queue_kept_, next_decode);
    archive.cycle(resume_, next_decode);
    for (Cycle& free : unit_free_) {
        archive.cycle(free, next_issue);
    }
    archive.cycle(stale_until_, next_decode);
    if (stale_until_ > next_decode) {
        archive.cycle(stale_from_, decode);
        auto writer = static_cast<std::uint64_t>(stale_writer_);
        archive.number(writer);
        stale_writer_ = static_cast<TimingClass>(writer);
    } else {
        stale_until_ = 0;
    }
    scoreboard_.relative_state(archive, decode);
    if (further_.any()) {
        scoreboard_.relative_writers(archive, decode);
    }
    divider_.relative_state(archive, next_issue);
    fpu_port_.relative_state(archive, next_issue + 1);
    if (fpu_port_.any()) {
        retired_last_.relative_state(archive, next_issue + 1);
    } else if constexpr (!Archive::kSaves) {
        retired_last_.clear();
    }
    frontend_.relative_state(archive, decode);
    bool went_on = frontend_.in_word() && went_on_ == frontend_.scan();
    std::uint64_t flags = std::uint64_t{went_on} | static_cast<std::uint64_t>(float_use_) << 1;
    archive.number(flags);
    went_on = (flags & 1) != 0;
    went_on_ = went_on ? frontend_.scan() : 0;
    float_use_ = static_cast<FloatUse>(flags >> 1);
    predictor_.relative_state(archive);
    load_store_.relative_state(archive, decode);
    walker_.relative_state(archive, frontend_.earliest_request() + 1, code_.translates());
    // A store requests an entry two cycles after its issue, a read later, and the lookup of a
    // fetched word one cycle after its request.
    data_cache_.writes().relative_state(archive,
                                        std::min(frontend_.earliest_request() + 1, next_issue + 2));
    pulses_.relative_state(archive, first_uncertain);
    attribution_.relative_state(archive, decode);
    stage_ = Stage::Done;
}

} // namespace pes

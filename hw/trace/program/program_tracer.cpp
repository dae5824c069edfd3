// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/program/program_tracer.h"

#include <algorithm>

namespace pes::trace {

void ProgramTracer::configure(const InstructionTraceSettings& settings) {
    if (packets_) {
        packets_->configure(settings);
    }
    if (settings.protocol == Protocol::ETrace) {
        const bool on = packets_ && settings.mode != InstructionMode::None;
        kind_ = on ? Kind::Packets : Kind::None;
        put_filter_in_front();
        return;
    }
    switch (settings.mode) {
    case InstructionMode::None:
        kind_ = Kind::None;
        break;
    case InstructionMode::Events:
        kind_ = Kind::Events;
        break;
    case InstructionMode::Branches:
    case InstructionMode::History:
    case InstructionMode::OptimisedHistory:
        kind_ = Kind::Flow;
        break;
    }
    put_filter_in_front();
    flow_.configure(settings);
    events_.configure(settings);
}

void ProgramTracer::set_filters(const TraceFilters& filters) {
    filters_.configure(filters);
    kind_ = kind_ == Kind::Filtered ? behind_ : kind_;
    put_filter_in_front();
}

void ProgramTracer::put_filter_in_front() {
    if (filters_.on() && (kind_ == Kind::Flow || kind_ == Kind::Packets)) {
        behind_ = kind_;
        kind_ = Kind::Filtered;
    }
}

void ProgramTracer::start(SyncReason reason, Cycle at) {
    wanted_ = true;
    ++starts_;
    filters_.reset();
    passing_ = false;
    reason_ = reason;
    from_ = at;
    start(kind_, reason, at); // Filtered: when an instruction matches
}

void ProgramTracer::start(Kind kind, SyncReason reason, Cycle at) {
    if (kind == Kind::Flow) {
        flow_.start(reason, at);
    } else if (kind == Kind::Events) {
        events_.start(reason, at);
    } else if (kind == Kind::Packets) {
        packets_->start(at);
    }
}

void ProgramTracer::stop(CorrelationEvent reason, Cycle at) {
    wanted_ = false;
    passing_ = false;
    flow_.stop(reason, at);
    events_.stop(reason, at);
    if (packets_) {
        packets_->stop(at);
    }
}

void ProgramTracer::synchronise(SyncReason reason, Cycle at) {
    const Kind kind = kind_ == Kind::Filtered ? behind_ : kind_;
    if (kind == Kind::Flow) {
        flow_.synchronise(reason, at);
    } else if (kind == Kind::Events) {
        events_.synchronise();
    } else if (kind == Kind::Packets) {
        packets_->synchronise();
    }
}

void ProgramTracer::trigger(unsigned input, Cycle at) {
    if (kind_ == Kind::Events) {
        events_.trigger(input, at);
    }
}

std::size_t ProgramTracer::blocks_ahead(Cycle at) {
    if (blocks_ == Blocks::Refused) {
        return 0;
    }
    // Each instruction may begin or end a stretch and be a watchpoint, with Ownership or what has
    // been counted.
    constexpr std::size_t kMostOfFiltered = 7 * kMostBlockInstructions;
    const auto room = [this, at](Kind kind) {
        const std::size_t messages = kind == Kind::Packets  ? packets_->room(at)
                                     : kind == Kind::Events ? events_.room(at)
                                                            : flow_.room(at);
        return std::min(messages, 64 * kMostOfFiltered);
    };
    switch (kind_) {
    case Kind::Flow:
        return flow_.blocks_within(room(kind_));
    case Kind::Packets:
        return packets_->blocks_within(room(kind_));
    case Kind::Filtered:
        return room(behind_) / kMostOfFiltered;
    case Kind::Events:
        return events_.blocks_within(room(kind_));
    case Kind::None:
        break;
    }
    return 0;
}

void ProgramTracer::retired_blocks(std::span<const RetiredBlock> blocks) {
    if (kind_ == Kind::Flow) {
        flow_.retired_blocks(blocks);
    } else if (kind_ == Kind::Events) {
        events_.retired_blocks(blocks);
    } else if (kind_ == Kind::Packets) {
        for (const RetiredBlock& block : blocks) {
            packets_->retired_block(block);
        }
    } else if (kind_ == Kind::Filtered) {
        for (const RetiredBlock& block : blocks) {
            for (std::size_t index = 0; index < block.steps.size(); ++index) {
                filter(retirement_in(block, index));
            }
        }
    }
}

void ProgramTracer::trapped(const TrapTaken& trap) {
    if (kind_ == Kind::Flow) {
        flow_.trapped(trap);
    } else if (kind_ == Kind::Events) {
        events_.trapped(trap);
    } else if (kind_ == Kind::Packets) {
        packets_->trapped(trap);
    } else if (kind_ == Kind::Filtered) {
        filter(trap);
    }
}

// --- Filters ------------------------------------------------------------------------------------

void ProgramTracer::filter(const Retirement& retirement) {
    if (!wanted_ || retirement.cycle <= from_) {
        return;
    }
    const FilterUnit::Verdict verdict = filters_.retired(retirement);
    if (!verdict.traced) {
        end_stretch(retirement.cycle);
        return;
    }
    if (!passing_) {
        passing_ = true;
        start(behind_, reason_, from_);
        reason_ = SyncReason::TraceEnable;
    }
    if (verdict.notify) {
        report_watchpoint(retirement.cycle);
    }
    if (behind_ == Kind::Flow) {
        flow_.retired(retirement);
    } else {
        packets_->retired(retirement);
    }
}

/// A trap has no instruction of its own. It ends the last stretch if it comes behind its last
/// instruction; else nothing is told of it.
void ProgramTracer::filter(const TrapTaken& trap) {
    if (!wanted_ || trap.cycle <= from_) {
        return;
    }
    filters_.trapped(trap);
    if (!passing_) {
        return;
    }
    if (behind_ == Kind::Flow) {
        flow_.trapped(trap);
    } else {
        packets_->trapped(trap);
    }
}

/// While the last messages wait for room, the trace may be stopped, or even started again, without
/// filters too: then that start counts.
void ProgramTracer::end_stretch(Cycle at) {
    if (!passing_) {
        return;
    }
    passing_ = false;
    const std::uint32_t starts = starts_;
    if (behind_ == Kind::Flow) {
        flow_.stop(CorrelationEvent::TraceDisabled, at);
    } else {
        packets_->stop(at);
    }
    if (wanted_ && starts != starts_) {
        start(kind_, reason_, from_);
    }
}

/// Before the instruction itself is told. Nexus: a synchronising message with its address.
void ProgramTracer::report_watchpoint(Cycle at) {
    if (behind_ == Kind::Flow) {
        flow_.synchronise(SyncReason::Watchpoint, at);
    } else {
        packets_->notify_next();
    }
}

} // namespace pes::trace

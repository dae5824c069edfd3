// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/program/program_tracer.h"

namespace pes::trace {

void ProgramTracer::configure(const InstructionTraceSettings& settings) {
    if (packets_) {
        packets_->configure(settings);
    }
    if (settings.protocol == Protocol::ETrace) {
        const bool on = packets_ && settings.mode != InstructionMode::None;
        kind_ = on ? Kind::Packets : Kind::None;
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
    flow_.configure(settings);
    events_.configure(settings);
}

void ProgramTracer::start(SyncReason reason, Cycle at) {
    if (kind_ == Kind::Flow) {
        flow_.start(reason, at);
    } else if (kind_ == Kind::Events) {
        events_.start(reason, at);
    } else if (kind_ == Kind::Packets) {
        packets_->start(at);
    }
}

void ProgramTracer::stop(CorrelationEvent reason, Cycle at) {
    flow_.stop(reason, at);
    events_.stop(reason, at);
    if (packets_) {
        packets_->stop(at);
    }
}

void ProgramTracer::synchronise(SyncReason reason, Cycle at) {
    if (kind_ == Kind::Flow) {
        flow_.synchronise(reason, at);
    } else if (kind_ == Kind::Events) {
        events_.synchronise();
    } else if (kind_ == Kind::Packets) {
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
    switch (kind_) {
    case Kind::Flow:
        return flow_.blocks_within(output_.room(at));
    case Kind::Packets:
        return packets_->blocks_within(at);
    case Kind::None:
    case Kind::Events:
        break;
    }
    return 0;
}

void ProgramTracer::retired_block(const RetiredBlock& block) {
    if (kind_ == Kind::Flow) {
        flow_.retired_block(block);
    } else if (kind_ == Kind::Packets) {
        packets_->retired_block(block);
    }
}

void ProgramTracer::trapped(const TrapTaken& trap) {
    if (kind_ == Kind::Flow) {
        flow_.trapped(trap);
    } else if (kind_ == Kind::Events) {
        events_.trapped(trap);
    } else if (kind_ == Kind::Packets) {
        packets_->trapped(trap);
    }
}

} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
// The settings of an instruction trace in a checkpoint.
#pragma once

#include "hw/common/archive.h"
#include "hw/trace/instruction_tracer.h"

namespace pes::trace {

inline void settings_state(Archive& archive, InstructionTraceSettings& settings) {
    archive.one_of(settings.protocol, Protocol::ETrace);
    archive.one_of(settings.mode, InstructionMode::OptimisedHistory);
    archive(settings.events, settings.sync_messages, settings.sync_units, settings.sync_cycles,
            settings.options.implicit_returns, settings.options.repeats);
    archive.one_of(settings.dialect, TimestampDialect::NTrace);
    archive(settings.etrace.implicit_return, settings.etrace.implicit_exception,
            settings.etrace.full_address, settings.etrace.jump_target_cache,
            settings.etrace.branch_prediction);
}

} // namespace pes::trace

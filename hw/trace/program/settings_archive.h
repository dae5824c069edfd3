// SPDX-License-Identifier: Apache-2.0
// The settings of an instruction trace in a checkpoint.
#pragma once

#include "hw/common/archive.h"
#include "hw/trace/instruction_tracer.h"

namespace pes::trace {

inline void options_state(Archive& archive, etrace::Options& options) {
    archive(options.implicit_return, options.implicit_exception, options.full_address,
            options.jump_target_cache, options.branch_prediction);
}

inline void settings_state(Archive& archive, InstructionTraceSettings& settings) {
    archive.one_of(settings.protocol, Protocol::ETrace);
    archive.one_of(settings.mode, InstructionMode::OptimisedHistory);
    archive(settings.events, settings.sync_messages, settings.sync_units, settings.sync_cycles,
            settings.options.implicit_returns, settings.options.repeats);
    archive.one_of(settings.dialect, TimestampDialect::NTrace);
    options_state(archive, settings.etrace);
}

} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
// SystemC side of a RAM sink: its registers as a TLM target.
#pragma once

#include "hw/common/systemc/register_target.h"
#include "hw/trace/register_set.h"
#include "hw/trace/sinks/ram_sink.h"

#include <string>
#include <utility>

namespace pes::trace {

class RamSinkTarget {
  public:
    /// The callbacks are those of RegisterTarget. The sink outlives this.
    RamSinkTarget(const std::string& name, TraceSink& sink, const ClockDomain& clock, Cycle latency,
                  RegisterTarget::Accessed accessed = {},
                  RegisterTarget::Approached approached = {})
        : sink_(name, sink), target_("ram_sink", sink_.registers(), clock, latency,
                                     std::move(accessed), std::move(approached)) {}

    tlm_utils::simple_target_socket<RegisterTarget>& socket() { return target_.socket; }
    RegisterBlock& registers() { return sink_.registers(); }
    void state(class Archive& archive) { sink_.state(archive); } ///< of a checkpoint

    /// A block with these registers and sinks has one.
    static bool wanted(RegisterSet registers, std::uint32_t sinks) {
        constexpr std::uint32_t kOwn =
            1U << trace_map::sink::kSram | 1U << trace_map::sink::kMemory;
        return registers == RegisterSet::Standard && (sinks & kOwn) != 0;
    }

  private:
    RamSink sink_;
    RegisterTarget target_;
};

} // namespace pes::trace

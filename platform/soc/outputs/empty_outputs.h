// SPDX-License-Identifier: Apache-2.0
// Why an output that was asked for stayed empty: one sentence each, for standard error.
#pragma once

#include "platform/soc/guest/sample_channel.h"
#include "platform/soc/trace/trace_report.h"
#include "platform/soc/trace/trace_setup.h"

#include <optional>
#include <string>

namespace pes {

/// What decides whether sample records reach the host.
struct SampleWays {
    bool host_interface_on = true;          ///< htif.enabled
    bool has_tohost = true;                 ///< the program has the symbol
    std::uint64_t threshold_interrupts = 0; ///< how often the interrupt was raised
};

/// Nothing if there are records.
std::optional<std::string> why_no_samples(const SampleChannel& samples, const SampleWays& ways);

/// Nothing if messages left through the probe.
std::optional<std::string> why_no_trace(const TraceReport& report, const TraceSetup& setup);

/// Nothing if each software trace module sent a packet. `csr`: a write of it is an event.
std::optional<std::string> why_no_software_trace(const TraceReport& report, std::uint32_t csr);

} // namespace pes

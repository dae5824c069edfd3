// SPDX-License-Identifier: Apache-2.0
// `pes-vp profile --records`: performance records from the host's side, into the trace.
#pragma once

#include "platform/config/config.h"
#include "platform/sampling/host_records.h"
#include "platform/soc/soc.h"

#include <memory>
#include <string>
#include <vector>

namespace pes {

struct RecordOptions {
    std::string when;                     ///< "functions" or "timer=US"
    std::string events = "cycle,instret"; ///< names with commas
};

class HostRecording {
  public:
    /// Changes what the records need. Throws UserError.
    static void prepare(const RecordOptions& options, PlatformConfig& config);

    HostRecording(const RecordOptions& options, const PlatformConfig& config);

    HartTap* tap(unsigned hart) { return recorders_[hart].get(); }
    bool observes_instructions() const { return plan_.timer == 0; }
    /// The trace blocks are there and set up.
    void connect(TraceSystem& trace);
    std::uint64_t written() const;

  private:
    RecordPlan plan_;
    std::vector<std::unique_ptr<HostRecords>> recorders_; ///< by hart
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// What `pes-vp profile --report` adds: intervals of the run while it runs, and the page at its end.
#pragma once

#include "hw/core/truth/truth_table.h"
#include "platform/config/config.h"
#include "platform/host/output_file.h"
#include "platform/report/run_report.h"
#include "platform/sampling/interval_recorder.h"
#include "platform/sampling/sample_windows.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pes {

/// Calls it for each row of the exact profile that is shown, with its address there.
using VisitRow = std::function<void(const TruthTable&, TruthRow, Address)>;
using EachRow = std::function<void(const VisitRow&)>;

/// Sets events, reasons and addresses of the report.
void add_exact_profile(RunReport& report, const EachRow& each_row);

class ProfilePage {
  public:
    /// `command` and `settings` (KEY=VALUE) are shown as they are. Throws UserError if this build
    /// has no page.
    ProfilePage(OutputFile& file, const PlatformConfig& config, std::string command,
                std::vector<std::string> settings);

    /// The pipeline around samples of a hart, whose sampler begins with this period.
    SampleWindows& watch_samples(unsigned hart, std::uint64_t period);

    HartTap* tap(unsigned hart) { return recorders_[hart].get(); }

    /// `report` has what is known of the samples and of the exact profile.
    void write(RunReport report, const Symbolizer& symbolizer);

  private:
    OutputFile& file_;
    const std::uint64_t clock_hz_;
    const std::string command_;
    const std::vector<std::string> settings_;
    std::vector<std::unique_ptr<IntervalRecorder>> recorders_; ///< by hart
    std::vector<std::unique_ptr<SampleWindows>> windows_;
};

} // namespace pes

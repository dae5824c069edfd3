// SPDX-License-Identifier: Apache-2.0
// --checkpoint-at and --restore of a run.
#pragma once

#include "platform/boot/boot.h"
#include "platform/checkpoint/checkpoint_file.h"
#include "platform/cli/options.h"
#include "platform/config/config.h"
#include "platform/host/output_file.h"
#include "platform/soc/guest/guest_files.h"
#include "platform/soc/guest/sample_channel.h"
#include "platform/soc/soc.h"

#include <optional>

namespace pes {

class RunCheckpoint {
  public:
    /// Reads what is to be restored and opens what is to be written. Throws UserError, also if the
    /// options exclude each other. What is referred to outlives it.
    RunCheckpoint(const Options& options, const PlatformConfig& config, const BootImage& boot);

    /// Before the run: restores, and finds out whether a checkpoint can be written.
    void prepare(Soc& soc, SampleChannel& samples, const GuestFiles& files);
    /// After it: tells if the checkpoint was never reached.
    void report_missing(Cycle end) const;

  private:
    void restore(Soc& soc, SampleChannel& samples);
    void write(Soc& soc, SampleChannel& samples, const GuestFiles& files);

    const Options& options_;
    CheckpointSettings settings_;
    std::optional<Address> pc_;                ///< of the checkpoint, if it is at one
    std::optional<CheckpointSource> restored_; ///< until it is loaded
    std::optional<OutputFile> file_;           ///< until it is written
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// --checkpoint-at and --restore of a run.
#pragma once

#include "platform/boot/boot.h"
#include "platform/checkpoint/checkpoint_file.h"
#include "platform/cli/options.h"
#include "platform/config/config.h"
#include "platform/host/output_file.h"
#include "platform/sampling/crossing_log.h"
#include "platform/soc/guest/console_source.h"
#include "platform/soc/guest/guest_files.h"
#include "platform/soc/guest/sample_channel.h"
#include "platform/soc/soc.h"
#include "platform/soc/waves/wave_recorder.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pes {

/// What a checkpoint has of the host's side.
struct CheckpointHost {
    SampleChannel& samples;
    GuestFiles& files;
    WaveRecorder* wave = nullptr;           ///< null: nothing is recorded
    const ConsoleSource* console = nullptr; ///< input of the UART; null: none
    std::vector<CrossingLog*> crossings{};  ///< by hart; empty: not wanted
};

class RunCheckpoint {
  public:
    /// Reads what is to be restored and opens what is to be written. Throws UserError, also if the
    /// options exclude each other. What is referred to outlives it.
    RunCheckpoint(const Options& options, const PlatformConfig& config, const BootImage& boot);

    /// Before the run: restores, and finds out whether a checkpoint can be written.
    void prepare(Soc& soc, const CheckpointHost& host);
    /// During the run, for a debugger that has made the platform stand still in the thread of this
    /// hart: saves the platform before the hart's next instruction. Returns what is to be told
    /// about it now; `tell` gets what has come of it. Throws UserError.
    std::string save_next(Soc& soc, const CheckpointHost& host, unsigned hart,
                          const std::string& path,
                          const std::function<void(const std::string&)>& tell);
    /// The run ends behind the checkpoint, in its cycle: what is on its way to a file goes on there
    /// when the checkpoint is restored.
    bool ends_run() const { return written_in_ && *written_in_ >= options_.max_cycles; }
    /// After it: tells if the checkpoint was never reached.
    void report_missing(Cycle end) const;

  private:
    void restore(Soc& soc, const CheckpointHost& host);
    void write(Soc& soc, const CheckpointHost& host);

    const Options& options_;
    const PlatformConfig& config_;
    std::string title_ = "--checkpoint-at"; ///< begins the sentences about what is written
    CheckpointSettings settings_;
    std::optional<Address> pc_;                ///< of the checkpoint, if it is at one
    std::optional<CheckpointSource> restored_; ///< until it is loaded
    std::optional<OutputFile> file_;           ///< until it is written
    std::optional<Cycle> written_in_;          ///< the last one
};

} // namespace pes

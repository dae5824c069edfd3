// SPDX-License-Identifier: Apache-2.0
// The files that a run writes: opened before the first cycle, so that a mistake is found early, and
// committed together at the end.
#pragma once

#include "platform/boot/boot.h"
#include "platform/cli/host_profile.h"
#include "platform/cli/host_recording.h"
#include "platform/cli/options.h"
#include "platform/cli/run_consoles.h"
#include "platform/cli/run_report.h"
#include "platform/config/config.h"
#include "platform/host/output_set.h"
#include "platform/sampling/crossing_log.h"
#include "platform/soc/guest/guest_files.h"
#include "platform/soc/guest/sample_channel.h"
#include "platform/soc/outputs/counter_coverage_file.h"
#include "platform/soc/outputs/memory_dump.h"
#include "platform/soc/outputs/truth_file.h"
#include "platform/soc/soc.h"
#include "platform/soc/waves/pipeline_recorder.h"
#include "platform/soc/waves/wave_recorder.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pes {

/// The files that a command reads; no output may overwrite them.
std::vector<std::string> input_files(const Options& options, const PlatformConfig& config);

class RunOutputs {
  public:
    /// Opens all files. Throws UserError.
    RunOutputs(const Options& options, const PlatformConfig& config, const BootImage& boot);

    /// What the Soc writes to while it runs.
    HostSide host_side(GuestFiles& guest_files);

    /// Sets up what records from inside the Soc. Throws UserError if an output excludes the
    /// execution path.
    void connect(Soc& soc);

    /// After the run, before write(): what the profile is of.
    void set_scope(ProfileScope scope) { profile_->set_scope(std::move(scope)); }
    /// ... and the exact profile.
    void set_truth_contexts(TruthContexts contexts) { truth_contexts_ = std::move(contexts); }

    RunConsoles& consoles() { return consoles_; }
    const RunConsoles& consoles() const { return consoles_; }
    SampleChannel& samples() { return *samples_; }
    WaveRecorder* wave() { return wave_ ? &*wave_ : nullptr; }
    const SampleChannel& samples() const { return *samples_; }
    /// True if the log of the pipeline has no instruction.
    bool pipeline_is_empty() const { return pipeline_ && pipeline_->instructions() == 0; }

    /// Of --trace.
    const TraceSetup& trace_setup() const { return trace_.setup; }

    /// While it runs: false once the exact profile has used up its memory, which it announces.
    bool has_memory(Soc& soc);

    std::vector<CrossingLog*> crossings() const; ///< by hart; empty: not wanted

    /// After the run: writes and commits all files. Returns the tables of `profile` for the
    /// standard output.
    std::string write(Soc& soc, RunStatistics& statistics);

  private:
    void open_truths();
    void open_crossings();
    void open_coverage();
    void open_stimulus();
    void open_pipeline();
    void open_trace();
    void open_osd_trace();
    std::vector<std::vector<HartTap*>> taps(); ///< by hart
    /// The fast path cannot be had together with an output that sees every instruction.
    void check_path() const;
    void connect_trace(Soc& soc);

    const Options& options_;
    const PlatformConfig& config_;
    const BootImage& boot_;
    OutputSet outputs_;
    RunConsoles consoles_;
    std::optional<SampleChannel> samples_;
    OutputFile* stats_file_ = nullptr;
    struct {
        OutputFile* file = nullptr;
        OutputFile* description = nullptr; ///< how to read it
        TraceSetup setup;
    } trace_;
    std::vector<OutputFile*> osd_files_; ///< by hart; empty: not wanted
    std::optional<WaveRecorder> wave_;
    std::unique_ptr<PipelineLog> pipeline_;                   ///< null: not wanted
    std::optional<trace::Disassembler> disassembler_;         ///< of the pipeline's log
    std::vector<std::unique_ptr<PipelineRecorder>> passages_; ///< by hart; empty: not wanted
    std::vector<MemoryDump> dumps_;
    std::vector<OutputFile*> truths_;                     ///< by hart; empty: not wanted
    TruthContexts truth_contexts_;                        ///< that they are of; empty: all
    std::vector<std::unique_ptr<CrossingLog>> crossings_; ///< likewise
    std::vector<OutputFile*> coverages_;                  ///< of the counters, likewise
    std::vector<OutputFile*> stimuli_;                    ///< of the counters, likewise
    bool warned_of_memory_ = false;
    std::optional<HostProfile> profile_;
    std::optional<HostRecording> recording_;
};

} // namespace pes

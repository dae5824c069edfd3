// SPDX-License-Identifier: Apache-2.0
// What `pes-vp profile` adds to a run: samplers on the host's side, and their report.
#pragma once

#include "platform/cli/profile_page.h"
#include "platform/config/config.h"
#include "platform/host/output_set.h"
#include "platform/profile/annotation.h"
#include "platform/profile/report.h"
#include "platform/sampling/host_sampler.h"
#include "platform/soc/soc.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pes {

/// The options that `run` does not have.
struct ProfileOptions {
    std::string method = "exact";
    std::string event = "cycle";
    std::optional<std::uint64_t> period; ///< none: from the length of the run
    std::optional<std::uint64_t> spread; ///< percent
    std::uint64_t seed = 0;
    bool call_graph = false; ///< call stacks in the samples of `samples`
    std::string samples;     ///< files; empty: none
    std::string csv;
    std::string json;
    std::string report;                   ///< likewise
    std::string baseline;                 ///< a page to compare with; empty: none
    std::vector<std::string> source_path; ///< directories
    std::string command;                  ///< shown in it
    std::vector<std::string> settings;    ///< likewise
    std::optional<GroupBy> by;            ///< none: functions and lines
    std::optional<RowLimit> top;
    std::optional<std::string> annotate; ///< a function; empty: the hottest
    bool ascii = false;
    bool no_color = false;
};

/// What a profile is of, if it is not all of a run.
struct ProfileScope {
    std::string title;
    std::vector<ProgramFile> programs; ///< for names
    /// Where an instruction is in them; nothing for one that is left out.
    /// Missing: everything is at its own address.
    std::function<std::optional<Address>(const TruthTable::Key&)> place;

    std::optional<Address> place_of(const TruthTable::Key& key) const {
        return place ? place(key) : key.pc;
    }
};

class HostProfile {
  public:
    /// What the hart has to know. Throws UserError for a method or an event that there is not.
    static void prepare(const ProfileOptions& options, PlatformConfig& config);

    /// `programs` are for names; if there are none, set_scope() brings them. Opens the files.
    HostProfile(const ProfileOptions& options, const PlatformConfig& config,
                const std::optional<std::vector<std::string>>& programs, OutputSet& outputs);

    /// None for a method without a sampler.
    std::vector<HartTap*> taps(unsigned hart);
    bool observes_instructions() const;

    /// After the run, before write().
    void set_scope(ProfileScope scope);

    /// After the run: the files that were asked for. Returns the tables for the standard output,
    /// where the console may have been: nothing if a file is there.
    std::string write(Soc& soc);

  private:
    std::vector<TakenSample> samples_of(Soc& soc, unsigned hart) const;
    std::vector<TakenSample> scoped(const std::vector<TakenSample>& samples) const;
    std::unique_ptr<RecordingTap> host_sampler(unsigned hart);
    void find_stacks(std::vector<TakenSample>& samples);
    bool has_stacks() const { return frames_.has_value(); }
    template <typename Visit>
    void each_row(Soc& soc, Visit visit) const;
    void settle_period(Soc& soc);
    RunFacts facts_of(Soc& soc) const;
    ExactCosts costs_of(Soc& soc) const;
    static std::optional<ProfileError> error_by(GroupBy by, const std::vector<TakenSample>& samples,
                                                const ExactCosts& costs,
                                                const Symbolizer& symbolizer);
    std::string head_line(const RunFacts& facts) const;
    void write_page(Soc& soc, RunReport page, const Report& report,
                    const std::vector<TakenSample>& samples);
    void annotate_function(std::ostream& out, Soc& soc, const Report& report,
                           TextStyle style) const;
    std::string write_report(Soc& soc, const std::vector<TakenSample>& samples);

    const ProfileOptions& options_;
    const PmuProfile* const pmu_;
    const EventMask counted_; ///< the pulse sources that the harts have
    const SourcePath source_path_;
    ProfileScope scope_;
    std::optional<Symbolizer> symbolizer_;
    std::optional<CallFrames> frames_;
    StackTable stacks_;
    SamplingPlan plan_;
    SampleLimit limit_;
    std::vector<std::unique_ptr<RecordingTap>> samplers_; ///< by hart
    OutputFile* samples_;
    OutputFile* csv_;
    OutputFile* json_;
    std::optional<ProfilePage> page_;
    std::string baseline_; ///< of read_baseline(); empty: none
};

} // namespace pes

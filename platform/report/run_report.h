// SPDX-License-Identifier: Apache-2.0
// A run as one HTML page: everything that pes-vp knows of it, in one file that needs neither
// network nor server.
#pragma once

#include "hw/interface/maps/sample_record.h"
#include "platform/profile/profile_error.h"
#include "platform/profile/report.h"
#include "platform/profile/stack_table.h"
#include "platform/program/symbolizer.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace pes {

/// What the run had at an address, over all modes and address spaces of all harts.
struct AddressFacts {
    Address pc = 0;
    std::uint64_t retired = 0;
    std::vector<double> cycles{};       ///< by RunReport::reasons; half cycles are possible
    std::vector<std::int64_t> events{}; ///< by RunReport::events
};

/// One hart's counts in equal intervals of the run.
struct Timeline {
    std::uint64_t from = 0;     ///< cycle in which the first one begins
    std::uint64_t interval = 0; ///< cycles
    /// By RunReport::timeline_events; each as long as there are intervals.
    std::vector<std::vector<std::uint64_t>> counts{};
};

/// From a call to its return.
struct FunctionSlice {
    std::uint32_t hart = 0;
    std::uint32_t depth = 0; ///< calls around it
    std::size_t name = 0;    ///< index into FunctionTimeline::names
    std::uint64_t begin = 0; ///< cycles; with a prescaled timestamp, ticks
    std::uint64_t end = 0;
};

struct FunctionTimeline {
    std::vector<std::string> names{};
    std::vector<FunctionSlice> slices{}; ///< by hart and begin, each before those within it
    std::uint64_t dropped = 0;           ///< slices that were too short to be drawn
};

/// The pipeline around a sample.
struct PipelineView {
    struct Row {
        std::uint64_t pc = 0;
        std::string text{};   ///< its disassembly
        std::string detail{}; ///< mode, waits, why it is flushed
        bool flushed = false;
        std::uint64_t end = 0; ///< first cycle without it
        /// First cycle and name of each stage.
        std::vector<std::pair<std::uint64_t, std::string>> stages{};
    };
    unsigned hart = 0;
    std::uint64_t trigger = 0;      ///< cycle of the sample
    std::uint64_t from = 0, to = 0; ///< the cycles from .. to - 1
    std::size_t sampled = 0;        ///< row
    std::vector<Row> rows{};
};

/// The call stacks of samples; without any, none of the samples has one.
class SampleCalls {
  public:
    /// Of the next sample: the calls that have not returned, innermost first.
    void add(const std::vector<Address>& calls, Address pc);

    const StackTable& stacks() const { return stacks_; } ///< with the pc, outermost first
    const std::vector<std::size_t>& of_samples() const { return of_samples_; }
    bool any() const { return any_; }

  private:
    StackTable stacks_;
    std::vector<std::size_t> of_samples_;
    bool any_ = false;
};

struct RunReport {
    std::string title{};
    std::string command{};
    std::vector<std::string> settings{}; ///< KEY=VALUE, those that are not the defaults
    std::uint64_t clock_hz = 0;
    RunFacts run{};
    std::string sampling{}; ///< how samples were taken, in a few words
    std::string event{};    ///< that was sampled
    std::uint64_t period = 0;
    std::vector<std::string> reasons{};
    std::vector<std::string> events{};
    std::vector<AddressFacts> addresses{}; ///< in ascending order
    std::vector<std::string> timeline_events{};
    std::vector<Timeline> timelines{}; ///< by hart
    std::vector<SampleRecord> samples{};
    SampleCalls calls{};
    std::vector<PipelineView> pipelines{};
    FunctionTimeline traced{}; ///< from a trace; empty: there is none
    /// How many instructions samples are behind their causes, and how often; empty: not known.
    std::map<std::int64_t, std::uint64_t> skids{};
    std::string baseline{}; ///< of read_baseline(); empty: none
    /// By "function" and "address", if there are samples.
    std::vector<std::pair<std::string, ProfileError>> errors{};
};

/// The data of the page as JSON; docs/report.md describes it.
std::string report_data(const RunReport& report, const Symbolizer& symbolizer);

/// What the page of another run has to be compared with this one, as JSON. Throws UserError for a
/// file that is no such page.
std::string read_baseline(const std::filesystem::path& file);

/// Of a report that has a baseline.
RunComparison compare_with_baseline(const RunReport& report, const Symbolizer& symbolizer);

/// Throws UserError if this build has no page (the packages of scripts/setup.sh were not there).
void require_page();
void write_page(std::ostream& out, const RunReport& report, const Symbolizer& symbolizer);

} // namespace pes

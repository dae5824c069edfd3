// SPDX-License-Identifier: Apache-2.0
// What every format is written from: the samples in the order of the file with their events, stacks
// and places, and the exact profile if there is one. Memory grows with the number of samples: most
// formats keep their order, and some begin with a table of what the samples refer to.
#pragma once

#include "decoder/compare/truth.h"
#include "hw/interface/pmu/profile.h"
#include "platform/profile/hot_spots.h"
#include "platform/profile/record_reader.h"
#include "platform/profile/stack_table.h"
#include "platform/program/symbolizer.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pes {

/// One sampled event.
struct ExportedEvent {
    EventId id;
    std::string name;
    std::string title;
    std::uint64_t samples = 0;
    std::uint64_t events = 0; ///< that the samples stand for
};

/// Indices into ExportData::places, innermost first; never empty.
using ExportedStack = std::vector<std::size_t>;

struct ExportedSample {
    SampleRecord record{};
    std::optional<SampleDetails> details; ///< of a record of version 2
    std::size_t event = 0;                ///< index into ExportData::events
    std::size_t stack = 0;                ///< index into ExportData::stacks
    std::uint64_t weight = 0;             ///< events that it stands for
};

class ExportData {
  public:
    /// `symbolizer` and `pmu` outlive this.
    ExportData(const Symbolizer& symbolizer, const PmuProfile& pmu)
        : symbolizer_(symbolizer), pmu_(pmu), places_(symbolizer, GroupBy::Instruction),
          functions_(symbolizer, GroupBy::Function) {}

    void add(const SampleRecord& record, const RecordDetails* details);
    /// After the last sample: where no sample of an event has a threshold, each counts as one.
    void finish();
    /// The text of a truth file. Throws UserError if it is none.
    void set_truth(std::string text, std::string path);
    void set_clock_hz(std::uint32_t clock_hz) { clock_hz_ = clock_hz; }

    const std::vector<ExportedEvent>& events() const { return events_; }
    const std::vector<ExportedSample>& samples() const { return samples_; }
    const std::vector<ExportedStack>& stacks() const { return stacks_; }
    const RowPlace& place(std::size_t index) const { return places_.places()[index]; }
    const std::vector<RowPlace>& places() const { return places_.places(); }
    const PmuProfile& pmu() const { return pmu_; }
    const std::vector<ElfProgram>& programs() const { return symbolizer_.programs(); }

    /// Also makes a place for an address that no sample has.
    std::size_t place_at(Address pc) { return places_.row_of(pc); }
    /// All addresses outside of every symbol are one function.
    std::size_t function_at(Address pc) { return functions_.row_of(pc); }
    const std::vector<RowPlace>& functions() const { return functions_.places(); }

    std::uint64_t nanoseconds(std::uint64_t cycle) const {
        return cycle / clock_hz_ * kNanoseconds + cycle % clock_hz_ * kNanoseconds / clock_hz_;
    }

    bool has_truth() const { return !truth_path_.empty(); }
    const std::string& truth_text() const { return truth_text_; }
    /// By rising address. Only if there is a truth.
    std::map<Address, std::uint64_t> exact(const TruthMeasure& measure) const;

  private:
    static constexpr std::uint64_t kNanoseconds = 1'000'000'000; ///< in a second

    std::size_t event_index(const EventId& id);
    std::size_t stack_index(const std::vector<Address>& addresses);

    const Symbolizer& symbolizer_;
    const PmuProfile& pmu_;
    RowFinder places_;
    RowFinder functions_;
    std::vector<ExportedEvent> events_;
    std::vector<ExportedSample> samples_;
    StackTable known_stacks_;
    std::vector<ExportedStack> stacks_;
    std::string truth_text_;
    std::string truth_path_;
    std::uint64_t clock_hz_ = kNanoseconds;
};

/// "sort(int*)"; "(outside of symbols)" where there is none.
std::string function_name(const RowPlace& place);
/// The last component of the path; "(no program)" where no program knows the address.
std::string program_name(const RowPlace& place);

} // namespace pes

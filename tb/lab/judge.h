// SPDX-License-Identifier: Apache-2.0
// How wrong the samples of one run are: their shares beside those of its truth.
//
// Samples of triggers other than events stand for different numbers of events, so shares are those
// of the events that samples stand for. The chance that a perfect sampler has (decoder/
// profile_error.h) is that of (sum of weights)^2 / (sum of squared weights) samples, which is the
// number of samples if all stand for the same (L. Kish, Survey Sampling, 1965).
#pragma once

#include "decoder/compare/truth.h"
#include "hw/interface/maps/sample_record.h"
#include "platform/profile/hot_spots.h"
#include "platform/program/symbolizer.h"
#include "tb/lab/matrix.h"
#include "tb/lab/store.h"

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pes::lab {

class Judge {
  public:
    /// `programs`: the ELF files that ran. `truth`: what the run wrote; read when it is needed.
    Judge(const std::vector<std::string>& programs, const PmuProfile& pmu,
          std::filesystem::path truth);

    /// Of the whole run.
    std::uint64_t total(const EventId& event);
    /// Of code that retired.
    std::uint64_t half_words();

    /// None without samples, or without events.
    std::map<GroupBy, ErrorFigures> errors(const EventId& event,
                                           std::span<const SampleRecord> samples);

  private:
    /// A truth with its addresses put together.
    struct Rows {
        RowFinder finder;
        std::vector<std::uint64_t> exact;
    };
    /// A perfect sampler's error, expected and at its 95th percentile.
    using Chance = std::pair<double, double>;

    const Truth& truth(const EventId& event);
    Rows& rows(const EventId& event, GroupBy by);
    Chance chance(const EventId& event, GroupBy by, std::uint64_t samples);
    double error(Rows& rows, std::span<const SampleRecord> samples);

    std::vector<std::string> programs_;
    const PmuProfile& pmu_;
    std::filesystem::path truth_file_;
    Symbolizer symbolizer_;
    std::map<EventId, Truth> truths_;
    std::map<std::pair<EventId, GroupBy>, Rows> rows_;
    std::map<std::tuple<EventId, GroupBy, std::uint64_t>, Chance> chances_;
};

/// The number of equal samples that say as much as these do.
std::uint64_t effective_samples(std::span<const SampleRecord> samples);

} // namespace pes::lab

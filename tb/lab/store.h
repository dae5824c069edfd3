// SPDX-License-Identifier: Apache-2.0
// The results of a laboratory in an SQLite file. docs/lab.md lists its tables. What is stored has
// been run to its end; it is never changed.
#pragma once

#include "platform/profile/hot_spots.h"
#include "tb/lab/database.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pes::lab {

/// Parts of the whole, 0..1.
struct ErrorFigures {
    double profile = 0;     ///< given to another symbol than the truth gives it to
    double statistical = 0; ///< what a perfect sampler with as many samples would be wrong by
    double bound = 0;       ///< of that: 95 % of perfect samplers are below
    double systematic = 0;  ///< the rest: bias

    bool operator==(const ErrorFigures&) const = default;
};

/// A run without sampling: its exact totals. The truth is in a file.
struct RunResult {
    std::string key;
    std::string program;
    std::string settings;
    std::uint64_t cycles = 0;
    std::uint64_t instructions = 0;
    std::uint64_t half_words = 0;
    double host_seconds = 0;
    std::map<std::string, std::uint64_t> events{}; ///< how often those happened that were asked for
};

struct PointResult {
    std::string key;
    std::string run;
    std::string method;
    std::string event;
    std::uint64_t period = 0;
    unsigned spread = 0;
    std::uint64_t seed = 0;
    std::uint64_t samples = 0;
    std::uint64_t lost = 0;
    double host_seconds = 0;
    std::map<GroupBy, ErrorFigures> errors{};
};

/// What it costs the guest to have a sample delivered.
struct CostResult {
    std::string key;
    std::string delivery;
    std::uint64_t cycles_sampling = 0;
    std::uint64_t cycles_plain = 0;
    std::uint64_t samples = 0;
    std::uint64_t lost = 0;

    double cycles_per_sample() const;
};

/// How far behind its cause the interrupt of a sample came.
struct SkidResult {
    using Histogram = std::map<std::int64_t, std::uint64_t>;

    std::string key;
    std::string name;
    std::string event;
    std::uint64_t crossings = 0; ///< of the counter
    std::uint64_t delivered = 0; ///< an interrupt was taken
    std::uint64_t located = 0;   ///< with a known cause; the next four are parts of it
    std::uint64_t at_cause = 0;  ///< at the causal instruction
    std::uint64_t wrong_line = 0;
    std::uint64_t wrong_block = 0;
    std::uint64_t wrong_function = 0;
    Histogram instructions{};
    Histogram cycles{};
};

class Store {
  public:
    /// Throws UserError if the file is of another version.
    explicit Store(const std::filesystem::path& file);

    std::optional<RunResult> run(std::string_view key);
    std::optional<PointResult> point(std::string_view key);
    std::optional<CostResult> cost(std::string_view key);
    std::vector<SkidResult> skids(std::string_view key); ///< by event; empty: not measured
    bool has_point(std::string_view key);

    void add(const RunResult& run);
    void add_event(std::string_view run, const std::string& event, std::uint64_t total);
    void add(const PointResult& point);
    void add(const CostResult& cost);
    void add_skids(std::string_view key, const std::vector<SkidResult>& skids);

    /// Everything of another file of results that is not here.
    void merge(const std::filesystem::path& other);

  private:
    Database database_;
};

} // namespace pes::lab

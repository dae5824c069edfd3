// SPDX-License-Identifier: Apache-2.0
// The points of a matrix, and the keys under which runs and points are stored.
#pragma once

#include "tb/lab/matrix.h"
#include "tb/lab/store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pes::lab {

/// A program with settings: all its points share one truth.
struct RunSpec {
    std::size_t program = 0;
    std::size_t settings = 0;
    std::string key;
};

struct PointSpec {
    std::size_t run = 0; ///< place in Plan::runs
    const SamplingMethod* method = nullptr;
    LabEvent event;
    Rate rate;
    std::uint64_t seed = 0;
    unsigned spread = 0;
};

/// In the order of the file: all points of a run stand together.
struct Plan {
    std::vector<RunSpec> runs;
    std::vector<PointSpec> points;
};

/// `platform`: what tells versions of pes-vp apart. Throws UserError.
Plan make_plan(const Matrix& matrix, const std::string& platform);

/// Share `index` of `count`, both from 0: points that stand together stay together. Runs that have
/// no point left are dropped.
Plan share_of(const Plan& plan, std::size_t index, std::size_t count);

/// The period that gives about the wanted number of samples, or the one that is asked for. None if
/// the run has fewer than `min_events` of the event, or fewer than one period.
std::optional<std::uint64_t> period_of(const PointSpec& point, const RunResult& run,
                                       std::uint64_t min_events);

std::string point_key(const PointSpec& point, const std::string& run_key, std::uint64_t period);

/// Of what is run besides the points.
std::string delivery_key(const DeliveryTrial& trial, const std::string& platform);
std::string skid_key(const SkidTrial& trial, const std::string& platform);

} // namespace pes::lab

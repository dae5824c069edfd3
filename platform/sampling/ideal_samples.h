// SPDX-License-Identifier: Apache-2.0
// Samples of a perfect sampler: instructions drawn at random, each as likely as its part of the
// events in the truth. What they are wrong by is chance alone.
#pragma once

#include "hw/core/truth/truth_table.h"
#include "platform/sampling/recording_tap.h"

#include <vector>

namespace pes {

/// The plan's event in a row of the truth; of cycles there are halves.
double exact_events(const TruthTable& truth, TruthRow row, const SamplingPlan& plan);

/// One sample for each whole period of the plan that the run's events hold. The plan's seed makes
/// the draw; records have no cycle.
std::vector<TakenSample> draw_samples(unsigned hart, const TruthTable& truth,
                                      const SamplingPlan& plan);

} // namespace pes

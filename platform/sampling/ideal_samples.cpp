// SPDX-License-Identifier: Apache-2.0
#include "platform/sampling/ideal_samples.h"

#include "hw/common/random_numbers.h"

#include <algorithm>

namespace pes {
namespace {

/// What a row has of the plan's event. In halves of cycles, or counts; a count may fall below zero
/// (docs/truth.md).
std::uint64_t weight(const TruthTable& truth, TruthRow row, const SamplingPlan& plan) {
    if (plan.sources.has(Event::Cycles)) {
        return truth.half_cycles(row);
    }
    if (plan.sources.has(Event::Instructions)) {
        return truth.value(row, TruthTable::kRetired);
    }
    std::uint64_t sum = 0;
    plan.sources.for_each(
        [&](Event event) { sum += truth.value(row, TruthTable::column_of(event)); });
    return static_cast<std::int64_t>(sum) < 0 ? 0 : sum;
}

/// The weight of one event.
std::uint64_t unit(const SamplingPlan& plan) {
    return plan.sources.has(Event::Cycles) ? 2 : 1;
}

} // namespace

double exact_events(const TruthTable& truth, TruthRow row, const SamplingPlan& plan) {
    return static_cast<double>(weight(truth, row, plan)) / static_cast<double>(unit(plan));
}

std::vector<TakenSample> draw_samples(unsigned hart, const TruthTable& truth,
                                      const SamplingPlan& plan) {
    const std::vector<TruthRow> rows = truth.sorted_rows();
    std::vector<std::uint64_t> ends; // of each row, if all weights stand in a line
    std::uint64_t total = 0;
    for (const TruthRow row : rows) {
        total += weight(truth, row, plan);
        ends.push_back(total);
    }
    RandomNumbers random(plan.seed);
    std::vector<TakenSample> samples(total / unit(plan) / plan.period);
    for (TakenSample& sample : samples) {
        const auto drawn = std::ranges::upper_bound(ends, random.below(total)) - ends.begin();
        const TruthTable::Key key = truth.key(rows[static_cast<std::size_t>(drawn)]);
        sample.satp = key.context.satp;
        sample.record = {.magic = kSampleMagic,
                         .size = kSampleSize,
                         .version = kSampleVersion,
                         .hart = hart,
                         .counter = plan.counter,
                         .privilege = static_cast<std::uint8_t>(key.context.privilege),
                         .flags = 0,
                         .event = plan.selector,
                         .pc = key.pc,
                         .cycle = 0,
                         .counter_value = 0,
                         .threshold = plan.period,
                         .lost = 0};
    }
    return samples;
}

} // namespace pes

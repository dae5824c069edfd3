// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/point.h"

#include "platform/sampling/decode_sampler.h"
#include "tb/lab/content_hash.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace pes::lab {
namespace {

using Trigger = SamplingMethod::Trigger;

void add_guest(ContentHash& hash, const Guest& guest) {
    for (const std::string& file : {guest.program, guest.firmware, guest.kernel}) {
        hash.add(std::uint64_t{file.empty() ? 0U : 1U});
        if (!file.empty()) {
            hash.add_file(file);
        }
    }
}

ContentHash hash_of(const Guest& guest, const std::vector<std::string>& assignments,
                    const std::string& platform) {
    ContentHash hash;
    hash.add(platform);
    add_guest(hash, guest);
    hash.add(std::uint64_t{assignments.size()});
    for (const std::string& assignment : assignments) {
        hash.add(assignment);
    }
    return hash;
}

std::uint64_t events_in(const PointSpec& point, const RunResult& run) {
    const auto found = run.events.find(point.event.name);
    return found == run.events.end() ? 0 : found->second;
}

/// What the method counts until its next sample, in the whole run.
std::uint64_t triggers_in(const PointSpec& point, const RunResult& run) {
    switch (point.method->trigger) {
    case Trigger::Cycles:
        return run.cycles;
    case Trigger::HalfWords:
        return run.half_words;
    case Trigger::Decoded: // of its kind, about as many as retire
        return point.event.id.kind == CounterKind::Cycles ? run.instructions
                                                          : events_in(point, run);
    case Trigger::Events:
    case Trigger::Draw:
        break;
    }
    return events_in(point, run);
}

/// The points of a group for one run, in the order of its lists.
void add_points(Plan& plan, std::size_t run, const PointGroup& group) {
    for (const LabEvent& event : group.events) {
        for (const SamplingMethod* method : group.methods) {
            if (!can_sample(*method, event.sources)) {
                continue;
            }
            for (const Rate& rate : group.rates) {
                for (const std::uint64_t seed : group.seeds) {
                    plan.points.push_back({.run = run,
                                           .method = method,
                                           .event = event,
                                           .rate = rate,
                                           .seed = seed,
                                           .spread = group.spread});
                }
            }
        }
    }
}

} // namespace

Plan make_plan(const Matrix& matrix, const std::string& platform) {
    Plan plan;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> places;
    for (const PointGroup& group : matrix.groups) {
        for (const std::size_t program : group.programs) {
            for (const std::size_t settings : group.settings) {
                const auto [place, is_new] =
                    places.try_emplace({program, settings}, plan.runs.size());
                if (is_new) {
                    ContentHash hash = hash_of(matrix.programs[program].guest,
                                               matrix.settings[settings].assignments, platform);
                    plan.runs.push_back({.program = program,
                                         .settings = settings,
                                         .key = hash.add(matrix.max_cycles).text()});
                }
                add_points(plan, place->second, group);
            }
        }
    }
    std::ranges::stable_sort(plan.points, {}, &PointSpec::run);
    return plan;
}

Plan share_of(const Plan& plan, std::size_t index, std::size_t count) {
    const std::size_t begin = plan.points.size() * index / count;
    const std::size_t end = plan.points.size() * (index + 1) / count;
    Plan share;
    std::map<std::size_t, std::size_t> places;
    for (std::size_t i = begin; i < end; ++i) {
        PointSpec point = plan.points[i];
        const auto [place, is_new] = places.try_emplace(point.run, share.runs.size());
        if (is_new) {
            share.runs.push_back(plan.runs[point.run]);
        }
        point.run = place->second;
        share.points.push_back(std::move(point));
    }
    return share;
}

std::optional<std::uint64_t> period_of(const PointSpec& point, const RunResult& run,
                                       std::uint64_t min_events) {
    const std::uint64_t total = triggers_in(point, run);
    const std::uint64_t period = point.rate.kind == Rate::Kind::Period
                                     ? point.rate.number
                                     : std::max<std::uint64_t>(1, total / point.rate.number);
    const bool enough = events_in(point, run) >= min_events && period <= total;
    return enough ? std::optional(period) : std::nullopt;
}

std::string point_key(const PointSpec& point, const std::string& run_key, std::uint64_t period) {
    return ContentHash()
        .add(run_key)
        .add(point.method->name)
        .add(point.event.name)
        .add(period)
        .add(point.seed)
        .add(std::uint64_t{point.spread})
        .text();
}

std::string delivery_key(const DeliveryTrial& trial, const std::string& platform) {
    ContentHash hash = hash_of(trial.sampling, trial.assignments, platform);
    add_guest(hash, trial.plain);
    return hash.add(trial.delivery).add(std::uint64_t{trial.traps}).text();
}

std::string skid_key(const SkidTrial& trial, const std::string& platform) {
    return hash_of(trial.guest, trial.assignments, platform).add("skid").add(trial.name).text();
}

} // namespace pes::lab

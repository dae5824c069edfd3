// SPDX-License-Identifier: Apache-2.0
#include "decoder/skid/skid.h"

#include "platform/profile/hot_spots.h"

#include <cmath>

namespace pes {
namespace {

/// Whether two addresses are in different rows of a profile.
class Places {
  public:
    explicit Places(const Symbolizer& symbolizer)
        : lines_(symbolizer, GroupBy::Line), blocks_(symbolizer, GroupBy::Block),
          functions_(symbolizer, GroupBy::Function) {}

    void count(EventSkid& skid, Address cause, Address sampled) {
        const auto differ = [cause, sampled](RowFinder& rows) {
            return rows.row_of(cause) != rows.row_of(sampled) ? 1U : 0U;
        };
        ++skid.located;
        skid.at_cause += cause == sampled ? 1 : 0;
        skid.wrong_line += differ(lines_);
        skid.wrong_block += differ(blocks_);
        skid.wrong_function += differ(functions_);
    }

  private:
    RowFinder lines_;
    RowFinder blocks_;
    RowFinder functions_;
};

/// Differences of counts of 64 bits; they are small and may be below zero.
std::int64_t difference(std::uint64_t later, std::uint64_t earlier) {
    return static_cast<std::int64_t>(later - earlier);
}

} // namespace

void Histogram::add(std::int64_t value) {
    ++counts_[value];
    ++count_;
}

double Histogram::mean() const {
    double sum = 0;
    for (const auto& [value, times] : counts_) {
        sum += static_cast<double>(value) * static_cast<double>(times);
    }
    return sum / static_cast<double>(count_);
}

std::int64_t Histogram::percentile(double part) const {
    const double wanted = std::ceil(part * static_cast<double>(count_));
    std::uint64_t passed = 0;
    for (const auto& [value, times] : counts_) {
        passed += times;
        if (static_cast<double>(passed) >= wanted) {
            return value;
        }
    }
    return highest();
}

std::vector<EventSkid> measure_skid(std::span<const CrossingRecord> crossings,
                                    const SampleJoin* join, const Symbolizer& symbolizer) {
    std::map<EventId, EventSkid> events;
    Places places(symbolizer);
    for (std::size_t i = 0; i < crossings.size(); ++i) {
        const CrossingRecord& crossing = crossings[i];
        EventSkid& skid = events[event_of(crossing)];
        (crossing.kind == CrossingKind::Overflow ? skid.overflows : skid.thresholds) += 1;
        const bool sampled = join != nullptr && join->sampled[i].has_value();
        skid.delivered += crossing.interrupt ? 1 : 0;
        skid.sampled += sampled ? 1 : 0;
        if (!crossing.interrupt || (join != nullptr && !sampled)) {
            continue;
        }
        ++skid.measured;
        skid.cycles.add(difference(crossing.interrupt->cycle, crossing.cycle));
        if (crossing.instret) {
            skid.instructions.add(difference(crossing.interrupt->instret, *crossing.instret));
        }
        skid.cause_unknown += crossing.pc && crossing.instret ? 0 : 1;
        if (crossing.pc) {
            places.count(skid, *crossing.pc, sampled ? *join->sampled[i] : crossing.interrupt->pc);
        }
    }
    std::vector<EventSkid> result;
    for (auto& [event, skid] : events) {
        skid.event = event;
        result.push_back(std::move(skid));
    }
    return result;
}

} // namespace pes

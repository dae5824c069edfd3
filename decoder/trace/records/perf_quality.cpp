// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/records/perf_quality.h"

#include "decoder/trace/count_of.h"

#include <numeric>
#include <spdlog/fmt/fmt.h>

namespace pes::trace {

using namespace perf_record;

void PerfQuality::header(std::uint16_t, const PerfHeader&, TraceTime) {
    ++headers_;
}

void PerfQuality::record(const PerfRecord& record) {
    ++records_[static_cast<std::size_t>(record.kind)];
    if (places_ != nullptr && !places_->find(record.source, record.address).in_program) {
        ++outside_;
    }
}

void PerfQuality::lost(std::uint16_t source, const PerfLoss& loss) {
    if (end_ == StreamEnd::InMessage && loss.reason == PerfLoss::Reason::TraceEnded) {
        ++cut_;
        return;
    }
    ++losses_;
    lost_writes_ += loss.writes;
    if (lost_at_.size() < TraceQuality::kMostPlaces) {
        lost_at_.push_back(
            {loss.offset, fmt::format("records of source {}: {}, {} dropped", source,
                                      describe(loss.reason), count_of(loss.writes, "write"))});
    }
}

std::vector<std::string> PerfQuality::describe_flaws() const {
    std::vector<std::string> flaws;
    if (losses_ != 0) {
        flaws.push_back(fmt::format("performance records interrupted {}, {} dropped",
                                    count_of(losses_, "time"), count_of(lost_writes_, "write")));
    }
    if (outside_ != 0) {
        flaws.push_back(count_of(outside_, "performance record") +
                        " with an address outside of the program");
    }
    return flaws;
}

std::string PerfQuality::summary_text() const {
    const std::uint64_t records =
        std::accumulate(records_.begin(), records_.end(), std::uint64_t{0});
    std::string text = fmt::format("  {} with {}\n", count_of(headers_, "performance header"),
                                   count_of(records, "record"));
    for (unsigned kind = 0; kind < kRecordKinds; ++kind) {
        if (records_[kind] != 0) {
            text += fmt::format("  {:>10}  {}\n", records_[kind],
                                to_string(static_cast<RecordKind>(kind)));
        }
    }
    if (cut_ != 0) {
        text += fmt::format("  left out         {} that the full buffer cuts\n",
                            count_of(cut_, "record"));
    }
    for (const std::string& flaw : describe_flaws()) {
        text += "  damage           " + flaw + "\n";
    }
    for (const DamagePlace& place : lost_at_) {
        text += fmt::format("  at {:#010x}    {}\n", place.offset, place.what);
    }
    if (losses_ > lost_at_.size()) {
        text += fmt::format("  and {} more\n", count_of(losses_ - lost_at_.size(), "place"));
    }
    return text;
}

} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
#include "decoder/export/export_data.h"

#include "platform/profile/event_names.h"
#include "platform/profile/text_layout.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace pes {

void ExportData::add(const SampleRecord& record, const RecordDetails* details) {
    std::vector<Address> addresses{record.pc};
    ExportedSample sample;
    if (details != nullptr) {
        sample.details = details->fixed;
        addresses.insert(addresses.end(), details->calls.begin(), details->calls.end());
    }
    sample.record = record;
    sample.event = event_index(event_of(record));
    sample.stack = stack_index(addresses);
    sample.weight = record.threshold;
    ExportedEvent& event = events_[sample.event];
    ++event.samples;
    event.events = saturating_sum(event.events, sample.weight);
    samples_.push_back(sample);
}

void ExportData::finish() {
    for (ExportedSample& sample : samples_) {
        if (events_[sample.event].events == 0) {
            sample.weight = 1;
        }
    }
    for (ExportedEvent& event : events_) {
        if (event.events == 0) {
            event.events = event.samples;
        }
    }
}

void ExportData::set_truth(std::string text, std::string path) {
    truth_text_ = std::move(text);
    truth_path_ = std::move(path);
    exact(
        retired_instructions()); // finds a line that is none of a truth before anything is written
}

std::map<Address, std::uint64_t> ExportData::exact(const TruthMeasure& measure) const {
    std::istringstream text(truth_text_);
    std::map<Address, std::uint64_t> counts;
    const Truth truth = read_truth(text, truth_path_, measure);
    if (truth.measure != measure) {
        return counts; // the file does not tell
    }
    for (const auto& [pc, tally] : truth.exact) {
        counts[pc] = tally.events;
    }
    return counts;
}

std::size_t ExportData::event_index(const EventId& id) {
    const auto known = std::find_if(events_.begin(), events_.end(),
                                    [&id](const ExportedEvent& event) { return event.id == id; });
    if (known != events_.end()) {
        return static_cast<std::size_t>(known - events_.begin());
    }
    events_.push_back({id, event_name(pmu_, id), event_title(pmu_, id)});
    return events_.size() - 1;
}

std::size_t ExportData::stack_index(const std::vector<Address>& addresses) {
    const std::size_t number = known_stacks_.number_of(addresses);
    if (number == stacks_.size()) {
        ExportedStack& stack = stacks_.emplace_back();
        for (const Address address : addresses) {
            stack.push_back(places_.row_of(address));
        }
    }
    return number;
}

std::string function_name(const RowPlace& place) {
    return function_text(place.function);
}

std::string program_name(const RowPlace& place) {
    return place.program.empty() ? "(no program)"
                                 : std::filesystem::path(place.program).filename().string();
}

} // namespace pes

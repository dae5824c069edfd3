// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/profile_page.h"

#include "platform/program/disassembler.h"

#include <algorithm>
#include <map>

namespace pes {
namespace {

/// Of the timeline; base sources, which the hart counts always.
constexpr Event kIntervalEvents[] = {
    Event::Instructions, Event::L1DMiss,          Event::L1IMiss,
    Event::ItlbMiss,     Event::DtlbMiss,         Event::Branch,
    Event::Load,         Event::BranchMispredict, Event::PipelineStall};

/// Of the pipeline around samples: of all harts, but of each so many.
constexpr std::size_t kWindows = 40, kFewestWindows = 4;

std::string name_of(Event event) {
    return event == Event::Instructions ? "instret" : to_string(event);
}

/// Those that any instruction caused.
std::vector<Event> events_of(const EachRow& each_row) {
    std::array<std::uint64_t, kEventCount> sums{};
    each_row([&](const TruthTable& truth, TruthRow row, Address) {
        for (std::size_t source = 1; source < kEventCount; ++source) {
            sums[source] += truth.value(row, TruthTable::column_of(static_cast<Event>(source)));
        }
    });
    std::vector<Event> events;
    for (std::size_t source = 1; source < kEventCount; ++source) {
        if (sums[source] != 0) {
            events.push_back(static_cast<Event>(source));
        }
    }
    return events;
}

void add_row(AddressFacts& facts, const TruthTable& truth, TruthRow row,
             const std::vector<Event>& events) {
    facts.retired += truth.value(row, TruthTable::kRetired);
    facts.cycles.resize(kCycleReasons);
    for (std::size_t reason = 0; reason < kCycleReasons; ++reason) {
        const auto column = TruthTable::column_of(static_cast<CycleReason>(reason));
        facts.cycles[reason] += static_cast<double>(truth.value(row, column)) / 2;
    }
    facts.events.resize(events.size());
    for (std::size_t index = 0; index < events.size(); ++index) {
        facts.events[index] +=
            static_cast<std::int64_t>(truth.value(row, TruthTable::column_of(events[index])));
    }
}

std::vector<AddressFacts> facts_of(const EachRow& each_row, const std::vector<Event>& events) {
    std::map<Address, AddressFacts> facts;
    each_row([&](const TruthTable& truth, TruthRow row, Address pc) {
        AddressFacts& here = facts[pc];
        here.pc = pc;
        add_row(here, truth, row, events);
    });
    std::vector<AddressFacts> list;
    for (auto& [pc, here] : facts) {
        list.push_back(std::move(here));
    }
    return list;
}

PipelineView view_of(const SampleWindow& window, trace::Disassembler& disassembler) {
    PipelineView view{.hart = window.hart,
                      .trigger = window.trigger,
                      .from = window.from,
                      .to = window.to,
                      .sampled = window.sampled};
    for (const LoggedInstruction& instruction : window.instructions) {
        PipelineView::Row row{.pc = instruction.pc,
                              .text = instruction.raw
                                          ? disassembler.text(instruction.pc, *instruction.raw)
                                          : kNotFetched,
                              .detail = instruction.detail,
                              .flushed = instruction.how == LoggedInstruction::End::Flushed,
                              .end = instruction.last + 1};
        for (const PipelineStage& stage : stages_of(instruction)) {
            row.stages.emplace_back(stage.from, stage.name);
        }
        view.rows.push_back(std::move(row));
    }
    return view;
}

} // namespace

void add_exact_profile(RunReport& report, const EachRow& each_row) {
    const std::vector<Event> events = events_of(each_row);
    for (const Event event : events) {
        report.events.emplace_back(name_of(event));
    }
    for (std::size_t reason = 0; reason < kCycleReasons; ++reason) {
        report.reasons.emplace_back(to_string(static_cast<CycleReason>(reason)));
    }
    report.addresses = facts_of(each_row, events);
}

ProfilePage::ProfilePage(OutputFile& file, const PlatformConfig& config, std::string command,
                         std::vector<std::string> settings)
    : file_(file), clock_hz_(config.clock_hz), command_(std::move(command)),
      settings_(std::move(settings)) {
    require_page();
    for (unsigned hart = 0; hart < config.harts; ++hart) {
        recorders_.push_back(std::make_unique<IntervalRecorder>(
            std::vector(std::begin(kIntervalEvents), std::end(kIntervalEvents))));
    }
}

SampleWindows& ProfilePage::watch_samples(unsigned hart, std::uint64_t period) {
    const std::size_t most = std::max<std::size_t>(kFewestWindows, kWindows / recorders_.size());
    return *windows_.emplace_back(std::make_unique<SampleWindows>(hart, most, period));
}

void ProfilePage::write(RunReport report, const Symbolizer& symbolizer) {
    report.command = command_;
    report.settings = settings_;
    report.clock_hz = clock_hz_;
    trace::Disassembler disassembler(Xlen::Rv64);
    for (const std::unique_ptr<SampleWindows>& windows : windows_) {
        for (const SampleWindow& window : windows->windows()) {
            report.pipelines.push_back(view_of(window, disassembler));
        }
    }
    for (const Event event : kIntervalEvents) {
        report.timeline_events.push_back(name_of(event));
    }
    for (const std::unique_ptr<IntervalRecorder>& recorder : recorders_) {
        report.timelines.push_back({.from = recorder->from(),
                                    .interval = recorder->interval(),
                                    .counts = recorder->counts()});
    }
    write_page(file_.stream(), report, symbolizer);
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "tb/scenario_save.h"

#include <algorithm>
#include <array>
#include <utility>

namespace pes {
namespace {

constexpr const char* kFunction = "hart0.commit.function";

struct MarkedStep {
    Step step;
    const char* name;
};

/// The steps between which something takes its time; those one cycle apart would hide each other.
constexpr std::array<MarkedStep, 11> kMarked{{
    {Step::Event, "event"},
    {Step::Line, "threshold line"},
    {Step::TrapTaken, "trap"},
    {Step::HandlerStarts, "handler"},
    {Step::Inhibit, "inhibit"},
    {Step::Claim, "claim"},
    {Step::Store, "store"},
    {Step::Reset, "reset"},
    {Step::Complete, "complete"},
    {Step::ReturnRetires, "mret"},
    {Step::Resume, "resume"},
}};

GtkwaveGroup group_of(const Figure& figure, const VcdFile& wave) {
    GtkwaveGroup group{"Figure " + figure.number + ": " + figure.title, {}};
    for (const FigureSignal& signal : figure.signals) {
        group.traces.push_back({signal.name, wave.signal(signal.name).width(), signal.radix});
    }
    return group;
}

} // namespace

std::string scenario_save(std::span<const Figure> figures, const VcdFile& wave,
                          const Sample& sample, const ScenarioView& view) {
    constexpr Cycle kMargin = 20; // cycles on both sides of the sample
    const Cycle event = sample.at(Step::Event).value_or(wave.from());
    Cycle last = event;
    std::vector<GtkwaveMarker> markers;
    for (const MarkedStep& marked : kMarked) {
        if (const std::optional<Cycle> at = sample.at(marked.step)) {
            markers.push_back({marked.name, *at * view.cycle_time});
            last = std::max(last, *at);
        }
    }
    GtkwaveSave save{.title = "Precise event sampling, figure by figure",
                     .wave = view.vcd,
                     .from = std::max(event - std::min(event, kMargin), wave.from()),
                     .to = std::min(last + kMargin, wave.to()),
                     .marker = event * view.cycle_time,
                     .named = std::move(markers),
                     .groups = {}};
    save.from *= view.cycle_time;
    save.to *= view.cycle_time;
    if (wave.find(kFunction) != nullptr) {
        save.groups.push_back({"Function", {{kFunction, 0, Radix::Text}}});
    }
    for (const Figure& figure : figures) {
        save.groups.push_back(group_of(figure, wave));
    }
    return to_text(save);
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/output/pc_samples.h"

#include "platform/profile/text_layout.h"

#include <spdlog/fmt/fmt.h>

namespace pes::trace {
namespace {

constexpr std::size_t kTextRows = 10;

} // namespace

void PcSamples::add(const TraceItem& item, const MessageContext& context) {
    if (const auto change = process_change(item, context)) {
        current_[change->source] = change->process;
        return;
    }
    const std::optional<TraceEvent> event = event_of(item, context);
    if (!event || event->kind != EventSource::PcSample) {
        return;
    }
    if (event->address) {
        const auto current = current_.find(event->source);
        const auto process =
            current == current_.end() ? std::nullopt : std::optional(current->second);
        processes_[process][*event->address].add({1, 1});
        ++samples_;
    } else {
        ++unknown_;
    }
}

void PcSamples::write_csv(std::ostream& out, const Symbolizer& symbols,
                          const HotSpotOptions& options) const {
    write_csv_head(out, ProcessColumn::Shown);
    for (const GroupBy by : options.by) {
        write_csv_rows(out, to_string(EventSource::PcSample), table(symbols, by),
                       options.top.value_or(0), ProcessColumn::Shown);
    }
}

void PcSamples::write_text(std::ostream& out, const Symbolizer& symbols,
                           const HotSpotOptions& options) const {
    if (!any()) {
        return;
    }
    out << fmt::format("  {} PC samples", samples_ + unknown_)
        << (unknown_ == 0 ? "" : fmt::format(", {} at an unknown address", unknown_)) << '\n';
    if (empty() || symbols.programs().empty()) {
        return;
    }
    const auto style = terminal_style(options.ascii, options.no_color);
    for (const GroupBy by : options.by) {
        write_table(out, fmt::format("PC samples: {} by {}", samples_, pes::to_string(by)),
                    table(symbols, by), options.top.value_or(kTextRows), style);
    }
}

ReportTable PcSamples::table(const Symbolizer& symbols, GroupBy by) const {
    return {{}, by, samples_, process_hot_spots(processes_, symbols, by)};
}

} // namespace pes::trace

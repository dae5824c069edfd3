// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/flow/flow_statistics.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <spdlog/fmt/fmt.h>

namespace pes::trace {
namespace {

template <typename... Values>
void line(std::string& text, const char* name, fmt::format_string<Values...> format,
          Values&&... values) {
    fmt::format_to(std::back_inserter(text), "    {:<22}", name);
    fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
    text += '\n';
}

double percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string spread_text(const Spread& spread) {
    return spread.count == 0 ? "none"
                             : fmt::format("least {}, mean {:.2f}, most {}", spread.least,
                                           spread.mean(), spread.most);
}

/// A variable field takes at least one slice.
std::uint64_t field_bytes(std::uint64_t value) {
    const auto bits = static_cast<std::uint64_t>(std::bit_width(value | 1));
    return (bits + kSliceDataBits - 1) / kSliceDataBits;
}

void append_messages(std::string& text, const MessageCounts& counts) {
    line(text, "messages", "{} in {} bytes", counts.bytes.count, counts.bytes.sum);
    for (unsigned code = 0; code < counts.by_code.size(); ++code) {
        if (counts.by_code[code] != 0) {
            fmt::format_to(std::back_inserter(text), "      {:>10} {:>5.1f} %  {} ({})\n",
                           counts.by_code[code], percent(counts.by_code[code], counts.bytes.count),
                           find_layout(code)->name, code);
        }
    }
    line(text, "bytes a message", "{}", spread_text(counts.bytes));
    line(text, "bits of F-ADDR", "{}", spread_text(counts.full_addresses));
    line(text, "bits of U-ADDR", "{}", spread_text(counts.unique_addresses));
    line(text, "timestamps", "{} in {} bytes, {:.1f} % of all", counts.timestamps,
         counts.timestamp_bytes, percent(counts.timestamp_bytes, counts.bytes.sum));
}

void append_packets(std::string& text, const PacketCounts& counts) {
    line(text, "packets", "{} in {} bytes", counts.bytes.count, counts.bytes.sum);
    for (std::size_t kind = 0; kind < counts.by_kind.size(); ++kind) {
        if (counts.by_kind.at(kind) != 0) {
            fmt::format_to(
                std::back_inserter(text), "      {:>10} {:>5.1f} %  {}\n", counts.by_kind.at(kind),
                percent(counts.by_kind.at(kind), counts.bytes.count), etrace::kind_name(kind));
        }
    }
    line(text, "bytes a packet", "{}", spread_text(counts.bytes));
    line(text, "timestamps", "{}", counts.timestamps);
}

void append_flow(std::string& text, const FlowCounts& flow, std::uint64_t bytes) {
    line(text, "instructions", "{}", flow.instructions);
    if (flow.instructions != 0) {
        line(text, "bits an instruction", "{:.3f}",
             8.0 * static_cast<double>(bytes) / static_cast<double>(flow.instructions));
    }
    const std::uint64_t coroutines = flow.runs(RunEnd::ReturnAndCall);
    line(text, "conditional branches", "taken {}, not taken {}", flow.runs(RunEnd::Taken),
         flow.runs(RunEnd::NotTaken));
    line(text, "jumps", "direct {}, indirect {}", flow.runs(RunEnd::Jump),
         flow.runs(RunEnd::IndirectJump));
    line(text, "calls", "{}", flow.runs(RunEnd::Call) + coroutines);
    line(text, "returns", "{}", flow.runs(RunEnd::Return) + coroutines);
    const auto traps = [&](TrapKind kind) { return flow.traps[static_cast<std::size_t>(kind)]; };
    line(text, "traps", "exceptions {}, interrupts {}, either {}", traps(TrapKind::Exception),
         traps(TrapKind::Interrupt), traps(TrapKind::Unknown));
    line(text, "trap returns", "{}", flow.runs(RunEnd::TrapReturn));
    line(text, "starts, stops", "{}, {}", flow.starts, flow.stops);
    for (std::size_t reason = 0; reason < kGapReasons; ++reason) {
        if (flow.gaps[reason] != 0) {
            line(text, "flow lost", "{} x {}", flow.gaps[reason],
                 describe(static_cast<GapReason>(reason)));
        }
    }
}

} // namespace

void MessageStatistics::add(const TraceItem& item) {
    if (item.kind != TraceItem::Kind::Message) {
        return;
    }
    const TraceMessage& message = item.message;
    MessageCounts& counts = sources_[message.source];
    ++counts.by_code[item.code];
    counts.bytes.add(item.size);
    if (message.timestamp) {
        ++counts.timestamps;
        counts.timestamp_bytes += field_bytes(*message.timestamp);
    }
    if (message.has(Field::Address)) {
        const auto bits = static_cast<std::uint64_t>(std::bit_width(message.value(Field::Address)));
        (message.has(Field::SyncReason) ? counts.full_addresses : counts.unique_addresses)
            .add(bits);
    }
}

void MessageStatistics::add(const etrace::PacketItem& item) {
    if (item.kind != etrace::PacketItem::Kind::Packet) {
        return;
    }
    PacketCounts& counts = packet_sources_[item.frame.source];
    ++counts.by_kind.at(etrace::kind_of(item.frame.packet));
    counts.bytes.add(item.size);
    counts.timestamps += item.frame.timestamp ? 1 : 0;
}

FlowCounts& FlowStatistics::counts(std::uint16_t source) {
    if (recent_ == nullptr || recent_source_ != source) {
        recent_ = &sources_[source];
        recent_source_ = source;
    }
    return *recent_;
}

void FlowStatistics::ran(const InstructionRun& run) {
    FlowCounts& flow = counts(run.source);
    flow.instructions += run.instructions;
    ++flow.ends[static_cast<std::size_t>(run.end)];
}

void FlowStatistics::trapped(const FlowTrap& trap) {
    ++counts(trap.source).traps[static_cast<std::size_t>(trap.kind)];
}

void FlowStatistics::gap(const FlowGap& gap) {
    ++counts(gap.source).gaps[static_cast<std::size_t>(gap.reason)];
    const bool disagrees =
        gap.reason == GapReason::Contradiction || gap.reason == GapReason::OutsideProgram;
    if (disagrees && disagreements_.size() < kMostPlaces) {
        disagreements_.push_back(gap);
    }
}

FlowCounts FlowStatistics::total() const {
    FlowCounts total;
    const auto add = [](auto& sums, const auto& values) {
        std::transform(sums.begin(), sums.end(), values.begin(), sums.begin(), std::plus<>());
    };
    for (const auto& [source, flow] : sources_) {
        total.instructions += flow.instructions;
        total.starts += flow.starts;
        total.stops += flow.stops;
        add(total.ends, flow.ends);
        add(total.traps, flow.traps);
        add(total.gaps, flow.gaps);
    }
    return total;
}

const char* describe(GapReason reason) {
    switch (reason) {
    case GapReason::EncoderLoss:
        return "Error message or overrun of the encoder";
    case GapReason::Damage:
        return "damaged bytes";
    case GapReason::Contradiction:
        return "trace and program contradict each other";
    case GapReason::OutsideProgram:
        return "no code of the program at the address";
    case GapReason::Truncated:
        return "end of the file inside a message";
    }
    return "";
}

std::string statistics_text(const MessageStatistics& messages, const FlowStatistics* flow) {
    std::string text;
    const auto append_source = [&](std::uint16_t source, const auto& counts, auto&& append) {
        fmt::format_to(std::back_inserter(text), "source {}\n", source);
        append(text, counts);
        if (flow != nullptr) {
            const auto found = flow->sources().find(source);
            append_flow(text, found == flow->sources().end() ? FlowCounts{} : found->second,
                        counts.bytes.sum);
        }
    };
    for (const auto& [source, counts] : messages.sources()) {
        append_source(source, counts, append_messages);
    }
    for (const auto& [source, counts] : messages.packet_sources()) {
        append_source(source, counts, append_packets);
    }
    return text;
}

} // namespace pes::trace

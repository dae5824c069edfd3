// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/messages/trace_quality.h"

#include "decoder/trace/count_of.h"

#include <numeric>
#include <spdlog/fmt/fmt.h>

namespace pes::trace {
namespace {

const char* reason(ParseStatus status) {
    switch (status) {
    case ParseStatus::Stray:
        return "no message starts here";
    case ParseStatus::IllegalSlice:
        return "slice with MSEO 10";
    case ParseStatus::MissingFields:
        return "message with too few fields";
    case ParseStatus::ExtraFields:
        return "message with too many fields";
    case ParseStatus::TooWide:
        return "value of more than 64 bits";
    case ParseStatus::TooLong:
        return "message of more than 64 slices";
    case ParseStatus::UnknownCode:
        return "unknown TCODE";
    case ParseStatus::Message:
    case ParseStatus::Idle:
    case ParseStatus::Incomplete:
        break;
    }
    return "value without a meaning";
}

} // namespace

void TraceQuality::add(const TraceItem& item, const MessageContext& context) {
    switch (item.kind) {
    case TraceItem::Kind::Truncated:
        truncated_bytes += item.size;
        note(item.offset, describe(item));
        return;
    case TraceItem::Kind::Damage:
        ++damage[static_cast<std::size_t>(item.status)];
        damaged_bytes += item.size;
        note(item.offset, describe(item));
        return;
    case TraceItem::Kind::Message:
        break;
    }
    ++messages;
    message_bytes += item.size;
    ++by_code[item.code];
    ++by_source[item.message.source];
    if (item.message.timestamp) {
        ++timestamps;
        untimed += context.time ? 0 : 1;
    }
    errors += item.message.code == MessageCode::Error ? 1 : 0;
    if (item.doubtful) {
        ++doubtful;
        note(item.offset, describe(item));
    }
}

std::uint64_t TraceQuality::damages() const {
    return std::accumulate(damage.begin(), damage.end(), std::uint64_t{0});
}

std::string describe(const TraceItem& item) {
    const std::string bytes = count_of(item.size, "byte");
    if (item.kind == TraceItem::Kind::Truncated) {
        return fmt::format("{}: the file ends inside a message of TCODE {}", bytes, item.code);
    }
    switch (item.status) {
    case ParseStatus::Stray:
        return fmt::format("{}: {}", bytes, reason(item.status));
    case ParseStatus::UnknownCode:
        return fmt::format("{}: {} {}", bytes, reason(item.status), item.code);
    default:
        return fmt::format("{}: {} (TCODE {})", bytes, reason(item.status), item.code);
    }
}

std::vector<std::string> describe_flaws(const TraceQuality& quality) {
    std::vector<std::string> flaws;
    for (std::size_t status = 0; status < kParseStatuses; ++status) {
        if (quality.damage[status] != 0) {
            flaws.push_back(fmt::format("{} x {}", quality.damage[status],
                                        reason(static_cast<ParseStatus>(status))));
        }
    }
    if (quality.damaged_bytes != 0) {
        flaws.push_back(count_of(quality.damaged_bytes, "byte") + " not readable as messages");
    }
    if (quality.truncated_bytes != 0) {
        flaws.push_back("the file ends " + count_of(quality.truncated_bytes, "byte") +
                        " into a message");
    }
    if (quality.doubtful != 0) {
        flaws.push_back(count_of(quality.doubtful, "message") + " with a value without a meaning");
    }
    if (quality.untimed != 0) {
        flaws.push_back(count_of(quality.untimed, "timestamp") +
                        " without an absolute one to count from");
    }
    if (quality.errors != 0) {
        flaws.push_back(count_of(quality.errors, "Error message") +
                        ": the encoder lost messages before it");
    }
    return flaws;
}

std::string summary_text(const std::string& file, const TraceQuality& quality) {
    std::string text =
        fmt::format("{}: {} in {}, {} idle\n", file, count_of(quality.messages, "message"),
                    count_of(quality.bytes, "byte"), quality.idle_bytes);
    if (quality.cut_bytes != 0) {
        text += fmt::format("  left out         {} of a message whose start is overwritten\n",
                            count_of(quality.cut_bytes, "byte"));
    }
    if (quality.cut_end_bytes != 0) {
        text += fmt::format("  left out         {} of a message that the full buffer cuts\n",
                            count_of(quality.cut_end_bytes, "byte"));
    }
    if (quality.messages != 0) {
        text += fmt::format("  bytes a message  {:.2f}\n  timestamps       {}\n",
                            static_cast<double>(quality.message_bytes) /
                                static_cast<double>(quality.messages),
                            quality.timestamps);
    }
    text += quality.sources_text();
    for (std::size_t code = 0; code < quality.by_code.size(); ++code) {
        if (quality.by_code[code] != 0) {
            text += fmt::format("  {:>10}  {} ({})\n", quality.by_code[code],
                                find_layout(static_cast<unsigned>(code))->name, code);
        }
    }
    return text + quality.flaws_text(describe_flaws(quality));
}

} // namespace pes::trace

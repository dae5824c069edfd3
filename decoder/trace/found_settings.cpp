// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/found_settings.h"

#include "decoder/trace/file_sample.h"
#include "decoder/trace/messages/trace_context.h"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

namespace pes::trace {
namespace {

// --- Protocol -----------------------------------------------------------------------------------

bool reads_as_messages(const std::string& bytes, const TraceEncoding& encoding) {
    std::istringstream input(bytes);
    TraceReader reader(input, encoding.source_bits, encoding.start, encoding.addresses);
    TraceItem item;
    while (reader.next(item)) {
        if (item.kind == TraceItem::Kind::Damage) {
            return false;
        }
    }
    return true;
}

/// With a support packet first, as every trace has, and nothing that is no packet behind it.
bool reads_as_packets(const std::string& bytes, const etrace::Encoding& encoding,
                      StreamStart start) {
    std::istringstream input(bytes);
    etrace::PacketReader reader(input, encoding, start);
    etrace::PacketItem item;
    bool any = false;
    while (reader.next(item)) {
        const bool support = item.kind == etrace::PacketItem::Kind::Packet &&
                             item.frame.packet.is(etrace::Sync::Support);
        if (item.kind == etrace::PacketItem::Kind::Damage || (!any && !support)) {
            return false;
        }
        any = true;
    }
    return any;
}

// --- Dialect ------------------------------------------------------------------------------------

/// What speaks for a dialect and what against it.
struct Evidence {
    std::uint64_t own_messages = 0; ///< that only this dialect has
    std::uint64_t wrong_times = 0;  ///< that lie before the one before, or far behind it
};

/// The times of a stream in one of the dialects.
class Times {
  public:
    explicit Times(TimestampFormat format) : contexts_(format) {}

    /// False if this one cannot be.
    bool go_on(const TraceItem& item) {
        constexpr std::uint64_t kLongest = std::uint64_t{1} << 38; // without any message
        const MessageContext context = contexts_.next(item);
        if (item.kind != TraceItem::Kind::Message) {
            last_.clear();
            return true;
        }
        if (!context.time) {
            return true;
        }
        const auto [last, first] = last_.try_emplace(item.message.source, *context.time);
        const bool can_be =
            first || (*context.time >= last->second && *context.time - last->second < kLongest);
        last->second = *context.time;
        return can_be;
    }

  private:
    ContextTracker contexts_;
    std::map<std::uint16_t, std::uint64_t> last_; ///< by source
};

bool is_of_n_trace(const TraceMessage& message) {
    switch (message.code) {
    case MessageCode::RepeatBranch:
        return true;
    case MessageCode::ResourceFull:
        return static_cast<Resource>(message.value(Field::ResourceCode)) == Resource::HistoryRepeat;
    case MessageCode::Error:
        return message.value(Field::ErrorCode) != 0;
    default:
        return message.has(Field::BranchType) &&
               static_cast<BranchType>(message.value(Field::BranchType)) >= BranchType::Exception;
    }
}

bool is_of_sifive(const TraceMessage& message) {
    const bool full = message.code == MessageCode::ResourceFull;
    return full && static_cast<Resource>(message.value(Field::ResourceCode)) >= Resource::NotTaken;
}

TimestampDialect dialect_of(const std::string& bytes, const TraceEncoding& encoding,
                            const TraceEncoding& as_n_trace) {
    std::istringstream input(bytes);
    TraceReader reader(input, encoding.source_bits, encoding.start, encoding.addresses);
    Times sifive_times(encoding.timestamps);
    Times n_trace_times(as_n_trace.timestamps);
    Evidence sifive;
    Evidence n_trace;
    std::uint64_t times = 0;
    TraceItem item;
    while (reader.next(item)) {
        sifive.wrong_times += sifive_times.go_on(item) ? 0 : 1;
        n_trace.wrong_times += n_trace_times.go_on(item) ? 0 : 1;
        if (item.kind == TraceItem::Kind::Message) {
            times += item.message.timestamp ? 1 : 0;
            sifive.own_messages += is_of_sifive(item.message) ? 1 : 0;
            n_trace.own_messages += is_of_n_trace(item.message) ? 1 : 0;
        }
    }
    if (sifive.own_messages != 0 || n_trace.own_messages != 0) {
        return n_trace.own_messages > sifive.own_messages ? TimestampDialect::NTrace
                                                          : TimestampDialect::SiFive;
    }
    // A narrow counter wraps now and then; in the wrong dialect every other time is nonsense.
    constexpr std::uint64_t kShare = 4;
    const bool nonsense = sifive.wrong_times * kShare >= times && sifive.wrong_times != 0;
    return nonsense && n_trace.wrong_times * kShare < times ? TimestampDialect::NTrace
                                                            : TimestampDialect::SiFive;
}

// --- Both ---------------------------------------------------------------------------------------

FoundSettings found_packets(const std::string& bytes, const TraceEncoding& encoding) {
    etrace::Encoding packets = encoding.packets;
    constexpr std::array<unsigned, 3> kTimestampBits{kSiFiveTimestampBits, kMostTimestampBits, 32};
    for (const unsigned bits : kTimestampBits) {
        packets.framing.timestamp_bytes = bits / 8;
        packets.timestamp_bits = bits;
        if (reads_as_packets(bytes, packets, encoding.start)) {
            FoundSettings found;
            found.settings.protocol = Protocol::ETrace;
            found.settings.timestamp_bits = bits;
            found.sentence = "it reads as E-Trace, and not as messages, so it is taken for that; "
                             "--format nexus reads messages";
            return found;
        }
    }
    return {};
}

} // namespace

FoundSettings find_settings(const std::string& file, const TraceSettings& options,
                            const TraceSettings& side_file) {
    const auto protocol = options.protocol ? options.protocol : side_file.protocol;
    if (options.dialect || side_file.dialect || protocol == Protocol::ETrace) {
        return {};
    }
    const std::string bytes = sample_of(file);
    const TraceEncoding encoding = resolve(options, side_file);
    if (!protocol && !reads_as_messages(bytes, encoding)) {
        if (FoundSettings found = found_packets(bytes, encoding); found.settings.protocol) {
            return found;
        }
    }
    TraceSettings n_trace = options;
    n_trace.dialect = TimestampDialect::NTrace;
    if (dialect_of(bytes, encoding, resolve(n_trace, side_file)) == TimestampDialect::SiFive) {
        return {};
    }
    FoundSettings found;
    found.settings.dialect = TimestampDialect::NTrace;
    found.sentence = "its times read as those of N-Trace, and not of SiFive's dialect, so they "
                     "are taken for that; --timestamps sifive reads the other one";
    return found;
}

} // namespace pes::trace

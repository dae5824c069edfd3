// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/messages/trace_reader.h"

namespace pes::trace {

TraceReader::TraceReader(std::istream& input, unsigned source_bits, StreamStart start,
                         AddressForm addresses)
    : window_(input), source_bits_(source_bits), addresses_(addresses), start_(start) {}

bool TraceReader::next(TraceItem& item) {
    if (start_ == StreamStart::InMessage) {
        leave_out_start();
    }
    for (;;) {
        const std::span<const std::uint8_t> bytes = fill();
        if (bytes.empty()) {
            return false;
        }
        const ParseResult result = parse_message(bytes, source_bits_, item.message, addresses_);
        if (result.status == ParseStatus::Idle) {
            idle_bytes_ += result.size;
            window_.take(result.size);
            continue;
        }
        item.kind = TraceItem::Kind::Message;
        item.status = result.status;
        item.doubtful = result.doubtful;
        item.code = static_cast<std::uint8_t>(bytes.front() >> kSliceEndBits);
        item.offset = window_.offset();
        item.size = result.size;
        if (result.status == ParseStatus::Incomplete) { // the window holds any whole message
            item.kind = TraceItem::Kind::Truncated;
            item.size = bytes.size();
        }
        window_.take(item.size);
        if (is_damage(result.status)) {
            finish_damage(item, result.ended);
        }
        return true;
    }
}

void TraceReader::leave_out_start() {
    start_ = StreamStart::AtMessage;
    for (bool ended = false; !ended;) {
        const std::span<const std::uint8_t> bytes = fill();
        if (bytes.empty()) {
            return;
        }
        const ParseResult rest = skip_to_end(bytes);
        ended = rest.ended;
        cut_bytes_ += rest.size;
        window_.take(rest.size);
    }
}

/// The end of a message that is longer than the window; the rest of a run of stray bytes.
void TraceReader::finish_damage(TraceItem& item, bool ended) {
    item.kind = TraceItem::Kind::Damage;
    TraceMessage ignored;
    for (;;) {
        const std::span<const std::uint8_t> bytes = fill();
        if (bytes.empty()) {
            return;
        }
        ParseResult more;
        if (!ended) {
            more = skip_to_end(bytes);
            ended = more.ended;
        } else if (item.status == ParseStatus::Stray) {
            more = parse_message(bytes, source_bits_, ignored);
            if (more.status != ParseStatus::Stray) {
                return;
            }
        } else {
            return;
        }
        item.size += more.size;
        window_.take(more.size);
    }
}

} // namespace pes::trace

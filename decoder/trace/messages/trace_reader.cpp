// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/messages/trace_reader.h"

#include <cstring>

namespace pes::trace {
namespace {

constexpr std::size_t kWindowBytes = std::size_t{256} * 1024;

} // namespace

TraceReader::TraceReader(std::istream& input, unsigned source_bits, StreamStart start,
                         AddressForm addresses)
    : input_(input), source_bits_(source_bits), addresses_(addresses), start_(start),
      window_(kWindowBytes) {}

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
            take(result.size);
            continue;
        }
        item.kind = TraceItem::Kind::Message;
        item.status = result.status;
        item.doubtful = result.doubtful;
        item.code = static_cast<std::uint8_t>(bytes.front() >> kSliceEndBits);
        item.offset = offset_;
        item.size = result.size;
        if (result.status == ParseStatus::Incomplete) { // the window holds any whole message
            item.kind = TraceItem::Kind::Truncated;
            item.size = bytes.size();
        }
        take(item.size);
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
        take(rest.size);
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
        take(more.size);
    }
}

/// At least one whole message, unless the file ends before.
std::span<const std::uint8_t> TraceReader::fill() {
    if (end_ - begin_ < kMostSlices && input_) {
        std::memmove(window_.data(), window_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
        input_.read(reinterpret_cast<char*>(window_.data()) + end_,
                    static_cast<std::streamsize>(window_.size() - end_));
        const auto more = static_cast<std::size_t>(input_.gcount());
        if (sum_ != nullptr) {
            sum_->add(window_.data() + end_, more);
        }
        end_ += more;
    }
    return {window_.data() + begin_, end_ - begin_};
}

void TraceReader::take(std::uint64_t bytes) {
    begin_ += bytes;
    offset_ += bytes;
}

} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
#include "hw/interface/trace/etrace/frame.h"
#include "hw/interface/trace/etrace/packet_codec.h"

#include <algorithm>

namespace pes::trace::etrace {
namespace {

constexpr std::uint8_t kLengthMask = 0x1F;
constexpr std::uint8_t kExtend = 0x80;

bool is_null(std::uint8_t byte) {
    return (byte & kLengthMask) == 0;
}

/// Reads on past the end as if the last bit were repeated there.
class FieldReader {
  public:
    explicit FieldReader(std::span<const std::uint8_t> from) : from_(from) {}

    template <typename Value>
    void number(Value& value, unsigned bits) {
        value = static_cast<Value>(take(bits));
    }
    template <typename Value>
    void assume(Value& value, Value expected) {
        value = expected;
    }
    void address(Address& value, const Parameters& widths) {
        value = take(widths.address_field()) << widths.iaddress_lsb & widths.address_mask();
    }
    void branches(std::uint8_t& count, bool& has_address) {
        count = static_cast<std::uint8_t>(take(5));
        has_address = count != 0;
        count = has_address ? count : kMostBranches;
    }
    void flag(bool& set) {
        const bool before = last_;
        set = (take(1) != 0) != before;
    }
    void fill(unsigned bits) { skip_like_last(bits); }
    void zeros(unsigned bits) { // what a data trace would say
        refused_ |= bits != 0 && take(bits) != 0;
    }
    void refuse() { refused_ = true; }

    std::uint64_t take(unsigned bits) {
        std::uint64_t value = 0;
        for (unsigned done = 0; done < bits; ++done) {
            last_ = bit(used_++);
            value |= std::uint64_t{last_} << done;
        }
        return value;
    }
    bool refused() const { return refused_; }
    unsigned used() const { return used_; }
    /// Whether everything that has not been taken repeats the last bit.
    bool rest_is_padding() const {
        for (unsigned index = used_; index < 8 * from_.size(); ++index) {
            if (bit(index) != last_) {
                return false;
            }
        }
        return true;
    }

  private:
    bool bit(unsigned index) const {
        const auto bits = static_cast<unsigned>(8 * from_.size());
        index = std::min(index, bits - 1);
        return (from_[index / 8] >> index % 8 & 1) != 0;
    }
    void skip_like_last(unsigned bits) {
        const bool before = last_;
        for (unsigned done = 0; done < bits; ++done) {
            refused_ |= bit(used_++) != before;
        }
    }

    std::span<const std::uint8_t> from_;
    unsigned used_ = 0;
    bool last_ = false;
    bool refused_ = false;
};

bool legal(const Packet& packet) {
    if (packet.is(Sync::Support)) {
        return packet.encoder_mode == 0;
    }
    if (packet.format == Format::Extension) {
        return packet.extension <= Extension::JumpTarget &&
               (packet.extension == Extension::JumpTarget ||
                packet.branch_format != static_cast<BranchFormat>(1));
    }
    return true;
}

FrameResult parse_nulls(std::span<const std::uint8_t> bytes, const Framing& framing) {
    const auto behind = std::ranges::find_if_not(bytes, is_null);
    const auto size = static_cast<std::size_t>(behind - bytes.begin());
    return {FrameStatus::Idle, size, size >= framing.sync_bytes()};
}

} // namespace

FrameResult parse_frame(std::span<const std::uint8_t> bytes, const Framing& framing,
                        const Parameters& parameters, Frame& frame) {
    if (bytes.empty()) {
        return {};
    }
    if (is_null(bytes.front())) {
        return parse_nulls(bytes, framing);
    }
    const std::uint8_t header = bytes.front();
    const bool extended = (header & kExtend) != 0;
    const unsigned time_bytes = extended ? framing.timestamp_bytes : 0;
    const unsigned length = header & kLengthMask;
    const std::size_t size = std::size_t{1} + framing.source_bits / 8 + time_bytes + length;
    if (bytes.size() < size) {
        return {FrameStatus::Incomplete, bytes.size()};
    }
    FieldReader reader(bytes.subspan(1, size - 1));
    frame = {};
    reader.number(frame.source, framing.source_bits);
    if (time_bytes != 0) {
        frame.timestamp = reader.take(8 * time_bytes);
    }
    code_packet(reader, frame.packet, parameters);
    if (reader.refused() || !legal(frame.packet) || (extended && time_bytes == 0)) {
        return {FrameStatus::Unknown, size};
    }
    const auto used_bytes = std::size_t{reader.used() + 7} / 8;
    if (used_bytes < size - 1) {
        return {FrameStatus::TooLong, size};
    }
    return {reader.rest_is_padding() ? FrameStatus::Packet : FrameStatus::Padding, size};
}

} // namespace pes::trace::etrace

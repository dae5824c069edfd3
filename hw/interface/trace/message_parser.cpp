// SPDX-License-Identifier: Apache-2.0
#include "hw/interface/trace/message_parser.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace pes::trace {
namespace {

constexpr unsigned kEndMask = (1U << kSliceEndBits) - 1;
constexpr unsigned kWordBits = 64;

constexpr SliceEnd end_of(std::uint8_t slice) {
    return static_cast<SliceEnd>(slice & kEndMask);
}

/// Takes fields out of the slices of one message. The first failure sticks; values are 0 after it.
class SliceReader {
  public:
    explicit SliceReader(std::span<const std::uint8_t> bytes)
        : next_(bytes.data()), last_(bytes.data() + std::min(bytes.size(), kMostSlices)),
          full_(bytes.size() >= kMostSlices) {}

    std::uint64_t fixed(unsigned bits) {
        while (held_bits_ < bits) {
            if (end_ != SliceEnd::Inside) {
                fail(ParseStatus::MissingFields);
                return 0;
            }
            const std::uint64_t data = load();
            if (status_ != ParseStatus::Message) {
                return 0;
            }
            held_ |= data << held_bits_;
            held_bits_ += kSliceDataBits;
        }
        const std::uint64_t value = held_ & ((std::uint64_t{1} << bits) - 1);
        held_ >>= bits;
        held_bits_ -= bits;
        return value;
    }

    /// The rest of the current slice, and the slices up to the end of the field. Encoders differ
    /// for a value of zero directly after fixed fields that fill their slice: some end the field
    /// with that slice, others send an empty one. Both are accepted.
    std::uint64_t variable() {
        if (end_ == SliceEnd::Message && ended_) {
            fail(ParseStatus::MissingFields);
            return 0;
        }
        std::uint64_t value = held_;
        unsigned bits = held_bits_;
        held_ = 0;
        held_bits_ = 0;
        while (end_ == SliceEnd::Inside) {
            const std::uint64_t data = load();
            if (status_ != ParseStatus::Message) {
                return 0;
            }
            if (bits >= kWordBits ? data != 0 : (data << bits) >> bits != data) {
                fail(ParseStatus::TooWide);
                return 0;
            }
            if (bits < kWordBits) {
                value |= data << bits;
                bits += kSliceDataBits;
            }
        }
        last_bits_ = bits;
        close_field();
        return value;
    }

    unsigned last_bits() const { return last_bits_; } ///< sent of the last variable field
    bool ended() const { return ended_; }
    ParseStatus status() const { return status_; }
    const std::uint8_t* position() const { return next_; }

  private:
    std::uint64_t load() {
        if (next_ == last_) {
            fail(full_ ? ParseStatus::TooLong : ParseStatus::Incomplete);
            return 0;
        }
        const std::uint8_t slice = *next_++;
        end_ = end_of(slice);
        if (end_ == SliceEnd::Illegal) {
            fail(ParseStatus::IllegalSlice);
        }
        return slice >> kSliceEndBits;
    }

    void close_field() {
        if (end_ == SliceEnd::Message) {
            ended_ = true;
        } else {
            end_ = SliceEnd::Inside;
        }
    }

    void fail(ParseStatus status) {
        if (status_ == ParseStatus::Message) {
            status_ = status;
        }
    }

    const std::uint8_t* next_;
    const std::uint8_t* last_;
    bool full_; ///< the bytes hold the longest message that is allowed
    std::uint64_t held_ = 0;
    unsigned held_bits_ = 0;
    unsigned last_bits_ = 0;
    SliceEnd end_ = SliceEnd::Inside;
    bool ended_ = false;
    ParseStatus status_ = ParseStatus::Message;
};

bool is_assigned(const FieldLayout& field, std::uint64_t value) {
    if (field.packing == Packing::Fixed) {
        return ((field.assigned >> value) & 1U) != 0;
    }
    return field.bits >= kWordBits || (value >> field.bits) == 0;
}

ParseResult damage(ParseStatus status, std::span<const std::uint8_t> bytes) {
    ParseResult result = skip_to_end(bytes);
    result.status = status;
    return result;
}

/// All fields behind SRC. Returns whether a value has no assigned meaning.
bool read_fields(SliceReader& reader, const MessageLayout& layout, TraceMessage& message,
                 AddressForm addresses) {
    bool doubtful = false;
    for (std::size_t index = 0; index < layout.field_count; ++index) {
        const FieldLayout& field = layout.fields[index];
        if (!is_present(field, message.values)) {
            message.values[index] = 0;
            continue;
        }
        std::uint64_t value =
            field.packing == Packing::Fixed ? reader.fixed(field.bits) : reader.variable();
        if (field.field == Field::Address && addresses == AddressForm::Extended) {
            value = extend_field(value, reader.last_bits());
        }
        message.values[index] = value;
        doubtful |= !is_assigned(field, value);
    }
    std::fill(message.values.begin() + layout.field_count, message.values.end(), 0);
    message.timestamp.reset();
    if (reader.status() == ParseStatus::Message && !reader.ended()) {
        message.timestamp = reader.variable();
    }
    return doubtful;
}

// Usual messages, eight slices at a time. Unusual ones, in their bytes or their length, are left to
// SliceReader.

constexpr std::size_t kWordSlices = 8;
constexpr std::uint64_t kEndBits = 0x0303030303030303;

/// The slices up to the end of a variable field, with the fixed fields before it.
struct SliceGroup {
    std::uint64_t data = 0;
    unsigned slices = 0; ///< 0 if the field is longer than a word, or its end illegal
    SliceEnd end = SliceEnd::Illegal;
};

inline SliceGroup read_group(const std::uint8_t* bytes) {
    std::uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    const std::uint64_t ends = word & kEndBits;
    if (ends == 0) {
        return {};
    }
    const unsigned last = static_cast<unsigned>(std::countr_zero(ends)) / 8;
    const auto end = static_cast<SliceEnd>((ends >> (8 * last)) & kEndMask);
    if (end == SliceEnd::Illegal) {
        return {};
    }
    // Six bits of each byte, moved together in pairs.
    const std::uint64_t used = ~std::uint64_t{0} >> (8 * (kWordSlices - 1 - last));
    std::uint64_t data = ((word & used) >> kSliceEndBits) & 0x3F3F3F3F3F3F3F3F;
    data = (data & 0x003F003F003F003F) | ((data & 0x3F003F003F003F00) >> 2);
    data = (data & 0x00000FFF00000FFF) | ((data & 0x0FFF00000FFF0000) >> 4);
    data = (data & 0x0000000000FFFFFF) | ((data & 0x00FFFFFF00000000) >> 8);
    return {data, last + 1, end};
}

/// The size of the message, or 0 if SliceReader must read it.
std::size_t parse_short_fields(std::span<const std::uint8_t> bytes, unsigned source_bits,
                               TraceMessage& message, AddressForm addresses, bool& doubtful) {
    if (std::endian::native != std::endian::little ||
        bytes.size() < (kMostFields + 1) * kWordSlices || end_of(bytes[0]) != SliceEnd::Inside) {
        return 0;
    }
    const MessageLayout* layout = find_layout(bytes[0] >> kSliceEndBits);
    SliceGroup group = read_group(bytes.data());
    unsigned bits = group.slices * kSliceDataBits;
    if (layout == nullptr || bits < kCodeBits + source_bits) {
        return 0;
    }
    const auto take = [&](unsigned wanted) {
        const std::uint64_t value = group.data & ((std::uint64_t{1} << wanted) - 1);
        group.data >>= wanted;
        bits -= wanted;
        return value;
    };
    take(kCodeBits);
    message.code = layout->code;
    message.source = static_cast<std::uint16_t>(take(source_bits));
    message.values = {};
    std::size_t size = group.slices;
    bool first = true; // variable field: it shares its group with the fixed ones
    const auto next_group = [&] {
        if (group.end != SliceEnd::Field) {
            return false; // the message has ended, or this is not for here
        }
        group = read_group(bytes.data() + size);
        size += group.slices;
        return group.slices != 0;
    };
    for (std::size_t index = 0; index < layout->field_count; ++index) {
        const FieldLayout& field = layout->fields[index];
        if (field.packing == Packing::Fixed) {
            if (bits < field.bits) {
                return 0;
            }
            message.values[index] = take(field.bits);
        } else if (is_present(field, message.values)) {
            if (!first && !next_group()) {
                return 0;
            }
            first = false;
            message.values[index] = group.data;
            if (field.field == Field::Address && addresses == AddressForm::Extended) {
                message.values[index] = extend_field(group.data, group.slices * kSliceDataBits);
            }
        } else {
            continue;
        }
        doubtful |= !is_assigned(field, message.values[index]);
    }
    message.timestamp.reset();
    if (group.end == SliceEnd::Field) {
        if (!next_group()) {
            return 0;
        }
        message.timestamp.emplace(group.data);
    }
    if (group.end != SliceEnd::Message) {
        return 0;
    }
    return size;
}

} // namespace

ParseResult skip_to_end(std::span<const std::uint8_t> bytes) {
    const auto end = std::find_if(bytes.begin(), bytes.end(), [](std::uint8_t slice) {
        return end_of(slice) == SliceEnd::Message;
    });
    const auto before = static_cast<std::size_t>(end - bytes.begin());
    return {.size = std::min(before + 1, bytes.size()), .ended = end != bytes.end()};
}

ParseResult parse_message(std::span<const std::uint8_t> bytes, unsigned source_bits,
                          TraceMessage& message, AddressForm addresses) {
    if (bytes.empty()) {
        return {};
    }
    bool short_doubtful = false;
    const std::size_t size =
        parse_short_fields(bytes, source_bits, message, addresses, short_doubtful);
    if (size != 0) {
        return {.status = ParseStatus::Message,
                .size = size,
                .ended = true,
                .doubtful = short_doubtful};
    }
    const std::uint8_t first = bytes.front();
    if (first == kIdleByte) {
        const auto end = std::find_if(bytes.begin(), bytes.end(),
                                      [](std::uint8_t byte) { return byte != kIdleByte; });
        return {.status = ParseStatus::Idle, .size = static_cast<std::size_t>(end - bytes.begin())};
    }
    // Zero would be the code of a message that no encoder of this family sends; it is memory that
    // was never written.
    if (first == 0 || end_of(first) != SliceEnd::Inside) {
        return {.status = ParseStatus::Stray, .size = 1, .ended = true};
    }
    SliceReader reader(bytes);
    const MessageLayout* layout = find_layout(static_cast<unsigned>(reader.fixed(kCodeBits)));
    message.source = static_cast<std::uint16_t>(reader.fixed(source_bits));
    if (layout == nullptr) {
        return damage(ParseStatus::UnknownCode, bytes);
    }
    message.code = layout->code;
    const bool doubtful = read_fields(reader, *layout, message, addresses);
    if (reader.status() == ParseStatus::Incomplete) {
        return {};
    }
    if (reader.status() != ParseStatus::Message) {
        return damage(reader.status(), bytes);
    }
    if (!reader.ended()) {
        return damage(ParseStatus::ExtraFields, bytes);
    }
    return {.status = ParseStatus::Message,
            .size = static_cast<std::size_t>(reader.position() - bytes.data()),
            .ended = true,
            .doubtful = doubtful};
}

} // namespace pes::trace

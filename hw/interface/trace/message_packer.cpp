// SPDX-License-Identifier: Apache-2.0
#include "hw/interface/trace/message_packer.h"

#include <cstdlib>

namespace pes::trace {
namespace {

constexpr std::uint64_t kSliceMask = (1U << kSliceDataBits) - 1;

// Collects one slice and writes it when its MSEO bits are known.
class SliceWriter {
  public:
    explicit SliceWriter(std::uint8_t* to) : next_(to) {}

    void fixed(std::uint64_t value, unsigned bits) {
        if ((value >> bits) != 0) {
            std::abort();
        }
        slice_ |= value << used_;
        used_ += bits;
        while (used_ > kSliceDataBits) {
            emit(SliceEnd::Inside);
            slice_ >>= kSliceDataBits;
            used_ -= kSliceDataBits;
        }
    }

    // After a full slice, or another variable field, even a value of zero has a slice of its own.
    void variable(std::uint64_t value) {
        if (used_ == kSliceDataBits) {
            emit(SliceEnd::Inside);
            slice_ = 0;
            used_ = 0;
        }
        slice_ |= (value << used_) & kSliceMask;
        value >>= kSliceDataBits - used_;
        while (value != 0) {
            emit(SliceEnd::Inside);
            slice_ = value & kSliceMask;
            value >>= kSliceDataBits;
        }
        emit(SliceEnd::Field);
        slice_ = 0;
        used_ = 0;
    }

    /// F-ADDR or U-ADDR: the last slice's highest bit is the same as all above it. Begins with a
    /// slice of its own.
    void extended_address(std::uint64_t field) {
        unsigned bits = kSliceDataBits;
        while (bits < kAddressFieldBits &&
               extend_field(field & ((std::uint64_t{1} << bits) - 1), bits) != field) {
            bits += kSliceDataBits;
        }
        for (unsigned sent = kSliceDataBits; sent < bits; sent += kSliceDataBits) {
            slice_ = field & kSliceMask;
            field >>= kSliceDataBits;
            emit(SliceEnd::Inside);
        }
        slice_ = field & kSliceMask;
        emit(SliceEnd::Field);
        slice_ = 0;
    }

    /// One past the last byte.
    const std::uint8_t* finish() {
        if (used_ > 0) {
            emit(SliceEnd::Message);
            return next_;
        }
        std::uint8_t& last = next_[-1];
        last = static_cast<std::uint8_t>(last | static_cast<unsigned>(SliceEnd::Message));
        return next_;
    }

  private:
    void emit(SliceEnd how) {
        *next_++ = static_cast<std::uint8_t>((slice_ & kSliceMask) << kSliceEndBits |
                                             static_cast<unsigned>(how));
    }

    std::uint8_t* next_;
    std::uint64_t slice_ = 0;
    unsigned used_ = 0; ///< data bits of the slice that has not been written
};

} // namespace

PackedMessage pack_message(const TraceMessage& message, unsigned source_bits) {
    return pack_message(message, source_bits, {message.source, message.timestamp});
}

PackedMessage pack_message(const TraceMessage& message, unsigned source_bits, const Stamp& stamp,
                           AddressForm addresses) {
    const MessageLayout& layout = layout_of(message.code);
    PackedMessage packed;
    SliceWriter writer(packed.bytes.data());
    writer.fixed(static_cast<unsigned>(message.code), kCodeBits);
    writer.fixed(stamp.source, source_bits);
    for (std::size_t index = 0; index < layout.field_count; ++index) {
        const FieldLayout& field = layout.fields[index];
        if (!is_present(field, message.values)) {
            continue;
        }
        if (field.packing == Packing::Fixed) {
            writer.fixed(message.values[index], field.bits);
        } else if (field.field == Field::Address && addresses == AddressForm::Extended) {
            writer.extended_address(message.values[index]);
        } else {
            writer.variable(message.values[index]);
        }
    }
    if (stamp.timestamp) {
        writer.variable(*stamp.timestamp);
    }
    packed.size = static_cast<std::size_t>(writer.finish() - packed.bytes.data());
    return packed;
}

} // namespace pes::trace

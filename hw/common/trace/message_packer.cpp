// SPDX-License-Identifier: Apache-2.0
#include "hw/common/trace/message_packer.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace pes::trace {
namespace {

constexpr std::uint64_t kSliceMask = (1U << kSliceDataBits) - 1;

class SliceWriter {
  public:
    void fixed(std::uint64_t value, unsigned bits) {
        if ((value >> bits) != 0) {
            std::abort();
        }
        while (bits > 0) {
            const unsigned taken = take(value, bits);
            value >>= taken;
            bits -= taken;
        }
    }

    void variable(std::uint64_t value) {
        auto bits = static_cast<unsigned>(std::bit_width(value));
        if (bits == 0 && used_ == kSliceDataBits) {
            bits = 1; // a value of zero behind a full slice still has a slice of its own
        }
        while (bits > 0) {
            const unsigned taken = take(value, bits);
            value >>= taken;
            bits -= taken;
        }
        end(SliceEnd::Field);
    }

    PackedMessage finish() {
        end(SliceEnd::Message);
        return packed_;
    }

  private:
    /// Puts as many of `bits` into the current slice as it has room for.
    unsigned take(std::uint64_t value, unsigned bits) {
        if (used_ == kSliceDataBits) {
            ++packed_.size;
            used_ = 0;
        }
        const unsigned taken = std::min(bits, kSliceDataBits - used_);
        const std::uint64_t data = value & (kSliceMask >> (kSliceDataBits - taken));
        std::uint8_t& slice = packed_.bytes[packed_.size - 1];
        slice = static_cast<std::uint8_t>(slice | (data << (used_ + kSliceEndBits)));
        used_ += taken;
        return taken;
    }

    void end(SliceEnd how) {
        std::uint8_t& slice = packed_.bytes[packed_.size - 1];
        slice = static_cast<std::uint8_t>(slice | static_cast<unsigned>(how));
        used_ = kSliceDataBits;
    }

    PackedMessage packed_;
    unsigned used_ = kSliceDataBits; ///< data bits of the last slice
};

} // namespace

PackedMessage pack_message(const TraceMessage& message, unsigned source_bits) {
    const MessageLayout& layout = layout_of(message.code);
    SliceWriter writer;
    writer.fixed(static_cast<unsigned>(message.code), kCodeBits);
    writer.fixed(message.source, source_bits);
    for (std::size_t index = 0; index < layout.field_count; ++index) {
        const FieldLayout& field = layout.fields[index];
        if (!is_present(field, message.values)) {
            continue;
        }
        if (field.packing == Packing::Fixed) {
            writer.fixed(message.values[index], field.bits);
        } else {
            writer.variable(message.values[index]);
        }
    }
    if (message.timestamp) {
        writer.variable(*message.timestamp);
    }
    return writer.finish();
}

} // namespace pes::trace

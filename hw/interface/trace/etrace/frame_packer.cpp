// SPDX-License-Identifier: Apache-2.0
#include "hw/interface/trace/etrace/frame.h"
#include "hw/interface/trace/etrace/packet_codec.h"

#include <algorithm>
#include <cstdlib>

namespace pes::trace::etrace {
namespace {

constexpr unsigned kExtendShift = 7;

class FieldWriter {
  public:
    explicit FieldWriter(std::span<std::uint8_t> to) : to_(to) {}

    template <typename Value>
    void number(const Value& value, unsigned bits) {
        put(static_cast<std::uint64_t>(value), bits);
    }
    template <typename Value>
    void assume(const Value& value, Value expected) {
        if (value != expected) {
            std::abort();
        }
    }
    void address(Address value, const Parameters& widths) {
        put((value & widths.address_mask()) >> widths.iaddress_lsb, widths.address_field());
    }
    void branches(std::uint8_t count, bool has_address) {
        if (count == 0 || (!has_address && count != kMostBranches)) {
            std::abort();
        }
        put(has_address ? count : 0, 5);
    }
    void flag(bool set) { put(last_ != set ? 1 : 0, 1); }
    void fill(unsigned bits) {
        put(last_ && bits != 0 ? ~std::uint64_t{0} >> (64 - bits) : 0, bits);
    }
    void zeros(unsigned bits) { put(0, bits); }
    static void refuse() { std::abort(); }

    void put(std::uint64_t value, unsigned bits) {
        if (bits == 0) {
            return;
        }
        if (bits < 64 && (value >> bits) != 0) {
            std::abort();
        }
        for (unsigned done = 0; done < bits;) {
            const unsigned shift = used_ % 8;
            const unsigned step = std::min(8 - shift, bits - done);
            const auto part = static_cast<std::uint8_t>(value >> done & ((1U << step) - 1));
            std::uint8_t& byte = to_[used_ / 8];
            byte = static_cast<std::uint8_t>(byte | part << shift);
            done += step;
            used_ += step;
        }
        last_ = (value >> (bits - 1) & 1) != 0;
    }
    unsigned used() const { return used_; }
    bool bit(unsigned index) const { return (to_[index / 8] >> index % 8 & 1) != 0; }

    /// Sign-based compression: the size in bytes, of which everything behind `payload` (its first
    /// bit) that repeats the last bit is left out.
    std::size_t compress(unsigned payload) {
        unsigned needed = used_;
        while (needed > payload + 1 && bit(needed - 2) == last_) {
            --needed;
        }
        const std::size_t size = (needed + 7) / 8;
        if (last_) {
            fill(std::max(static_cast<unsigned>(8 * size), used_) - used_);
        }
        return size;
    }

  private:
    std::span<std::uint8_t> to_;
    unsigned used_ = 0;
    bool last_ = false;
};

} // namespace

PackedMessage pack_frame(const Frame& frame, const Framing& framing, const Parameters& parameters) {
    PackedMessage packed;
    const unsigned time_bits = frame.timestamp ? 8 * framing.timestamp_bytes : 0;
    const std::size_t head = 1 + framing.source_bits / 8 + time_bits / 8;
    FieldWriter writer(packed.bytes);
    writer.put(0, 8);
    writer.put(frame.source, framing.source_bits);
    if (time_bits != 0) {
        writer.put(*frame.timestamp & ~std::uint64_t{0} >> (64 - time_bits), time_bits);
    }
    const unsigned payload = writer.used();
    code_packet(writer, frame.packet, parameters);
    packed.size = std::max(writer.compress(payload), head + 1);
    const std::size_t length = packed.size - head;
    if (length > kMostLength) {
        std::abort();
    }
    packed.bytes[0] =
        static_cast<std::uint8_t>(length | (time_bits != 0 ? 1U << kExtendShift : 0U));
    std::fill(packed.bytes.begin() + static_cast<std::ptrdiff_t>(packed.size), packed.bytes.end(),
              std::uint8_t{0});
    return packed;
}

PackedMessage pack_synchronisation(const Framing& framing) {
    PackedMessage packed;
    packed.size = framing.sync_bytes();
    packed.bytes[packed.size - 1] = kAlignmentByte;
    return packed;
}

} // namespace pes::trace::etrace

// SPDX-License-Identifier: Apache-2.0
#include "hw/virtio/virtqueue.h"

#include "hw/interface/maps/virtio.h"

#include <array>
#include <bit>
#include <cstring>

namespace pes {
namespace {

/// Of one request. The specification allows 2^32 (2.7.5.2), which no driver of these devices needs
/// and which the host would have to hold.
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;

/// As in memory: little-endian (1.4).
struct Descriptor {
    std::uint64_t address;
    std::uint32_t length;
    std::uint16_t flags;
    std::uint16_t next;
};
static_assert(sizeof(Descriptor) == virtio::kDescriptorBytes);
static_assert(std::endian::native == std::endian::little, "structures are copied as they are");

struct UsedElement {
    std::uint32_t head;
    std::uint32_t written;
};
static_assert(sizeof(UsedElement) == virtio::kUsedElementBytes);

template <typename Value>
bool read(DeviceMemory& memory, Address address, Value& value, Cycle at) {
    return memory.read(address, std::as_writable_bytes(std::span(&value, 1)), at);
}

template <typename Value>
bool write(DeviceMemory& memory, Address address, const Value& value, Cycle at) {
    return memory.write(address, std::as_bytes(std::span(&value, 1)), at);
}

constexpr Address kIndex = 2; // offset of idx in either ring

/// Of used_event and avail_event in a ring with elements of so many bytes in all.
constexpr Address event_place(std::uint64_t elements) {
    return virtio::kRingHeaderBytes + elements;
}

constexpr std::string_view kOutside = "a ring or descriptor table is not in main memory";

} // namespace

/// Follows one chain. The rules for the driver are those of 2.7.5 and 2.7.5.3.1.
class Virtqueue::Walk {
  public:
    Walk(DeviceMemory& memory, const Layout& layout, bool indirect, Cycle at)
        : memory_(memory), indirect_(indirect), at_(at),
          most_(layout.size), table_{layout.descriptors, layout.size} {}

    /// The mistake in it, or nothing.
    std::string_view follow(std::uint16_t head, Chain& chain) {
        chain.head = head;
        std::uint32_t index = head;
        for (;;) {
            Descriptor descriptor{};
            if (index >= table_.entries) {
                return "a descriptor's number is not below the size of its table";
            }
            if (!read(memory_, table_.address + Address{index} * sizeof descriptor, descriptor,
                      at_)) {
                return kOutside;
            }
            if ((descriptor.flags & virtio::kIndirect) != 0) {
                if (const std::string_view mistake = enter(descriptor); !mistake.empty()) {
                    return mistake;
                }
                index = 0;
                continue;
            }
            if (const std::string_view mistake = add(descriptor, chain); !mistake.empty()) {
                return mistake;
            }
            if ((descriptor.flags & virtio::kNext) == 0) {
                return {};
            }
            index = descriptor.next;
        }
    }

  private:
    struct Table {
        Address address;
        std::uint32_t entries;
    };

    /// The rest of the chain is in an indirect table.
    std::string_view enter(const Descriptor& descriptor) {
        if (!indirect_) {
            return "an indirect descriptor without VIRTIO_F_INDIRECT_DESC, or inside an indirect "
                   "table";
        }
        if ((descriptor.flags & virtio::kNext) != 0) {
            return "an indirect descriptor with a next one";
        }
        if (descriptor.length == 0 || descriptor.length % sizeof(Descriptor) != 0) {
            return "the length of an indirect table is not a number of descriptors";
        }
        indirect_ = false;
        table_ = {descriptor.address,
                  descriptor.length / static_cast<std::uint32_t>(sizeof(Descriptor))};
        return {};
    }

    std::string_view add(const Descriptor& descriptor, Chain& chain) {
        if (++count_ > most_) { // and so a loop ends
            return "a chain is longer than the queue";
        }
        if (!memory_.has(descriptor.address, descriptor.length)) {
            return "a buffer is not in main memory";
        }
        const Piece piece{descriptor.address, descriptor.length};
        if ((descriptor.flags & virtio::kWrite) != 0) {
            chain.writable.push_back(piece);
            chain.writable_bytes += piece.length;
        } else if (!chain.writable.empty()) {
            return "a readable buffer behind a writable one";
        } else {
            chain.readable.push_back(piece);
            chain.readable_bytes += piece.length;
        }
        return chain.readable_bytes + chain.writable_bytes > kMostBytes
                   ? "a request of more than 64 MiB"
                   : std::string_view{};
    }

    DeviceMemory& memory_;
    bool indirect_; ///< an indirect table may follow
    const Cycle at_;
    const std::uint32_t most_;
    std::uint32_t count_ = 0;
    Table table_;
};

std::string_view Virtqueue::mistake(const DeviceMemory& memory) const {
    using namespace virtio;
    if (layout.size == 0) {
        return "QueueNum has not been written";
    }
    if (layout.descriptors % kDescriptorAlignment != 0 ||
        layout.available % kAvailableAlignment != 0 || layout.used % kUsedAlignment != 0) {
        return "a part of the queue is not aligned"; // 2.7, table of the alignments
    }
    const std::uint64_t size = layout.size;
    const bool inside =
        memory.has(layout.descriptors, size * kDescriptorBytes) &&
        memory.has(layout.available, event_place(size * sizeof(std::uint16_t)) + kEventBytes) &&
        memory.has(layout.used, event_place(size * kUsedElementBytes) + kEventBytes);
    return inside ? std::string_view{} : kOutside;
}

void Virtqueue::stop() {
    ready_ = false;
    next_available_ = next_used_ = 0;
}

bool Virtqueue::has_work(DeviceMemory& memory, Cycle at) const {
    std::uint16_t index = 0;
    return ready_ && read(memory, layout.available + kIndex, index, at) && index != next_available_;
}

Virtqueue::Taken Virtqueue::take(DeviceMemory& memory, const Features& features, Cycle at) {
    std::uint16_t index = 0;
    if (!read(memory, layout.available + kIndex, index, at)) {
        return {.mistake = kOutside};
    }
    const auto waiting = static_cast<std::uint16_t>(index - next_available_);
    if (waiting == 0) {
        return {};
    }
    if (waiting > layout.size) {
        return {.mistake = "more chains are available than the queue has descriptors"};
    }
    const Address place = next_available_ % layout.size;
    std::uint16_t head = 0;
    if (!read(memory, layout.available + virtio::kRingHeaderBytes + place * sizeof head, head,
              at)) {
        return {.mistake = kOutside};
    }
    Taken taken{.chain = Chain{}};
    taken.mistake = Walk(memory, layout, features.indirect, at).follow(head, *taken.chain);
    if (!taken.mistake.empty()) {
        taken.chain.reset();
    } else {
        ++next_available_;
    }
    return taken;
}

/// The element comes before the index that shows it (2.7.8.2); both are written in one cycle.
bool Virtqueue::give_back(DeviceMemory& memory, std::uint16_t head, std::uint32_t written,
                          Cycle at) {
    const UsedElement element{.head = head, .written = written};
    const Address place = next_used_ % layout.size;
    ++next_used_;
    return write(memory, layout.used + virtio::kRingHeaderBytes + place * sizeof element, element,
                 at) &&
           write(memory, layout.used + kIndex, next_used_, at);
}

/// 2.7.7.2: with VIRTIO_F_EVENT_IDX the flags mean nothing, and the driver has named the index that
/// it waits for.
bool Virtqueue::wants_interrupt(DeviceMemory& memory, const Features& features, Cycle at) const {
    if (!features.event_index) {
        std::uint16_t flags = 0;
        return read(memory, layout.available, flags, at) && (flags & virtio::kNoInterrupt) == 0;
    }
    std::uint16_t event = 0;
    const Address place = event_place(Address{layout.size} * sizeof event);
    return read(memory, layout.available + place, event, at) &&
           passes(event, next_used_, static_cast<std::uint16_t>(next_used_ - 1));
}

/// 2.7.10: a driver with VIRTIO_F_EVENT_IDX notifies when its index passes avail_event; the flags
/// of the used ring stay 0 (2.7.10.2). Without it, it always does.
bool Virtqueue::want_notification(DeviceMemory& memory, const Features& features, Cycle at) const {
    const Address place = event_place(Address{layout.size} * virtio::kUsedElementBytes);
    return !features.event_index || write(memory, layout.used + place, next_available_, at);
}

void Virtqueue::state(Archive& archive) {
    archive(layout.size, layout.descriptors, layout.available, layout.used, ready_, next_available_,
            next_used_);
    const bool usable =
        layout.size <= kMostSize && (layout.size == 0 ? !ready_ : std::has_single_bit(layout.size));
    if (!usable) {
        archive.refuse("a queue has a size that it cannot have");
    }
}

} // namespace pes

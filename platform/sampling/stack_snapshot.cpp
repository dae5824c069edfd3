// SPDX-License-Identifier: Apache-2.0
#include "platform/sampling/stack_snapshot.h"

#include <algorithm>
#include <utility>

namespace pes {
namespace {

constexpr unsigned kSp = 2;
constexpr Address kPage = 4096;

} // namespace

StackSnapshot::StackSnapshot(Hart& hart, Address pc) : pc_(pc) {
    std::copy_n(hart.state().x.begin(), registers_.size(), registers_.begin());
    stack_.resize(kBytes);
    std::size_t size = 0;
    while (size < kBytes) { // to the end of each page
        const Address from = registers_[kSp] + size;
        const std::size_t part = std::min<std::size_t>(kPage - from % kPage, kBytes - size);
        if (!hart.look_at(from, std::span(stack_).subspan(size, part))) {
            break;
        }
        size += part;
    }
    stack_.resize(size);
    stack_.shrink_to_fit();
}

bool StackSnapshot::read(Address address, std::span<std::byte> bytes) const {
    const Address offset = address - registers_[kSp];
    if (offset > stack_.size() || stack_.size() - offset < bytes.size()) {
        return false;
    }
    std::ranges::copy(std::span(stack_).subspan(offset, bytes.size()), bytes.begin());
    return true;
}

std::vector<Address> StackSnapshot::calls_around(Address sampled, const CallFrames& frames,
                                                 CallFrames::Place place) const {
    const CallFrames::ReadMemory from_stack = [this](Address address, std::span<std::byte> bytes) {
        return read(address, bytes);
    };
    return frames.calls_around(
        sampled,
        {.pc = pc_, .registers = registers_, .read = from_stack, .place = std::move(place)});
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "hw/core/memory/buffer_port.h"

#include "hw/core/feed/counter_feed.h"

#include <cstring>

namespace pes {

void BufferPort::connect(unsigned number) {
    line_ = static_cast<Interrupt>(number);
    arch_.csr.add_local_interrupt(number);
}

std::optional<Address> BufferPort::translate(Address address) {
    if (!supervisor() || !arch_.csr.translation_on()) {
        return address;
    }
    return memory_.mmu().translate_apart(address, Access::Store, Privilege::Supervisor);
}

bool BufferPort::store(Address physical, std::span<const std::uint64_t> words) {
    const auto size = static_cast<unsigned>(words.size_bytes());
    const Privilege privilege = supervisor() ? Privilege::Supervisor : Privilege::Machine;
    if (!config_.memory.contains(physical) ||
        !arch_.csr.pmp().allows(physical, size, Access::Store, privilege)) {
        return false;
    }
    if (!memory_.host().is_direct(physical, size)) {
        return store_over_the_bus(physical, words);
    }
    std::byte* const memory = memory_.host().find(physical, size, time_.decode);
    if (memory == nullptr) {
        return false;
    }
    std::memcpy(memory, words.data(), size);
    memory_.reservation().stored(physical, size);
    return true;
}

bool BufferPort::store_over_the_bus(Address physical, std::span<const std::uint64_t> words) {
    for (const std::uint64_t& word : words) {
        std::byte* const copy = memory_.host().find(physical, sizeof word, time_.decode);
        if (copy == nullptr) {
            return false;
        }
        std::memcpy(copy, &word, sizeof word);
        memory_.put_back(copy, sizeof word);
        memory_.reservation().stored(physical, sizeof word);
        physical += sizeof word;
    }
    return true;
}

/// As early as an interrupt of the counters would be in mip.
void BufferPort::interrupt(Cycle at) {
    interrupts_.set(line_, true, at + CounterFeed::kMarkDistance);
}

} // namespace pes

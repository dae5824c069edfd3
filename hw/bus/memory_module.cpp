// SPDX-License-Identifier: Apache-2.0
#include "hw/bus/memory_module.h"

#include "hw/common/systemc/lazy_dmi.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace pes {

namespace {

constexpr Address kWord = 8; // bytes in a watched word

} // namespace

MemoryModule::MemoryModule(const sc_core::sc_module_name& name, std::uint64_t size,
                           const ClockDomain& clock, Cycle latency)
    : sc_core::sc_module(name), socket("socket"), clock_(clock), latency_(clock.time_of(latency)),
      memory_(size), lazy_([this](std::span<std::byte> bytes) {
          const auto first = static_cast<Address>(bytes.data() - memory_.data());
          withdraw(first, first + bytes.size() - 1);
      }) {
    socket.register_b_transport(this, &MemoryModule::b_transport);
    socket.register_transport_dbg(this, &MemoryModule::transport_dbg);
    socket.register_get_direct_mem_ptr(this, &MemoryModule::get_direct_mem_ptr);
}

void MemoryModule::watch(Address offset, Watcher watcher) {
    if (offset % kWord != 0 || !memory_.contains(offset, kWord)) {
        throw std::invalid_argument("a watched word is 8 bytes, aligned, and inside the memory");
    }
    watchers_[offset] = std::move(watcher);
    withdraw(offset, offset + kWord - 1);
}

void MemoryModule::withdraw(Address first, Address last) {
    if (sc_core::sc_get_status() >= sc_core::SC_END_OF_ELABORATION) {
        socket->invalidate_direct_mem_ptr(first, last);
    }
}

/// The number of bytes copied, which lie inside this memory.
unsigned MemoryModule::copy(tlm::tlm_generic_payload& payload, std::uint64_t length, Cycle at) {
    std::byte* const bytes = memory_.data() + payload.get_address();
    lazy_.update(bytes, length, at);
    if (payload.is_read()) {
        std::memcpy(payload.get_data_ptr(), bytes, length);
    } else if (payload.is_write()) {
        std::memcpy(bytes, payload.get_data_ptr(), length);
    }
    return static_cast<unsigned>(length);
}

void MemoryModule::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const Cycle at = clock_.cycle_of(sc_core::sc_time_stamp() + delay);
    const Address offset = payload.get_address();
    const unsigned length = payload.get_data_length();
    delay += latency_;
    if (payload.get_byte_enable_ptr() != nullptr) {
        payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return;
    }
    if (length == 0 || payload.get_streaming_width() < length) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    if (!memory_.contains(offset, length)) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    copy(payload, length, at);
    payload.set_dmi_allowed(lazy_.empty() && !is_watched(offset, length));
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (payload.is_write()) {
        report_stores(offset, length, at);
    }
}

bool MemoryModule::read(Address offset, std::span<std::byte> to, Cycle at) {
    if (!memory_.contains(offset, to.size())) {
        return false;
    }
    lazy_.update(memory_.data() + offset, to.size(), at);
    return memory_.read(offset, to.data(), to.size());
}

bool MemoryModule::write(Address offset, std::span<const std::byte> from, Cycle at) {
    if (!memory_.contains(offset, from.size())) {
        return false;
    }
    lazy_.update(memory_.data() + offset, from.size(), at);
    memory_.write(offset, from.data(), from.size());
    report_stores(offset, from.size(), at);
    return true;
}

bool MemoryModule::is_watched(Address offset, std::uint64_t length) const {
    const auto above = watchers_.lower_bound(offset / kWord * kWord);
    return above != watchers_.end() && above->first < offset + length;
}

void MemoryModule::report_stores(Address offset, std::uint64_t length, Cycle at) {
    for (auto word = watchers_.lower_bound(offset / kWord * kWord);
         word != watchers_.end() && word->first < offset + length; ++word) {
        std::uint64_t value = 0;
        std::memcpy(&value, memory_.data() + word->first, sizeof value);
        word->second(value, at);
    }
}

unsigned MemoryModule::transport_dbg(tlm::tlm_generic_payload& payload) {
    const Address offset = payload.get_address();
    if (offset >= memory_.size()) {
        return 0;
    }
    // TLM-2.0 LRM 11.3: a debug access may do less than asked for and says how much it did.
    return copy(payload,
                std::min<std::uint64_t>(payload.get_data_length(), memory_.size() - offset),
                clock_.now());
}

bool MemoryModule::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region) {
    const Address offset = payload.get_address();
    Address first = 0;
    Address last = memory_.size() - 1;
    const auto above = watchers_.upper_bound(offset);
    if (above != watchers_.end()) {
        last = above->first - 1;
    }
    auto* const lazy = payload.get_extension<LazyDmi>();
    bool granted = offset < memory_.size() && (lazy != nullptr || lazy_.empty());
    if (lazy != nullptr) {
        lazy->range = &lazy_;
    }
    if (above != watchers_.begin()) {
        const Address word = std::prev(above)->first;
        first = word + kWord;
        if (offset < first) { // inside the word: refused for exactly this word
            granted = false;
            first = word;
            last = word + kWord - 1;
        }
    }
    if (offset >= memory_.size()) {
        first = memory_.size();
        last = ~Address{0};
    }
    region.set_start_address(first);
    region.set_end_address(last);
    if (!granted) {
        region.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_NONE);
        return false;
    }
    region.set_dmi_ptr(reinterpret_cast<unsigned char*>(memory_.data() + first));
    region.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_READ_WRITE);
    region.set_read_latency(latency_);
    region.set_write_latency(latency_);
    return true;
}

} // namespace pes

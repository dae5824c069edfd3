// SPDX-License-Identifier: Apache-2.0
// RAM as a TLM-2.0 target with direct memory access (DMI).
//
// A watched word is never part of a DMI region: regions end before it and start again after it. So
// every store to it comes through b_transport, where the watcher sees it, at no cost for other
// addresses.
//
// A master may write a part of the memory late (hw/common/lazy_range.h). Accesses over the bus
// bring it up to date first; direct access is granted only to initiators that do the same.
#pragma once

#include "hw/bus/memory.h"
#include "hw/common/lazy_range.h"
#include "hw/common/systemc/clock_domain.h"

#include <tlm>
#include <tlm_utils/simple_target_socket.h>

#include <cstddef>
#include <functional>
#include <map>
#include <span>

namespace pes {

class MemoryModule : public sc_core::sc_module {
  public:
    /// Called after a store has changed the word: its new value and the cycle of the store.
    using Watcher = std::function<void(std::uint64_t value, Cycle at)>;

    /// `latency`: cycles that a transport (not a DMI access) costs its initiator.
    MemoryModule(const sc_core::sc_module_name& name, std::uint64_t size, const ClockDomain& clock,
                 Cycle latency = 0);

    tlm_utils::simple_target_socket<MemoryModule> socket;

    /// Watches the 8-byte word at `offset` from the start of this memory, a multiple of 8 inside it
    /// (std::invalid_argument otherwise). DMI regions granted before are withdrawn.
    void watch(Address offset, Watcher watcher);

    // Accesses of a device that is a master, without the bus's time. False, and nothing happens,
    // if any byte lies outside.
    bool read(Address offset, std::span<std::byte> to, Cycle at);
    bool write(Address offset, std::span<const std::byte> from, Cycle at);

    Memory& memory() { return memory_; }
    const Memory& memory() const { return memory_; }

  private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& payload);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region);
    unsigned copy(tlm::tlm_generic_payload& payload, std::uint64_t length, Cycle at);
    void withdraw(Address first, Address last);
    bool is_watched(Address offset, std::uint64_t length) const;
    void report_stores(Address offset, std::uint64_t length, Cycle at);

    const ClockDomain clock_;
    const sc_core::sc_time latency_;
    Memory memory_;
    LazyRange lazy_;
    std::map<Address, Watcher> watchers_; ///< by offset
};

} // namespace pes

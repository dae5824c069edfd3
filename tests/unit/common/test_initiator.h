// SPDX-License-Identifier: Apache-2.0
// An initiator for suites of TLM targets: one call an access, and what came back.
#pragma once

#include "hw/common/systemc/clock_domain.h"

#include <gtest/gtest.h>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <utility>
#include <vector>

namespace pes::test {

class TestInitiator : public sc_core::sc_module {
  public:
    TestInitiator(const sc_core::sc_module_name& name, const ClockDomain& clock)
        : sc_core::sc_module(name), socket("socket"), clock_(clock) {
        socket.register_invalidate_direct_mem_ptr(this, &TestInitiator::invalidate);
    }

    tlm_utils::simple_initiator_socket<TestInitiator> socket;
    std::vector<std::pair<Address, Address>> invalidated; ///< first and last byte
    bool dmi_hint = false;                                ///< of the latest access
    Cycle latency = 0;                                    ///< of the latest access
    Cycle ahead = 0; ///< cycles ahead of kernel time at which accesses take place

    template <typename T>
    tlm::tlm_response_status try_read(Address address, T& value) {
        return transport(tlm::TLM_READ_COMMAND, address, &value, sizeof value);
    }
    template <typename T>
    tlm::tlm_response_status try_write(Address address, T value) {
        return transport(tlm::TLM_WRITE_COMMAND, address, &value, sizeof value);
    }
    template <typename T>
    T read(Address address) {
        T value{};
        EXPECT_EQ(try_read(address, value), tlm::TLM_OK_RESPONSE) << std::hex << address;
        return value;
    }
    template <typename T>
    void write(Address address, T value) {
        EXPECT_EQ(try_write(address, value), tlm::TLM_OK_RESPONSE) << std::hex << address;
    }

    tlm::tlm_response_status transport(tlm::tlm_command command, Address address, void* data,
                                       unsigned length) {
        tlm::tlm_generic_payload payload;
        fill(payload, command, address, data, length);
        return transport(payload);
    }
    tlm::tlm_response_status transport(tlm::tlm_generic_payload& payload) {
        const Address address = payload.get_address();
        const sc_core::sc_time start = clock_.time_of(ahead);
        sc_core::sc_time delay = start;
        socket->b_transport(payload, delay);
        latency = clock_.cycle_of(delay - start);
        dmi_hint = payload.is_dmi_allowed();
        EXPECT_EQ(payload.get_address(), address) << "the payload must come home as it left";
        return payload.get_response_status();
    }
    unsigned debug(tlm::tlm_command command, Address address, void* data, unsigned length) {
        tlm::tlm_generic_payload payload;
        fill(payload, command, address, data, length);
        return socket->transport_dbg(payload);
    }
    bool direct(Address address, tlm::tlm_dmi& region) {
        tlm::tlm_generic_payload payload;
        fill(payload, tlm::TLM_READ_COMMAND, address, nullptr, 0);
        return socket->get_direct_mem_ptr(payload, region);
    }

    static void fill(tlm::tlm_generic_payload& payload, tlm::tlm_command command, Address address,
                     void* data, unsigned length) {
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(static_cast<unsigned char*>(data));
        payload.set_data_length(length);
        payload.set_streaming_width(length);
        payload.set_byte_enable_ptr(nullptr);
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    }

  private:
    void invalidate(sc_dt::uint64 first, sc_dt::uint64 last) {
        invalidated.emplace_back(first, last);
    }

    const ClockDomain clock_;
};

/// Runs the kernel until it stands at the start of `cycle` and has done everything due there.
inline void run_to(const ClockDomain& clock, Cycle cycle) {
    const sc_core::sc_time when = clock.time_of(cycle);
    if (when > sc_core::sc_time_stamp()) {
        sc_core::sc_start(when - sc_core::sc_time_stamp());
    }
    while (sc_core::sc_pending_activity_at_current_time()) {
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
}

} // namespace pes::test

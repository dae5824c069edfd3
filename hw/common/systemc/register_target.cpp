// SPDX-License-Identifier: Apache-2.0
#include "hw/common/systemc/register_target.h"

#include "hw/common/copy_access.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace pes {

// Payload bytes are copied as they lie: a TLM payload has the byte order of the host.
static_assert(std::endian::native == std::endian::little, "guest and host byte order must agree");

namespace {

tlm::tlm_response_status response_of(AccessStatus status) {
    switch (status) {
    case AccessStatus::Ok:
        return tlm::TLM_OK_RESPONSE;
    case AccessStatus::AddressError:
        return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    case AccessStatus::SizeError:
        return tlm::TLM_BURST_ERROR_RESPONSE;
    case AccessStatus::RightsError:
        return tlm::TLM_COMMAND_ERROR_RESPONSE;
    }
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
}

std::uint64_t value_of(const tlm::tlm_generic_payload& payload) {
    std::uint64_t value = 0;
    copy_access(&value, payload.get_data_ptr(),
                std::min<std::size_t>(payload.get_data_length(), sizeof value));
    return value;
}

} // namespace

RegisterTarget::RegisterTarget(const sc_core::sc_module_name& name, RegisterBlock& registers,
                               const ClockDomain& clock, AccessLatency latency, Accessed accessed,
                               Approached approached)
    : sc_core::sc_module(name), socket("socket"), registers_(registers), clock_(clock),
      latency_(clock.time_of(latency.of_access)),
      double_word_latency_(clock.time_of(latency.of_access + latency.of_double_word)),
      accessed_(std::move(accessed)), approached_(std::move(approached)) {
    socket.register_b_transport(this, &RegisterTarget::b_transport);
    socket.register_transport_dbg(this, &RegisterTarget::transport_dbg);
}

AccessStatus RegisterTarget::access(tlm::tlm_generic_payload& payload, Cycle at) {
    const Address offset = payload.get_address();
    const unsigned size = payload.get_data_length();
    if (approached_) {
        approached_(at);
    }
    if (payload.is_write()) {
        return registers_.write(offset, size, value_of(payload), at);
    }
    std::uint64_t value = 0;
    const AccessStatus status = registers_.read(offset, size, value, at);
    if (status == AccessStatus::Ok) {
        copy_access(payload.get_data_ptr(), &value, size);
    }
    return status;
}

void RegisterTarget::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    const sc_core::sc_time arrival = now + delay;
    const bool double_word = payload.get_data_length() == sizeof(std::uint64_t);
    const sc_core::sc_time& latency = double_word ? double_word_latency_ : latency_;
    delay += latency;
    if (payload.get_byte_enable_ptr() != nullptr) {
        payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return;
    }
    if (payload.get_streaming_width() < payload.get_data_length()) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    if (payload.get_command() != tlm::TLM_IGNORE_COMMAND) {
        const AccessStatus status = access(payload, clock_.cycle_of(arrival));
        payload.set_response_status(response_of(status));
        // The device may have made the initiator wait: subtract the time already consumed.
        delay = (arrival > now ? arrival - now : sc_core::SC_ZERO_TIME) + latency;
        if (status == AccessStatus::Ok && accessed_) {
            accessed_();
        }
        return;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned RegisterTarget::transport_dbg(tlm::tlm_generic_payload& payload) {
    const Address offset = payload.get_address();
    const unsigned size = payload.get_data_length();
    if (approached_) {
        approached_(clock_.now());
    }
    if (payload.is_write()) {
        const AccessStatus status = registers_.poke(offset, size, value_of(payload));
        return status == AccessStatus::Ok ? size : 0;
    }
    std::uint64_t value = 0;
    if (!payload.is_read() ||
        registers_.peek(offset, size, value, clock_.now()) != AccessStatus::Ok) {
        return 0;
    }
    copy_access(payload.get_data_ptr(), &value, size);
    return size;
}

} // namespace pes

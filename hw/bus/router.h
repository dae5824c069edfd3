// SPDX-License-Identifier: Apache-2.0
// TLM-2.0 address router: any number of initiators, one target per address range.
//
// A payload is forwarded with its address relative to the range; the address is restored on return.
// An access that no range contains completely is refused with TLM_ADDRESS_ERROR_RESPONSE and one
// log line. DMI regions are translated, clipped to the range in which they were granted, and
// withdrawn from every initiator when the target withdraws them. The router itself takes no time. A
// refused read takes the time of CVA6's crossbar and returns the same data.
// [axi_err_slv.sv]
#pragma once

#include "hw/common/logger.h"
#include "hw/interface/types.h"

#include <tlm>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include <memory>
#include <string>
#include <vector>

namespace pes {

/// The byte that a refused read returns for this address.
constexpr unsigned char refused_byte(Address address) {
    constexpr std::uint64_t kAnswer = 0xCA11'AB1E'BADC'AB1E;
    return static_cast<unsigned char>(kAnswer >> 8 * (address % sizeof kAnswer));
}

class Router : public sc_core::sc_module {
  public:
    /// `refusal`: the delay of a refused read.
    explicit Router(const sc_core::sc_module_name& name,
                    const sc_core::sc_time& refusal = sc_core::SC_ZERO_TIME);

    tlm_utils::multi_passthrough_target_socket<Router> initiators;

    /// Maps [base, base + size) to `target`, whose addresses start at 0, before elaboration ends.
    /// Throws std::invalid_argument if the range is empty, wraps around, or overlaps another one.
    template <typename TargetSocket>
    void map(const std::string& name, Address base, std::uint64_t size, TargetSocket& target) {
        add_range(name, base, size);
        targets_.bind(target);
    }

  private:
    struct Range {
        Address base;
        Address last; ///< inclusive
        int port;     ///< index in targets_
        std::string name;
        bool holds(Address address, std::uint64_t length) const {
            return address >= base && address <= last && length - 1 <= last - address;
        }
    };

    void add_range(const std::string& name, Address base, std::uint64_t size);
    const Range* find(Address address) const;
    const Range* decode(tlm::tlm_generic_payload& payload);
    void deny_gap(Address address, tlm::tlm_dmi& region) const;

    void refuse(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    void b_transport(int initiator, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned transport_dbg(int initiator, tlm::tlm_generic_payload& payload);
    bool get_direct_mem_ptr(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region);
    void invalidate_direct_mem_ptr(int port, sc_dt::uint64 start, sc_dt::uint64 end);

    tlm_utils::multi_passthrough_initiator_socket<Router> targets_;
    std::vector<Range> ranges_;     ///< by base
    const Range* latest_ = nullptr; ///< range of the latest access; the next is often in it too
    const sc_core::sc_time refusal_;
    Logger log_;
};

} // namespace pes

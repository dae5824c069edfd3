// SPDX-License-Identifier: Apache-2.0
#include "hw/bus/router.h"

#include "hw/common/module_logger.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace pes {

Router::Router(const sc_core::sc_module_name& name, const sc_core::sc_time& refusal)
    : sc_core::sc_module(name), initiators("initiators"), targets_("targets"), refusal_(refusal),
      log_(module_logger("bus")) {
    initiators.register_b_transport(this, &Router::b_transport);
    initiators.register_transport_dbg(this, &Router::transport_dbg);
    initiators.register_get_direct_mem_ptr(this, &Router::get_direct_mem_ptr);
    targets_.register_invalidate_direct_mem_ptr(this, &Router::invalidate_direct_mem_ptr);
}

void Router::add_range(const std::string& name, Address base, std::uint64_t size) {
    const Address last = base + (size - 1);
    if (size == 0 || last < base) {
        throw std::invalid_argument("bus: range " + name + " is empty or wraps around");
    }
    for (const Range& other : ranges_) {
        if (base <= other.last && other.base <= last) {
            throw std::invalid_argument("bus: ranges " + name + " and " + other.name + " overlap");
        }
    }
    const auto place =
        std::upper_bound(ranges_.begin(), ranges_.end(), base,
                         [](Address wanted, const Range& range) { return wanted < range.base; });
    latest_ = nullptr; // the others may move
    ranges_.insert(place, Range{base, last, static_cast<int>(ranges_.size()), name});
}

const Router::Range* Router::find(Address address) const {
    const auto above =
        std::upper_bound(ranges_.begin(), ranges_.end(), address,
                         [](Address wanted, const Range& range) { return wanted < range.base; });
    if (above == ranges_.begin() || address > std::prev(above)->last) {
        return nullptr;
    }
    return &*std::prev(above);
}

const Router::Range* Router::decode(tlm::tlm_generic_payload& payload) {
    const Address address = payload.get_address();
    const std::uint64_t length = std::max(payload.get_data_length(), 1U);
    if (latest_ != nullptr && latest_->holds(address, length)) {
        return latest_;
    }
    const Range* range = find(address);
    if (range == nullptr || !range->holds(address, length)) {
        return nullptr;
    }
    latest_ = range;
    return range;
}

void Router::refuse(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    log_->warn("{} of {} bytes at {:#x}: no device there", payload.is_write() ? "write" : "read",
               payload.get_data_length(), payload.get_address());
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (payload.is_read()) {
        delay += refusal_;
        for (unsigned byte = 0; byte < payload.get_data_length(); ++byte) {
            payload.get_data_ptr()[byte] = refused_byte(payload.get_address() + byte);
        }
    }
}

void Router::b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const Range* range = decode(payload);
    const Address address = payload.get_address();
    if (range == nullptr) {
        refuse(payload, delay);
        return;
    }
    payload.set_address(address - range->base);
    targets_[range->port]->b_transport(payload, delay);
    payload.set_address(address);
}

unsigned Router::transport_dbg(int, tlm::tlm_generic_payload& payload) {
    const Address address = payload.get_address();
    const Range* range = find(address);
    if (range == nullptr) {
        return 0;
    }
    payload.set_address(address - range->base);
    const unsigned length = targets_[range->port]->transport_dbg(payload);
    payload.set_address(address);
    return length;
}

bool Router::get_direct_mem_ptr(int, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region) {
    const Address address = payload.get_address();
    const Range* range = find(address);
    if (range == nullptr) {
        deny_gap(address, region);
        return false;
    }
    payload.set_address(address - range->base);
    const bool granted = targets_[range->port]->get_direct_mem_ptr(payload, region);
    payload.set_address(address);
    const Address span = range->last - range->base;
    region.set_start_address(range->base + std::min<Address>(region.get_start_address(), span));
    region.set_end_address(range->base + std::min<Address>(region.get_end_address(), span));
    return granted;
}

// Nothing is mapped from the end of the range below to the start of the range above.
void Router::deny_gap(Address address, tlm::tlm_dmi& region) const {
    Address first = 0;
    Address last = ~Address{0};
    for (const Range& range : ranges_) {
        if (range.last < address) {
            first = range.last + 1;
        } else {
            last = range.base - 1;
            break;
        }
    }
    region.set_start_address(first);
    region.set_end_address(last);
    region.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_NONE);
}

void Router::invalidate_direct_mem_ptr(int port, sc_dt::uint64 start, sc_dt::uint64 end) {
    const auto range = std::find_if(ranges_.begin(), ranges_.end(),
                                    [port](const Range& r) { return r.port == port; });
    const Address span = range->last - range->base;
    if (start > span) {
        return; // beyond what the initiators can see of this target
    }
    const Address last = range->base + std::min<Address>(end, span);
    for (unsigned i = 0; i < initiators.size(); ++i) {
        initiators[static_cast<int>(i)]->invalidate_direct_mem_ptr(range->base + start, last);
    }
}

} // namespace pes

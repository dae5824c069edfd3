// SPDX-License-Identifier: Apache-2.0
// Direct access to a memory with a lazy range. An initiator that adds this extension to its request
// learns of the range and brings it up to date before its own accesses to it. Without the extension
// a memory with such a range grants no direct access.
#pragma once

#include "hw/common/lazy_range.h"

#include <tlm>

namespace pes {

class LazyDmi : public tlm::tlm_extension<LazyDmi> {
  public:
    /// The range of the memory that granted the access; null if it has none.
    LazyRange* range = nullptr;

    tlm::tlm_extension_base* clone() const override { return new LazyDmi(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        range = static_cast<const LazyDmi&>(other).range;
    }
};

/// Requests direct access with the extension; `lazy` becomes the range of the memory, or null.
template <typename Socket>
bool request_direct_access(Socket& socket, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region,
                           LazyRange*& lazy) {
    LazyDmi extension;
    payload.set_extension(&extension);
    const bool granted = socket->get_direct_mem_ptr(payload, region);
    payload.clear_extension(&extension);
    lazy = extension.range;
    return granted;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Direct access to a memory with a lazy range: an initiator that puts this extension into its
// request knows the range and brings it up to date before it reads or writes there. Without the
// extension a memory grants no direct access while it has such a range.
#pragma once

#include "hw/common/lazy_range.h"

#include <tlm>

namespace pes {

class LazyDmi : public tlm::tlm_extension<LazyDmi> {
  public:
    /// Of the memory that has granted the access; null if it has none.
    LazyRange* range = nullptr;

    tlm::tlm_extension_base* clone() const override { return new LazyDmi(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        range = static_cast<const LazyDmi&>(other).range;
    }
};

/// Asks for direct access with the extension; `lazy` is the range of the memory, or null.
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

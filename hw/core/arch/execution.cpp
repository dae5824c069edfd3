// SPDX-License-Identifier: Apache-2.0
#include "hw/core/arch/execution.h"

namespace pes {

std::byte* Execution::atomic_word(Address address, unsigned size, Access access) {
    const bool load = access == Access::Load;
    if ((address & (size - 1)) != 0) {
        raise(load ? Cause::LoadMisaligned : Cause::StoreMisaligned, address);
        return nullptr;
    }
    Address physical = address;
    if (data_.translated() && !translate(address, access, physical)) {
        return nullptr;
    }
    auto* memory = const_cast<std::byte*>(data_.known(physical, access));
    if (memory == nullptr) {
        memory = mode_->atomic(physical, size, access);
    }
    if (memory == nullptr) {
        const bool as_load = load || !data_.open_to_both(physical, size); // see hart.pmp_check
        raise(as_load ? Cause::LoadAccess : Cause::StoreAccess, address); // devices have no atomics
        return nullptr;
    }
    note(physical);
    return memory;
}

} // namespace pes

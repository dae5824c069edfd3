// SPDX-License-Identifier: Apache-2.0
// Smcsrind, Sscsrind: finds the owner of the registers behind a select value (miselect, siselect).
// The delegated counters, siselect 0x40 to 0x5F, belong to the counter bank (counter_view.h).
#pragma once

#include "hw/common/csr_owner.h"
#include "hw/core/arch/csr_file.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pes {

/// The register that is accessed through the CSR `number`; nothing if that is not mireg* or sireg*.
std::optional<IndirectRegister> indirect_register(const CsrFile& csr, std::uint16_t number);

class IndirectCsrs {
  public:
    /// The range includes both ends. False if a part of it has an owner already.
    [[nodiscard]] bool add(IndirectLevel level, std::uint64_t first, std::uint64_t last,
                           IndirectCsrOwner& owner, const CsrTraits& traits);

    struct Range {
        IndirectLevel level;
        std::uint64_t first;
        std::uint64_t last;
        IndirectCsrOwner* owner;
        CsrTraits traits;
    };
    /// Null: no owner has a register at this select value and alias.
    const Range* find(const IndirectRegister& which) const;

  private:
    std::vector<Range> ranges_;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Smcsrind, Sscsrind: from a select value (miselect, siselect) to the owner of the registers behind
// it. The delegated counters, siselect 0x40 to 0x5F, are the counter bank's (counter_view.h).
#pragma once

#include "hw/common/csr_owner.h"
#include "hw/core/arch/csr_file.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pes {

/// The register that mireg* or sireg* with this number stands for; nothing if it is another CSR.
std::optional<IndirectRegister> indirect_register(const CsrFile& csr, std::uint16_t number);

class IndirectCsrs {
  public:
    /// False if a part of the range, both ends of which belong to it, has an owner.
    [[nodiscard]] bool add(IndirectLevel level, std::uint64_t first, std::uint64_t last,
                           IndirectCsrOwner& owner, const CsrTraits& traits);

    struct Range {
        IndirectLevel level;
        std::uint64_t first;
        std::uint64_t last;
        IndirectCsrOwner* owner;
        CsrTraits traits;
    };
    /// Null: nothing is behind this select value, or not behind this alias.
    const Range* find(const IndirectRegister& which) const;

  private:
    std::vector<Range> ranges_;
};

} // namespace pes

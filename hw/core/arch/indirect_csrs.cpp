// SPDX-License-Identifier: Apache-2.0
#include "hw/core/arch/indirect_csrs.h"

#include "hw/core/arch/counter_view.h"
#include "hw/core/arch/csr_numbers.h"

#include <algorithm>

namespace pes {

std::optional<IndirectRegister> indirect_register(const CsrFile& csr, std::uint16_t number) {
    const Csr row = csr_of(number);
    const bool machine = row == Csr::Mireg || row == Csr::Mireg4;
    if (!machine && row != Csr::Sireg && row != Csr::Sireg4) {
        return std::nullopt;
    }
    // 0x354 and 0x154 are not aliases: the six numbers have a gap in the middle.
    const std::uint16_t select = machine ? csr::kMiselect : csr::kSiselect;
    const bool upper = row == Csr::Mireg4 || row == Csr::Sireg4;
    return IndirectRegister{.level = machine ? IndirectLevel::Machine : IndirectLevel::Supervisor,
                            .select = csr.read(select).value_or(0),
                            .alias = number - select - (upper ? 1U : 0U)};
}

bool IndirectCsrs::add(IndirectLevel level, std::uint64_t first, std::uint64_t last,
                       IndirectCsrOwner& owner, const CsrTraits& traits) {
    const auto overlaps = [first, last](std::uint64_t other_first, std::uint64_t other_last) {
        return first <= other_last && other_first <= last;
    };
    const bool counters =
        level == IndirectLevel::Supervisor && overlaps(kFirstCounterSelect, kLastCounterSelect);
    if (counters || std::ranges::any_of(ranges_, [&](const Range& range) {
            return range.level == level && overlaps(range.first, range.last);
        })) {
        return false;
    }
    ranges_.push_back({level, first, last, &owner, traits});
    return true;
}

const IndirectCsrs::Range* IndirectCsrs::find(const IndirectRegister& which) const {
    const auto range = std::ranges::find_if(ranges_, [&which](const Range& one) {
        return one.level == which.level && which.select >= one.first && which.select <= one.last;
    });
    return range != ranges_.end() && range->owner->has(which) ? &*range : nullptr;
}

} // namespace pes

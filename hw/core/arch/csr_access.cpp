// SPDX-License-Identifier: Apache-2.0
#include "hw/core/arch/csr_access.h"

#include "hw/core/arch/csr_numbers.h"
#include "hw/core/feed/fixed_counter_note.h"
#include "hw/interface/maps/csr.h"

namespace pes {

namespace {

constexpr std::uint16_t kShadowToCounter = csr::kCycle - csr::kMcycle;

bool is_shadow(std::uint16_t number) {
    return number >= csr::kCycle && number <= csr::kHpmcounter31;
}

std::uint16_t counter_of(std::uint16_t number) {
    return is_shadow(number) ? static_cast<std::uint16_t>(number - kShadowToCounter) : number;
}

} // namespace

CsrAccess::CsrAccess(ArchState& arch, CounterFeed& feed, InterruptInputs& interrupts,
                     Attention& attention, const HartTime& time)
    : arch_(arch), feed_(feed), interrupts_(interrupts), attention_(attention), time_(time) {}

bool CsrAccess::add(std::uint16_t number, CsrOwner& owner) {
    const bool taken = csr_of(number) != Csr::Count_ || number == csr::kTime || is_counter(number);
    return !taken && owners_.emplace(number, &owner).second;
}

/// Privileged specification 2.1, 3.1.6, 3.1.11.
bool CsrAccess::accessible(std::uint16_t number) const {
    const Privilege privilege = arch_.privilege;
    const unsigned lowest = (number >> 8) & 3;
    if (lowest > static_cast<unsigned>(privilege)) {
        return false;
    }
    const CsrFile& csr = arch_.csr;
    switch (csr_row(number).guard) {
    case CsrGuard::FloatOn:
        return csr.float_enabled();
    case CsrGuard::TranslationOpen:
        return privilege == Privilege::Machine || !csr.status(mstatus::kTvm);
    case CsrGuard::None:
        break;
    }
    if (is_shadow(number)) {
        const std::uint32_t enable = std::uint32_t{1} << (number - csr::kCycle);
        const bool machine_allows = (csr.mcounteren() & enable) != 0;
        const bool supervisor_allows = (csr.scounteren() & enable) != 0;
        return privilege == Privilege::Machine ||
               (machine_allows && (privilege == Privilege::Supervisor || supervisor_allows));
    }
    return true;
}

bool CsrAccess::is_counter(std::uint16_t number) const {
    return feed_.bank().owns(counter_of(number));
}

std::uint64_t CsrAccess::read_counter(std::uint16_t number) const {
    const std::uint64_t value = feed_.bank().read(counter_of(number));
    // Sscofpmf: below M-mode only the overflow bits of counters that mcounteren opens are seen.
    const bool masked = number == csr::kScountovf && arch_.privilege != Privilege::Machine;
    return masked ? value & arch_.csr.mcounteren() : value;
}

std::optional<std::uint64_t> CsrAccess::read_register(std::uint16_t number) {
    if (number == csr::kTime) {
        return std::nullopt;
    }
    if (number == csr::kMip || number == csr::kSip) {
        interrupts_.apply(time_.decode, arch_.csr);
    }
    if (csr_of(number) != Csr::Count_) {
        return arch_.csr.read(number);
    }
    const auto owner = owners_.find(number);
    return owner == owners_.end() ? std::nullopt : std::optional(owner->second->read(number));
}

std::uint64_t CsrAccess::update_base(std::uint16_t number, std::uint64_t read) const {
    return number == csr::kMip ? arch_.csr.mip_software() : read;
}

CsrEffect CsrAccess::write(std::uint16_t number, std::uint64_t value, Cycle at) {
    if (feed_.bank().owns(number)) {
        feed_.write(number, value);
        note_fixed_counter(feed_.bank(), number, value, arch_.csr.mie());
        return CsrEffect::None;
    }
    if (const auto owner = owners_.find(number); owner != owners_.end()) {
        constexpr RegisterIndex kArgument = 10;
        owner->second->write(
            {.number = number, .value = value, .argument = arch_.x[kArgument], .at = at});
        return CsrEffect::None;
    }
    attention_.ask_now(); // mie, mip and the like may make an interrupt takeable
    return arch_.csr.write(number, value);
}

} // namespace pes

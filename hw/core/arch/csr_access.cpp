// SPDX-License-Identifier: Apache-2.0
#include "hw/core/arch/csr_access.h"

#include "hw/core/arch/csr_numbers.h"
#include "hw/core/arch/csr_rights.h"
#include "hw/core/feed/fixed_counter_note.h"
#include "hw/interface/maps/csr.h"

namespace pes {

CsrAccess::CsrAccess(ArchState& arch, CounterFeed& feed, InterruptInputs& interrupts,
                     Attention& attention, const HartTime& time)
    : arch_(arch), feed_(feed), interrupts_(interrupts), attention_(attention), time_(time) {
    if (feed_.bank().owns(csr::kUserPcmr)) {
        arch_.csr.add_custom_state(); // the user's aliases of the PCER unit
    }
}

bool CsrAccess::add(std::uint16_t number, CsrOwner& owner, CsrGuard guard) {
    const bool taken = csr_of(number) != Csr::Count_ || number == csr::kTime || is_counter(number);
    if (taken || !owners_.emplace(number, Owned{&owner, guard}).second) {
        return false;
    }
    if (is_custom(number)) {
        arch_.csr.add_custom_state();
    }
    return true;
}

bool CsrAccess::accessible(std::uint16_t number) const {
    const CsrFile& csr = arch_.csr;
    if (const auto owned = owners_.find(number); owned != owners_.end()) [[unlikely]] {
        if (!guard_open(csr, arch_.privilege, owned->second.guard)) {
            return false;
        }
    }
    return may_access(csr, arch_.privilege, number) &&
           (!csr.extensions().smstateen || may_access_custom(csr, arch_.privilege) ||
            !is_custom(number));
}

/// Below machine level, and of another block than the hart and its standard counters.
bool CsrAccess::is_custom(std::uint16_t number) const {
    const bool machine = (number >> 8 & 3) == static_cast<unsigned>(Privilege::Machine);
    const auto owned = owners_.find(number);
    const bool custom = owned != owners_.end()
                            ? owned->second.guard == CsrGuard::None
                            : number != csr::kScountovf && feed_.bank().owns(number);
    return !machine && custom;
}

bool CsrAccess::is_counter(std::uint16_t number) const {
    return feed_.bank().owns(view_of(number).number);
}

std::uint64_t CsrAccess::read_counter(std::uint16_t number) const {
    const CounterView view = view_of(number);
    return feed_.bank().read(view.number) & view.bits;
}

std::optional<std::uint64_t> CsrAccess::read_register(std::uint16_t number) {
    if (number == csr::kTime) {
        return std::nullopt;
    }
    if (number == csr::kMip || number == csr::kSip) {
        interrupts_.apply(time_.decode, arch_.csr);
    }
    if (const auto which = indirect_register(arch_.csr, number)) {
        return read_indirect(*which);
    }
    if (csr_of(number) != Csr::Count_) {
        return arch_.csr.read(number);
    }
    const auto owner = owners_.find(number);
    return owner == owners_.end() ? std::nullopt : std::optional(owner->second.owner->read(number));
}

/// The specification recommends an illegal instruction where nothing is.
std::optional<std::uint64_t> CsrAccess::read_indirect(const IndirectRegister& which) const {
    const IndirectCsrOwner* const owner = indirect_.owner_of(which);
    return owner == nullptr ? std::nullopt : std::optional(owner->read(which));
}

std::uint64_t CsrAccess::update_base(std::uint16_t number, std::uint64_t read) const {
    return number == csr::kMip ? arch_.csr.mip_software() : read;
}

CsrEffect CsrAccess::write(std::uint16_t number, std::uint64_t value, Cycle at) {
    if (const CounterView view = view_of(number); feed_.bank().owns(view.number)) {
        write_counter(view, value);
        return CsrEffect::None;
    }
    constexpr RegisterIndex kArgument = 10;
    if (write_elsewhere(
            {.number = number, .value = value, .argument = arch_.x[kArgument], .at = at})) {
        return CsrEffect::None;
    }
    attention_.ask_now(); // mie, mip and the like may make an interrupt takeable
    return arch_.csr.write(number, value);
}

/// What is not seen keeps its value: the bank has been brought to the cycle by the read before.
void CsrAccess::write_counter(const CounterView& view, std::uint64_t value) {
    if (view.bits != ~std::uint64_t{0}) {
        value = (value & view.bits) | (feed_.bank().peek(view.number) & ~view.bits);
    }
    feed_.write(view.number, value);
    note_fixed_counter(feed_.bank(), view.number, value, arch_.csr.mie());
}

/// False if the register is of the CSR file.
bool CsrAccess::write_elsewhere(const CsrWrite& write) {
    if (const auto which = indirect_register(arch_.csr, write.number)) {
        if (IndirectCsrOwner* const owner = indirect_.owner_of(*which)) {
            owner->write(*which, write);
        }
        return true;
    }
    const auto owner = owners_.find(write.number);
    if (owner == owners_.end()) {
        return false;
    }
    owner->second.owner->write(write);
    return true;
}

} // namespace pes

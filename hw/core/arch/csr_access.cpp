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
        arch_.csr.add_state(CsrTraits{}.stateen_bit); // the user's aliases of the PCER unit
    }
}

bool CsrAccess::add(std::uint16_t number, CsrOwner& owner, CsrGuard guard,
                    const CsrTraits& traits) {
    const bool taken = csr_of(number) != Csr::Count_ || number == csr::kTime || is_counter(number);
    if (taken || !owners_.emplace(number, Owned{&owner, guard, traits}).second) {
        return false;
    }
    if (const auto bit = stateen_bit(number)) {
        arch_.csr.add_state(*bit);
    }
    return true;
}

bool CsrAccess::add_indirect(IndirectLevel level, std::uint64_t first, std::uint64_t last,
                             IndirectCsrOwner& owner, const CsrTraits& traits) {
    if (!indirect_.add(level, first, last, owner, traits)) {
        return false;
    }
    if (level == IndirectLevel::Supervisor && traits.stateen_bit != CsrTraits{}.stateen_bit) {
        arch_.csr.add_state(traits.stateen_bit);
    }
    return true;
}

void CsrAccess::add_counter_bit(unsigned bit, CounterBitOwner& owner, const CsrTraits& traits) {
    counter_bit_ = CounterBit{.bit = bit, .owner = &owner, .traits = traits};
    arch_.csr.add_state(traits.stateen_bit);
}

bool CsrAccess::accessible(std::uint16_t number) const {
    const CsrFile& csr = arch_.csr;
    if (!may_access(csr, arch_.privilege, number)) {
        return false;
    }
    const auto owned = owners_.find(number);
    if (owned != owners_.end() && !guard_open(csr, arch_.privilege, owned->second.guard)) {
        return false;
    }
    const auto bit = csr.extensions().smstateen ? stateen_bit(number) : std::nullopt;
    return !bit || may_access_foreign(csr, arch_.privilege, *bit);
}

/// Of a CSR below machine level and of another block than the hart and its standard counters.
std::optional<unsigned> CsrAccess::stateen_bit(std::uint16_t number) const {
    if ((number >> 8 & 3) == static_cast<unsigned>(Privilege::Machine)) {
        return std::nullopt;
    }
    if (const auto owned = owners_.find(number); owned != owners_.end()) {
        return owned->second.guard == CsrGuard::None
                   ? std::optional(owned->second.traits.stateen_bit)
                   : std::nullopt;
    }
    const bool counters =
        number != csr::kScountovf && !is_sample_csr(arch_.csr, number) && feed_.bank().owns(number);
    return counters ? std::optional(CsrTraits{}.stateen_bit) : std::nullopt;
}

/// The bit of a CSR with a bit for each counter that another block has, as far as the register of
/// the bank is `shown` with it: "State Enable Access Control" of PDIS. 0: none.
std::uint64_t CsrAccess::foreign_bit(std::uint16_t number, std::uint16_t shown) const {
    if (!counter_bit_ || (shown != csr::kMcountinhibit && shown != csr::kScountovf)) {
        return 0;
    }
    const bool delegated =
        arch_.csr.state_enabled(std::uint64_t{1} << counter_bit_->traits.stateen_bit);
    const bool machine = number == csr::kMcountinhibit ||
                         (number == csr::kScountovf && arch_.privilege == Privilege::Machine);
    return machine || delegated ? std::uint64_t{1} << counter_bit_->bit : 0;
}

bool CsrAccess::is_counter(std::uint16_t number) const {
    return feed_.bank().owns(view_of(number).number);
}

std::uint64_t CsrAccess::read_counter(std::uint16_t number) const {
    const CounterView view = view_of(number);
    std::uint64_t value = feed_.bank().read(view.number) & view.bits;
    if (const std::uint64_t bit = foreign_bit(number, view.number); bit != 0) [[unlikely]] {
        value = (value & ~bit) | (foreign_bit_set(view.number) ? bit : 0);
    }
    return value;
}

/// A register with a guard exists if its extension does.
bool CsrAccess::exists(std::uint16_t number) const {
    if (number == csr::kTime || owners_.contains(number) || is_counter(number)) {
        return true;
    }
    return csr_of(number) != Csr::Count_ && present(arch_.csr.extensions(), csr_row(number).guard);
}

std::optional<std::uint64_t> CsrAccess::peek(std::uint16_t number) const {
    if (const CounterView view = view_of(number); feed_.bank().owns(view.number)) {
        const std::uint64_t bit = foreign_bit(number, view.number);
        const std::uint64_t value = feed_.bank().peek(view.number) & view.bits & ~bit;
        return bit != 0 && foreign_bit_set(view.number) ? value | bit : value;
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

/// Of the CounterBitOwner.
bool CsrAccess::foreign_bit_set(std::uint16_t shown) const {
    const CounterBitOwner& owner = *counter_bit_->owner;
    return shown == csr::kScountovf ? owner.overflowed() : owner.inhibited();
}

bool CsrAccess::read_in_turn(std::uint16_t number) const {
    const auto owner = owners_.find(number);
    return owner != owners_.end() && owner->second.traits.in_turn;
}

std::optional<std::uint64_t> CsrAccess::read_register(std::uint16_t number) {
    if (number == csr::kTime) {
        return std::nullopt;
    }
    if (shows_interrupts(number)) {
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
    const IndirectCsrOwner* const owner = owner_of(which);
    return owner == nullptr ? std::nullopt : std::optional(owner->read(which));
}

/// Null also if the state that it belongs to is closed to the mode.
IndirectCsrOwner* CsrAccess::owner_of(const IndirectRegister& which) const {
    const IndirectCsrs::Range* const range = indirect_.find(which);
    if (range == nullptr) {
        return nullptr;
    }
    const unsigned bit = range->traits.stateen_bit;
    const bool custom = bit == CsrTraits{}.stateen_bit;
    return custom || may_access_foreign(arch_.csr, arch_.privilege, bit) ? range->owner : nullptr;
}

std::uint64_t CsrAccess::update_base(std::uint16_t number, std::uint64_t read) const {
    return number == csr::kMip ? arch_.csr.mip_software() : read;
}

CsrEffect CsrAccess::write(std::uint16_t number, std::uint64_t value, Cycle at) {
    if (const CounterView view = view_of(number); feed_.bank().owns(view.number)) {
        write_counter(number, view, value);
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
void CsrAccess::write_counter(std::uint16_t number, const CounterView& view, std::uint64_t value) {
    if (const std::uint64_t bit = foreign_bit(number, view.number); bit != 0) [[unlikely]] {
        counter_bit_->owner->inhibit((value & bit) != 0);
    }
    if (view.bits != ~std::uint64_t{0}) {
        value = (value & view.bits) | (feed_.bank().peek(view.number) & ~view.bits);
    }
    feed_.write(view.number, value);
    note_fixed_counter(feed_.bank(), view.number, value, arch_.csr.mie());
}

/// False if the register is of the CSR file.
bool CsrAccess::write_elsewhere(const CsrWrite& write) {
    if (const auto which = indirect_register(arch_.csr, write.number)) {
        if (IndirectCsrOwner* const owner = owner_of(*which)) {
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

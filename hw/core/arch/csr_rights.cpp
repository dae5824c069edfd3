// SPDX-License-Identifier: Apache-2.0
// Sections are those of the privileged specification.
#include "hw/core/arch/csr_rights.h"

#include "hw/interface/maps/csr.h"
#include "hw/interface/maps/ctr.h"

namespace pes {

namespace {

/// Counter-Enable Registers (3.1.11, 4.1.5).
bool counter_enabled(const CsrFile& csr, Privilege privilege, std::uint16_t shadow) {
    const std::uint32_t enable = std::uint32_t{1} << (shadow - csr::kCycle);
    const bool machine_allows = (csr.mcounteren() & enable) != 0;
    const bool supervisor_allows = (csr.scounteren() & enable) != 0;
    return privilege == Privilege::Machine ||
           (machine_allows && (privilege == Privilege::Supervisor || supervisor_allows));
}

constexpr std::uint32_t kTime = 1U << (csr::kTime - csr::kCycle); // mcounteren.TM

/// Below M-mode, stimecmp needs menvcfg.STCE ("Machine Environment Configuration") and
/// mcounteren.TM ("Machine Counter-Enable").
bool timer_enabled(const CsrFile& csr, Privilege privilege) {
    return privilege == Privilege::Machine ||
           (csr.environment(menvcfg::kStce) && (csr.mcounteren() & kTime) != 0);
}

/// mstateen0 controls the modes below its own ("State Enable Extensions").
bool state_enabled(const CsrFile& csr, Privilege privilege, std::uint64_t field) {
    return privilege == Privilege::Machine || csr.state_enabled(field);
}

/// Smctr, "State Enable Access Control".
bool entry_enabled(const CsrFile& csr, Privilege privilege) {
    const bool entry = csr.siselect() >= ctr::kFirstSelect && csr.siselect() <= ctr::kLastSelect;
    return !entry || !csr.extensions().smctr || state_enabled(csr, privilege, mstateen::kCtr);
}

} // namespace

bool guard_open(const CsrFile& csr, Privilege privilege, CsrGuard guard) {
    switch (guard) {
    case CsrGuard::FloatOn:
        return csr.float_enabled();
    case CsrGuard::TranslationOpen:
        return privilege == Privilege::Machine || !csr.status(mstatus::kTvm);
    case CsrGuard::SupervisorTimer:
        return csr.extensions().sstc && timer_enabled(csr, privilege);
    case CsrGuard::Indirect:
        return csr.extensions().smcsrind;
    case CsrGuard::SupervisorIndirect: // "Access control by the state-enable CSRs"
        return csr.extensions().smcsrind && state_enabled(csr, privilege, mstateen::kCsrind);
    case CsrGuard::SupervisorIndirectAlias:
        return csr.extensions().smcsrind && state_enabled(csr, privilege, mstateen::kCsrind) &&
               entry_enabled(csr, privilege);
    case CsrGuard::CounterDelegation: // "Supervisor Counter Inhibit Register"
        return csr.extensions().smcdeleg && csr.environment(menvcfg::kCde);
    case CsrGuard::DelegationBelowMachine: // "shpmspc"
        return privilege == Privilege::Machine || csr.environment(menvcfg::kCde);
    case CsrGuard::StateEnable:
        return csr.extensions().smstateen;
    case CsrGuard::SupervisorStateEnable:
        return csr.extensions().smstateen && state_enabled(csr, privilege, mstateen::kSe0);
    case CsrGuard::NoStateEnable:
        return csr.extensions().smstateen && privilege == Privilege::Machine;
    case CsrGuard::SupervisorEnvironment:
        return state_enabled(csr, privilege, mstateen::kEnvcfg);
    case CsrGuard::TransferRecords:
        return state_enabled(csr, privilege, mstateen::kCtr);
    case CsrGuard::ManyProtections:
        return csr.pmp().entries() > 16;
    case CsrGuard::None:
        break;
    }
    return true;
}

bool present(const Extensions& extensions, CsrGuard guard) {
    switch (guard) {
    case CsrGuard::SupervisorTimer:
        return extensions.sstc;
    case CsrGuard::Indirect:
    case CsrGuard::SupervisorIndirect:
    case CsrGuard::SupervisorIndirectAlias:
        return extensions.smcsrind;
    case CsrGuard::CounterDelegation:
        return extensions.smcdeleg;
    case CsrGuard::DelegationBelowMachine:
        return extensions.sspesa;
    case CsrGuard::StateEnable:
    case CsrGuard::SupervisorStateEnable:
    case CsrGuard::NoStateEnable:
        return extensions.smstateen;
    case CsrGuard::TransferRecords:
        return extensions.smctr;
    case CsrGuard::None:
    case CsrGuard::FloatOn:
    case CsrGuard::TranslationOpen:
    case CsrGuard::SupervisorEnvironment:
    case CsrGuard::ManyProtections:
        break;
    }
    return true;
}

/// A field of mstateen0, and for U-mode of sstateen0.
bool may_access_foreign(const CsrFile& csr, Privilege privilege, unsigned stateen_bit) {
    const std::uint64_t field = std::uint64_t{1} << stateen_bit;
    switch (privilege) {
    case Privilege::User:
        return csr.user_state_enabled(field);
    case Privilege::Supervisor:
        return csr.state_enabled(field);
    case Privilege::Machine:
        break;
    }
    return true;
}

bool time_delegated(const CsrFile& csr) {
    return (csr.mcounteren() & kTime) != 0;
}

/// "Counter Delegation": mcounteren, if menvcfg.CDE = 1.
std::uint32_t delegated_counters(const CsrFile& csr) {
    return csr.environment(menvcfg::kCde) ? csr.mcounteren() & ~kTime : 0;
}

bool is_sample_csr(const CsrFile& csr, std::uint16_t number) {
    const Extensions& extensions = csr.extensions();
    return extensions.sspesa && (number == extensions.shpmspc || number == extensions.shpmsdata);
}

bool is_counter_shadow(std::uint16_t number) {
    return number >= csr::kCycle && number <= csr::kHpmcounter31;
}

/// Bits 9:8 of a number are the lowest privilege (2.1).
bool may_access(const CsrFile& csr, Privilege privilege, std::uint16_t number) {
    const unsigned lowest = (number >> 8) & 3;
    const CsrGuard guard =
        is_sample_csr(csr, number) ? CsrGuard::DelegationBelowMachine : csr_row(number).guard;
    if (lowest > static_cast<unsigned>(privilege) || !guard_open(csr, privilege, guard)) {
        return false;
    }
    return !is_counter_shadow(number) || counter_enabled(csr, privilege, number);
}

} // namespace pes

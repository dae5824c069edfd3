// SPDX-License-Identifier: Apache-2.0
#include "hw/core/arch/csr_file.h"

#include "hw/core/arch/causes.h"
#include "hw/core/arch/core_ids.h"

#include <array>
#include <bit>

namespace pes {

namespace {

constexpr std::uint64_t letter(char extension) {
    return std::uint64_t{1} << (extension - 'A');
}

constexpr std::uint64_t kWidth64 = std::uint64_t{2} << 62; // MXL
constexpr std::uint64_t kModes = letter('S') | letter('U');

using core_ids::kArchitecture;
using core_ids::kVendor;
static_assert(core_ids::kImplementation == 0); // the row of csrs.def

constexpr std::uint64_t kMstatusMask = mstatus::kSie | mstatus::kMie | mstatus::kSpie |
                                       mstatus::kMpie | mstatus::kSpp | mstatus::kMpp |
                                       mstatus::kFs | mstatus::kMprv | mstatus::kSum |
                                       mstatus::kMxr | mstatus::kTvm | mstatus::kTw | mstatus::kTsr;
constexpr std::uint64_t kSstatusMask =
    mstatus::kSie | mstatus::kSpie | mstatus::kSpp | mstatus::kFs | mstatus::kSum | mstatus::kMxr;

constexpr std::uint64_t bit(unsigned number) {
    return std::uint64_t{1} << number;
}
constexpr std::uint64_t kSsip = bit(1), kMsip = bit(3), kStip = bit(5), kMtip = bit(7),
                        kSeip = bit(9), kMeip = bit(11), kLcofip = bit(13);
constexpr std::uint64_t kSupervisorInterrupts = kSsip | kStip | kSeip;
constexpr std::uint64_t kAllInterrupts = kSupervisorInterrupts | kMsip | kMtip | kMeip;

// Values of the Stored() registers.
constexpr std::uint64_t kAllBits = ~std::uint64_t{0};
constexpr std::uint64_t kPcBits = ~std::uint64_t{1};
constexpr std::uint64_t kVectorBits = ~std::uint64_t{2}; // modes: direct and vectored
constexpr std::uint64_t kCounterBits = 0xFFFF'FFFF;
constexpr std::uint64_t kEnvcfgBits = 1;     // FIOM; menvcfg has more with extensions
constexpr std::uint64_t kSelectBits = 0xFFF; // Sscsrind: at least these
/// Every exception that can occur below M-mode may be delegated; ecall from M never.
constexpr std::uint64_t kMedelegBits = 0xB3FF;

/// MEI, MSI, MTI, SEI, SSI, STI (privileged specification 3.1.9), LCOFI (Sscofpmf).
constexpr std::array<unsigned, 7> kInterruptPriority{11, 3, 7, 9, 1, 5, 13};

} // namespace

/// A pair of functions, and the mask or value that they use.
struct CsrFile::Access {
    std::uint64_t (CsrFile::*read)(const Place&) const;
    void (CsrFile::*write)(const Place&, std::uint64_t);
    std::uint64_t bits = 0;
};

/// The names that the rows use.
struct CsrFile::AccessOf {
    static constexpr Access Stored(std::uint64_t mask) {
        return {&CsrFile::read_stored, &CsrFile::write_stored, mask};
    }
    static constexpr Access Constant(std::uint64_t value) {
        return {&CsrFile::read_constant, &CsrFile::ignore, value};
    }
    static constexpr Access InstructionSet{&CsrFile::read_misa, &CsrFile::ignore};
    static constexpr Access Elsewhere{&CsrFile::read_constant, &CsrFile::ignore};
    static constexpr Access HartNumber{&CsrFile::read_stored, &CsrFile::ignore};
    static constexpr Access AccruedFlags{&CsrFile::read_flags, &CsrFile::write_flags};
    static constexpr Access RoundingMode{&CsrFile::read_rounding, &CsrFile::write_rounding};
    static constexpr Access FloatControl{&CsrFile::read_fcsr, &CsrFile::write_fcsr};
    static constexpr Access SupervisorStatus{&CsrFile::read_status, &CsrFile::write_status,
                                             kSstatusMask};
    static constexpr Access MachineStatus{&CsrFile::read_status, &CsrFile::write_status,
                                          kMstatusMask};
    static constexpr Access SupervisorEnables{&CsrFile::read_sie, &CsrFile::write_sie};
    static constexpr Access SupervisorPending{&CsrFile::read_sip, &CsrFile::write_sip};
    static constexpr Access AddressTranslation{&CsrFile::read_stored, &CsrFile::write_satp};
    static constexpr Access Delegation{&CsrFile::read_stored, &CsrFile::write_interrupts,
                                       kSupervisorInterrupts};
    static constexpr Access MachineEnables{&CsrFile::read_stored, &CsrFile::write_interrupts,
                                           kAllInterrupts};
    static constexpr Access MachinePending{&CsrFile::read_mip, &CsrFile::write_mip,
                                           kSupervisorInterrupts};
    static constexpr Access MachineEnvironment{&CsrFile::read_stored, &CsrFile::write_environment,
                                               kEnvcfgBits};
    static constexpr Access MachineStates{&CsrFile::read_stored, &CsrFile::write_states,
                                          mstateen::kSe0 | mstateen::kEnvcfg};
    static constexpr Access SupervisorStates{&CsrFile::read_supervisor_states,
                                             &CsrFile::write_supervisor_states};
    static constexpr Access TrapValue{&CsrFile::read_stored, &CsrFile::write_trap_value};
    static constexpr Access MachineVector{&CsrFile::read_stored, &CsrFile::write_machine_vector};
    static constexpr Access ProtectionConfig{&CsrFile::read_pmp_config, &CsrFile::write_pmp_config};
    static constexpr Access ProtectionAddress{&CsrFile::read_pmp_address,
                                              &CsrFile::write_pmp_address};

    /// Index = Csr.
    static const std::array<Access, static_cast<std::size_t>(Csr::Count_)> kRows;
};

constexpr std::array<CsrFile::Access, static_cast<std::size_t>(Csr::Count_)>
    CsrFile::AccessOf::kRows{{
#define CSR(id, first, last, name, access, ...) access,
#include "hw/core/arch/csrs.def"
    }};

const CsrFile::Access& CsrFile::access_of(Csr row) {
    return AccessOf::kRows[static_cast<std::size_t>(row)];
}

CsrFile::CsrFile(std::uint32_t hart_id, const Pmp& pmp, OverflowInterrupt overflow,
                 const Extensions& extensions)
    : extensions_(extensions), pmp_(pmp),
      overflow_interrupt_(overflow == OverflowInterrupt::Present ? kLcofip : 0),
      local_interrupts_(overflow_interrupt_), shown_lines_(~kStip) {
    value(Csr::Mhartid) = hart_id;
    value(Csr::Stimecmp) = kAllBits; // as mtimecmp: nothing is due after reset
}

std::optional<std::uint64_t> CsrFile::read(std::uint16_t number) const {
    const Csr row = csr_of(number);
    if (row == Csr::Count_) {
        return std::nullopt;
    }
    const Access& access = access_of(row);
    return (this->*access.read)({row, number - csr_row(number).first + 0U, access.bits});
}

CsrEffect CsrFile::write(std::uint16_t number, std::uint64_t written) {
    const Csr row = csr_of(number);
    if (row == Csr::Count_) {
        return CsrEffect::None;
    }
    const Access& access = access_of(row);
    (this->*access.write)({row, number - csr_row(number).first + 0U, access.bits}, written);
    return csr_row(number).effect;
}

std::uint64_t CsrFile::read_stored(const Place& place) const {
    return value(place.row);
}

void CsrFile::write_stored(const Place& place, std::uint64_t written) {
    value(place.row) = written & place.bits;
}

std::uint64_t CsrFile::read_constant(const Place& place) const {
    return place.bits;
}

std::uint64_t CsrFile::read_misa(const Place&) const {
    return kWidth64 | kModes | misa_letters(extensions_.isa);
}

// --- Floating point ----------------------------------------------------------------------------

std::uint64_t CsrFile::read_flags(const Place&) const {
    return fflags;
}

void CsrFile::write_flags(const Place&, std::uint64_t written) {
    fflags = written & 0x1F;
    mark_float_dirty();
}

std::uint64_t CsrFile::read_rounding(const Place&) const {
    return frm;
}

void CsrFile::write_rounding(const Place&, std::uint64_t written) {
    frm = written & 7;
    mark_float_dirty();
}

std::uint64_t CsrFile::read_fcsr(const Place&) const {
    return static_cast<std::uint64_t>(frm) << 5 | fflags;
}

void CsrFile::write_fcsr(const Place&, std::uint64_t written) {
    fflags = written & 0x1F;
    frm = (written >> 5) & 7;
    mark_float_dirty();
}

// --- Status, interrupts, translation -----------------------------------------------------------

/// mstatus, or what its view sstatus shows: UXL and SD, but not SXL.
std::uint64_t CsrFile::read_status(const Place& place) const {
    const std::uint64_t dirty =
        (status_ & mstatus::kFs) == mstatus::kFs ? mstatus::kSd : std::uint64_t{0};
    const bool machine = place.row == Csr::Mstatus;
    return (machine ? status_ : status_ & (place.bits | mstatus::kUxl64)) | dirty;
}

void CsrFile::write_status(const Place& place, std::uint64_t written) {
    constexpr std::uint64_t kReservedMode = 2;
    std::uint64_t mask = place.bits;
    if ((mask & mstatus::kMpp) != 0 &&
        ((written & mstatus::kMpp) >> mstatus::kMppShift) == kReservedMode) {
        mask &= ~mstatus::kMpp; // an illegal mode keeps the old one
    }
    if (!extensions_.isa.has(IsaExtension::F)) {
        mask &= ~mstatus::kFs; // read-only zero, so all that is floating-point is illegal
    }
    status_ = (status_ & ~mask) | (written & mask);
}

std::uint64_t CsrFile::read_sie(const Place&) const {
    return value(Csr::Mie) & value(Csr::Mideleg);
}

void CsrFile::write_sie(const Place&, std::uint64_t written) {
    const std::uint64_t delegated = value(Csr::Mideleg);
    value(Csr::Mie) = (value(Csr::Mie) & ~delegated) | (written & delegated);
}

std::uint64_t CsrFile::read_sip(const Place&) const {
    return delegated(mip());
}

/// Only M-mode can write STIP and SEIP.
void CsrFile::write_sip(const Place&, std::uint64_t written) {
    const std::uint64_t writable = (kSsip | local_interrupts_) & value(Csr::Mideleg);
    value(Csr::Mip) = (value(Csr::Mip) & ~writable) | (written & writable);
}

std::uint64_t CsrFile::read_mip(const Place&) const {
    return mip();
}

/// While stimecmp drives STIP, the bit is read-only here ("Machine Interrupt Registers"). The value
/// that M-mode wrote before is visible again when menvcfg.STCE = 0.
void CsrFile::write_mip(const Place& place, std::uint64_t written) {
    const std::uint64_t kept = value(place.row) & timer_interrupt_;
    write_interrupts(place, (written & ~timer_interrupt_) | kept);
}

/// FIOM, and the enables of the extensions that are present ("Machine Environment Configuration").
void CsrFile::write_environment(const Place& place, std::uint64_t written) {
    const std::uint64_t enables =
        (extensions_.sstc ? menvcfg::kStce : 0) | (extensions_.smcdeleg ? menvcfg::kCde : 0) |
        (extensions_.ssamb ? menvcfg::kPdiss : 0) | (extensions_.svadu ? menvcfg::kAdue : 0);
    value(place.row) = written & (place.bits | enables);
    timer_interrupt_ = environment(menvcfg::kStce) ? kStip : 0;
    shown_lines_ = ~kStip | timer_interrupt_;
}

/// Bits of state that the hart does not have are read-only 0 ("State Enable Extensions").
void CsrFile::write_states(const Place& place, std::uint64_t written) {
    const std::uint64_t optional =
        (extensions_.smcsrind ? mstateen::kCsrind : 0) | (extensions_.smctr ? mstateen::kCtr : 0);
    value(place.row) = written & (place.bits | optional | foreign_states_);
}

/// A bit that is 0 in mstateen0 is read-only 0 here. Of the remaining bits, sstateen0 has only that
/// of custom state: FCSR needs Zfinx, JVT needs Zcmt.
std::uint64_t CsrFile::read_supervisor_states(const Place& place) const {
    return value(place.row) & value(Csr::Mstateen0);
}

void CsrFile::write_supervisor_states(const Place& place, std::uint64_t written) {
    const std::uint64_t writable = mstateen::kCustom & foreign_states_ & value(Csr::Mstateen0);
    value(place.row) = (value(place.row) & ~writable) | (written & writable);
}

/// Bits of the row, and LCOFI if the counters have it.
void CsrFile::write_interrupts(const Place& place, std::uint64_t written) {
    value(place.row) = written & (place.bits | local_interrupts_);
}

/// A write with an unsupported mode has no effect at all (4.1.11).
void CsrFile::write_satp(const Place& place, std::uint64_t written) {
    const std::uint64_t mode = written >> satp::kModeShift;
    if (mode == 0 || mode == satp::kModeSv39) {
        value(place.row) = written;
    }
}

void CsrFile::write_trap_value(const Place& place, std::uint64_t written) {
    value(place.row) = extensions_.xtval ? written : 0;
}

void CsrFile::write_machine_vector(const Place& place, std::uint64_t written) {
    constexpr std::uint64_t kVectored = 1;
    value(place.row) = written & kVectorBits & (extensions_.mtvec_vectored ? kAllBits : ~kVectored);
}

// --- Physical memory protection ----------------------------------------------------------------

/// n of pmpcfgn: RV64 has the even ones.
unsigned CsrFile::pmp_config_of(const Place& place) {
    return kCsrRows[static_cast<std::size_t>(place.row)].first - csr::kPmpcfg0;
}

/// n of pmpaddrn.
unsigned CsrFile::pmp_entry_of(const Place& place) {
    return kCsrRows[static_cast<std::size_t>(place.row)].first + place.offset - csr::kPmpaddr0;
}

std::uint64_t CsrFile::read_pmp_config(const Place& place) const {
    return pmp_.read_config(pmp_config_of(place));
}

void CsrFile::write_pmp_config(const Place& place, std::uint64_t written) {
    pmp_.write_config(pmp_config_of(place), written);
}

std::uint64_t CsrFile::read_pmp_address(const Place& place) const {
    return pmp_.read_address(pmp_entry_of(place));
}

void CsrFile::write_pmp_address(const Place& place, std::uint64_t written) {
    pmp_.write_address(pmp_entry_of(place), written);
}

// --- Interrupts and traps ----------------------------------------------------------------------

void CsrFile::set_interrupt_line(unsigned number, bool level) {
    mip_lines_ = level ? mip_lines_ | bit(number) : mip_lines_ & ~bit(number);
}

void CsrFile::request_overflow_interrupt() {
    value(Csr::Mip) |= overflow_interrupt_;
}

void CsrFile::add_local_interrupt(unsigned number) {
    local_interrupts_ |= bit(number);
}

bool CsrFile::request_local_interrupt(unsigned number) {
    const std::uint64_t requested = local_interrupts_ & bit(number);
    value(Csr::Mip) |= requested;
    return requested != 0;
}

std::optional<unsigned> CsrFile::pending_interrupt(Privilege privilege) const {
    const std::uint64_t pending = mip() & value(Csr::Mie);
    if (pending == 0) {
        return std::nullopt;
    }
    const std::uint64_t choice = takeable(pending, privilege);
    for (const unsigned number : kInterruptPriority) {
        if ((choice & bit(number)) != 0) {
            return number;
        }
    }
    if (choice != 0) { // those of extensions come last
        return static_cast<unsigned>(std::countr_zero(choice));
    }
    return std::nullopt;
}

bool CsrFile::takes_interrupt(unsigned number, Privilege privilege) const {
    return takeable(bit(number) & value(Csr::Mie), privilege) != 0;
}

std::uint64_t CsrFile::takeable(std::uint64_t pending, Privilege privilege) const {
    const bool machine_open = privilege != Privilege::Machine || status(mstatus::kMie);
    const bool supervisor_open = privilege == Privilege::User ||
                                 (privilege == Privilege::Supervisor && status(mstatus::kSie));
    const std::uint64_t machine = machine_open ? pending & ~value(Csr::Mideleg) : 0;
    return machine == 0 && supervisor_open ? pending & value(Csr::Mideleg) : machine;
}

CsrFile::TrapEntry CsrFile::enter_trap(std::uint64_t cause, Address epc, std::uint64_t tval,
                                       Privilege from) {
    const bool interrupt = (cause & kInterruptBit) != 0;
    const std::uint64_t number = cause & ~kInterruptBit;
    const std::uint64_t delegation = interrupt ? value(Csr::Mideleg) : value(Csr::Medeleg);
    const bool to_supervisor = from != Privilege::Machine && ((delegation >> number) & 1) != 0;
    const std::uint64_t vector = to_supervisor ? value(Csr::Stvec) : value(Csr::Mtvec);
    const Address base = vector & ~Address{3};
    const Address target = interrupt && (vector & 1) != 0 ? base + 4 * number : base;
    if (to_supervisor) {
        value(Csr::Sepc) = epc;
        value(Csr::Scause) = cause;
        value(Csr::Stval) = extensions_.xtval ? tval : 0;
        const bool enabled = status(mstatus::kSie);
        status_ &= ~(mstatus::kSpp | mstatus::kSpie | mstatus::kSie);
        status_ |= enabled ? mstatus::kSpie : 0;
        status_ |= from == Privilege::Supervisor ? mstatus::kSpp : 0;
        return {target, Privilege::Supervisor};
    }
    value(Csr::Mepc) = epc;
    value(Csr::Mcause) = cause;
    value(Csr::Mtval) = extensions_.xtval ? tval : 0;
    const bool enabled = status(mstatus::kMie);
    status_ &= ~(mstatus::kMpp | mstatus::kMpie | mstatus::kMie);
    status_ |= enabled ? mstatus::kMpie : 0;
    status_ |= static_cast<std::uint64_t>(from) << mstatus::kMppShift;
    return {target, Privilege::Machine};
}

CsrFile::TrapReturn CsrFile::return_from_machine() {
    const auto previous = static_cast<Privilege>((status_ & mstatus::kMpp) >> mstatus::kMppShift);
    const bool enabled = status(mstatus::kMpie);
    status_ &= ~(mstatus::kMie | mstatus::kMpp);
    status_ |= mstatus::kMpie | (enabled ? mstatus::kMie : 0);
    if (previous != Privilege::Machine) {
        status_ &= ~mstatus::kMprv;
    }
    return {value(Csr::Mepc), previous};
}

CsrFile::TrapReturn CsrFile::return_from_supervisor() {
    const Privilege previous = status(mstatus::kSpp) ? Privilege::Supervisor : Privilege::User;
    const bool enabled = status(mstatus::kSpie);
    status_ &= ~(mstatus::kSie | mstatus::kSpp | mstatus::kMprv);
    status_ |= mstatus::kSpie | (enabled ? mstatus::kSie : 0);
    return {value(Csr::Sepc), previous};
}

} // namespace pes

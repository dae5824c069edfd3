// SPDX-License-Identifier: Apache-2.0
#include "hw/core/csr_file.h"

#include "hw/core/causes.h"
#include "hw/core/csr_numbers.h"

#include <array>

namespace pes {

namespace {

constexpr std::uint64_t letter(char extension) {
    return std::uint64_t{1} << (extension - 'A');
}

constexpr std::uint64_t kMisaValue = (std::uint64_t{2} << 62) | letter('A') | letter('C') |
                                     letter('D') | letter('F') | letter('I') | letter('M') |
                                     letter('S') | letter('U');

// Identification of the core that is modelled: OpenHW Group, CVA6.
constexpr std::uint64_t kVendor = 0x602;
constexpr std::uint64_t kArchitecture = 3;

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

/// Every exception that can occur below M-mode may be delegated; ecall from M never.
constexpr std::uint64_t kMedelegMask = 0xB3FF;
constexpr std::uint64_t kEnvcfgMask = 1; // FIOM

/// MEI, MSI, MTI, SEI, SSI, STI (privileged specification 3.1.9), LCOFI (Sscofpmf).
constexpr std::array<unsigned, 7> kInterruptPriority{11, 3, 7, 9, 1, 5, 13};

constexpr bool is_pmp_address(std::uint16_t number) {
    return number >= csr::kPmpaddr0 && number <= csr::kPmpaddr15;
}

} // namespace

CsrFile::CsrFile(std::uint32_t hart_id, unsigned pmp_entries, OverflowInterrupt overflow)
    : hart_id_(hart_id), pmp_(pmp_entries),
      overflow_interrupt_(overflow == OverflowInterrupt::Present ? kLcofip : 0) {}

std::optional<std::uint64_t> CsrFile::read(std::uint16_t csr) const {
    const std::uint64_t dirty =
        (status_ & mstatus::kFs) == mstatus::kFs ? mstatus::kSd : std::uint64_t{0};
    switch (csr) {
    case csr::kFflags:
        return fflags;
    case csr::kFrm:
        return frm;
    case csr::kFcsr:
        return static_cast<std::uint64_t>(frm) << 5 | fflags;
    case csr::kSstatus:
        return (status_ & (kSstatusMask | mstatus::kUxl64)) | dirty;
    case csr::kSie:
        return mie_ & mideleg_;
    case csr::kStvec:
        return stvec_;
    case csr::kScounteren:
        return scounteren_;
    case csr::kSenvcfg:
        return senvcfg_;
    case csr::kSscratch:
        return sscratch_;
    case csr::kSepc:
        return sepc_;
    case csr::kScause:
        return scause_;
    case csr::kStval:
        return stval_;
    case csr::kSip:
        return mip() & mideleg_;
    case csr::kSatp:
        return satp_;
    case csr::kMstatus:
        return status_ | dirty;
    case csr::kMisa:
        return kMisaValue;
    case csr::kMedeleg:
        return medeleg_;
    case csr::kMideleg:
        return mideleg_;
    case csr::kMie:
        return mie_;
    case csr::kMtvec:
        return mtvec_;
    case csr::kMcounteren:
        return mcounteren_;
    case csr::kMenvcfg:
        return menvcfg_;
    case csr::kMscratch:
        return mscratch_;
    case csr::kMepc:
        return mepc_;
    case csr::kMcause:
        return mcause_;
    case csr::kMtval:
        return mtval_;
    case csr::kMip:
        return mip();
    case csr::kPmpcfg0:
        return pmp_.read_config(0);
    case csr::kPmpcfg2:
        return pmp_.read_config(2);
    case csr::kTselect: // no triggers: tdata1.type reads 0
    case csr::kTdata1:
    case csr::kTdata2:
    case csr::kTdata3:
    case csr::kMimpid:
    case csr::kMconfigptr:
        return 0;
    case csr::kIcache: // the caches cannot be switched off: bit 0 is WARL {1}
    case csr::kDcache:
        return 1;
    case csr::kMvendorid:
        return kVendor;
    case csr::kMarchid:
        return kArchitecture;
    case csr::kMhartid:
        return hart_id_;
    default:
        if (is_pmp_address(csr)) {
            return pmp_.read_address(csr - csr::kPmpaddr0);
        }
        return std::nullopt;
    }
}

CsrEffect CsrFile::write(std::uint16_t csr, std::uint64_t value) {
    switch (csr) {
    case csr::kFflags:
        fflags = value & 0x1F;
        mark_float_dirty();
        return CsrEffect::None;
    case csr::kFrm:
        frm = value & 7;
        mark_float_dirty();
        return CsrEffect::None;
    case csr::kFcsr:
        fflags = value & 0x1F;
        frm = (value >> 5) & 7;
        mark_float_dirty();
        return CsrEffect::None;
    default:
        return ((csr >> 8) & 3) == 1 ? write_supervisor(csr, value) : write_machine(csr, value);
    }
}

CsrEffect CsrFile::write_supervisor(std::uint16_t csr, std::uint64_t value) {
    switch (csr) {
    case csr::kSstatus:
        write_status(value, kSstatusMask);
        return CsrEffect::Context;
    case csr::kSie:
        mie_ = (mie_ & ~mideleg_) | (value & mideleg_);
        return CsrEffect::None;
    case csr::kStvec:
        stvec_ = value & ~std::uint64_t{2}; // modes: direct and vectored
        return CsrEffect::None;
    case csr::kScounteren:
        scounteren_ = static_cast<std::uint32_t>(value);
        return CsrEffect::None;
    case csr::kSenvcfg:
        senvcfg_ = value & kEnvcfgMask;
        return CsrEffect::None;
    case csr::kSscratch:
        sscratch_ = value;
        return CsrEffect::None;
    case csr::kSepc:
        sepc_ = value & ~std::uint64_t{1};
        return CsrEffect::None;
    case csr::kScause:
        scause_ = value;
        return CsrEffect::None;
    case csr::kStval:
        stval_ = value;
        return CsrEffect::None;
    case csr::kSip: {
        // STIP and SEIP are M's to write.
        const std::uint64_t writable = (kSsip | overflow_interrupt_) & mideleg_;
        mip_software_ = (mip_software_ & ~writable) | (value & writable);
        return CsrEffect::None;
    }
    case csr::kSatp:
        write_satp(value);
        return CsrEffect::Context;
    default:
        return CsrEffect::None;
    }
}

CsrEffect CsrFile::write_machine(std::uint16_t csr, std::uint64_t value) {
    switch (csr) {
    case csr::kMstatus:
        write_status(value, kMstatusMask);
        return CsrEffect::Context;
    case csr::kMedeleg:
        medeleg_ = value & kMedelegMask;
        return CsrEffect::None;
    case csr::kMideleg:
        mideleg_ = value & (kSupervisorInterrupts | overflow_interrupt_);
        return CsrEffect::None;
    case csr::kMie:
        mie_ = value & (kAllInterrupts | overflow_interrupt_);
        return CsrEffect::None;
    case csr::kMtvec:
        mtvec_ = value & ~std::uint64_t{2};
        return CsrEffect::None;
    case csr::kMcounteren:
        mcounteren_ = static_cast<std::uint32_t>(value);
        return CsrEffect::None;
    case csr::kMenvcfg:
        menvcfg_ = value & kEnvcfgMask;
        return CsrEffect::None;
    case csr::kMscratch:
        mscratch_ = value;
        return CsrEffect::None;
    case csr::kMepc:
        mepc_ = value & ~std::uint64_t{1};
        return CsrEffect::None;
    case csr::kMcause:
        mcause_ = value;
        return CsrEffect::None;
    case csr::kMtval:
        mtval_ = value;
        return CsrEffect::None;
    case csr::kMip:
        mip_software_ = value & (kSupervisorInterrupts | overflow_interrupt_);
        return CsrEffect::None;
    case csr::kPmpcfg0:
    case csr::kPmpcfg2:
        pmp_.write_config(csr - csr::kPmpcfg0, value);
        return CsrEffect::Context;
    default:
        if (is_pmp_address(csr)) {
            pmp_.write_address(csr - csr::kPmpaddr0, value);
            return CsrEffect::Context;
        }
        return CsrEffect::None; // misa, triggers, cache enables: writes are ignored (WARL)
    }
}

void CsrFile::write_status(std::uint64_t value, std::uint64_t mask) {
    constexpr std::uint64_t kReservedMode = 2;
    if ((mask & mstatus::kMpp) != 0 &&
        ((value & mstatus::kMpp) >> mstatus::kMppShift) == kReservedMode) {
        mask &= ~mstatus::kMpp; // an illegal mode keeps the old one
    }
    status_ = (status_ & ~mask) | (value & mask);
}

void CsrFile::write_satp(std::uint64_t value) {
    const std::uint64_t mode = value >> satp::kModeShift;
    if (mode == 0 || mode == satp::kModeSv39) {
        satp_ = value; // a write with an unsupported mode has no effect at all (4.1.11)
    }
}

void CsrFile::set_interrupt_line(unsigned number, bool level) {
    mip_lines_ = level ? mip_lines_ | bit(number) : mip_lines_ & ~bit(number);
}

void CsrFile::request_overflow_interrupt() {
    mip_software_ |= overflow_interrupt_;
}

std::optional<unsigned> CsrFile::pending_interrupt(Privilege privilege) const {
    const std::uint64_t pending = mip() & mie_;
    if (pending == 0) {
        return std::nullopt;
    }
    const bool machine_open = privilege != Privilege::Machine || status(mstatus::kMie);
    const bool supervisor_open = privilege == Privilege::User ||
                                 (privilege == Privilege::Supervisor && status(mstatus::kSie));
    std::uint64_t takeable = machine_open ? pending & ~mideleg_ : 0;
    if (takeable == 0 && supervisor_open) {
        takeable = pending & mideleg_;
    }
    for (const unsigned number : kInterruptPriority) {
        if ((takeable & bit(number)) != 0) {
            return number;
        }
    }
    return std::nullopt;
}

CsrFile::TrapEntry CsrFile::enter_trap(std::uint64_t cause, Address epc, std::uint64_t tval,
                                       Privilege from) {
    const bool interrupt = (cause & kInterruptBit) != 0;
    const std::uint64_t number = cause & ~kInterruptBit;
    const std::uint64_t delegation = interrupt ? mideleg_ : medeleg_;
    const bool to_supervisor = from != Privilege::Machine && ((delegation >> number) & 1) != 0;
    const std::uint64_t vector = to_supervisor ? stvec_ : mtvec_;
    const Address base = vector & ~Address{3};
    const Address target = interrupt && (vector & 1) != 0 ? base + 4 * number : base;
    if (to_supervisor) {
        sepc_ = epc;
        scause_ = cause;
        stval_ = tval;
        const bool enabled = status(mstatus::kSie);
        status_ &= ~(mstatus::kSpp | mstatus::kSpie | mstatus::kSie);
        status_ |= enabled ? mstatus::kSpie : 0;
        status_ |= from == Privilege::Supervisor ? mstatus::kSpp : 0;
        return {target, Privilege::Supervisor};
    }
    mepc_ = epc;
    mcause_ = cause;
    mtval_ = tval;
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
    return {mepc_, previous};
}

CsrFile::TrapReturn CsrFile::return_from_supervisor() {
    const Privilege previous = status(mstatus::kSpp) ? Privilege::Supervisor : Privilege::User;
    const bool enabled = status(mstatus::kSpie);
    status_ &= ~(mstatus::kSie | mstatus::kSpp | mstatus::kMprv);
    status_ |= mstatus::kSpie | (enabled ? mstatus::kSie : 0);
    return {sepc_, previous};
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The control and status registers of a hart, except the counters (which the counter bank owns).
// Every field follows the WARL rules stated at its write; see docs/hart.md for the table.
//
// Source: RISC-V privileged specification 1.12, machine and supervisor levels.
#pragma once

#include "hw/common/types.h"
#include "hw/core/pmp.h"

#include <cstdint>
#include <optional>

namespace pes {

/// Fields of mstatus that the hart reads or writes.
namespace mstatus {
inline constexpr std::uint64_t kSie = 1U << 1;
inline constexpr std::uint64_t kMie = 1U << 3;
inline constexpr std::uint64_t kSpie = 1U << 5;
inline constexpr std::uint64_t kMpie = 1U << 7;
inline constexpr std::uint64_t kSpp = 1U << 8;
inline constexpr std::uint64_t kMpp = 3U << 11;
inline constexpr unsigned kMppShift = 11;
inline constexpr std::uint64_t kFs = 3U << 13;
inline constexpr std::uint64_t kMprv = 1U << 17;
inline constexpr std::uint64_t kSum = 1U << 18;
inline constexpr std::uint64_t kMxr = 1U << 19;
inline constexpr std::uint64_t kTvm = 1U << 20;
inline constexpr std::uint64_t kTw = 1U << 21;
inline constexpr std::uint64_t kTsr = 1U << 22;
inline constexpr std::uint64_t kUxl64 = std::uint64_t{2} << 32;
inline constexpr std::uint64_t kSxl64 = std::uint64_t{2} << 34;
inline constexpr std::uint64_t kSd = std::uint64_t{1} << 63;
} // namespace mstatus

namespace satp {
inline constexpr unsigned kModeShift = 60;
inline constexpr std::uint64_t kModeSv39 = 8;
inline constexpr std::uint64_t kPpnMask = (std::uint64_t{1} << 44) - 1;
inline constexpr unsigned kAsidShift = 44;
inline constexpr std::uint64_t kAsidMask = 0xFFFF;
} // namespace satp

/// What a CSR write asks of the hart beyond the register itself.
enum class CsrEffect : std::uint8_t {
    None,
    Context, ///< translation, protection or privilege context changed: drop cached lookups
};

/// Interrupt 13, that of counters that overflow (Sscofpmf).
enum class OverflowInterrupt : std::uint8_t { Absent, Present };

class CsrFile {
  public:
    CsrFile(std::uint32_t hart_id, unsigned pmp_entries, OverflowInterrupt overflow);

    /// Reads an implemented register; nothing if `csr` is not one of this file.
    std::optional<std::uint64_t> read(std::uint16_t csr) const;
    /// Writes an implemented register under its WARL rules; the caller has checked rights.
    CsrEffect write(std::uint16_t csr, std::uint64_t value);

    /// mip as software reads it: writable bits or'ed with the interrupt lines.
    std::uint64_t mip() const { return mip_software_ | mip_lines_; }
    std::uint64_t mip_software() const { return mip_software_; }
    std::uint64_t mie() const { return mie_; }
    void set_interrupt_line(unsigned number, bool level);
    /// LCOFIP stays until software clears it.
    void request_overflow_interrupt();

    /// The highest-priority interrupt that would be taken in `privilege` now, as its cause number.
    std::optional<unsigned> pending_interrupt(Privilege privilege) const;

    /// Trap entry and return: update the status stacks, return where to go.
    struct TrapEntry {
        Address vector;
        Privilege privilege;
    };
    TrapEntry enter_trap(std::uint64_t cause, Address epc, std::uint64_t tval, Privilege from);
    struct TrapReturn {
        Address pc;
        Privilege privilege;
    };
    TrapReturn return_from_machine();
    TrapReturn return_from_supervisor();

    std::uint64_t status() const { return status_; }
    bool status(std::uint64_t field) const { return (status_ & field) != 0; }
    bool float_enabled() const { return (status_ & mstatus::kFs) != 0; }
    void mark_float_dirty() { status_ |= mstatus::kFs; }

    std::uint64_t satp() const { return satp_; }
    bool translation_on() const { return (satp_ >> satp::kModeShift) == satp::kModeSv39; }
    std::uint16_t asid() const {
        return static_cast<std::uint16_t>((satp_ >> satp::kAsidShift) & satp::kAsidMask);
    }
    std::uint32_t mcounteren() const { return mcounteren_; }
    std::uint32_t scounteren() const { return scounteren_; }
    Pmp& pmp() { return pmp_; }
    const Pmp& pmp() const { return pmp_; }

    std::uint8_t fflags = 0; ///< accrued exceptions, NV DZ OF UF NX = bits 4..0
    std::uint8_t frm = 0;    ///< dynamic rounding mode, 5..7 are invalid to use

  private:
    void write_status(std::uint64_t value, std::uint64_t mask);
    void write_satp(std::uint64_t value);
    CsrEffect write_machine(std::uint16_t csr, std::uint64_t value);
    CsrEffect write_supervisor(std::uint16_t csr, std::uint64_t value);

    std::uint32_t hart_id_;
    Pmp pmp_;
    std::uint64_t overflow_interrupt_; ///< its bit in mip, mie and mideleg; 0: absent
    std::uint64_t status_ = mstatus::kUxl64 | mstatus::kSxl64;
    std::uint64_t medeleg_ = 0, mideleg_ = 0, mie_ = 0;
    std::uint64_t mip_software_ = 0, mip_lines_ = 0;
    std::uint64_t mtvec_ = 0, mscratch_ = 0, mepc_ = 0, mcause_ = 0, mtval_ = 0, menvcfg_ = 0;
    std::uint64_t stvec_ = 0, sscratch_ = 0, sepc_ = 0, scause_ = 0, stval_ = 0, senvcfg_ = 0;
    std::uint64_t satp_ = 0;
    std::uint32_t mcounteren_ = 0, scounteren_ = 0;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The control and status registers of a hart, except the counters (which the counter bank owns).
// csrs.def has a row for each. A register with rules has a pair of functions here; a register
// that only stores bits needs none.
//
// Source: RISC-V privileged specification 1.12, machine and supervisor levels.
#pragma once

#include "hw/core/arch/csr_table.h"
#include "hw/core/arch/extensions.h"
#include "hw/core/arch/offered.h"
#include "hw/core/memory/pmp.h"
#include "hw/interface/types.h"

#include <array>
#include <cstddef>
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

/// Fields of menvcfg that extensions add.
namespace menvcfg {
inline constexpr std::uint64_t kStce = std::uint64_t{1} << 63;  ///< S-mode may use stimecmp
inline constexpr std::uint64_t kAdue = std::uint64_t{1} << 61;  ///< hardware sets A and D
inline constexpr std::uint64_t kPdiss = std::uint64_t{1} << 59; ///< S-mode owns the PDIS buffer
inline constexpr std::uint64_t kCde = std::uint64_t{1} << 60;   ///< mcounteren delegates counters
} // namespace menvcfg

/// Fields of mstateen0. Each enables state in lower modes.
namespace mstateen {
inline constexpr std::uint64_t kCustom = 1;
inline constexpr std::uint64_t kCtr = std::uint64_t{1} << 54;
inline constexpr std::uint64_t kCsrind = std::uint64_t{1} << 60;
inline constexpr std::uint64_t kEnvcfg = std::uint64_t{1} << 62;
inline constexpr std::uint64_t kSe0 = std::uint64_t{1} << 63; ///< sstateen0
} // namespace mstateen

/// Interrupt 13, local counter overflow (Sscofpmf).
enum class OverflowInterrupt : std::uint8_t { Absent, Present };

class CsrFile {
  public:
    CsrFile(std::uint32_t hart_id, const Pmp& pmp, OverflowInterrupt overflow,
            const Extensions& extensions = {});

    const Extensions& extensions() const { return extensions_; }

    /// Reads an implemented register; nothing if `number` is not one of this file. Does not check
    /// that its extension is present: may_access() does (csr_rights.h).
    std::optional<std::uint64_t> read(std::uint16_t number) const;
    /// Writes an implemented register under its WARL rules; the caller has checked rights.
    CsrEffect write(std::uint16_t number, std::uint64_t written);

    /// mip as software reads it: writable bits or'ed with the interrupt lines. STIP is either a
    /// writable bit or a line.
    std::uint64_t mip() const { return mip_with(mip_lines_); }
    /// The same with these levels of the lines, and LCOFIP if its bit is set.
    std::uint64_t mip_with(std::uint64_t lines) const {
        return (mip_software() & ~timer_interrupt_) |
               (lines & (shown_lines_ | overflow_interrupt_));
    }
    std::uint64_t interrupt_lines() const { return mip_lines_; }
    /// As S-mode reads it in sip.
    std::uint64_t delegated(std::uint64_t pending) const { return pending & value(Csr::Mideleg); }
    std::uint64_t mip_software() const { return value(Csr::Mip); }
    std::uint64_t mie() const { return value(Csr::Mie); }
    void set_interrupt_line(unsigned number, bool level);
    /// LCOFIP stays until software clears it.
    void request_overflow_interrupt();
    /// Adds an interrupt of an extension, similar to LCOFIP: bit `number` of mip, mie and mideleg.
    void add_local_interrupt(unsigned number);
    /// False if no such interrupt was added.
    bool request_local_interrupt(unsigned number);

    /// The highest-priority interrupt that would be taken in `privilege` now, as its cause number.
    std::optional<unsigned> pending_interrupt(Privilege privilege) const;
    /// True if the interrupt, when pending, is taken at once or after others that are pending.
    bool takes_interrupt(unsigned number, Privilege privilege) const;
    /// True if some interrupt would be taken in this mode if it were pending.
    bool may_interrupt(Privilege privilege) const {
        return takeable(value(Csr::Mie), privilege) != 0;
    }

    /// Trap entry and return update the status stacks and return the next pc.
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
    FloatUse float_use() const {
        constexpr std::uint8_t kLastMode = 4;
        return !float_enabled()  ? FloatUse::None
               : frm > kLastMode ? FloatUse::StaticRounding
                                 : FloatUse::All;
    }
    const std::uint64_t* status_place() const { return &status_; } ///< for native code
    void mark_float_dirty() { status_ |= mstatus::kFs; }

    std::uint64_t satp() const { return value(Csr::Satp); }
    bool translation_on() const { return (satp() >> satp::kModeShift) == satp::kModeSv39; }
    std::uint16_t asid() const {
        return static_cast<std::uint16_t>((satp() >> satp::kAsidShift) & satp::kAsidMask);
    }
    std::uint32_t mcounteren() const { return static_cast<std::uint32_t>(value(Csr::Mcounteren)); }
    std::uint32_t scounteren() const { return static_cast<std::uint32_t>(value(Csr::Scounteren)); }
    bool environment(std::uint64_t field) const { return (value(Csr::Menvcfg) & field) != 0; }
    /// Always true without Smstateen.
    bool state_enabled(std::uint64_t field) const {
        return !extensions_.smstateen || (value(Csr::Mstateen0) & field) != 0;
    }
    bool user_state_enabled(std::uint64_t field) const {
        return state_enabled(field) &&
               (!extensions_.smstateen || (value(Csr::Sstateen0) & field) != 0);
    }
    /// Makes this bit of mstateen0 writable, because there is state that it enables below machine
    /// level. The bit of custom state exists in sstateen0 too.
    void add_state(unsigned stateen_bit) { foreign_states_ |= std::uint64_t{1} << stateen_bit; }
    std::uint64_t siselect() const { return value(Csr::Siselect); }
    std::uint64_t stimecmp() const { return value(Csr::Stimecmp); }
    Pmp& pmp() { return pmp_; }
    const Pmp& pmp() const { return pmp_; }

    void state(class Archive& archive); ///< of a checkpoint

    std::uint8_t fflags = 0; ///< accrued exceptions, NV DZ OF UF NX = bits 4..0
    std::uint8_t frm = 0;    ///< dynamic rounding mode; 5..7 are invalid

  private:
    /// The register that is accessed, and the mask or value of its row.
    struct Place {
        Csr row;
        unsigned offset; ///< within a run of registers
        std::uint64_t bits;
    };
    struct Access;
    struct AccessOf;
    static const Access& access_of(Csr row);

    std::uint64_t value(Csr row) const { return values_[static_cast<std::size_t>(row)]; }
    std::uint64_t& value(Csr row) { return values_[static_cast<std::size_t>(row)]; }

    /// The pending interrupts that mode and interrupt enables do not mask.
    std::uint64_t takeable(std::uint64_t pending, Privilege privilege) const;

    std::uint64_t read_stored(const Place& place) const;
    void write_stored(const Place& place, std::uint64_t written);
    void write_trap_value(const Place& place, std::uint64_t written);
    void write_machine_vector(const Place& place, std::uint64_t written);
    static unsigned pmp_config_of(const Place& place);
    static unsigned pmp_entry_of(const Place& place);
    std::uint64_t read_constant(const Place& place) const;
    std::uint64_t read_misa(const Place& place) const;
    void ignore(const Place&, std::uint64_t) {}

    std::uint64_t read_flags(const Place&) const;
    void write_flags(const Place&, std::uint64_t written);
    std::uint64_t read_rounding(const Place&) const;
    void write_rounding(const Place&, std::uint64_t written);
    std::uint64_t read_fcsr(const Place&) const;
    void write_fcsr(const Place&, std::uint64_t written);
    std::uint64_t read_status(const Place& place) const;
    void write_status(const Place& place, std::uint64_t written);
    std::uint64_t read_sie(const Place&) const;
    void write_sie(const Place&, std::uint64_t written);
    std::uint64_t read_sip(const Place&) const;
    void write_sip(const Place&, std::uint64_t written);
    void write_satp(const Place&, std::uint64_t written);
    void write_interrupts(const Place& place, std::uint64_t written);
    std::uint64_t read_mip(const Place&) const;
    void write_mip(const Place& place, std::uint64_t written);
    void write_environment(const Place& place, std::uint64_t written);
    void write_states(const Place& place, std::uint64_t written);
    std::uint64_t read_supervisor_states(const Place& place) const;
    void write_supervisor_states(const Place& place, std::uint64_t written);
    std::uint64_t read_pmp_config(const Place&) const;
    void write_pmp_config(const Place&, std::uint64_t written);
    std::uint64_t read_pmp_address(const Place&) const;
    void write_pmp_address(const Place&, std::uint64_t written);

    const Extensions extensions_;
    Pmp pmp_;
    std::uint64_t overflow_interrupt_; ///< its bit in mip, mie and mideleg; 0: absent
    std::uint64_t local_interrupts_;   ///< all local interrupts, including that one
    std::uint64_t status_ = mstatus::kUxl64 | mstatus::kSxl64;
    std::uint64_t foreign_states_ = 0; ///< bits of mstateen0 for other blocks
    std::uint64_t mip_lines_ = 0;
    std::uint64_t timer_interrupt_ = 0; ///< STIP if stimecmp drives it (menvcfg.STCE = 1)
    std::uint64_t shown_lines_;         ///< visible bits of mip_lines_: without STIP if STCE = 0
    /// Values written by software, by row. Unused for views of another register.
    std::array<std::uint64_t, static_cast<std::size_t>(Csr::Count_)> values_{};
};

} // namespace pes

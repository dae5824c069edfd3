// SPDX-License-Identifier: Apache-2.0
// The static properties of each CSR: the rows of csrs.def, for the hart, the decoder and the
// documentation.
#pragma once

#include "hw/core/arch/instruction.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace pes {

/// The rows of csrs.def, in order.
enum class Csr : std::uint8_t {
#define CSR(id, ...) id,
#include "hw/core/arch/csrs.def"
    Count_,
};

/// What an access requires besides the privilege encoded in the number (csr_rights.cpp). Registers
/// of an absent extension do not exist. In M-mode, and without Smstateen, the fields of mstateen0
/// count as 1.
enum class CsrGuard : std::uint8_t {
    None,
    FloatOn,                 ///< mstatus.FS is not Off
    TranslationOpen,         ///< mstatus.TVM is 0, or M-mode
    SupervisorTimer,         ///< Sstc; below M-mode also menvcfg.STCE and mcounteren.TM
    Indirect,                ///< Smcsrind
    SupervisorIndirect,      ///< Smcsrind; mstateen0.CSRIND
    SupervisorIndirectAlias, ///< likewise; with a record behind it, also mstateen0.CTR
    CounterDelegation,       ///< Smcdeleg, and menvcfg.CDE = 1 in every mode
    DelegationBelowMachine,  ///< Sspesa: below M-mode, menvcfg.CDE = 1
    StateEnable,             ///< Smstateen
    SupervisorStateEnable,   ///< Smstateen; mstateen0.SE0
    NoStateEnable,           ///< Smstateen; M-mode, as bit 63 of its mstateen is read-only 0
    SupervisorEnvironment,   ///< mstateen0.ENVCFG
    TransferRecords,         ///< Smctr: mstateen0.CTR
    ManyProtections,         ///< more than 16 entries of PMP
};

/// Where an access may occur in a block of the fast path. An access that depends on the cycle, or
/// that has further effects, must not run ahead of time.
enum class CsrUse : std::uint8_t {
    Never,
    LastRead,     ///< a read, as the last instruction
    Read,         ///< a read, anywhere
    WriteLast,    ///< a read, anywhere; a write, as the last instruction
    ReadAndWrite, ///< anywhere
};

/// What the hart must do after a write, besides storing the value.
enum class CsrEffect : std::uint8_t {
    None,
    Refetch,     ///< fetch the following instructions again: the rounding mode may have changed
    DataAccess,  ///< likewise; the privilege of data accesses may have changed
    Translation, ///< likewise; drop cached lookups: translation may have changed
    Protection,  ///< drop cached lookups and host pages: the PMP has changed
    Timer,       ///< tell the machine timer: stimecmp has changed
};

struct CsrRow {
    std::uint16_t first;
    std::uint16_t last; ///< last number of a run of registers
    const char* name;
    CsrGuard guard;
    CsrUse use;
    CsrEffect effect;
};

/// Index = Csr.
inline constexpr CsrRow kCsrRows[] = {
#define CSR(id, first, last, name, access, guard, use, effect)                                     \
    {first, last, name, CsrGuard::guard, CsrUse::use, CsrEffect::effect},
#include "hw/core/arch/csrs.def"
};

/// For a number that the hart does not implement: a counter or a CSR of another block.
inline constexpr CsrRow kForeignCsr{0, 0, "", CsrGuard::None, CsrUse::LastRead, CsrEffect::None};

namespace detail {
/// Row of each number; Count_ if there is none. Two rows with the same number do not compile.
inline constexpr auto kCsrOfNumber = [] {
    std::array<Csr, 4096> rows{};
    rows.fill(Csr::Count_);
    for (std::size_t row = 0; row < std::size(kCsrRows); ++row) {
        for (unsigned number = kCsrRows[row].first; number <= kCsrRows[row].last; ++number) {
            if (rows[number] != Csr::Count_) {
                throw "a CSR number stands twice in csrs.def";
            }
            rows[number] = static_cast<Csr>(row);
        }
    }
    return rows;
}();
} // namespace detail

/// Csr::Count_ if the hart itself does not implement it. `number` has 12 bits.
constexpr Csr csr_of(std::uint32_t number) {
    return detail::kCsrOfNumber[number];
}
constexpr const CsrRow& csr_row(std::uint32_t number) {
    const Csr row = csr_of(number);
    return row == Csr::Count_ ? kForeignCsr : kCsrRows[static_cast<std::size_t>(row)];
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// CSR accesses of instructions, by number: checks rights and finds the owner. The hart's own CSRs
// are in csr_file.h, counters in the bank, `time` on the bus; other blocks register theirs.
#pragma once

#include "hw/common/csr_owner.h"
#include "hw/core/arch/arch_state.h"
#include "hw/core/arch/counter_view.h"
#include "hw/core/arch/indirect_csrs.h"
#include "hw/core/feed/attention.h"
#include "hw/core/feed/counter_feed.h"
#include "hw/core/feed/interrupt_inputs.h"
#include "hw/core/hart_time.h"

#include <cstdint>
#include <map>
#include <optional>

namespace pes {

class CsrAccess {
  public:
    CsrAccess(ArchState& arch, CounterFeed& feed, InterruptInputs& interrupts, Attention& attention,
              const HartTime& time);

    /// False if the number has an owner already. `guard` is for a CSR of a standard extension;
    /// without one, a bit of mstateen0 enables the CSR below machine level.
    [[nodiscard]] bool add(std::uint16_t number, CsrOwner& owner, CsrGuard guard,
                           const CsrTraits& traits = {});
    /// The same for registers behind sireg* or mireg*.
    [[nodiscard]] bool add_indirect(IndirectLevel level, std::uint64_t first, std::uint64_t last,
                                    IndirectCsrOwner& owner, const CsrTraits& traits = {});
    /// The block owns bit `bit` of the CSRs that have one bit per counter.
    void add_counter_bit(unsigned bit, CounterBitOwner& owner, const CsrTraits& traits);

    /// True if the hart has such a CSR; whether it is accessible at present is another question.
    bool exists(std::uint16_t number) const;
    /// Its present value for the platform, without any effect. Nothing if there is none.
    std::optional<std::uint64_t> peek(std::uint16_t number) const;

    /// See csr_rights.h.
    bool accessible(std::uint16_t number) const;

    /// True if the bank owns the CSR, or the one of which it is a view (counter_view.h).
    bool is_counter(std::uint16_t number) const;
    /// Its present value.
    std::uint64_t read_counter(std::uint16_t number) const;
    /// True if the value depends on the cycle: a block leaves the read to the Stepper.
    bool read_in_turn(std::uint16_t number) const;
    /// The value of a CSR that does not depend on the cycle; nothing if there is no such CSR.
    std::optional<std::uint64_t> read_register(std::uint16_t number);
    /// The value that csrrs and csrrc modify. mip.SEIP reads as the software bit or'ed with the
    /// line, but only the software bit takes part in the update (privileged specification 3.1.9).
    std::uint64_t update_base(std::uint16_t number, std::uint64_t read) const;

    /// Returns what the hart has to update. `at` is the cycle of the write.
    CsrEffect write(std::uint16_t number, std::uint64_t value, Cycle at);

  private:
    CounterView view_of(std::uint16_t number) const {
        return counter_view(arch_.csr, arch_.privilege, number);
    }
    std::optional<unsigned> stateen_bit(std::uint16_t number) const;
    IndirectCsrOwner* owner_of(const IndirectRegister& which) const;
    std::uint64_t foreign_bit(std::uint16_t number, std::uint16_t shown) const;
    bool foreign_bit_set(std::uint16_t shown) const;
    std::optional<std::uint64_t> read_indirect(const IndirectRegister& which) const;
    void write_counter(std::uint16_t number, const CounterView& view, std::uint64_t value);
    bool write_elsewhere(const CsrWrite& write);

    ArchState& arch_;
    CounterFeed& feed_;
    InterruptInputs& interrupts_;
    Attention& attention_;
    const HartTime& time_;
    struct Owned {
        CsrOwner* owner;
        CsrGuard guard;
        CsrTraits traits;
    };
    std::map<std::uint16_t, Owned> owners_; ///< of CSRs outside the hart
    struct CounterBit {
        unsigned bit;
        CounterBitOwner* owner;
        CsrTraits traits;
    };
    std::optional<CounterBit> counter_bit_;
    IndirectCsrs indirect_;
};

} // namespace pes

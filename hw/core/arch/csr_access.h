// SPDX-License-Identifier: Apache-2.0
// CSRs by number, as instructions reach them: rights, and who owns a number. The hart's own are in
// csr_file.h, counters in the bank, the time on the bus; other blocks register theirs.
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

    /// False if the number has an owner. `guard`: of a standard extension, and what it asks for;
    /// none: state that a bit of mstateen0 opens, if it is below machine level.
    [[nodiscard]] bool add(std::uint16_t number, CsrOwner& owner, CsrGuard guard,
                           const CsrTraits& traits = {});
    /// Likewise behind sireg* or mireg*.
    [[nodiscard]] bool add_indirect(IndirectLevel level, std::uint64_t first, std::uint64_t last,
                                    IndirectCsrOwner& owner, const CsrTraits& traits = {});
    /// Of the CSRs with a bit for each counter, bit `bit` is this block's.
    void add_counter_bit(unsigned bit, CounterBitOwner& owner, const CsrTraits& traits);

    /// See csr_rights.h.
    bool accessible(std::uint16_t number) const;

    /// Whether the bank owns it, itself or what it shows (counter_view.h).
    bool is_counter(std::uint16_t number) const;
    /// Its value as it is now.
    std::uint64_t read_counter(std::uint16_t number) const;
    /// Its value depends on what comes before it in time: a block leaves a read to stepping.
    bool read_in_turn(std::uint16_t number) const;
    /// A CSR whose value does not depend on the cycle; nothing if there is none.
    std::optional<std::uint64_t> read_register(std::uint16_t number);
    /// The value that csrrs and csrrc modify. mip.SEIP reads as the software bit or'ed with the
    /// line, but only the software bit takes part in the update (privileged specification 3.1.9).
    std::uint64_t update_base(std::uint16_t number, std::uint64_t read) const;

    /// Returns what the hart has to look at again. `at` is the cycle of the write.
    CsrEffect write(std::uint16_t number, std::uint64_t value, Cycle at);

  private:
    CounterView view_of(std::uint16_t number) const {
        return counter_view(arch_.csr, arch_.privilege, number);
    }
    std::optional<unsigned> stateen_bit(std::uint16_t number) const;
    IndirectCsrOwner* owner_of(const IndirectRegister& which) const;
    std::uint64_t foreign_bit(std::uint16_t number, std::uint16_t shown) const;
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

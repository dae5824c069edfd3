// SPDX-License-Identifier: Apache-2.0
// CSR access of instructions: rights, the counters' user shadows, and which block owns a number.
#include "hw/core/csr_numbers.h"
#include "hw/core/fixed_counter_note.h"
#include "hw/core/hart.h"
#include "hw/interface/maps/csr.h"

#include <limits>

namespace pes {

namespace {

constexpr std::uint16_t kShadowToCounter = csr::kCycle - csr::kMcycle;

bool is_shadow(std::uint16_t number) {
    return number >= csr::kCycle && number <= csr::kHpmcounter31;
}

std::uint16_t counter_of(std::uint16_t number) {
    return is_shadow(number) ? static_cast<std::uint16_t>(number - kShadowToCounter) : number;
}

} // namespace

bool Hart::add_csr(std::uint16_t number, CsrOwner& owner) {
    const bool taken = csr_of(number) != Csr::Count_ || number == csr::kTime ||
                       feed_.bank().owns(counter_of(number));
    return !taken && csr_owners_.emplace(number, &owner).second;
}

/// Privilege, mstatus and counter-enable checks (privileged specification 2.1, 3.1.6, 3.1.11).
bool Hart::csr_accessible(std::uint16_t number) const {
    const unsigned lowest = (number >> 8) & 3;
    if (lowest > static_cast<unsigned>(privilege_)) {
        return false;
    }
    switch (csr_row(number).guard) {
    case CsrGuard::FloatOn:
        return csr_.float_enabled();
    case CsrGuard::TranslationOpen:
        return privilege_ == Privilege::Machine || !csr_.status(mstatus::kTvm);
    case CsrGuard::None:
        break;
    }
    if (is_shadow(number)) {
        const std::uint32_t enable = std::uint32_t{1} << (number - csr::kCycle);
        const bool machine_allows = (csr_.mcounteren() & enable) != 0;
        const bool supervisor_allows = (csr_.scounteren() & enable) != 0;
        return privilege_ == Privilege::Machine ||
               (machine_allows && (privilege_ == Privilege::Supervisor || supervisor_allows));
    }
    return true;
}

std::optional<std::uint64_t> Hart::read_csr(std::uint16_t number, Cycle at) {
    if (mode_ == Mode::Blocks) {
        return read_csr_ahead(number);
    }
    if (number == csr::kTime && config_.time_csr) {
        note_counter_read(at);
        return bus_.time(at);
    }
    if (feed_.bank().owns(counter_of(number))) {
        note_counter_read(at);
        feed_.bring_to(at - 1);
        return read_counter(number);
    }
    return read_register(number);
}

/// The value of a CSR that the bank owns, as it is now.
std::uint64_t Hart::read_counter(std::uint16_t number) const {
    const std::uint64_t value = feed_.bank().read(counter_of(number));
    // Sscofpmf: below M-mode only the overflow bits of counters that mcounteren opens are seen.
    const bool masked = number == csr::kScountovf && privilege_ != Privilege::Machine;
    return masked ? value & csr_.mcounteren() : value;
}

/// A CSR whose value does not depend on the cycle.
std::optional<std::uint64_t> Hart::read_register(std::uint16_t number) {
    if (number == csr::kTime) {
        return std::nullopt;
    }
    if (number == csr::kMip || number == csr::kSip) {
        interrupts_.apply(decode_, csr_);
    }
    if (csr_of(number) != Csr::Count_) {
        return csr_.read(number);
    }
    const auto owner = csr_owners_.find(number);
    return owner == csr_owners_.end() ? std::nullopt : std::optional(owner->second->read(number));
}

/// The value that csrrs and csrrc modify. mip.SEIP reads as the software bit or'ed with the line,
/// but only the software bit takes part in the update (privileged specification 3.1.9).
std::uint64_t Hart::csr_update_base(std::uint16_t number, std::uint64_t read) const {
    return number == csr::kMip ? csr_.mip_software() : read;
}

void Hart::write_csr(std::uint16_t number, std::uint64_t value, Cycle at) {
    if (feed_.bank().owns(number)) {
        feed_.write(number, value);
        note_fixed_counter(feed_.bank(), number, value, csr_.read(csr::kMie).value_or(0));
        return;
    }
    if (const auto owner = csr_owners_.find(number); owner != csr_owners_.end()) {
        constexpr RegisterIndex kArgument = 10;
        owner->second->write(
            {.number = number, .value = value, .argument = x_[kArgument], .at = at});
        return;
    }
    switch (csr_.write(number, value)) {
    case CsrEffect::Protection:
        memory_.forget();
        [[fallthrough]];
    case CsrEffect::Translation:
        context_changed();
        break;
    case CsrEffect::Refetch:
    case CsrEffect::None:
        break;
    }
    attention_.ask_now(); // mie, mip and the like may make an interrupt takeable
}

// --- On the fast path (hart_fast_alone.cpp) -----------------------------------------------------

/// For handlers that run ahead of time. Nothing: the block ends before the instruction, and the
/// fast path reads the counter in its cycle.
std::optional<std::uint64_t> Hart::read_csr_ahead(std::uint16_t number) {
    const bool time = number == csr::kTime && config_.time_csr;
    if (!time && !feed_.bank().owns(counter_of(number))) {
        return read_register(number);
    }
    CounterRead& read = fast_.read;
    read.number = number;
    fast_.stop = FastPath::Stop::BeforeCounterRead;
    leave_to_stepping();
    return std::nullopt;
}

/// For the memo: what of the pulses a read in cycle `at` sees.
void Hart::note_counter_read(Cycle at) {
    if (!pipeline_.tables().on_tape()) [[likely]] {
        return;
    }
    constexpr std::int64_t kMost = std::numeric_limits<std::int16_t>::max();
    const EventTotals seen = feed_.pulses().totals_through(at - 1);
    EventLead lead{};
    const auto difference = [this](std::uint64_t now, std::uint64_t before) {
        const auto by = static_cast<std::int64_t>(now - before);
        fast_.ordinary = fast_.ordinary && by <= kMost && by >= -kMost;
        return static_cast<std::uint16_t>(by);
    };
    lead[kRetiredEvents] = difference(seen.retired, fast_.before.retired);
    for (std::size_t source = 1; source < kEventCount; ++source) {
        lead[source] = difference(seen.events[source], fast_.before.events[source]);
    }
    pipeline_.tables().counter_read(at - fast_.begin, fast_.memo.add_lead(lead));
}

/// Reads the counter of the instruction in hand in cycle `at`, if the bank can be told as a whole
/// what it has missed.
std::uint64_t Hart::read_counter_at(Cycle at, const EventLead& lead) {
    CounterRead& read = fast_.read;
    if (read.number == csr::kTime) {
        read.value = bus_.time(at);
    } else if (bring_bank_ahead_to(at - 1, lead)) {
        read.value = read_counter(read.number);
    } else {
        fast_.ordinary = false;
        return FastPath::kNoAnswer;
    }
    read.made = true;
    return 0;
}

/// All that has been placed and `lead`; of the first `Count` sources, a constant for the compiler.
template <std::size_t Count>
void Hart::totals_with(const EventLead& lead, EventTotals& totals) const {
    const auto total = [this, &lead](std::uint64_t placed, std::size_t index) {
        return placed + fast_.events[index] +
               static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(lead[index])});
    };
    totals.retired = total(feed_.pulses().retired(), kRetiredEvents);
    for (std::size_t source = 1; source < Count; ++source) {
        totals.events[source] = total(feed_.pulses().total(source), source);
    }
}

bool Hart::bring_bank_ahead_to(Cycle cycle, const EventLead& lead) {
    if (feed_.bank().now() >= cycle) {
        return true;
    }
    EventTotals& totals = fast_.seen;
    if ((config_.sources - kBaseEvents).any()) {
        totals_with<kEventCount>(lead, totals);
    } else {
        totals_with<kBaseEventCount>(lead, totals); // the others are silent and stay 0
    }
    return feed_.skip_to(cycle, totals);
}

} // namespace pes

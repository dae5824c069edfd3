// SPDX-License-Identifier: Apache-2.0
#include "hw/core/sampling/sample_attribution.h"

#include "hw/core/arch/csr_rights.h"

#include <cstdlib>

namespace pes {

namespace {

constexpr std::uint64_t kPcBits = ~std::uint64_t{1};
constexpr std::uint64_t kCounterBits = 0x1F; // CNTRID; the rest of shpmsdata is hardwired to 0
constexpr unsigned kOverflowInterrupt = static_cast<unsigned>(Interrupt::CounterOverflow);

/// What a question is about, in its tag: the counter, and these.
constexpr std::uint64_t kOfThreshold = 1U << 8;
constexpr std::uint64_t kSecondChoice = 1U << 9;

} // namespace

SampleAttribution::SampleAttribution(const CsrFile& csr, const InterruptInputs& interrupts,
                                     CounterBank& bank, Oracle& oracle)
    : csr_(csr), interrupts_(interrupts), bank_(bank), oracle_(oracle) {
    if (!bank.watch_crossings(*this)) {
        std::abort(); // the platform has checked that they tell
    }
}

template <typename Self>
auto& SampleAttribution::find(Self& self, std::uint16_t number) {
    switch (number) {
    case csr::kMhpmmspc:
        return self.threshold_.pc;
    case csr::kMhpmmsdata:
        return self.threshold_.counter;
    case csr::kMhpmmsaddr:
        return self.threshold_.data;
    default:
        return number == self.csr_.extensions().shpmspc ? self.overflow_.pc
                                                        : self.overflow_.counter;
    }
}

std::uint64_t SampleAttribution::read(std::uint16_t number) const {
    return find(*this, number);
}

void SampleAttribution::write(const CsrWrite& write) {
    std::uint64_t& place = find(*this, write.number);
    const bool pc = &place == &overflow_.pc || &place == &threshold_.pc;
    const std::uint64_t bits = pc                           ? kPcBits
                               : &place == &threshold_.data ? ~std::uint64_t{0}
                                                            : kCounterBits;
    place = write.value & bits;
}

/// "such that mhpmeventi.OF transitions from 0 to 1 and xip.LCOFIP transitions from 0 to 1": an
/// overflow during a pending or requested interrupt captures nothing. Of counters that overflow in
/// one cycle the first to be told is the lowest. With delegation only delegated counters capture.
bool SampleAttribution::captures(const Crossing& crossing) const {
    if (crossing.kind == Crossing::Kind::Threshold) {
        return !bank_.interrupt(BankLine::Threshold).level && crossing.cycle != threshold_at_;
    }
    const bool pending = (csr_.mip() >> kOverflowInterrupt & 1) != 0 ||
                         interrupts_.expects(Interrupt::CounterOverflow);
    const bool delegated =
        !csr_.environment(menvcfg::kCde) || (delegated_counters(csr_) >> crossing.counter & 1) != 0;
    return !pending && delegated && crossing.cycle != overflow_at_;
}

void SampleAttribution::crossed(const Crossing& crossing) {
    if (!captures(crossing)) {
        return;
    }
    const bool threshold = crossing.kind == Crossing::Kind::Threshold;
    (threshold ? threshold_at_ : overflow_at_) = crossing.cycle;
    unsigned beyond = crossing.beyond;
    if (crossing.sources.has(Event::Cycles)) {
        beyond = turn_;
        turn_ ^= 1;
    }
    const bool caused = crossing.sources.any();
    oracle_.ask(
        {.sight = caused ? Sight::Cause : Sight::NextRetired,
         .cycle = crossing.cycle - (caused ? 0 : 1),
         .sources = crossing.sources,
         .beyond = beyond,
         .sink = this,
         .tag = crossing.counter | (threshold ? kOfThreshold : 0) | (caused ? 0 : kSecondChoice)});
}

void SampleAttribution::seen(std::uint64_t tag, const SeenInstruction* instruction) {
    Sample& sample = (tag & kOfThreshold) != 0 ? threshold_ : overflow_;
    if (instruction != nullptr) {
        sample = {.pc = instruction->key.pc,
                  .counter = tag & kCounterBits,
                  .data = instruction->data.value_or(0)};
        return;
    }
    if ((tag & kSecondChoice) == 0) {
        const Cycle at = (tag & kOfThreshold) != 0 ? threshold_at_ : overflow_at_;
        oracle_.ask({.sight = Sight::NextRetired,
                     .cycle = at - 1,
                     .sink = this,
                     .tag = tag | kSecondChoice});
    }
}

} // namespace pes

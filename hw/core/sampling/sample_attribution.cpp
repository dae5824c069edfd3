// SPDX-License-Identifier: Apache-2.0
#include "hw/core/sampling/sample_attribution.h"

#include "hw/core/arch/csr_rights.h"

#include <cstdlib>

namespace pes {

namespace {

constexpr std::uint64_t kCounter = 0x1F;

/// What a question is about, in its tag: the counter, and these.
constexpr std::uint64_t kOfThreshold = 1U << 8;
constexpr std::uint64_t kSecondChoice = 1U << 9;

} // namespace

SampleAttribution::SampleAttribution(const CsrFile& csr, const InterruptInputs& interrupts,
                                     CounterBank& bank, Oracle& oracle,
                                     std::optional<SkidlessDelivery>& skidless)
    : csr_(csr), interrupts_(interrupts), bank_(bank), oracle_(oracle), skidless_(skidless) {
    if (!bank.connect_samples(*this)) {
        std::abort(); // the platform has checked that it has the registers
    }
    oracle.connect(*this);
}

bool SampleAttribution::overflow_pending() const {
    constexpr auto kNumber = static_cast<unsigned>(Interrupt::CounterOverflow);
    return (csr_.mip() >> kNumber & 1) != 0 || interrupts_.expects(Interrupt::CounterOverflow);
}

/// With delegation only delegated counters.
std::uint32_t SampleAttribution::sampled_counters() const {
    return csr_.environment(menvcfg::kCde) ? delegated_counters(csr_) : ~std::uint32_t{0};
}

void SampleAttribution::overflowed(const Crossing& crossing) {
    if (skidless_) {
        skidless_->overflowed(crossing);
    }
}

void SampleAttribution::find_cause(const Crossing& crossing) {
    const bool threshold = crossing.kind == Crossing::Kind::Threshold;
    asked_at_[threshold ? 1 : 0] = crossing.cycle;
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
    const bool threshold = (tag & kOfThreshold) != 0;
    if (instruction != nullptr) {
        bank_.name_cause({.kind = threshold ? Crossing::Kind::Threshold : Crossing::Kind::Overflow,
                          .counter = static_cast<unsigned>(tag & kCounter),
                          .pc = instruction->key.pc,
                          .data = instruction->data.value_or(0)});
        return;
    }
    if ((tag & kSecondChoice) == 0) {
        oracle_.ask({.sight = Sight::NextRetired,
                     .cycle = asked_at_[threshold ? 1 : 0] - 1,
                     .sink = this,
                     .tag = tag | kSecondChoice});
    }
}

} // namespace pes

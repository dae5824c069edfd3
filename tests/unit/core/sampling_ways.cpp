// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/core/sampling_ways.h"

#include "hw/core/arch/csr_numbers.h"

namespace pes::test {
namespace {

constexpr std::uint64_t kSelectLoad = 5;      ///< counter 3
constexpr std::uint64_t kExternal = 1U << 11; ///< threshold line, by the platform's PLIC
constexpr std::uint64_t kOverflow = 1U << 13; ///< LCOFI
constexpr Address kSamples = BareMachine::kData + 0x1000;

/// Takes the period off the counter, lets it request again, and stores mepc.
void place_handler(BareMachine& machine) {
    machine.place(BareMachine::kHandler,
                  {csrr(t0, csr::kMhpmcounter3), add(t0, t0, s2), csrw(csr::kMhpmcounter3, t0),
                   csrw(csr::kMhpmevent3, s0), csrrc(zero, csr::kMip, s3), csrr(t1, csr::kMepc),
                   sd(t1, s4, 0), addi(s4, s4, 8), addi(s5, s5, 1),
                   // the threshold line falls and the PLIC sees it
                   kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kMret});
}

} // namespace

std::vector<Address> take_samples(const Sampling& sampling, std::unique_ptr<CounterBank> bank) {
    HartConfig config = BareMachine::default_config();
    config.path = sampling.path;
    BareMachine machine(config, std::move(bank));
    if (sampling.path != ExecutionPath::Step) {
        machine.stop_observing();
    }
    machine.open_protection();
    machine.connect(BankLine::Threshold, Interrupt::MachineExternal, kWire);
    machine.set_csr(csr::kMtvec, BareMachine::kHandler);
    place_handler(machine);
    const bool overflow = sampling.way == SamplingWay::Overflow;
    machine.set_csr(csr::kMie, overflow ? kOverflow : kExternal);
    machine.set(s0, csr::kMhpmeventMachineInhibit | kSelectLoad);
    machine.set(s1, overflow ? 0 : sampling.period);
    machine.set(s2, 0 - sampling.period);
    machine.set(s3, kOverflow);
    machine.set(s4, kSamples);
    machine.set(s6, overflow ? 0 - sampling.period : 0);
    machine.set(a0, BareMachine::kData);
    machine.set(a1, sampling.loads);
    machine.execute(
        {csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmthreshold3, s1), csrw(csr::kMhpmcounter3, s6)});
    machine.execute_in(Privilege::User,
                       {ld(a2, a0, 0), add(a3, a3, a2), addi(a1, a1, -1), bne(a1, zero, -12), kNop,
                        kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop});
    std::vector<Address> samples;
    for (Address at = kSamples; at != machine.get(s4); at += sizeof(Address)) {
        samples.push_back(machine.peek<Address>(at));
    }
    return samples;
}

} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/core/sampled_program.h"

namespace pes::test {
namespace {

constexpr Address kLog = BareMachine::kData + 0x2000;
constexpr Cycle kSampledLife = 60'000;
constexpr std::uint64_t kOverflowInterrupt = 1U << 13;
constexpr std::uint64_t kExternalInterrupt = 1U << 11;
constexpr std::uint64_t kSoftwareInterrupt = 1U << 3;

constexpr Word blt(Reg rs1, Reg rs2, std::int32_t distance) {
    return b_type(4, rs1, rs2, distance);
}

} // namespace

Sampled::Sampled(const Plan& plan, std::unique_ptr<CounterBank> bank)
    : BareMachine(config(plan), std::move(bank)) {
    open_protection();
    const bool overflow = plan.way == Way::Overflow;
    connect(BankLine::Threshold, Interrupt::MachineExternal, 3);
    set_csr(csr::kMtvec, kHandler);
    set_csr(csr::kMie, kSoftwareInterrupt | (overflow ? kOverflowInterrupt : kExternalInterrupt));
    const std::vector<Word> sample{
        csrr(t0, overflow ? csr::kShpmspc : csr::kMhpmmspc), sd(t0, s4, 8),
        csrr(t0, overflow ? csr::kShpmsdata : csr::kMhpmmsdata), sd(t0, s4, 16),
        csrr(t0, csr::kMhpmmsaddr), sd(t0, s4, 24), csrr(t0, csr::kMepc), sd(t0, s4, 0),
        addi(s4, s4, sizeof(Sample)), csrw(csr::kMhpmcounter3, s1), csrw(csr::kMhpmevent3, s0),
        csrrc(zero, csr::kMip, s3),
        // the threshold line falls and mip sees it
        kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kMret};
    std::vector<Word> handler{csrr(t0, csr::kMcause), add(t1, t0, t0),
                              addi(t1, t1, -6),       blt(t0, zero, 20), // not an interrupt:
                              csrr(t0, csr::kMepc),   addi(t0, t0, 4),
                              csrw(csr::kMepc, t0),   kMret,
                              bne(t1, zero, 8),       kMret /* software interrupt */};
    handler.insert(handler.end(), sample.begin(), sample.end());
    place(kHandler, handler);
    set(s0, csr::kMhpmeventMachineInhibit | plan.selector);
    set(s1, overflow ? 0 - plan.period : 0);
    set(s2, overflow ? 0 : plan.period);
    set(s3, kOverflowInterrupt);
    set(s4, kLog);
    execute(
        {csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmthreshold3, s2), csrw(csr::kMhpmcounter3, s1)});
}

void Sampled::run_in_user_mode(const std::vector<Word>& words) {
    for (unsigned turn = 0; turn < 40; ++turn) {
        const Cycle at = 3000 + turn * 1217;
        hart().set_interrupt(Interrupt::MachineSoftware, true, at);
        hart().set_interrupt(Interrupt::MachineSoftware, false, at + 30);
    }
    constexpr Address kEntry = kCode + 0x1000, kProgram = kCode + 0x1100;
    place(kProgram, words);
    place(kEntry, {kMret});
    set_csr(csr::kMepc, kProgram);
    set_csr(csr::kMstatus, mstatus::kMpie);
    run(kEntry, stop_address(), kSampledLife);
}

std::vector<Sample> Sampled::samples() const {
    std::vector<Sample> samples;
    for (Address at = kLog; at != get(s4); at += sizeof(Sample)) {
        samples.push_back(peek<Sample>(at));
    }
    return samples;
}

HartConfig Sampled::config(const Plan& plan) {
    HartConfig config = default_config();
    config.extensions = plan.extensions;
    config.path = plan.path;
    return config;
}

std::vector<Word> random_sampled_program(std::mt19937& random) {
    std::vector<Word> words = random_loop(random, [](std::mt19937& choose) {
        return choose() % 12 == 0 ? kEcall : random_plain_instruction(choose);
    });
    words.pop_back();
    const std::vector<Word> hard{ld(a0, s7, 0),      addi(s7, s7, 64), mul(s5, s5, s6),
                                 addi(s5, s5, 1001), blt(s5, zero, 8), kNop};
    words.insert(words.end(), hard.begin(), hard.end());
    words.push_back(j(-4 * static_cast<std::int32_t>(words.size())));
    return words;
}

void prepare(Sampled& machine) {
    machine.set(sp, BareMachine::kData);
    machine.set(s7, BareMachine::kRam + 0x2'0000);
    machine.set(s5, 1);
    machine.set(s6, 0x5851'F42D'4C95'7F2D); // a linear congruential generator
}

} // namespace pes::test

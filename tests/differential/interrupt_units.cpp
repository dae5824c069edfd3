// SPDX-License-Identifier: Apache-2.0
// Units of programs that are interrupted at random distances. interrupts.S holds the handler.
#include "hw/interface/maps/csr.h"
#include "tests/differential/layout.h"
#include "tests/differential/units.h"

#include <cstdint>

namespace pes::differential {
namespace {

constexpr unsigned kWork = 5; ///< at set-up registers hold nothing that matters

void emit_context_word(Emitter& out, int offset, std::uint64_t value) {
    out.line("li x{}, {:#x}", kWork, value);
    out.line("sd x{}, {}(gp)", kWork, offset);
}

void emit_write_csr(Emitter& out, unsigned csr, std::uint64_t value) {
    out.line("li x{}, {:#x}", kWork, value);
    out.line("csrw {:#x}, x{}", csr, kWork);
}

/// Odd, so that it falls in no step with the program's loops.
std::uint64_t random_threshold(Random& random, std::uint64_t mask) {
    return (random.bits() & mask) | 1;
}

} // namespace

/// Every event has a counter if there are 22, consecutive ones if there are fewer; three counters
/// in four sample.
void emit_interrupt_setup(Emitter& out) {
    constexpr unsigned kFirst = 3;
    constexpr unsigned kLast = 31;
    constexpr std::uint64_t kTimerMasks[] = {0xFF, 0x7FF, 0x3FFF};
    constexpr std::uint64_t kSampleMasks[] = {0xFF, 0x3FF, 0x1FFF, 0xFFFF};
    constexpr unsigned kEvents = 22; // of profile cva6
    Random& random = out.random;
    const std::uint64_t mask = random.pick(kSampleMasks);
    emit_context_word(out, layout::kDistanceSeedOffset, random.bits());
    emit_context_word(out, layout::kTimerMaskOffset, random.pick(kTimerMasks));
    emit_context_word(out, layout::kSampleMaskOffset, mask);
    const auto rotation = static_cast<unsigned>(random.below(kEvents));
    for (unsigned counter = kFirst; counter <= kLast; ++counter) {
        emit_write_csr(out, csr::kMhpmevent3 + counter - kFirst,
                       (counter + rotation) % kEvents + 1);
        emit_write_csr(out, csr::kMhpmthreshold3 + counter - kFirst,
                       random.one_in(4) ? 0 : random_threshold(random, mask));
    }
    for (const unsigned threshold : {csr::kMhpmthresholdCycle, csr::kMhpmthresholdInstret}) {
        emit_write_csr(out, threshold, random.one_in(2) ? 0 : random_threshold(random, mask));
    }
    out.line("csrw mcountinhibit, x0");
    out.line("jal x1, begin_interrupts");
    emit_allow_interrupts(out);
}

void emit_allow_interrupts(Emitter& out) {
    out.line("csrsi mstatus, 8");
}

void emit_hold_interrupts(Emitter& out) {
    out.line("csrci mstatus, 8");
}

/// A new immediate for the instruction of a scratch page's stub. Without fence.i the old one may
/// run, but the same one on every path.
void emit_rewritten_code(Emitter& out) {
    Random& random = out.random;
    const auto [address, word] = out.two_work_registers();
    const std::uint64_t stub =
        layout::kScratch + random.below(layout::kScratchPages) * std::uint64_t{layout::kPageSize} +
        layout::kStubOffset;
    constexpr std::uint64_t kAddToX5 = 5 << 15 | 5 << 7 | 0x13; // addi x5, x5, 0
    const unsigned back = out.new_label();
    out.line("li x{}, {:#x}", address, stub);
    out.line("li x{}, {:#x}", word, kAddToX5 | random.below(1U << 11) << 20);
    out.line("sw x{}, 0(x{})", word, address);
    if (!random.one_in(4)) {
        out.line("fence.i");
    }
    out.line("lla tp, .L{}", back);
    out.line("jr x{}", address);
    out.label(back);
}

void emit_wait(Emitter& out) {
    out.line("wfi");
}

} // namespace pes::differential

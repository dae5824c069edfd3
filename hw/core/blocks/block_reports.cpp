// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/block_reports.h"

namespace pes {

/// Behind its first `count` instructions.
Address BlockReports::pc_behind(const Block& block, std::size_t count) const {
    if (count == block.size()) {
        const bool jumps = block.instructions.back().role == BlockRole::Last;
        return jumps ? hart_.arch().next_pc : block.end;
    }
    Address pc = block.pc;
    for (const Instruction& instruction : std::span(block.instructions).first(count)) {
        pc += instruction.length;
    }
    return pc;
}

void BlockReports::tell(const Block& block, std::span<const RetiredStep> steps, Cycle from,
                        Address next_pc) {
    const RetiredBlock report{.from = from,
                              .pc = block.pc,
                              .next_pc = next_pc,
                              .steps = steps,
                              .last_raw = block.instructions[steps.size() - 1].raw,
                              .privilege = hart_.arch().privilege};
    hart_.observers.tell([&](HartObserver& observer) { observer.retired_block(report); });
    room_ -= room_ == 0 ? 0 : 1;
}

Cycle BlockReports::begin_of_untold(std::span<const Outcome* const> replayed,
                                    std::size_t end) const {
    Cycle from = hart_.time.decode;
    for (std::size_t number = told_; number != end; ++number) {
        from -= replayed[number % replayed.size()]->cycles;
    }
    return from;
}

void BlockReports::tell_replayed(std::span<const Outcome* const> replayed, std::size_t end,
                                 std::optional<Address> next_pc) {
    const auto outcome = [&replayed](std::size_t number) -> const Outcome& {
        return *replayed[number % replayed.size()];
    };
    Cycle from = begin_of_untold(replayed, end);
    for (; told_ != end; ++told_) {
        const Outcome& one = outcome(told_);
        const bool last = told_ + 1 == end;
        if (last && !next_pc) {
            return;
        }
        tell(*one.block, Memo::steps(one), from, last ? *next_pc : outcome(told_ + 1).block->pc);
        from += one.cycles;
    }
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/block_reports.h"

#include <algorithm>

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

void BlockReports::tell(std::span<const RetiredBlock> blocks) {
    hart_.observers.tell([blocks](HartObserver& observer) { observer.retired_blocks(blocks); });
    room_ -= std::min(room_, blocks.size());
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
    const std::size_t kept = next_pc || told_ == end ? 0 : 1;
    const std::size_t last = end - kept;
    Cycle from = begin_of_untold(replayed, end);
    while (told_ != last) {
        const std::size_t count = std::min(last - told_, reports_.size());
        for (RetiredBlock& each : std::span(reports_).first(count)) {
            const Outcome& one = outcome(told_);
            ++told_;
            const Address behind = told_ == end ? *next_pc : outcome(told_).block->pc;
            each = report(*one.block, Memo::steps(one), from, behind);
            from += one.cycles;
        }
        tell(std::span(reports_).first(count));
    }
}

} // namespace pes

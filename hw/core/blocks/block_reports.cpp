// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/block_reports.h"

#include <algorithm>

namespace pes {

namespace {

/// A whole block. Member by member, where the host would build another one first.
[[gnu::always_inline]] inline void describe(RetiredBlock& told, const Block& block,
                                            std::span<const RetiredStep> steps, Cycle from,
                                            Address next_pc, Privilege privilege) {
    told.from = from;
    told.pc = block.pc;
    told.next_pc = next_pc;
    told.steps = steps;
    told.last_pc = block.last_pc;
    told.flow = block.flow;
    told.last_raw = block.instructions.back().raw;
    told.privilege = privilege;
}

Address pc_behind(const Block& block, const ArchState& arch) {
    const bool jumps = block.instructions.back().role == BlockRole::Last;
    return jumps ? arch.next_pc : block.end;
}

} // namespace

void BlockReports::tell_steps(const Block& block) {
    const ArchState& arch = hart_.arch();
    RetiredBlock told;
    describe(told, block, steps(), from_, pc_behind(block, arch), arch.privilege);
    if (count_ != block.size()) {
        const Instruction& last = block.instructions[count_ - 1];
        told.next_pc = block.pc + steps_[count_ - 1].half_words * std::uint64_t{2};
        told.last_pc = told.next_pc - last.length;
        told.flow = classify_flow(last.raw);
        told.last_raw = last.raw;
    }
    tell(std::span(&told, 1));
}

void BlockReports::tell(const Outcome& outcome) {
    const ArchState& arch = hart_.arch();
    const Block& block = *outcome.block;
    RetiredBlock told;
    describe(told, block, Memo::steps(outcome), hart_.time.decode - outcome.cycles,
             pc_behind(block, arch), arch.privilege);
    tell(std::span(&told, 1));
}

void BlockReports::tell(std::span<const RetiredBlock> blocks) {
    hart_.observers.tell([blocks](HartObserver& observer) { observer.retired_blocks(blocks); });
    room_ -= std::min(room_, blocks.size());
}

void BlockReports::tell_replayed(std::span<const Outcome* const> replayed, std::size_t end,
                                 std::optional<Address> next_pc) {
    if (told_ == end) {
        return;
    }
    const auto outcome = [&replayed](std::size_t number) {
        return replayed[number % replayed.size()];
    };
    const std::size_t last = end - (next_pc ? 0 : 1);
    const Privilege privilege = hart_.arch().privilege;
    std::size_t number = told_;
    Cycle from = told_until_;
    const Outcome* one = outcome(number);
    while (number != last) {
        const std::size_t count = std::min(last - number, reports_.size());
        for (RetiredBlock& each : std::span(reports_).first(count)) {
            const Outcome* const behind = ++number == end ? nullptr : outcome(number);
            describe(each, *one->block, Memo::steps(*one), from,
                     behind != nullptr ? behind->block->pc : *next_pc, privilege);
            from += one->cycles;
            one = behind;
        }
        tell(std::span(reports_).first(count));
    }
    told_ = number;
    told_until_ = from;
}

} // namespace pes

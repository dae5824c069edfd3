// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/block_source.h"

#include "hw/core/blocks/block_cycles.h"

#include <vector>

namespace pes {

namespace {

constexpr Address kLastParcel = 0xFFE; ///< offset of a page's last 16 bits

} // namespace

const Block* BlockSource::here() {
    const Address pc = hart_.arch().pc;
    if (!hart_.code.in_page(pc) || !hart_.code.page().uniform_protection ||
        hart_.halts.breaks_at(pc)) {
        return nullptr;
    }
    const Block* block = memo_.find_block(pc, hart_.code.page().version);
    if (block == nullptr) {
        block = build(hart_.code.physical(pc));
    }
    return block == nullptr || block->instructions.empty() ? nullptr : block;
}

LeftFor BlockSource::why_none() const {
    const Address pc = hart_.arch().pc;
    const CodeMemory::Page& page = hart_.code.page();
    if (!hart_.code.in_page(pc) || !page.uniform_protection) {
        return LeftFor::CodePage;
    }
    if (hart_.halts.breaks_at(pc)) {
        return LeftFor::Debugger;
    }
    const Instruction& instruction = (*page.decoded)[(pc & ~CodeMemory::kPageMask) / 2];
    return instruction.execute == nullptr ? LeftFor::NewCode : LeftFor::SystemInstruction;
}

const Block* BlockSource::build(Address physical) {
    const Address pc = hart_.arch().pc;
    NewBlock block{
        .block = {.pc = pc, .code_version = hart_.code.page().version, .physical = physical},
        .instructions = {}};
    Address offset = pc & ~CodeMemory::kPageMask;
    while (block.size() < Block::kMaximum && offset <= ~CodeMemory::kPageMask) {
        const Instruction& instruction = (*hart_.code.page().decoded)[offset / 2];
        if (instruction.execute == nullptr) {
            if (offset != kLastParcel) {
                return nullptr;
            }
            if (block.size() == 0) {
                return build_across_pages(physical);
            }
            break; // if it goes on in the next page, its slot stays empty
        }
        const Address at = pc + (offset - (pc & ~CodeMemory::kPageMask));
        const bool ends_before = instruction.role == BlockRole::Outside ||
                                 (instruction.role == BlockRole::Alone && block.size() != 0);
        if (ends_before || hart_.halts.breaks_at(at)) {
            break;
        }
        append(block, instruction, at);
        offset += instruction.length;
        if (instruction.role != BlockRole::Inside) {
            break;
        }
    }
    return &add(block);
}

const Block& BlockSource::add(NewBlock& draft) {
    Block& block = draft.block;
    const TimingConfig& config = hart_.config.timing;
    std::vector<std::uint32_t> decoded_within;
    if (!draft.instructions.empty()) {
        const bool asked = hart_.config.keeps_window(); // for whose its cycles are
        BlockCycles bound(config);
        Address pc = block.pc;
        for (const Instruction& instruction : draft.instructions) {
            bound.add(instruction, pc);
            decoded_within.push_back(
                static_cast<std::uint32_t>(asked ? bound.until_done() : bound.until_last_decode()));
            pc += instruction.length;
        }
        block.flow = classify_flow(draft.instructions.back().raw);
        const BlockRole role = draft.instructions.back().role;
        const bool decodes = !asked && block.extent <= kToDevice &&
                             (role == BlockRole::Inside || role == BlockRole::Last);
        block.longest = decodes ? bound.until_last_decode() : bound.until_done();
    }
    block.longest += block.extent > kToWalk ? most_of_walk(config) : 0;
    return memo_.add_block(block, draft.instructions, decoded_within);
}

const Block& BlockSource::part(const Block& whole, std::size_t count, BlockExtent extent) {
    if (const Block* const known = memo_.find_block(whole.pc, whole.code_version, extent)) {
        return *known;
    }
    NewBlock block{.block = {.pc = whole.pc,
                             .code_version = whole.code_version,
                             .physical = whole.physical,
                             .extent = extent},
                   .instructions = {}};
    for (Address at = whole.pc; block.size() < count;) {
        const Instruction& instruction = whole.instructions[block.size()];
        append(block, instruction, at);
        at += instruction.length;
    }
    if (extent > kToDevice) {
        block.block.most.fill(Block::kUncounted); // a device may take any time
    }
    return add(block);
}

/// One instruction that goes on in the next page. Stepping decodes it each time, since either page
/// may be remapped; so its nodes are looked at again each time too, see holds().
const Block* BlockSource::build_across_pages(Address physical) {
    const std::optional<std::uint32_t> word = hart_.code.word_across_pages(physical);
    if (!word) {
        return nullptr;
    }
    const Instruction instruction = hart_.code.decode_word(*word);
    const bool fits = instruction.role == BlockRole::Inside || instruction.role == BlockRole::Last;
    if (!fits) {
        return nullptr;
    }
    NewBlock block{.block = {.pc = hart_.arch().pc,
                             .code_version = hart_.code.page().version,
                             .across_pages = true,
                             .physical = physical},
                   .instructions = {}};
    append(block, instruction, hart_.arch().pc);
    return &add(block);
}

bool BlockSource::holds(const Block& across_pages) const {
    return hart_.code.word_across_pages(across_pages.physical) ==
           across_pages.instructions.front().raw;
}

} // namespace pes

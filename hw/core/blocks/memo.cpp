// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/memo.h"

namespace pes {

Memo::Memo() {
    clear();
}

void Memo::clear() {
    blocks_.clear();
    states_.clear();
    nodes_.clear();
    questions_.assign(1, Asked{}); // 0 is no question
    outcomes_.clear();
    leads_.clear();
    charged_.clear();
    charges_.clear();
    bytes_ = 0;
}

std::uint32_t Memo::add_charges(std::span<const Charge> charges) {
    bytes_ += sizeof(Charged) + charges.size_bytes();
    charged_.push_back({.times = 1, .first = charges_.size(), .count = charges.size()});
    charges_.insert(charges_.end(), charges.begin(), charges.end());
    return static_cast<std::uint32_t>(charged_.size() - 1);
}

void Memo::expand_charges(TruthTable& table) {
    for (Charged& charged : charged_) {
        if (charged.times != 0) {
            for (const Charge& charge : std::span(charges_).subspan(charged.first, charged.count)) {
                table.add(charge, charged.times);
            }
            charged.times = 0;
        }
    }
}

std::uint64_t Memo::add_lead(const EventLead& lead) {
    bytes_ += sizeof(EventLead);
    leads_.add(lead);
    return leads_.size() - 1;
}

const Block* Memo::find_block(Address pc, std::uint64_t code_version, BlockExtent extent) const {
    const auto found = blocks_.find({pc, code_version, extent});
    return found == blocks_.end() ? nullptr : &found->second;
}

const Block& Memo::add_block(Block block, BlockExtent extent) {
    bytes_ += sizeof(Block) + block.size() * sizeof(Instruction) + 64;
    const BlockKey key{block.pc, block.code_version, extent};
    return blocks_.insert_or_assign(key, std::move(block)).first->second;
}

const PipelineState& Memo::intern(std::span<const std::uint16_t> words, Cycle latest) {
    if (const auto known = states_.find(words); known != states_.end()) {
        return *known;
    }
    bytes_ += sizeof(PipelineState) + words.size_bytes() + 64;
    return *states_.insert({{words.begin(), words.end()}, latest}).first;
}

Node& Memo::node(const Block& block, const PipelineState& state) {
    const auto [place, is_new] = nodes_.try_emplace({&block, &state});
    Node& node = place->second;
    if (is_new) {
        node = {.block = &block,
                .state = &state,
                .longest = block.across_pages ? kLimitless : state.latest + block.longest};
        bytes_ += sizeof(Node) + 64;
    }
    return node;
}

Outcome& Memo::add(Node& node, std::uint32_t parent, std::span<const Asked> asked,
                   std::size_t known, const Outcome& outcome) {
    const auto first = static_cast<std::uint32_t>(questions_.size());
    if (parent == 0) {
        node.questions = first;
    } else {
        questions_[parent].other = first;
    }
    for (const Asked& question : asked.subspan(known)) {
        questions_.push_back(question);
    }
    questions_.push_back({.query = Query::End, .subject = outcomes_.size()});
    bytes_ += (asked.size() - known + 1) * sizeof(Asked) + sizeof(Outcome);
    return outcomes_.add(outcome);
}

} // namespace pes

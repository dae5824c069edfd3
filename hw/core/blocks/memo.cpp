// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/memo.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace pes {

namespace {

std::uint64_t hash_of(std::span<const std::uint16_t> words) {
    const std::string_view bytes(reinterpret_cast<const char*>(words.data()), words.size_bytes());
    return std::hash<std::string_view>{}(bytes);
}

std::uint64_t hash_of(const Block* block, const PipelineState* state) {
    constexpr std::uint64_t kOdd = 0x9E37'79B9'7F4A'7C15; // 2^64 / golden ratio
    const auto number = [](const void* pointer) {
        return reinterpret_cast<std::uintptr_t>(pointer) >> 3;
    };
    const std::uint64_t mixed = (number(block) * kOdd ^ number(state)) * kOdd;
    return mixed ^ mixed >> 32;
}

} // namespace

Memo::Memo(HostPages::Copies copies) : arena_(copies), state_index_(copies), node_index_(copies) {
    clear();
}

void Memo::clear() {
    blocks_.clear();
    known_blocks_.fill({});
    arena_.clear();
    state_index_.clear();
    node_index_.clear();
    charged_.clear();
    charges_.clear();
    bytes_elsewhere_ = 0;
}

std::uint32_t Memo::add_charges(std::span<const Charge> charges) {
    bytes_elsewhere_ += sizeof(Charged) + charges.size_bytes();
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
    return reinterpret_cast<std::uintptr_t>(&arena_.add(lead));
}

const Block* Memo::find_block(Address pc, std::uint64_t code_version, BlockExtent extent) const {
    KnownBlock& known = known_blocks_[(pc >> 1) % kKnownBlocks];
    if (extent == kWhole && known.block != nullptr && known.pc == pc &&
        known.code_version == code_version) {
        return known.block;
    }
    const auto found = blocks_.find({pc, code_version, extent});
    if (found == blocks_.end()) {
        return nullptr;
    }
    if (extent == kWhole) {
        known = {.pc = pc, .code_version = code_version, .block = &found->second};
    }
    return &found->second;
}

const Block& Memo::add_block(Block block, BlockExtent extent) {
    bytes_elsewhere_ += sizeof(Block) + block.size() * sizeof(Instruction) + 64;
    const BlockKey key{block.pc, block.code_version, extent};
    return blocks_.insert_or_assign(key, std::move(block)).first->second;
}

std::uint64_t Memo::ahead_of_intern(std::span<const std::uint16_t> words) const {
    const std::uint64_t hash = hash_of(words);
    state_index_.prefetch(hash);
    return hash;
}

PipelineState& Memo::intern(std::span<const std::uint16_t> words, Cycle latest,
                            std::uint64_t hash) {
    PipelineState* const known = state_index_.find(hash, [words](const PipelineState& state) {
        return std::ranges::equal(state.words(), words);
    });
    if (known != nullptr) {
        return *known;
    }
    arena_.keep_together<PipelineState>(sizeof(PipelineState) + words.size_bytes());
    PipelineState& state = arena_.add<PipelineState>(
        {.latest = latest, .word_count = static_cast<std::uint32_t>(words.size())});
    arena_.add_run(words);
    state_index_.add(hash, state);
    return state;
}

Node* Memo::find_node(const Block& block, const PipelineState& state) const {
    if (state.node_count <= kListed) {
        Node* node = state.nodes;
        while (node != nullptr && node->block != &block) {
            node = node->other;
        }
        return node;
    }
    return node_index_.find(hash_of(&block, &state), [&](const Node& node) {
        return node.block == &block && node.state == &state;
    });
}

Node& Memo::node(const Block& block, PipelineState& state) {
    if (Node* const known = find_node(block, state)) {
        return *known;
    }
    Node& node =
        arena_.add<Node>({.block = &block,
                          .longest = block.across_pages ? kLimitless : state.latest + block.longest,
                          .state = &state,
                          .other = state.nodes});
    state.nodes = &node;
    if (++state.node_count == kListed + 1) {
        for (Node* each = &node; each != nullptr; each = each->other) {
            node_index_.add(hash_of(each->block, &state), *each);
        }
    } else if (state.node_count > kListed) {
        node_index_.add(hash_of(&block, &state), node);
    }
    return node;
}

/// The first stays where it is: it lies behind the question before.
[[gnu::noinline]] Asked& Memo::with_answer(Asked& first, std::uint64_t answer) {
    Asked* before = &first;
    Asked* asked = &first;
    const auto is_it = [answer](const Asked& one) { return answer_of(one) == answer; };
    while (!is_it(*asked) && asked->other != 0) {
        before = asked;
        asked = &arena_.object<Asked>(asked->other);
    }
    if (is_it(*asked) && before != &first) {
        std::swap(first.other, before->other); // `first` leads to the one that has it
        std::swap(before->other, asked->other);
    }
    return *asked;
}

Outcome& Memo::add(Node& node, Asked* parent, std::span<const Asked> asked, std::size_t known,
                   const Outcome& outcome) {
    const std::span<const Asked> more = asked.subspan(known);
    arena_.keep_together<Asked>(more.size_bytes() + sizeof(Asked));
    if (parent != nullptr) {
        parent->other = arena_.next_number<Asked>();
    }
    const std::span<const Asked> added = arena_.add_run(more);
    Asked& end = arena_.add(Asked{.query = Query::End});
    Outcome& result = arena_.add(outcome);
    end.value = reinterpret_cast<std::uintptr_t>(&result);
    auto* const first = added.empty() ? &end : const_cast<Asked*>(added.data());
    if (parent == nullptr) {
        node.questions = first;
        node.first = &result;
    }
    return result;
}

} // namespace pes

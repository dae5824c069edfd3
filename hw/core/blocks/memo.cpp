// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/memo.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace pes {

namespace {

constexpr std::size_t kIndexBytes = 32; ///< of an entry, as far as the table is filled on average

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

Memo::Memo() {
    clear();
}

void Memo::clear() {
    blocks_.clear();
    known_blocks_.fill({});
    words_.clear();
    states_.clear();
    nodes_.clear();
    state_index_.clear();
    node_index_.clear();
    questions_.clear();
    questions_.add({}); // the number 0 is none
    outcomes_.clear();
    leads_.clear();
    charged_.clear();
    charges_.clear();
    changes_.clear();
    bytes_ = 0;
}

std::uint32_t Memo::add_charges(std::span<const Charge> charges) {
    bytes_ += sizeof(Charged) + charges.size_bytes();
    charged_.push_back({.times = 1, .first = charges_.size(), .count = charges.size()});
    charges_.insert(charges_.end(), charges.begin(), charges.end());
    return static_cast<std::uint32_t>(charged_.size() - 1);
}

void Memo::add_changes(Outcome& outcome, std::span<const PulseChange> changes) {
    bytes_ += changes.size_bytes();
    outcome.first_change = static_cast<std::uint32_t>(changes_.add_run(changes));
    outcome.changes = static_cast<std::uint16_t>(changes.size());
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
    bytes_ += sizeof(Block) + block.size() * sizeof(Instruction) + 64;
    const BlockKey key{block.pc, block.code_version, extent};
    return blocks_.insert_or_assign(key, std::move(block)).first->second;
}

const PipelineState& Memo::intern(std::span<const std::uint16_t> words, Cycle latest) {
    const std::uint64_t hash = hash_of(words);
    const std::size_t known = state_index_.find(hash, [&](std::size_t number) {
        const std::span<const std::uint16_t> others = states_[number].words;
        return std::equal(words.begin(), words.end(), others.begin(), others.end());
    });
    if (known != HashIndex::kNone) {
        return states_[known];
    }
    bytes_ += sizeof(PipelineState) + words.size_bytes() + kIndexBytes;
    state_index_.add(hash, states_.size());
    const std::size_t first = words_.add_run(words);
    return states_.add({.words = words_.run(first, words.size()), .latest = latest});
}

Node& Memo::node(const Block& block, const PipelineState& state) {
    const std::uint64_t hash = hash_of(&block, &state);
    const std::size_t known = node_index_.find(hash, [&](std::size_t number) {
        return nodes_[number].block == &block && nodes_[number].state == &state;
    });
    if (known != HashIndex::kNone) {
        return nodes_[known];
    }
    bytes_ += sizeof(Node) + kIndexBytes;
    node_index_.add(hash, nodes_.size());
    return nodes_.add({.block = &block,
                       .state = &state,
                       .longest = block.across_pages ? kLimitless : state.latest + block.longest});
}

/// The first stays where it is: it lies behind the question before.
[[gnu::noinline]] Asked& Memo::with_answer(Asked& first, std::uint64_t answer) {
    Asked* before = &first;
    Asked* asked = &first;
    while (asked->answer != answer && asked->other != 0) {
        before = asked;
        asked = &questions_[asked->other];
    }
    if (asked->answer == answer && before != &first) {
        std::swap(first.other, before->other); // `first` leads to the one that has it
        std::swap(before->other, asked->other);
    }
    return *asked;
}

Outcome& Memo::add(Node& node, Asked* parent, std::span<const Asked> asked, std::size_t known,
                   const Outcome& outcome) {
    questions_.make_room(asked.size() - known + 1);
    const auto first = static_cast<std::uint32_t>(questions_.size());
    if (parent != nullptr) {
        parent->other = first;
    }
    for (const Asked& question : asked.subspan(known)) {
        questions_.add(question);
    }
    Outcome& added = outcomes_.add(outcome);
    questions_.add({.query = Query::End, .subject = reinterpret_cast<std::uintptr_t>(&added)});
    if (parent == nullptr) {
        node.questions = &questions_[first];
    }
    bytes_ += (asked.size() - known + 1) * sizeof(Asked) + sizeof(Outcome);
    return added;
}

} // namespace pes

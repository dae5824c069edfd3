// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/memo.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <string_view>
#include <utility>

namespace pes {

namespace {

std::uint64_t hash_of(std::span<const std::uint16_t> words) {
    const std::string_view bytes(reinterpret_cast<const char*>(words.data()), words.size_bytes());
    return std::hash<std::string_view>{}(bytes);
}

std::uint64_t hash_of(const Block* block, const PipelineState* state) {
    const auto number = [](const void* pointer) {
        return reinterpret_cast<std::uintptr_t>(pointer) >> 3;
    };
    return mixed(number(block), number(state));
}

std::uint64_t hash_of(Address pc, std::uint64_t code_version, BlockExtent extent) {
    return mixed(pc ^ Address{extent} << 57, code_version);
}

} // namespace

Memo::Memo(HostPages::Copies copies)
    : arena_(copies), states_(copies), block_index_(arena_, copies), state_index_(states_, copies),
      node_index_(arena_, copies), apart_(copies),
      known_((kKnownBlocks + kKnownParts) * sizeof(KnownBlock), HostPages::Size::Usual, copies) {}

void Memo::clear() {
    known_.clear();
    arena_.clear();
    states_.clear();
    block_index_.clear();
    state_index_.clear();
    node_index_.clear();
    apart_.clear();
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

Memo::KnownBlock& Memo::known(Address pc, BlockExtent extent) const {
    const std::size_t at = extent == kWhole ? (pc >> 1) % kKnownBlocks
                                            : kKnownBlocks + (pc >> 1 ^ extent) % kKnownParts;
    return reinterpret_cast<KnownBlock*>(known_.data())[at];
}

const Block* Memo::find_block(Address pc, std::uint64_t code_version, BlockExtent extent) const {
    KnownBlock& known = this->known(pc, extent);
    if (known.block != nullptr && known.pc == pc && known.code_version == code_version &&
        (extent == kWhole || known.block->extent == extent)) {
        return known.block;
    }
    const Block* const found =
        block_index_.find(hash_of(pc, code_version, extent), [&](const Block& block) {
            return block.pc == pc && block.code_version == code_version && block.extent == extent;
        });
    if (found != nullptr) {
        known = {.pc = pc, .code_version = code_version, .block = found};
    }
    return found;
}

const Block& Memo::add_block(const Block& block, std::span<const Instruction> instructions,
                             std::span<const std::uint32_t> decoded_within) {
    arena_.keep_together<Block>(sizeof(Block) + instructions.size_bytes() +
                                decoded_within.size_bytes());
    block_index_.add(hash_of(block.pc, block.code_version, block.extent),
                     arena_.next_number<Block>());
    Block& added = arena_.add(block);
    added.instructions = arena_.add_run(instructions);
    arena_.add_run(decoded_within);
    return added;
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
    states_.keep_together<PipelineState>(sizeof(PipelineState) + words.size_bytes());
    state_index_.add(hash, states_.next_number<PipelineState>());
    auto& state =
        states_.add<PipelineState>({.latest = static_cast<std::uint32_t>(latest),
                                    .word_count = static_cast<std::uint32_t>(words.size())});
    states_.add_run(words);
    return state;
}

Node* Memo::find_node(const Block& block, const PipelineState& state) const {
    if (state.node_count == 0) {
        return nullptr;
    }
    if (state.node_count == 1) {
        Node& only = arena_.object<Node>(state.first_node);
        return only.block == &block ? &only : nullptr;
    }
    return node_index_.find(hash_of(&block, &state), [&](const Node& node) {
        return node.block == &block && node.state == &state;
    });
}

Node& Memo::node(const Block& block, PipelineState& state) {
    if (Node* const known = find_node(block, state)) {
        return *known;
    }
    arena_.keep_together<Node>(sizeof(Node));
    const std::uint32_t number = arena_.next_number<Node>();
    if (state.node_count == 0) {
        state.first_node = number;
    } else {
        if (state.node_count == 1) {
            const Node& first = arena_.object<Node>(state.first_node);
            node_index_.add(hash_of(first.block, &state), state.first_node);
        }
        node_index_.add(hash_of(&block, &state), number);
    }
    ++state.node_count;
    const Cycle longest =
        block.across_pages || block.reserves ? kLimitless : state.latest + block.longest;
    return arena_.add<Node>(
        {.block = &block, .longest = longest, .state = &state, .code_version = block.code_version});
}

std::uint64_t Memo::answer_of(Asked asked, const Block& block) const {
    const Packing& packing = packing_of(asked.query());
    return asked.query() == Query::Apart
               ? apart_[asked].answer
               : unpack(asked.parts(), packing.answer, packing.answer_at(), block);
}

/// The first stays where it is: it lies behind the question before.
[[gnu::noinline]] Memo::Found Memo::with_answer(Asked& first, const Block& block,
                                                std::uint64_t answer) {
    const bool apart = first.query() == Query::Apart;
    const Packing& packing = packing_of(apart ? apart_[first].query : first.query());
    const std::optional<std::uint32_t> packed = pack(answer, packing.answer, block);
    const auto is_it = [&](Asked one) {
        return one.query() == Query::Apart ? apart_[one].answer == answer
                                           : one.parts() >> packing.answer_at() == packed;
    };
    Asked* before = &first;
    Asked* asked = &first;
    bool found = is_it(first);
    while (!found && asked->other != 0) {
        before = asked;
        asked = &arena_.object<Asked>(asked->other);
        found = is_it(*asked);
    }
    if (found && before != &first) {
        std::swap(first.other, before->other); // `first` leads to the one that has it
        std::swap(before->other, asked->other);
    }
    return {.asked = *asked, .has_it = found};
}

Outcome& Memo::add(Node& node, Asked* parent, std::span<const Question> asked,
                   const Outcome& outcome, const OutcomeExtra& extra,
                   std::span<const PulseChange> changes) {
    keep_path_together(asked.size(), changes.size());
    const std::uint32_t number = arena_.next_number<Asked>();
    Asked* place = arena_.add_run<Asked>(asked.size() + 1).data();
    for (const Question& question : asked) {
        const std::optional<Asked> packed = pack(question, *node.block);
        std::construct_at(place++, packed ? *packed : apart_.add(question));
    }
    std::construct_at(place);
    Outcome& result = add_outcome(outcome, extra, changes);
    if (parent != nullptr) {
        parent->other = number;
    } else {
        node.questions = &arena_.object<Asked>(number);
        node.first = &result;
    }
    return result;
}

void Memo::keep_path_together(std::size_t questions, std::size_t changes) {
    arena_.keep_together<Asked>((questions + 2) * sizeof(Asked) + sizeof(Outcome) +
                                sizeof(OutcomeExtra) + changes * sizeof(PulseChange));
}

Outcome& Memo::add_outcome(const Outcome& outcome, const OutcomeExtra& extra,
                           std::span<const PulseChange> changes) {
    Outcome& result = arena_.add(outcome);
    OutcomeExtra counts = extra;
    counts.steps = nullptr;
    result.has_more = counts != OutcomeExtra{};
    result.has_extra = result.has_more || extra.steps != nullptr;
    if (result.has_extra) {
        arena_.add(extra);
    }
    arena_.add_run(changes);
    result.changes = static_cast<std::uint16_t>(changes.size());
    for (const PulseChange& change : changes) {
        const unsigned end = change.shift + static_cast<unsigned>(std::bit_width(change.bits));
        result.reach = static_cast<std::uint8_t>(std::max<unsigned>(result.reach, end));
    }
    return result;
}

std::uint32_t Memo::times_first_taken(const Node& node) {
    const Asked* asked = node.questions;
    while (asked->query() != Query::End) {
        ++asked;
    }
    return times_taken(*asked);
}

/// Where the path leaves the list of the node, or that of another answer, the rest of that list
/// becomes the other answer.
Outcome& Memo::put_first(Node& node, std::span<const std::uint64_t> answers) {
    const auto question_of = [&](Asked* one, std::uint64_t answer) {
        Asked* before = nullptr;
        while (answer_of(*one, *node.block) != answer) {
            before = std::exchange(one, other(*one));
        }
        return std::pair(one, before);
    };
    Asked* end = node.questions;
    for (const std::uint64_t answer : answers) {
        end = question_of(end, answer).first + 1;
    }
    const Outcome& before = outcome(*end);
    keep_path_together(answers.size(), before.changes);
    const std::uint32_t number = arena_.next_number<Asked>();
    Asked* list = node.questions;
    for (const std::uint64_t answer : answers) {
        const auto [asked, previous] = question_of(list, answer);
        Asked copy = *asked;
        if (previous != nullptr) {
            previous->other = asked->other;
            copy.other = arena_.number_of(list);
        }
        arena_.add(copy);
        list = asked + 1;
    }
    arena_.add(*end);
    Outcome& result =
        add_outcome(before, before.has_extra ? extra(before) : OutcomeExtra{}, changes(before));
    node.questions = &arena_.object<Asked>(number);
    node.first = &result;
    return result;
}

} // namespace pes

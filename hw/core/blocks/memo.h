// SPDX-License-Identifier: Apache-2.0
// The memo of the fast path: what the pipeline did with a block in a given state.
// Technique: block memoisation after Schnarr and Larus (FastSim, 1998); docs/how-the-hart-works.md.
//
// A node is a block in a pipeline state. The result depends only on the answers to the questions
// that the pipeline asks meanwhile (tables.h). So a node has a tree of questions, in their order,
// with the answers seen so far; each path through it ends in an outcome: the number of cycles, the
// events and the next state. After an answer that is not in the tree, the block goes through the
// pipeline, and its questions are added.
//
// Cost: for each block and state 64 bytes, for each outcome 72, 8 for each of its questions and 4
// for each of its pulses in uncertain cycles; for each state 16 and its words. The owner clears the
// memo when bytes() exceeds its limit.
#pragma once

#include "hw/common/event.h"
#include "hw/common/retirement.h"
#include "hw/core/blocks/asked.h"
#include "hw/core/blocks/block.h"
#include "hw/core/blocks/memo_storage.h"
#include "hw/core/timing/decode_watch.h"
#include "hw/core/timing/pulses/pulse_changes.h"
#include "hw/core/timing/tables/questions.h"
#include "hw/core/truth/truth_table.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <tuple>
#include <vector>

namespace pes {

/// Events of one block and the instructions it retires, small enough to be added in a few host
/// instructions; index = Event, with the instructions in the place of None. Sources behind the
/// first kBaseBlockEvents are there only if somebody counts them.
using BlockEvents = std::array<std::uint16_t, (kEventCount + 7) / 8 * 8>;
inline constexpr std::size_t kRetiredEvents = static_cast<std::size_t>(Event::None);
inline constexpr std::size_t kBaseBlockEvents = 24;
static_assert(kBaseEventCount <= kBaseBlockEvents);

struct Node;

/// A state between two instructions, as the words of timing_state.h, which lie behind it.
struct alignas(16) PipelineState {
    std::uint32_t latest = 0; ///< the latest cycle in it, relative to the last decode cycle
    std::uint32_t word_count = 0;
    std::uint32_t first_node = 0; ///< its number; 0: none. The others are in the index only
    std::uint32_t node_count = 0;

    std::span<const std::uint16_t> words() const {
        return {reinterpret_cast<const std::uint16_t*>(this + 1), word_count};
    }
};

/// For a block that reads a counter: the pulses that the counter has seen, relative to all pulses
/// logged before the block. Negative (modulo 2^16) if some of those lie in later cycles.
using EventLead = BlockEvents;

inline constexpr Cycle kLimitless = kNever / 2;

/// The two parts of BlockEvents.
using BaseBlockEvents = std::array<std::uint16_t, kBaseBlockEvents>;
using FurtherBlockEvents =
    std::array<std::uint16_t, std::tuple_size_v<BlockEvents> - kBaseBlockEvents>;

/// What follows from the answers. Its extra, if it has one, and its changes of pulses lie behind
/// it.
struct alignas(16) Outcome {
    std::uint32_t cycles = 0; ///< from the last decode before the block to the last decode in it
    std::uint32_t last_retirement = 0;                   ///< relative to that last decode
    std::array<std::uint8_t, kBaseBlockEvents> events{}; ///< up to 255; see OutcomeExtra::more
    const Block* block = nullptr;
    Node* next = nullptr; ///< node of `state` and the next block; null: not known yet
    PipelineState* state = nullptr;
    std::uint32_t charges = 0;     ///< number of its Charged, if the truth is recorded
    std::uint16_t changes = 0;     ///< of uncertain pulses
    std::uint8_t reach = 0;        ///< so many of the uncertain cycles behind it, at most, have one
    bool mispredicted : 1 = false; ///< the branch or jump at its end was mispredicted
    bool has_extra : 1 = false;
    bool has_more : 1 = false; ///< its extra has something to add to the counts
};
static_assert(sizeof(Outcome) == kHostLine);

/// What few outcomes have, or only those of some harts.
struct alignas(16) OutcomeExtra {
    BaseBlockEvents more{};                      ///< events that have no room in the outcome
    const FurtherBlockEvents* further = nullptr; ///< null: none, or nobody counts them
    const RetiredStep* steps = nullptr;          ///< of its instructions, if observers take blocks
    BlockDecoded decoded{};                      ///< if decoded instructions are sampled

    bool operator==(const OutcomeExtra&) const = default;
};

/// The charges of an outcome's instructions for each replay (truth/oracle.h).
struct Charged {
    std::uint64_t times = 0; ///< replays that are not in the truth table yet
    std::size_t first = 0;   ///< of its charges
    std::size_t count = 0;
};

struct alignas(16) Node {
    const Block* block = nullptr;
    Asked* questions = nullptr;     ///< the first, with those behind it up to Query::End
    const Outcome* first = nullptr; ///< outcome of those
    Cycle longest = 0;              ///< upper bound of its cycles; kLimitless: ask the block
    PipelineState* state = nullptr;
    std::uint64_t code_version = 0; ///< of the block
    Node* followed_by = nullptr;    ///< the last time; null: none yet
    std::uint32_t native = 0;       ///< number of its code (native_code.h); 0: none
};
static_assert(sizeof(Node) == kHostLine);

class Memo {
  public:
    /// In a copy of the process, with Copies::Empty, clear() must come first.
    explicit Memo(HostPages::Copies copies = HostPages::Copies::Whole);

    /// Null if there is no block at this address; it has no instructions if there cannot be one.
    const Block* find_block(Address pc, std::uint64_t code_version,
                            BlockExtent extent = kWhole) const;
    const Block& add_block(const Block& block, std::span<const Instruction> instructions = {},
                           std::span<const std::uint32_t> decoded_within = {});

    PipelineState& intern(std::span<const std::uint16_t> words, Cycle latest) {
        return intern(words, latest, ahead_of_intern(words));
    }
    /// The same in two steps: between them the host fetches what the second one reads.
    std::uint64_t ahead_of_intern(std::span<const std::uint16_t> words) const;
    PipelineState& intern(std::span<const std::uint16_t> words, Cycle latest, std::uint64_t hash);
    Node& node(const Block& block, PipelineState& state);

    /// A question about the block.
    Question question(Asked asked, const Block& block) const {
        return asked.query() == Query::Apart ? apart_[asked] : unpack(asked, block);
    }
    std::uint64_t answer_of(Asked asked, const Block& block) const;
    /// Of one that lies apart.
    const Question& apart(Asked asked) const { return apart_[asked]; }
    /// The same question with this answer, where `first` may have another one; or the last of those
    /// known. An answer that comes often moves to the front.
    struct Found {
        Asked& asked;
        bool has_it;
    };
    Found with_answer(Asked& first, const Block& block, std::uint64_t answer);
    /// Null: none.
    Asked* other(const Asked& asked) const {
        return asked.other == 0 ? nullptr : &arena_.object<Asked>(asked.other);
    }
    /// How often the path to this end was taken, as far as the loop over blocks counts it.
    static std::uint32_t& times_taken(Asked& end) { return end.other; }
    static std::uint32_t times_taken(const Asked& end) { return end.other; }
    /// It lies behind the end.
    static Outcome& outcome(Asked& end) {
        const auto behind = reinterpret_cast<std::uintptr_t>(&end + 1);
        return *reinterpret_cast<Outcome*>((behind + alignof(Outcome) - 1) &
                                           ~(alignof(Outcome) - 1));
    }

    std::uint64_t add_lead(const EventLead& lead);
    static const EventLead& lead(std::uint64_t number) {
        return *reinterpret_cast<const EventLead*>(static_cast<std::uintptr_t>(number));
    }

    const FurtherBlockEvents& add_further(const FurtherBlockEvents& events) {
        return arena_.add(events);
    }
    const RetiredStep* add_steps(std::span<const RetiredStep> steps) {
        return arena_.add_run(steps).data();
    }
    /// Of an outcome that has one.
    static const OutcomeExtra& extra(const Outcome& outcome) {
        return *reinterpret_cast<const OutcomeExtra*>(&outcome + 1);
    }
    static std::span<const RetiredStep> steps(const Outcome& outcome) {
        return {extra(outcome).steps, outcome.block->size()};
    }
    static std::span<const PulseChange> changes(const Outcome& outcome) {
        const void* const behind = &outcome + 1;
        const void* const behind_extra = &extra(outcome) + 1;
        return {static_cast<const PulseChange*>(outcome.has_extra ? behind_extra : behind),
                outcome.changes};
    }

    /// Stores the charges of an outcome once and returns their number.
    std::uint32_t add_charges(std::span<const Charge> charges);
    Charged& charged(const Outcome& outcome) { return charged_[outcome.charges]; }
    /// Adds the charges of all replays to the table.
    void expand_charges(TruthTable& table);

    /// So many questions can be added.
    bool has_room(std::size_t questions) const { return apart_.has_room(questions); }
    /// Adds the questions of a block that the tree does not have. `parent` is the question of the
    /// tree to which the first of them gives another answer; null if the node has none yet.
    Outcome& add(Node& node, Asked* parent, std::span<const Question> asked, const Outcome& outcome,
                 const OutcomeExtra& extra = {}, std::span<const PulseChange> changes = {});

    /// How often the first path of a node that has questions was taken.
    static std::uint32_t times_first_taken(const Node& node);
    /// The path with these answers, which the tree has, becomes the node's first, side by side with
    /// its outcome, which is a new one. Native code of the node must not have been made.
    Outcome& put_first(Node& node, std::span<const std::uint64_t> answers);

    /// An outcome will be added soon.
    void ahead_of_add() const { arena_.prefetch(8 * kHostLine); }

    std::size_t bytes() const {
        return arena_.size() + states_.size() + block_index_.bytes() + state_index_.bytes() +
               node_index_.bytes() + apart_.bytes() + bytes_elsewhere_;
    }
    void clear();

  private:
    struct KnownBlock {
        Address pc = 0;
        std::uint64_t code_version = 0;
        const Block* block = nullptr;
    };
    static constexpr std::size_t kKnownBlocks = 16384; ///< of those found last, by pc
    static constexpr std::size_t kKnownParts = 1024;   ///< the same of parts of blocks, behind them
    Node* find_node(const Block& block, const PipelineState& state) const;
    Outcome& add_outcome(const Outcome& outcome, const OutcomeExtra& extra,
                         std::span<const PulseChange> changes);
    void keep_path_together(std::size_t questions, std::size_t changes);

    KnownBlock& known(Address pc, BlockExtent extent) const;

    Arena arena_;
    Arena states_; ///< apart: a replay reads none
    HashIndex<Block> block_index_;
    HashIndex<PipelineState> state_index_;
    HashIndex<Node> node_index_;
    ApartQuestions apart_;
    HostPages known_;             ///< KnownBlock
    std::deque<Charged> charged_; ///< where native code finds them
    std::vector<Charge> charges_;
    std::size_t bytes_elsewhere_ = 0;
};

} // namespace pes

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
// Cost: 60 bytes for each block and state, and for each outcome about 170 and 32 for each of its
// questions. The owner clears the memo when bytes() exceeds its limit.
#pragma once

#include "hw/common/event.h"
#include "hw/core/blocks/block.h"
#include "hw/core/blocks/memo_storage.h"
#include "hw/core/timing/decode_watch.h"
#include "hw/core/timing/pulses/pulse_changes.h"
#include "hw/core/timing/tables/tables.h"
#include "hw/core/truth/truth_table.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace pes {

/// Events of one block and the instructions it retires, small enough to be added in a few host
/// instructions; index = Event, with the instructions in the place of None. Sources behind the
/// first kBaseBlockEvents are there only if somebody counts them.
using BlockEvents = std::array<std::uint16_t, (kEventCount + 7) / 8 * 8>;
inline constexpr std::size_t kRetiredEvents = static_cast<std::size_t>(Event::None);
inline constexpr std::size_t kBaseBlockEvents = 24;
static_assert(kBaseEventCount <= kBaseBlockEvents);

/// A state between two instructions, as the words of timing_state.h.
struct PipelineState {
    std::span<const std::uint16_t> words;
    Cycle latest = 0; ///< the latest cycle in it, relative to the last decode cycle
};

/// For a block that reads a counter: the pulses that the counter has seen, relative to all pulses
/// logged before the block. Negative (modulo 2^16) if some of those lie in later cycles.
using EventLead = BlockEvents;

inline constexpr Cycle kLimitless = kNever / 2;

struct Node;

/// What each replay adds lies in one cache line of the host.
struct alignas(64) Outcome {
    BlockEvents events{};
    const PipelineState* state = nullptr;
    Node* next = nullptr;     ///< node of `state` and the next block; null: not known yet
    std::uint32_t cycles = 0; ///< from the last decode before the block to the last decode in it
    std::uint32_t last_retirement = 0; ///< relative to that last decode
    BlockDecoded decoded{};            ///< if decoded instructions are sampled
    std::uint32_t charges = 0;         ///< number of its Charged, if the truth is recorded
    std::uint32_t first_change = 0;
    std::uint16_t changes = 0; ///< of uncertain pulses
    bool mispredicted = false; ///< the branch or jump at its end was mispredicted
};

/// The charges of an outcome's instructions for each replay (truth/oracle.h).
struct Charged {
    std::uint64_t times = 0; ///< replays that are not in the truth table yet
    std::size_t first = 0;   ///< of its charges
    std::size_t count = 0;
};

struct Node {
    const Block* block = nullptr;
    const PipelineState* state = nullptr;
    Asked* questions = nullptr;   ///< the first, with those behind it up to Query::End
    std::uint32_t stopped_at = 0; ///< instructions before the device access at which it stopped
    Node* to_device = nullptr;    ///< node of the part that ends with that access
    Cycle longest = 0;            ///< upper bound of its cycles; kLimitless: ask the block
};

/// How many of the instructions at an address a block has: all that are possible, the first few, or
/// kToDevice + the first few, of which the last one accesses a device.
using BlockExtent = std::uint32_t;
inline constexpr BlockExtent kWhole = 0;
inline constexpr BlockExtent kToDevice = Block::kMaximum;

class Memo {
  public:
    Memo();

    /// Null if there is no block at this address; it has no instructions if there cannot be one.
    const Block* find_block(Address pc, std::uint64_t code_version,
                            BlockExtent extent = kWhole) const;
    const Block& add_block(Block block, BlockExtent extent = kWhole);

    const PipelineState& intern(std::span<const std::uint16_t> words, Cycle latest);
    Node& node(const Block& block, const PipelineState& state);

    /// The same question with this answer, where `first` has another one; or the last of those
    /// known. An answer that comes often moves to the front.
    Asked& with_answer(Asked& first, std::uint64_t answer);
    static Outcome& outcome(const Asked& end) {
        return *reinterpret_cast<Outcome*>(static_cast<std::uintptr_t>(end.subject));
    }

    std::uint64_t add_lead(const EventLead& lead);
    const EventLead& lead(std::uint64_t number) { return leads_[number]; }

    void add_changes(Outcome& outcome, std::span<const PulseChange> changes);
    std::span<const PulseChange> changes(const Outcome& outcome) const {
        return changes_.run(outcome.first_change, outcome.changes);
    }

    /// Stores the charges of an outcome once and returns their number.
    std::uint32_t add_charges(std::span<const Charge> charges);
    Charged& charged(const Outcome& outcome) { return charged_[outcome.charges]; }
    /// Adds the charges of all replays to the table.
    void expand_charges(TruthTable& table);

    /// Adds the questions of a block from number `known` on. `parent` is the question of the tree
    /// to which a new answer was given; null if the node has no questions yet.
    Outcome& add(Node& node, Asked* parent, std::span<const Asked> asked, std::size_t known,
                 const Outcome& outcome);

    std::size_t bytes() const { return bytes_; }
    void clear();

  private:
    struct BlockKey {
        Address pc;
        std::uint64_t code_version;
        BlockExtent extent;
        bool operator==(const BlockKey&) const = default;
    };
    struct Hash {
        std::size_t operator()(const BlockKey& key) const {
            return std::hash<Address>{}(key.pc ^ key.code_version << 32 ^
                                        Address{key.extent} << 58);
        }
    };
    struct KnownBlock {
        Address pc = 0;
        std::uint64_t code_version = 0;
        const Block* block = nullptr;
    };
    static constexpr std::size_t kKnownBlocks = 4096; ///< of those found last, by pc
    static constexpr std::size_t kLargeChunk = 65536, kChunk = 4096;

    std::unordered_map<BlockKey, Block, Hash> blocks_;
    mutable std::array<KnownBlock, kKnownBlocks> known_blocks_{};
    RunPool<std::uint16_t, kLargeChunk> words_;
    RunPool<PipelineState, kChunk> states_;
    RunPool<Node, kChunk> nodes_;
    HashIndex state_index_;
    HashIndex node_index_;
    RunPool<Asked, kChunk> questions_;
    RunPool<Outcome, kChunk> outcomes_;
    RunPool<EventLead, kChunk> leads_;
    std::vector<Charged> charged_;
    std::vector<Charge> charges_;
    RunPool<PulseChange, kLargeChunk> changes_;
    std::size_t bytes_ = 0;
};

} // namespace pes

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
// Cost: one node per block and state, about 100 bytes, and 40 bytes per question. The owner clears
// the memo when bytes() exceeds its limit.
#pragma once

#include "hw/common/event.h"
#include "hw/core/blocks/block.h"
#include "hw/core/timing/decode_watch.h"
#include "hw/core/timing/tables/tables.h"
#include "hw/core/truth/truth_table.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
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
    std::vector<std::uint16_t> words;
    Cycle latest = 0; ///< the latest cycle in it, relative to the last decode cycle

    /// Hashes and compares by words, also with words alone.
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::span<const std::uint16_t> alone) const {
            const std::string_view bytes(reinterpret_cast<const char*>(alone.data()),
                                         alone.size_bytes());
            return std::hash<std::string_view>{}(bytes);
        }
        std::size_t operator()(const PipelineState& state) const { return (*this)(state.words); }
    };
    struct Equal {
        using is_transparent = void;
        bool operator()(std::span<const std::uint16_t> left, const PipelineState& right) const {
            return std::equal(left.begin(), left.end(), right.words.begin(), right.words.end());
        }
        bool operator()(const PipelineState& left, const PipelineState& right) const {
            return left.words == right.words;
        }
    };
};

/// For a block that reads a counter: the pulses that the counter has seen, relative to all pulses
/// logged before the block. Negative (modulo 2^16) if some of those lie in later cycles.
using EventLead = BlockEvents;

inline constexpr Cycle kLimitless = kNever / 2;

struct Node;

struct Outcome {
    const PipelineState* state = nullptr;
    Node* next = nullptr;     ///< node of `state` and the next block; null: not known yet
    std::uint32_t cycles = 0; ///< from the last decode before the block to the last decode in it
    std::uint32_t last_retirement = 0; ///< relative to that last decode
    BlockEvents events{};
    BlockDecoded decoded{};    ///< if decoded instructions are sampled
    std::uint32_t charges = 0; ///< number of its Charged, if the truth is recorded
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
    std::uint32_t questions = 0;  ///< index of the first, 0 = none yet
    std::uint32_t stopped_at = 0; ///< instructions before the device access at which it stopped
    Node* to_device = nullptr;    ///< node of the part that ends with that access
    Cycle longest = 0;            ///< upper bound of its cycles; kLimitless: ask the block
};

/// Grows without moving its elements.
template <typename T>
class Pool {
  public:
    T& operator[](std::size_t index) { return chunks_[index / kChunk][index % kChunk]; }
    std::size_t size() const { return size_; }
    T& add(const T& value) {
        if (size_ % kChunk == 0) {
            chunks_.push_back(std::make_unique<T[]>(kChunk));
        }
        return (*this)[size_++] = value;
    }
    void clear() {
        chunks_.clear();
        size_ = 0;
    }

  private:
    static constexpr std::size_t kChunk = 512;
    std::vector<std::unique_ptr<T[]>> chunks_;
    std::size_t size_ = 0;
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

    Asked* questions() { return questions_.data(); }
    Outcome& outcome(const Asked& end) { return outcomes_[end.subject]; }

    std::uint64_t add_lead(const EventLead& lead);
    const EventLead& lead(std::uint64_t number) { return leads_[number]; }

    /// Stores the charges of an outcome once and returns their number.
    std::uint32_t add_charges(std::span<const Charge> charges);
    Charged& charged(const Outcome& outcome) { return charged_[outcome.charges]; }
    /// Adds the charges of all replays to the table.
    void expand_charges(TruthTable& table);

    /// Adds the questions of a block from number `known` on. `parent` is the question of the tree
    /// to which a new answer was given; 0 if the node has no questions yet.
    Outcome& add(Node& node, std::uint32_t parent, std::span<const Asked> asked, std::size_t known,
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
    struct NodeKey {
        const Block* block;
        const PipelineState* state;
        bool operator==(const NodeKey&) const = default;
    };
    struct Hash {
        std::size_t operator()(const BlockKey& key) const {
            return std::hash<Address>{}(key.pc ^ key.code_version << 32 ^
                                        Address{key.extent} << 58);
        }
        std::size_t operator()(const NodeKey& key) const {
            return std::hash<const void*>{}(key.block) * 31 + std::hash<const void*>{}(key.state);
        }
    };

    std::unordered_map<BlockKey, Block, Hash> blocks_;
    std::unordered_set<PipelineState, PipelineState::Hash, PipelineState::Equal> states_;
    std::unordered_map<NodeKey, Node, Hash> nodes_;
    std::vector<Asked> questions_;
    Pool<Outcome> outcomes_;
    Pool<EventLead> leads_;
    std::vector<Charged> charged_;
    std::vector<Charge> charges_;
    std::size_t bytes_ = 0;
};

} // namespace pes

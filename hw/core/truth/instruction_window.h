// SPDX-License-Identifier: Apache-2.0
// The latest instructions of a hart, and answers to the question "which instruction ...?" about a
// cycle: the instruction that a sampler captures, and the one that it should capture.
//
// Questions concern cycles near now. Questions about the past are answered at once from the last
// few dozen instructions; others wait for a later instruction. As long as a question waits(), the
// hart must step, because blocks report their instructions only when they are left. They report
// neither accesses nor whose cycles and pulses they had: so a block ends, with all that it does,
// before a cycle in which a counter may cross by cycles alone, and what else makes a counter cross
// is stepped (block_limits.h).
#pragma once

#include "hw/common/event.h"
#include "hw/core/truth/truth_table.h"
#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pes {

/// Which instruction is asked for, relative to a cycle.
enum class Sight : std::uint8_t {
    Cause,       ///< pulsed one of the sources in the cycle; for cycles: is charged with it
    LastRetired, ///< the youngest that retired in the cycle or before
    NextRetired, ///< the oldest that retires later
    Decoded,     ///< the first in decode in the cycle or later: found by an interrupt
};

/// An instruction of the run.
struct SeenInstruction {
    TruthTable::Key key;           ///< pc, mode, address space
    std::uint64_t number = 0;      ///< instructions retired before it
    Cycle decode = 0;              ///< kNever: unknown
    std::optional<Address> data{}; ///< virtual address of its load, store or atomic

    void state(class Archive& archive); ///< of a checkpoint
};

/// Receives the answers, at once or later. Null: not known.
class SightSink {
  public:
    SightSink() = default;
    SightSink(const SightSink&) = delete;
    SightSink& operator=(const SightSink&) = delete;
    virtual ~SightSink() = default;

    /// `tag` is the question's.
    virtual void seen(std::uint64_t tag, const SeenInstruction* instruction) = 0;
};

/// Receives every interrupt that is taken.
class InterruptSink {
  public:
    InterruptSink() = default;
    InterruptSink(const InterruptSink&) = delete;
    InterruptSink& operator=(const InterruptSink&) = delete;
    virtual ~InterruptSink() = default;

    /// `squashed` is the instruction at xepc; the trap is taken in `cycle`.
    virtual void interrupted(unsigned cause, Cycle cycle, const SeenInstruction& squashed) = 0;
};

/// An instruction that a block has run.
struct RunInstruction {
    Address pc = 0;
    Cycle decode = 0;
    Cycle retired = 0;
};

struct SightQuestion {
    Sight sight = Sight::Cause;
    Cycle cycle = 0;
    EventMask sources{}; ///< of Sight::Cause; Event::Cycles, Event::Instructions among them
    /// Instructions: how many younger ones retire in the same cycle. Cycles: of two instructions
    /// that retire in the cycle and share it, 0 selects the younger, 1 the older.
    unsigned beyond = 0;
    SightSink* sink = nullptr;
    std::uint64_t tag = 0;
};

class InstructionWindow {
  public:
    InstructionWindow() = default;
    InstructionWindow(const InstructionWindow&) = delete;
    InstructionWindow& operator=(const InstructionWindow&) = delete;

    // --- For the oracle, in program order ------------------------------------------------------

    void begin(const TruthTable::Key& key);
    void decoded(Cycle cycle);
    void accesses(Address data) { in_hand_.data = data; }
    void retired(Cycle cycle);
    void trapped();
    /// Called before begin() of the first instruction of the handler.
    void interrupted(unsigned cause, Cycle cycle) const;
    /// The cycles [from, to) belong to the current instruction, or to the last that ended.
    enum class Owner : std::uint8_t { InHand, Last };
    void charged(Owner owner, Cycle from, Cycle to);
    /// A source pulses in [from, to).
    void pulsed(Owner owner, Event event, Cycle from, Cycle to);
    /// Blocks have run: `number` instructions have retired, these last. False if it knows of all of
    /// them.
    bool resume(std::uint64_t number, const TruthTable::Context& context,
                std::span<const RunInstruction> last);
    /// The hart has been restored: nothing is known of the instructions before, which are so many.
    void begin_behind(std::uint64_t number) { number_ = number; }

    /// So many of the last instructions can be asked for.
    static constexpr std::size_t kKept = 64;

    // --- For samplers --------------------------------------------------------------------------

    void ask(const SightQuestion& question);
    bool waits() const { return !waiting_.empty(); }
    /// True if it is the one that was fetched last.
    bool is_in_hand(const SeenInstruction& instruction) const {
        return instruction.number == in_hand_.number && instruction.decode == in_hand_.decode;
    }
    void tell_of_interrupts(InterruptSink& sink) { interrupt_sinks_.push_back(&sink); }
    /// The run is over: answers the remaining questions with null.
    void finish();
    /// A part of the hart that asks: a checkpoint knows whose questions wait by the order in which
    /// they are connected.
    void connect(SightSink& asker) { askers_.push_back(&asker); }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    struct Entry {
        TruthTable::Key key;
        std::uint64_t number = 0;
        Cycle decode = kNever;
        Cycle retired = kNever; ///< kNever: not yet, or never
        std::optional<Address> data{};
        void state(class Archive& archive);
    };
    struct Owned {
        Entry owner;
        Event event = Event::Cycles;
        Cycle from = 0, to = 0;
        void state(class Archive& archive);
    };
    template <typename T, std::size_t Size>
    class Ring {
      public:
        void push(const T& value) { items_[count_++ % Size] = value; }
        bool empty() const { return count_ == 0; }
        std::size_t size() const { return count_ < Size ? count_ : Size; }
        /// 0 is the youngest.
        T& operator[](std::size_t age) { return items_[(count_ - 1 - age) % Size]; }
        const T& operator[](std::size_t age) const { return items_[(count_ - 1 - age) % Size]; }
        template <typename Archive>
        void state(Archive& archive) {
            archive(items_, count_);
        }

      private:
        std::array<T, Size> items_{};
        std::size_t count_ = 0;
    };
    enum class Answer : std::uint8_t { Found, Unknown, Later };

    const Entry& owner_of(Owner owner) const { return owner == Owner::InHand ? in_hand_ : last_; }
    Answer look(const SightQuestion& question, Entry& found) const;
    const Entry* retired_in(Cycle cycle, unsigned younger) const;
    Answer look_for_cause(const SightQuestion& question, Entry& found) const;
    Answer look_for_retired(const SightQuestion& question, Entry& found) const;
    SeenInstruction seen(const Entry& entry) const {
        return {
            .key = entry.key, .number = entry.number, .decode = entry.decode, .data = entry.data};
    }
    void answer(const SightQuestion& question, Answer kind, const Entry& found) const;
    void look_again();
    void question_state(class Archive& archive, SightQuestion& question) const;

    std::uint64_t number_ = 0; ///< retired instructions
    Entry in_hand_, last_;
    Ring<Entry, kKept> retired_; ///< by retirement
    Ring<Entry, kKept> decoded_; ///< by decode
    Ring<Owned, 64> cycles_;     ///< and their owners
    Ring<Owned, 512> pulses_;
    std::vector<SightQuestion> waiting_;
    std::vector<SightSink*> askers_;
    std::vector<InterruptSink*> interrupt_sinks_;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The last instructions of a hart, and the answers to "which instruction ...?" about a cycle: what
// samplers of all kinds would see, and who they should have seen.
//
// Questions are about cycles near now. What lies in the past is answered at once, from the last
// few dozen instructions; what only a later instruction can tell waits for it. As long as a
// question waits(), the hart must step: blocks pass by unseen. Blocks never run across a cycle in
// which a counter crosses (block_limits.h), so what such a crossing asks for has been stepped.
#pragma once

#include "hw/common/event.h"
#include "hw/core/truth/truth_table.h"
#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace pes {

/// What of the hart at a cycle is asked for.
enum class Sight : std::uint8_t {
    Cause,       ///< who pulsed one of the sources in the cycle; of cycles: whose cycle it is
    LastRetired, ///< the youngest that has retired in the cycle or before
    NextRetired, ///< the oldest that retires later
    Decoded,     ///< the first in decode in the cycle or later: who an interrupt finds
};

/// An instruction of the run.
struct SeenInstruction {
    TruthTable::Key key;           ///< pc, mode, address space
    std::uint64_t number = 0;      ///< how many had retired before it
    Cycle decode = 0;              ///< kNever: unknown
    std::optional<Address> data{}; ///< virtual address of its load, store or atomic
};

/// Gets the answers, in the order of the questions or later; null: nobody knows.
class SightSink {
  public:
    SightSink() = default;
    SightSink(const SightSink&) = delete;
    SightSink& operator=(const SightSink&) = delete;
    virtual ~SightSink() = default;

    /// `tag` is the questioner's.
    virtual void seen(std::uint64_t tag, const SeenInstruction* instruction) = 0;
};

/// Is told of every interrupt that is taken.
class InterruptSink {
  public:
    InterruptSink() = default;
    InterruptSink(const InterruptSink&) = delete;
    InterruptSink& operator=(const InterruptSink&) = delete;
    virtual ~InterruptSink() = default;

    /// `squashed` is the instruction at xepc; the trap is taken in `cycle`.
    virtual void interrupted(unsigned cause, Cycle cycle, const SeenInstruction& squashed) = 0;
};

struct SightQuestion {
    Sight sight = Sight::Cause;
    Cycle cycle = 0;
    EventMask sources{}; ///< of Sight::Cause; Event::Cycles, Event::Instructions among them
    /// Of Instructions: so many that retire in the cycle are younger. Of Cycles: 0 prefers the
    /// younger of two that retire in the cycle and so share it, 1 the older.
    unsigned beyond = 0;
    SightSink* sink = nullptr;
    std::uint64_t tag = 0;
};

class InstructionWindow {
  public:
    explicit InstructionWindow(const TruthTable& table) : table_(table) {}
    InstructionWindow(const InstructionWindow&) = delete;
    InstructionWindow& operator=(const InstructionWindow&) = delete;

    // --- For the oracle, in program order ------------------------------------------------------

    void begin(TruthRow row);
    void decoded(Cycle cycle);
    void accesses(Address data) { in_hand_.data = data; }
    void retired(Cycle cycle);
    void trapped();
    /// Before begin() of the first instruction of the handler.
    void interrupted(unsigned cause, Cycle cycle) const;
    /// The cycles [from, to) are the last one's that retired or trapped, or of that in hand.
    enum class Owner : std::uint8_t { InHand, Last };
    void charged(Owner owner, Cycle from, Cycle to);
    /// A source pulses in [from, to).
    void pulsed(Owner owner, Event event, Cycle from, Cycle to);
    /// Blocks have run: `number` instructions have retired, the last one at `row` in `cycle`.
    void resume(std::uint64_t number, std::optional<TruthRow> row, Cycle cycle);

    // --- For samplers --------------------------------------------------------------------------

    void ask(const SightQuestion& question);
    bool waits() const { return !waiting_.empty(); }
    /// It is the one that was fetched last.
    bool is_in_hand(const SeenInstruction& instruction) const {
        return instruction.number == in_hand_.number && instruction.decode == in_hand_.decode;
    }
    void tell_of_interrupts(InterruptSink& sink) { interrupt_sinks_.push_back(&sink); }
    /// The run is over: nobody will know.
    void finish();

  private:
    struct Entry {
        TruthRow row = 0;
        std::uint64_t number = 0;
        Cycle decode = kNever;
        Cycle retired = kNever; ///< kNever: not yet, or never
        std::optional<Address> data{};
    };
    struct Owned {
        Entry owner;
        Event event = Event::Cycles;
        Cycle from = 0, to = 0;
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
        return {.key = table_.key(entry.row),
                .number = entry.number,
                .decode = entry.decode,
                .data = entry.data};
    }
    void answer(const SightQuestion& question, Answer kind, const Entry& found) const;
    void look_again();

    const TruthTable& table_;
    std::uint64_t number_ = 0; ///< instructions that have retired
    Entry in_hand_, last_;
    Ring<Entry, 64> retired_; ///< by retirement
    Ring<Entry, 64> decoded_; ///< by decode
    Ring<Owned, 64> cycles_;  ///< whose they are
    Ring<Owned, 512> pulses_;
    std::vector<SightQuestion> waiting_;
    std::vector<InterruptSink*> interrupt_sinks_;
};

} // namespace pes

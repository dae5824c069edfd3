// SPDX-License-Identifier: Apache-2.0
// Gives every cycle and every pulse of a hart to an instruction, by the time-proportional rules
// (TIP, MICRO 2021): a cycle belongs to the instructions that retire in it, otherwise to the oldest
// that has not retired; while the pipeline refills after a flush to the instruction that caused it,
// and while it is empty for another reason to the next one that enters.
//
// The pipeline tells it of every instruction in program order. A pulse belongs to the instruction
// in hand when it is placed in the log: what the log's totals grow by between two instructions is
// what the first one caused, so the sums are exact whatever the log merges.
//
// What a block's instructions are charged is a function of the pipeline's state and the answers of
// the tables, as their time is: it is collected while a block is recorded and becomes part of the
// outcome. For that the state names who is charged from outside the block, see relative_state().
#pragma once

#include "hw/core/timing/pulse_log.h"
#include "hw/core/truth/instruction_window.h"
#include "hw/core/truth/truth_table.h"
#include "hw/core/truth/waits.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace pes {

/// Whether single instructions can be asked for by cycle (instruction_window.h).
enum class Window : std::uint8_t { None, Kept };

class Oracle {
  public:
    Oracle(PulseLog& pulses, Window window);
    Oracle(const Oracle&) = delete;
    Oracle& operator=(const Oracle&) = delete;

    // --- For the pipeline, in program order -----------------------------------------------------

    /// The instruction at `pc` is fetched.
    void begin(Address pc);
    /// ... and decoded in `cycle`. The pulses so far are those of the fetch: an empty queue behind
    /// a flush is charged to who flushed.
    void decoded(Cycle cycle);
    /// It retires in `cycle`, or its exception or the interrupt on it is taken then.
    void retire(Cycle cycle, const Waits& waits);
    void trap(Cycle cycle, const Waits& waits, CycleReason reason);
    /// What is fetched behind the instruction that has just retired or trapped is thrown away.
    void flush(CycleReason reason) { flush_ = reason; }
    /// The last instruction keeps the next one from retiring up to and including `cycle`.
    void hold_through(Cycle cycle, CycleReason reason);

    /// See timing_state.h. `decode` is that of the last instruction.
    template <typename Archive>
    void relative_state(Archive& archive, Cycle decode);

    // --- For the hart ---------------------------------------------------------------------------

    /// Instructions fetched from now on are of this context.
    void enter(const TruthTable::Context& context) { context_ = table_.number_of(context); }
    /// Pulses placed from now on are of the next instruction, ...
    void close();
    /// ... but for those that have been placed without an instruction since close().
    void skip_pulses();
    /// The run ends with `cycle`; charges what is left to the instruction at `pc`, or to WFI.
    void finish(Cycle cycle, Address pc, bool waits);

    /// Blocks have run up to here: `retired` instructions in all, the last one at `pc` in `cycle`.
    void resume(std::uint64_t retired, Address pc, Cycle cycle);

    /// Only if the window is kept.
    void ask(const SightQuestion& question);
    void tell_of_interrupts(InterruptSink& sink) { window_->tell_of_interrupts(sink); }
    void interrupted(unsigned cause, Cycle cycle) const {
        if (window_) {
            window_->interrupted(cause, cycle);
        }
    }
    bool waits() const { return window_ && window_->waits(); }
    /// The instruction in hand reads or writes at this virtual address.
    void accesses(Address data) {
        if (window_) {
            window_->accesses(data);
        }
    }
    /// Only if the window is kept.
    bool is_in_hand(const SeenInstruction& instruction) const {
        return window_->is_in_hand(instruction);
    }

    /// Charges are collected until they are taken.
    void collect();
    std::span<const Charge> collected();
    void stop_collecting() { collecting_ = false; }
    /// Charges what was collected.
    void commit();

    TruthTable& table() { return table_; }
    const TruthTable& table() const { return table_; }

  private:
    static constexpr CycleReason kNoFlush = CycleReason::Base;

    void charge(TruthRow row, std::uint16_t column, std::int64_t amount);
    using Owner = InstructionWindow::Owner;

    void charge_cycles(Owner owner, CycleReason reason, Cycle from, Cycle to);
    void take_back(Cycle end);
    void charge_pulses(EventMask flushed);
    void name_pulses(EventMask flushed);
    void charge_until(Cycle cycle, const Waits& waits, CycleReason rest);
    /// Who is charged for the refill of the pipeline: after an interrupt the next instruction.
    Owner flusher() const { return flush_ == CycleReason::Interrupt ? Owner::InHand : Owner::Last; }
    TruthRow row_of(Owner owner) const { return owner == Owner::Last ? last_row_ : row_; }

    const PulseLog& pulses_;
    TruthTable table_;
    std::optional<InstructionWindow> window_;
    std::vector<PlacedPulse> placed_; ///< since the last instruction, if there is a window
    std::uint32_t context_ = 0;
    std::array<std::uint64_t, kEventCount> seen_{}; ///< pulses that are charged

    TruthRow row_ = 0;             ///< of the instruction in hand
    Cycle last_ = 0;               ///< every cycle up to this one is charged
    TruthRow last_row_ = 0;        ///< who retired or trapped in it
    CycleReason flush_ = kNoFlush; ///< what it did to the pipeline

    /// What was charged behind the last retirement.
    struct Part {
        TruthRow row;
        CycleReason reason;
        Cycle cycles;
    };
    std::vector<Part> since_retirement_;

    bool collecting_ = false;
    std::vector<Charge> charges_;
};

/// The row of the last instruction matters if the next one may retire with it, or refills what it
/// has flushed.
template <typename Archive>
void Oracle::relative_state(Archive& archive, Cycle decode) {
    constexpr unsigned kBits = 14; // of a number in two words
    const auto row = [&archive](std::uint32_t& number) {
        std::uint64_t low = number & ((1U << kBits) - 1);
        std::uint64_t high = number >> kBits;
        archive.number(low);
        archive.number(high);
        number = static_cast<std::uint32_t>(high << kBits | low);
    };
    archive.cycle(last_);
    row(context_);
    auto flush = static_cast<std::uint64_t>(flush_);
    archive.number(flush);
    flush_ = static_cast<CycleReason>(flush);
    if (flush_ != kNoFlush || last_ > decode + Waits::kBehindDecode) {
        row(last_row_);
    }
}

} // namespace pes

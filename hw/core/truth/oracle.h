// SPDX-License-Identifier: Apache-2.0
// Charges every cycle and every pulse of a hart to an instruction, by the time-proportional rules
// (TIP, MICRO 2021): a cycle is charged to the instructions that retire in it, otherwise to the
// oldest that has not retired. While the pipeline refills after a flush, it is charged to the cause
// of the flush; while the pipeline is empty for another reason, to the next instruction to enter.
//
// The pipeline reports every instruction in program order. A pulse is charged to the instruction
// that is current when the pulse is logged: the growth of the log's totals between two instructions
// is charged to the first, so the sums are exact.
//
// Like their time, the charges of a block's instructions depend only on the pipeline's state and
// the answers of the tables. They are collected while a block is recorded and are part of its
// outcome; the state names the instruction before the block that can be charged.
#pragma once

#include "hw/core/timing/pulses/pulse_log.h"
#include "hw/core/truth/instruction_window.h"
#include "hw/core/truth/truth_table.h"
#include "hw/core/truth/waits.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace pes {

/// Whether questions for instructions by cycle are answered (instruction_window.h).
enum class Window : std::uint8_t { None, Kept };
/// Whether charges are kept. Without them the oracle only knows whose cycles and pulses the latest
/// are, and its memory does not grow with the code that runs.
enum class Ledger : std::uint8_t { None, Kept };

class Oracle {
  public:
    Oracle(PulseLog& pulses, Ledger ledger, Window window);
    Oracle(const Oracle&) = delete;
    Oracle& operator=(const Oracle&) = delete;

    // --- For the pipeline, in program order -----------------------------------------------------

    /// The instruction at `pc` is fetched.
    void begin(Address pc);
    /// It is decoded in `cycle`. The pulses so far are those of its fetch; those of an empty queue
    /// after a flush are charged to the cause of the flush.
    void decoded(Cycle cycle);
    /// It retires, or its exception or the interrupt on it is taken, in `cycle`.
    void retire(Cycle cycle, const Waits& waits);
    void trap(Cycle cycle, const Waits& waits, CycleReason reason);
    /// The instruction that has just retired or trapped flushes those fetched after it.
    void flush(CycleReason reason) { flush_ = reason; }
    /// The last instruction delays the next retirement until after `cycle`.
    void hold_through(Cycle cycle, CycleReason reason);

    /// See timing_state.h. `decode` is that of the last instruction.
    template <typename Archive>
    void relative_state(Archive& archive, Cycle decode);

    void state(class Archive& archive); ///< of a checkpoint

    // --- For the hart ---------------------------------------------------------------------------

    /// Instructions fetched from now on belong to this context.
    void enter(const TruthTable::Context& context);
    /// ... and lie in a page whose mapping is global or not. Charges to global pages are the same
    /// rows in every address space.
    void enter_page(bool global) {
        if (enters_other_context(global)) [[unlikely]] {
            change_page(global);
        }
    }
    bool enters_other_context(bool global) const {
        return global != in_global_page_ && ledger_ == Ledger::Kept;
    }
    /// Pulses logged from now on are charged to the next instruction.
    void close();
    /// Pulses logged since close() are charged to no instruction.
    void skip_pulses();
    /// The run ends with `cycle`. The rest is charged to the instruction at `pc`, or to WFI.
    void finish(Cycle cycle, Address pc, bool waits);

    /// A block goes through the pipeline; its charges are collected until they are taken. False
    /// without a ledger: what happens in blocks is of no interest then, and resume() tells the
    /// rest.
    bool begin_block();
    void end_block();
    std::span<const Charge> collected();
    /// Applies the collected charges.
    void commit();

    /// Blocks have run up to here: `retired` instructions in all, these last, at least one.
    void resume(std::uint64_t retired, std::span<const RunInstruction> last);

    /// Only with a window.
    void ask(const SightQuestion& question);
    void connect(SightSink& asker) { window_->connect(asker); }
    void tell_of_interrupts(InterruptSink& sink) { window_->tell_of_interrupts(sink); }
    void interrupted(unsigned cause, Cycle cycle) const {
        if (window_) {
            window_->interrupted(cause, cycle);
        }
    }
    bool waits() const { return window_ && window_->waits(); }
    /// The current instruction accesses this virtual address.
    void accesses(Address data) {
        if (window_) {
            window_->accesses(data);
        }
    }
    /// Only with a window.
    bool is_in_hand(const SeenInstruction& instruction) const {
        return window_->is_in_hand(instruction);
    }

    /// Null without a ledger.
    TruthTable* table() { return ledger_ == Ledger::Kept ? &table_ : nullptr; }
    const TruthTable* table() const { return ledger_ == Ledger::Kept ? &table_ : nullptr; }

  private:
    static constexpr CycleReason kNoFlush = CycleReason::Base;

    void change_page(bool global);
    void charge(TruthRow row, std::uint16_t column, std::int64_t amount);
    using Owner = InstructionWindow::Owner;

    void charge_cycles(Owner owner, CycleReason reason, Cycle from, Cycle to);
    void take_back(Cycle end);
    void charge_pulses(EventMask flushed);
    void charge_sources(std::size_t first, std::size_t end, EventMask flushed);
    void name_pulses(EventMask flushed);
    void charge_until(Cycle cycle, const Waits& waits, CycleReason rest);
    /// Who is charged for the refill of the pipeline; after an interrupt, the next instruction.
    Owner flusher() const { return flush_ == CycleReason::Interrupt ? Owner::InHand : Owner::Last; }
    TruthRow row_of(Owner owner) const { return owner == Owner::Last ? last_row_ : row_; }

    TruthRow row_at(Address pc) { return ledger_ == Ledger::Kept ? table_.row(context_, pc) : 0; }

    PulseLog& pulses_;
    const Ledger ledger_;
    TruthTable table_;
    std::optional<InstructionWindow> window_;
    std::vector<PlacedPulse> placed_; ///< pulses since the last instruction, with a window
    TruthTable::Context here_;        ///< of the current instruction
    bool in_global_page_ = false;
    std::uint32_t context_ = 0; ///< number of here_, or of kEverySpace in a global page
    std::array<std::uint64_t, kEventCount> seen_{}; ///< pulses charged so far

    TruthRow row_ = 0;             ///< of the current instruction
    Cycle last_ = 0;               ///< every cycle up to this one is charged
    TruthRow last_row_ = 0;        ///< of the instruction that retired or trapped in it
    CycleReason flush_ = kNoFlush; ///< its effect on the pipeline

    /// A charge after the last retirement.
    struct Part {
        TruthRow row;
        CycleReason reason;
        Cycle cycles;
        void state(class Archive& archive);
    };
    std::vector<Part> since_retirement_;

    bool collecting_ = false;
    std::vector<Charge> charges_;
};

/// With a ledger, where the next charges begin, and the row of the last instruction if the next one
/// may retire in the same cycle or if it has flushed the pipeline.
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
    auto flush = static_cast<std::uint64_t>(flush_);
    archive.number(flush);
    flush_ = static_cast<CycleReason>(flush);
    if (ledger_ == Ledger::None) {
        return;
    }
    archive.cycle(last_);
    row(context_);
    if (flush_ != kNoFlush || last_ > decode + Waits::kBehindDecode) {
        row(last_row_);
    }
}

} // namespace pes

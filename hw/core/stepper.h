// SPDX-License-Identifier: Apache-2.0
// The stepping path takes one instruction after the other through fetch, interrupts, handler and
// pipeline. Traps, WFI, back-pressure and system instructions happen only here.
//
// Function and time are computed in one pass in program order: the handler determines what an
// instruction does, the Pipeline when it decodes, issues and retires.
#pragma once

#include "hw/core/arch/execution_mode.h"
#include "hw/core/hart_parts.h"
#include "hw/core/memory/misaligned.h"

#include <cstdint>
#include <optional>

namespace pes {

/// Why run() of a hart returned.
enum class HartStop : std::uint8_t {
    Horizon,          ///< the next instruction decodes at or after the horizon, or the turn is over
    WaitForInterrupt, ///< WFI up to the end of the turn; call run() again with a later one
    TrapLoop,         ///< the trap handler cannot run: see Hart::trap_report()
    Halted,           ///< for a debugger: see Hart::halt()
};

/// Receives the effects of an instruction that depend on its cycle.
class CycleRecorder {
  public:
    CycleRecorder() = default;
    CycleRecorder(const CycleRecorder&) = delete;
    CycleRecorder& operator=(const CycleRecorder&) = delete;
    virtual ~CycleRecorder() = default;

    /// The device access, if it has been made already, or null.
    virtual const DeviceAccess* made_access() const = 0;
    /// The access left the core in cycle `arrival`.
    virtual void device_reached(const DeviceAccess& access, Cycle arrival) = 0;
    virtual void counter_read(Cycle at) = 0;
};

class Stepper final : public ExecutionMode, public SystemEffects {
  public:
    explicit Stepper(HartParts& parts);

    /// True if an instruction is in decode, or a fetch that has failed.
    bool has_fetched() const { return fetched_; }
    /// Fetches the instruction at the pc.
    void fetch();
    /// Must be called when the attention is due; see attention.h. False: leave run().
    bool attend();
    /// True if a trap was taken instead of the instruction in decode.
    bool take_interrupt();
    /// Executes the instruction in decode, or raises the exception of its fetch.
    void execute();
    /// The same, and those behind it until something else must be considered: a trap, a fetch that
    /// fails, WFI, the attention, or with `blocks` that one may begin.
    void execute_on(bool blocks);
    /// Runs `instruction` at the pc, physical address `physical`, with a recorder. False on a trap.
    bool fetch_and_execute(const Instruction& instruction, Address physical,
                           CycleRecorder& recorder);
    /// What `instruction`, the one at the pc, does to the hart: it changes the mode behind `cycle`.
    /// Its time is known.
    void change_mode(const Instruction& instruction, Cycle cycle);

    bool waits() const { return waiting_; }
    std::optional<std::uint32_t> word_in_decode() const {
        return current_ == nullptr ? std::nullopt : std::optional(current_->raw);
    }
    /// Waits in WFI. No value if the hart continues.
    std::optional<HartStop> wait();

    /// Drops the instruction in decode, which belongs to the old pc.
    void drop_fetched() { fetched_ = false; }
    void context_changed();

    void state(class Archive& archive); ///< of a checkpoint

    // ExecutionMode
    void raise(Cause cause, std::uint64_t tval) override;
    bool may_change_mode() override { return true; }
    void raise_refused(Cause cause, Address address);
    bool translate(Address address, Access access, Address& physical) override;
    bool load(const Instruction& instruction, Address address, Address physical,
              void* data) override;
    bool store(const Instruction& instruction, Address address, Address physical,
               const void* data) override;
    std::byte* atomic(Address physical, unsigned size, Access access) override;
    bool load_misaligned(const Instruction& instruction, Address address, void* data) override;
    bool store_misaligned(const Instruction& instruction, Address address,
                          const void* data) override;
    std::optional<std::uint64_t> read_csr(std::uint16_t number, Cycle at) override;

    // SystemEffects
    void finish_return(const Instruction& instruction, const CsrFile::TrapReturn& back) override;
    void wait_for_interrupt() override;
    void fence_translations(std::optional<Address> address,
                            std::optional<std::uint16_t> asid) override;
    void fence_instructions(const Instruction& fence) override;
    void clear_transfer_records(Cycle at) override;
    void take_effect(CsrEffect effect, Cycle at) override;

  private:
    const Instruction* fetch_next(HartParts& hart);
    [[gnu::cold]] void decode_failing_fetch();
    [[gnu::cold]] void raise_fetch_fault();
    void decode_in_time(HartParts& hart, const Instruction& instruction, Address physical,
                        const PageWalk* walk);
    void decoded_in(HartParts& hart, Cycle decode);
    bool execute(HartParts& hart, const Instruction& instruction);
    bool comes_later(unsigned interrupt) const;
    Access checked_as(const Instruction& instruction, Address physical, Access access);
    bool sit_out_hold();
    /// For a debugger. All accesses come by here while something is watched.
    void note_watched(Address address, unsigned size, Access access) {
        if (hart_.halts.watching()) [[unlikely]] {
            hart_.halts.accessed(address, size, access);
        }
    }
    BusStatus reach_device(const Instruction& instruction, DeviceAccess& access);
    void retire_at(HartParts& hart, const Instruction& instruction, Cycle cycle);
    EventMask retirement_events(const Instruction& instruction) const;
    [[gnu::cold]] void end_sample(const Instruction& instruction);
    [[gnu::cold]] void observe(const Instruction& instruction, Cycle cycle);
    void enter_trap(std::uint64_t cause, std::uint64_t tval, Cycle cycle);
    /// `cycle` is the last one in the previous mode.
    void change_privilege(Privilege privilege, Cycle cycle);

    HartParts& hart_;
    HartTime& time_;
    MisalignedAccess misaligned_;
    const Instruction* current_ = nullptr; ///< in decode or executing; null if its fetch failed
    bool fetched_ = false;                 ///< it is in decode
    bool waiting_ = false;
    CycleRecorder* recorder_ = nullptr;
    std::optional<Cycle> timed_at_;  ///< cycle of the instruction in change_mode()
    std::uint32_t emptied_word_ = 0; ///< word of the last FENCE.I, which may empty its own slot
};

} // namespace pes

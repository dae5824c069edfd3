// SPDX-License-Identifier: Apache-2.0
// Control transfer records: decides which branches, jumps, traps and trap returns of a hart are
// written to the buffer, and implements the CSRs.
//
// Source: RISC-V Control Transfer Records (Smctr/Ssctr) 1.0, ratified 2024-11-22; comments quote
// its chapters.
#pragma once

#include "hw/common/csr_owner.h"
#include "hw/common/retirement.h"
#include "hw/core/ctr/active_cycles.h"
#include "hw/core/ctr/transfer_buffer.h"
#include "hw/interface/maps/ctr.h"
#include "hw/interface/riscv/transfer_type.h"
#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

/// A branch or jump that has retired.
struct JumpRetired {
    Address pc;
    Address next_pc;
    std::uint32_t raw;
    bool taken; ///< of a branch
    bool mispredicted;
    Cycle cycle; ///< of retirement
};

class TransferRecords final : public CsrOwner, public IndirectCsrOwner {
  public:
    static constexpr std::uint16_t kCsrs[] = {ctr::kMctrctl, ctr::kSctrctl, ctr::kSctrstatus,
                                              ctr::kSctrdepth};

    /// `depth` is the largest value of sctrdepth, in entries. Without Sscofpmf, no LCOFIFRZ.
    TransferRecords(unsigned depth, bool has_overflow_interrupt);

    // --- What the hart does, in program order ---------------------------------------------------

    /// True if the present mode is enabled and recording is not frozen. Changes only with the mode
    /// and by accesses to the CSRs.
    bool active() const { return cycles_.active(); }
    void jumped(const JumpRetired& jump) {
        if (active()) {
            record_jump(jump);
        }
    }
    void trapped(const TrapTaken& trap);
    /// An xRET at `pc` in the present mode.
    void returned(Address pc, Address target, Privilege to, Cycle cycle);
    /// SCTRCLR.
    void clear(Cycle cycle);

    // --- CSRs -----------------------------------------------------------------------------------

    std::uint64_t read(std::uint16_t number) const override;
    void write(const CsrWrite& write) override;
    bool has(const IndirectRegister&) const override { return true; }
    std::uint64_t read(const IndirectRegister& which) const override;
    void write(const IndirectRegister& which, const CsrWrite& write) override;

    /// For observers.
    const TransferBuffer& buffer() const { return buffer_; }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    /// Recorded instead of a source or target in a mode that is not enabled.
    static constexpr Address kHidden = 0;

    bool control(std::uint64_t field) const { return (control_ & field) != 0; }
    bool enabled(Privilege mode) const;
    bool inhibited(TransferType type) const;
    bool records_external(Privilege from, Privilege to) const;
    bool freezes(std::uint64_t cause) const;

    void record_jump(const JumpRetired& jump);
    void record_trap(const TrapTaken& trap);
    void emulate_stack(TransferType type, const JumpRetired& jump);
    TransferEntry made(TransferType type, Address source, Address target, Cycle cycle);
    void pop();

    void enter(Privilege mode, Cycle cycle);
    void update_active(Cycle cycle);
    void write_control(std::uint64_t value, Cycle cycle);
    void write_depth(std::uint64_t value);

    const std::uint64_t writable_; ///< bits of mctrctl
    std::uint64_t control_ = 0;    ///< mctrctl
    bool frozen_ = false;          ///< sctrstatus.FROZEN
    Privilege mode_ = Privilege::Machine;
    TransferBuffer buffer_;
    ActiveCycles cycles_;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// What the frontend's scan sees of a jump or branch, and a memory of those seen before.
//
// The frontend scans words that never execute: behind a mispredicted branch, and behind an
// instruction that makes the pipeline fetch again. The returns and calls among them move the
// return-address stack. The model learns control flow from what has executed, so it knows the words
// of a wrong path as soon as they have run once.
#pragma once

#include "hw/common/types.h"
#include "hw/core/instruction.h"

#include <array>
#include <cstdint>

namespace pes {

/// x1 and x5 are the link registers (unprivileged specification, return-address prediction hints).
constexpr bool is_link(RegisterIndex index) {
    return index == 1 || index == 5;
}

struct ControlFlow {
    enum class Kind : std::uint8_t { None, Branch, Jump, Indirect, Return };
    enum class Link : std::uint8_t { None, Call };

    Address pc = 0;
    std::int32_t offset = 0; ///< of a branch or direct jump
    Kind kind = Kind::None;
    Link link = Link::None;
    std::uint8_t length = 0;

    /// All but the pc; never 0.
    std::uint64_t packed() const {
        return static_cast<std::uint32_t>(offset) |
               std::uint64_t{static_cast<std::uint8_t>(kind)} << 32 |
               std::uint64_t{static_cast<std::uint8_t>(link)} << 40 | std::uint64_t{length} << 48;
    }
    static ControlFlow unpacked(Address pc, std::uint64_t packed) {
        return {.pc = pc,
                .offset = static_cast<std::int32_t>(packed),
                .kind = static_cast<Kind>(packed >> 32 & 0xFF),
                .link = static_cast<Link>(packed >> 40 & 0xFF),
                .length = static_cast<std::uint8_t>(packed >> 48)};
    }

    Address next() const { return pc + length; }
    Address target() const { return pc + static_cast<Address>(std::int64_t{offset}); }

    static ControlFlow of(const Instruction& instruction, Address pc) {
        ControlFlow flow{.pc = pc,
                         .offset = static_cast<std::int32_t>(instruction.imm),
                         .kind = Kind::Branch,
                         .length = instruction.length};
        if (instruction.timing == TimingClass::Branch) {
            return flow;
        }
        flow.link = is_link(instruction.rd) ? Link::Call : Link::None;
        if (instruction.timing == TimingClass::Jal) {
            flow.kind = Kind::Jump;
        } else {
            const bool returns = is_link(instruction.rs1) && instruction.rs1 != instruction.rd;
            flow.kind = returns ? Kind::Return : Kind::Indirect;
        }
        return flow;
    }
};

class ControlFlowMemory {
  public:
    void learn(const ControlFlow& flow) {
        ControlFlow& slot = slots_[index(flow.pc)];
        if (slot.pc != flow.pc || slot.kind != flow.kind) {
            slot = flow;
            ++changes_;
        }
    }

    /// Null if no jump or branch is known at this address.
    const ControlFlow* find(Address pc) const {
        const ControlFlow& slot = slots_[index(pc)];
        return slot.pc == pc && slot.kind != ControlFlow::Kind::None ? &slot : nullptr;
    }

    /// Code may have changed.
    void forget() {
        slots_.fill({});
        ++changes_;
    }
    /// As long as it is the same, what was learnt is known.
    std::uint64_t changes() const { return changes_; }

  private:
    static constexpr std::size_t kSlots = 2048; // 4 KB of code without collision
    static std::size_t index(Address pc) { return (pc >> 1) % kSlots; }

    std::array<ControlFlow, kSlots> slots_{};
    std::uint64_t changes_ = 1;
};

} // namespace pes

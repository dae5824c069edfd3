// SPDX-License-Identifier: Apache-2.0
// The interface of instruction handlers (execute_*.cpp) to the hart: registers, memory, CSRs and
// traps. Handlers know no time; the timing model learns from their notes what they did.
#pragma once

#include "hw/core/arch/arch_state.h"
#include "hw/core/arch/execution_mode.h"
#include "hw/core/blocks/block.h"
#include "hw/core/memory/data_memory.h"
#include "hw/core/timing/memory_access.h"
#include "hw/core/timing/pipeline.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace pes {

/// What handlers report to the timing model.
struct Notes {
    /// Physical addresses, see note(), and behind them those that questions compute.
    std::array<std::uint64_t, Tape::kOperands> facts{};
    static_assert(Tape::kFirstComputed == Block::kMaximum);
    std::uint64_t* next = facts.data();
    bool done = false; ///< the instruction has trapped, has retired already, or was not executed

    // For the Stepper only, of an access to memory:
    const PageWalk* walk = nullptr;
    bool cacheable = true;
    std::uint32_t device_latency = 0;

    void begin() {
        next = facts.data();
        done = false;
    }
    void begin_access() {
        walk = nullptr;
        cacheable = true;
        device_latency = 0;
    }
};

class Execution {
  public:
    Execution(const HartConfig& config, HartBus& bus, OverflowInterrupt overflow,
              const HartTime& time, CsrAccess& csrs, const Pipeline& pipeline)
        : arch_(config, overflow), data_(config, bus, arch_, time), csrs_(csrs),
          pipeline_(pipeline) {}
    Execution(const Execution&) = delete;
    Execution& operator=(const Execution&) = delete;

    // --- For the handlers -------------------------------------------------------------------

    std::uint64_t& x(RegisterIndex index) { return arch_.x[index]; }
    std::uint64_t x(RegisterIndex index) const { return arch_.x[index]; }
    Address pc() const { return arch_.pc; }
    Privilege privilege() const { return arch_.privilege; }
    CsrFile& csr() { return arch_.csr; }

    /// The next instruction is the one at `target`.
    void jump(Address target) { arch_.next_pc = target; }
    /// See notes_operands().
    void note(std::uint64_t operands) { *notes_.next++ = operands; }

    /// False if the access was not made.
    template <typename T>
    bool load(const Instruction& instruction, Address address, T& value);
    template <typename T>
    bool store(const Instruction& instruction, Address address, T value);

    /// The word of an AMO, LR or SC, to be read or written by the caller. Null: a trap was raised.
    std::byte* atomic_word(Address address, unsigned size, Access access);
    /// Must be called after a write to the atomic_word().
    void atomic_word_stored(const std::byte* word, unsigned size) {
        data_.put_back(word, size);
        data_.reservation().stored(notes_.next[-1], size);
    }
    void reserve() { data_.reservation().make(notes_.next[-1]); }
    bool take_reservation() { return data_.reservation().take(notes_.next[-1]); }

    void raise(Cause cause, std::uint64_t tval) { mode_->raise(cause, tval); }
    bool may_change_mode() { return mode_->may_change_mode(); }
    void raise_illegal(const Instruction& instruction) {
        raise(Cause::IllegalInstruction, instruction.raw);
    }

    CsrAccess& csrs() { return csrs_; }
    /// The cycle of a CSR access. Unused if the handler runs ahead of time.
    Cycle serial_cycle(const Instruction& instruction) const {
        return pipeline_.serial_cycle(instruction);
    }
    std::optional<std::uint64_t> read_csr(std::uint16_t number, Cycle at) {
        return mode_->read_csr(number, at);
    }
    void write_csr(std::uint16_t number, std::uint64_t value, Cycle at) {
        system_->take_effect(csrs_.write(number, value, at), at);
    }
    SystemEffects& system() { return *system_; }

    // --- For the callers of handlers ----------------------------------------------------------

    ArchState& arch() { return arch_; }
    const ArchState& arch() const { return arch_; }
    DataMemory& data() { return data_; }
    Notes& notes() { return notes_; }
    const Notes& notes() const { return notes_; }
    void set_system(SystemEffects& system) { system_ = &system; }
    void set_mode(ExecutionMode& mode) { mode_ = &mode; }

  private:
    /// For accesses whose page find_translated() does not know.
    [[gnu::noinline]] bool translate(Address address, Access access, Address& physical) {
        if (const std::optional<Address> known = data_.translate_known(address, access)) {
            physical = *known;
            notes_.walk = nullptr;
            return true;
        }
        return mode_->translate(address, access, physical);
    }

    ArchState arch_;
    DataMemory data_;
    Notes notes_;
    CsrAccess& csrs_;
    const Pipeline& pipeline_;
    ExecutionMode* mode_ = nullptr;
    SystemEffects* system_ = nullptr;
};

template <typename T>
bool Execution::load(const Instruction& instruction, Address address, T& value) {
    if ((address & (sizeof(T) - 1)) != 0) [[unlikely]] {
        return mode_->load_misaligned(instruction, address, &value);
    }
    Address physical = address;
    if (data_.translated()) {
        if (const std::byte* const memory = data_.find_translated(address, Access::Load, physical))
            [[likely]] {
            std::memcpy(&value, memory, sizeof(T));
            notes_.walk = nullptr;
            note(physical);
            return true;
        }
        if (!translate(address, Access::Load, physical)) {
            return false;
        }
    }
    if (const std::byte* const memory = data_.known(physical, Access::Load)) [[likely]] {
        std::memcpy(&value, memory, sizeof(T));
    } else if (!mode_->load(instruction, address, physical, &value)) {
        return false;
    }
    note(physical);
    return true;
}

template <typename T>
bool Execution::store(const Instruction& instruction, Address address, T value) {
    if ((address & (sizeof(T) - 1)) != 0) [[unlikely]] {
        return mode_->store_misaligned(instruction, address, &value);
    }
    Address physical = address;
    if (data_.translated()) {
        if (std::byte* const memory = data_.find_translated(address, Access::Store, physical))
            [[likely]] {
            std::memcpy(memory, &value, sizeof(T));
            notes_.walk = nullptr;
            note(physical);
            return true;
        }
        if (!translate(address, Access::Store, physical)) {
            return false;
        }
    }
    if (std::byte* const memory = data_.known_for_store(physical)) [[likely]] {
        std::memcpy(memory, &value, sizeof(T));
    } else if (!mode_->store(instruction, address, physical, &value)) {
        return false;
    }
    note(physical);
    return true;
}

} // namespace pes

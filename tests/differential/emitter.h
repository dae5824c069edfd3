// SPDX-License-Identifier: Apache-2.0
// Assembly text of one program under construction, and the state that units of random instructions
// share: which registers they may write, in which mode they run.
#pragma once

#include "hw/interface/riscv/isa.h"
#include "hw/interface/types.h"
#include "tests/differential/random.h"

#include <cstdint>
#include <initializer_list>
#include <spdlog/fmt/fmt.h>
#include <string>
#include <string_view>
#include <utility>

namespace pes::differential {

enum class Translation : std::uint8_t { Bare, Sv39 };

/// The mode in which the instructions being emitted will run.
struct Mode {
    Privilege privilege = Privilege::Machine;
    Translation translation = Translation::Bare;
    bool trap_sret = false;    ///< mstatus.TSR
    bool timeout_wait = false; ///< mstatus.TW
};

class Emitter {
  public:
    explicit Emitter(std::uint64_t seed) : random(seed) {}
    Emitter(std::uint64_t seed, const Isa& set) : random(seed), isa(set) {}

    template <typename... Arguments>
    void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        select_encoding(false);
        text_ += '\t';
        fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
        text_ += '\n';
    }
    /// The same for an instruction of the C extension. The assembler would otherwise compress on
    /// its own account, and the generator would not know which form it tests.
    template <typename... Arguments>
    void compressed(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        select_encoding(true);
        text_ += '\t';
        fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
        text_ += '\n';
    }
    void label(unsigned number) { text_ += fmt::format(".L{}:\n", number); }
    void global(std::string_view name) { text_ += fmt::format("\t.globl {0}\n{0}:\n", name); }
    unsigned new_label() { return next_label_++; }

    /// Any register as an operand.
    unsigned source() { return static_cast<unsigned>(random.below(32)); }
    /// A register that a random instruction may write; x0 now and then.
    unsigned destination();
    /// A writable register other than x0.
    unsigned work_register();
    /// Two different ones.
    std::pair<unsigned, unsigned> two_work_registers();
    /// A writable one among x8..x15, where most compressed forms live.
    unsigned compact_destination();
    unsigned compact_source() { return static_cast<unsigned>(random.between(8, 15)); }
    unsigned float_register() { return static_cast<unsigned>(random.below(32)); }

    bool is_locked(unsigned reg) const { return (locked_ >> reg & 1U) != 0; }
    void lock(unsigned reg) { locked_ |= 1U << reg; }
    void unlock(unsigned reg) { locked_ &= ~(1U << reg); }

    /// True if gp's constant pool can be read in the current mode.
    bool pool_readable() const {
        return mode.privilege != Privilege::User || mode.translation == Translation::Bare;
    }

    const std::string& text() const { return text_; }
    std::string take_text() { return std::move(text_); }

    Random random;
    Isa isa; ///< what may be emitted; the rest is illegal
    Mode mode;
    unsigned loop_scale = 1;         ///< by which loops are longer
    bool pending_interrupts = false; ///< Surroundings::Pending
    /// False: PMP of the target checks a store as if it were a load, and before page permissions.
    bool protection_is_exact = true;

  private:
    void select_encoding(bool compressed);

    std::string text_;
    unsigned next_label_ = 0;
    bool compressing_ = false;
    std::uint32_t locked_ = kReserved;

    /// sp, gp and tp have a meaning of their own (runtime.S).
    static constexpr std::uint32_t kReserved = 0x1C;
};

/// Keeps a register from being the destination of random instructions while in scope.
class Locked {
  public:
    Locked(Emitter& emitter, unsigned reg) : emitter_(emitter), reg_(reg) { emitter_.lock(reg_); }
    ~Locked() { emitter_.unlock(reg_); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

  private:
    Emitter& emitter_;
    unsigned reg_;
};

} // namespace pes::differential

// SPDX-License-Identifier: Apache-2.0
// Core-local interruptor: machine timer and software interrupts (register layout of the SiFive
// CLINT, meaning of mtime and mtimecmp from the privileged specification, "Machine Timer
// Registers").
//
// Timing. mtime is computed, not counted: it increments every `cycles_per_tick` hart cycles, in
// multiples of that, or `phase` cycles later. The timer line of a hart is high in every cycle in
// which mtime >= mtimecmp; the software line follows bit 0 of msip. The hart's CSR stimecmp (Sstc)
// is compared in the same way and has its own line. A register write in cycle t takes effect in
// t + 1, and a write to mtime wins over an increment. Lines carry the first cycle of their new
// level; the hart's mip register adds one.
#pragma once

#include "hw/common/device/device.h"
#include "hw/common/level.h"
#include "hw/common/register_block.h"
#include "hw/interface/types.h"

#include <cstdint>
#include <vector>

namespace pes {

struct ClintConfig {
    unsigned harts = 1;           ///< 1..4095
    unsigned cycles_per_tick = 4; ///< hart cycles for one step of mtime, at least 1
    unsigned phase = 0; ///< by which the steps lag the multiples, cycles; less than cycles_per_tick
};

class Clint : public Device {
  public:
    /// Throws std::invalid_argument on a configuration outside the ranges above.
    explicit Clint(const ClintConfig& config);

    /// msip: 32-bit accesses; mtimecmp and mtime: 64-bit accesses, or either 32-bit half.
    RegisterBlock& registers() override { return registers_; }

    /// Line h is the timer line of hart h, line harts + h its software line, line 2 harts + h that
    /// of its stimecmp.
    void connect(LevelSink& lines) override {
        connect_timer(&lines);
        connect_software(&lines, config_.harts);
        connect_supervisor_timer(&lines, 2 * config_.harts);
    }
    /// Connects one kind of line only, from line `first` of the sink on.
    void connect_timer(LevelSink* sink) { connect(timers_, sink, 0); }
    void connect_supervisor_timer(LevelSink* sink, unsigned first = 0) {
        connect(supervisor_timers_, sink, first);
    }
    void connect_software(LevelSink* sink, unsigned first = 0) {
        software_sink_ = sink;
        first_software_line_ = first;
    }

    std::uint64_t mtime(Cycle at) const override;
    void set_stimecmp(unsigned hart, std::uint64_t value, Cycle at) override;
    /// Updates the timer lines up to and including cycle `now`.
    void advance(Cycle now) override;
    /// The next cycle in which a timer line changes without an access; kNever if none does.
    Cycle next_change() const override;
    void state(Archive& archive) override;

  private:
    struct Timer {
        std::uint64_t compare = ~std::uint64_t{0};
        bool level = false;
        Cycle deadline = kNever; ///< next change of level
        LevelSink* sink = nullptr;
        unsigned line = 0;
    };
    using Timers = std::vector<Timer>; ///< by hart

    std::vector<Register> describe();
    /// Cycles by which mtime increments before a multiple of cycles_per_tick.
    Cycle lead() const {
        return (config_.cycles_per_tick - config_.phase) % config_.cycles_per_tick;
    }
    std::uint64_t step(Cycle at) const { return (at + lead()) / config_.cycles_per_tick; }
    std::uint64_t compare(unsigned hart, Cycle /*at*/) const { return timers_[hart].compare; }
    void set_compare(unsigned hart, std::uint64_t value, Cycle at);
    void set(Timer& timer, std::uint64_t value, Cycle at);
    void set_software(unsigned hart, std::uint32_t value, Cycle at);
    void set_mtime(std::uint64_t value, Cycle at);
    void update(Timer& timer, Cycle at);
    static void connect(Timers& timers, LevelSink* sink, unsigned first);
    void arm(Timer& timer, Cycle at) const;

    const ClintConfig config_;
    std::uint64_t offset_ = 0; ///< mtime(c) = offset_ + step(c)
    Cycle written_ = 0;        ///< first cycle with the value last written
    Timers timers_;            ///< mtimecmp
    Timers supervisor_timers_; ///< stimecmp
    LevelSink* software_sink_ = nullptr;
    unsigned first_software_line_ = 0;
    std::vector<bool> software_;
    RegisterBlock registers_;
};

} // namespace pes

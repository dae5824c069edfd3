// SPDX-License-Identifier: Apache-2.0
// The contract between a hart and its counters. The modelled bank, the Verilated RTL and the
// lockstep pair implement it; the hart knows only this.
#pragma once

#include "hw/common/crossing.h"
#include "hw/common/event.h"
#include "hw/common/level.h"
#include "hw/interface/types.h"

#include <optional>
#include <span>

namespace pes {

/// A level output of the bank and the first cycle on which it had its present value.
struct BankInterrupt {
    bool level = false;
    Cycle since = 0;
};

/// The interrupt outputs of a bank.
///
/// Overflow is not a level but a request: high for each cycle that follows one in which a counter
/// with OF = 0 overflowed. safe_cycles() is 0 as long as it is high, so that the caller of tick()
/// sees each of these cycles.
enum class BankLine : std::uint8_t { Threshold, BufferFull, Overflow };
inline constexpr unsigned kBankLineCount = 3;

/// Owns every counter CSR: mcycle, minstret, mhpmcounterN, mhpmeventN, mcountinhibit, thresholds
/// and the sample-buffer registers. The hart checks access rights (privilege, mcounteren); the
/// bank decides which bits are stored (WARL).
///
/// Time. A bank has seen everything up to and including `now()`; it starts in its reset state at
/// now() == 0, so cycle 1 is the first one that counts. A pulse in cycle T is visible in
/// the counter, and in the interrupt lines that compare it, from cycle T + 1.
///
/// Order inside the cycle X of a CSR access: the hart has brought the bank to now() == X - 1, so a
/// read returns the registered value before the increment of X. A write is noted and takes its
/// place among the increments of cycle X when tick() delivers cycle X; safe_cycles() is 0 until
/// then.
class CounterBank {
  public:
    CounterBank() = default;
    CounterBank(const CounterBank&) = delete;
    CounterBank& operator=(const CounterBank&) = delete;
    virtual ~CounterBank() = default;

    /// True if the bank implements this CSR number. mcounteren, scounteren and the user shadows of
    /// machine counters (0xC00..) are the hart's; user CSRs with another layout are the bank's.
    virtual bool owns(std::uint16_t csr) const = 0;
    /// For the guest.
    virtual std::uint64_t read(std::uint16_t csr) const = 0;
    /// The same value for the platform, without an access to the bank's CSR port.
    virtual std::uint64_t peek(std::uint16_t csr) const { return read(csr); }
    virtual void write(std::uint16_t csr, std::uint64_t value) = 0;

    /// The pulses of exactly one cycle, `cycle` == now() + 1.
    virtual void tick(const CyclePulses& pulses, Cycle cycle) = 0;

    /// A span (now(), cycle] in one go; `totals` are the hart's totals since reset at the end of
    /// `cycle`. Only legal while the span is no longer than safe_cycles(), or room() holds them.
    virtual void advance(const EventTotals& totals, Cycle cycle) = 0;

    /// The hart is in `mode` from cycle `from` on, which is later than now() + 1 and than that
    /// of an earlier call; Machine before the first one. The cycle of a trap or a return belongs to
    /// the mode that it leaves. CSR writes after the
    /// call have their place in `from` or later. May shorten safe_cycles() and room().
    virtual void set_privilege(Privilege mode, Cycle from) = 0;

    virtual Cycle now() const = 0;
    virtual BankInterrupt interrupt(BankLine line) const = 0;
    /// `sink`, like those connected before, is told of every change of the line from now on, as
    /// soon as the bank knows it; of Overflow, of every cycle in which it is high. The number of
    /// the line is BankLine's.
    virtual void connect(BankLine line, LevelSink& sink) = 0;

    /// A number of cycles after now() during which no interrupt line can change and no waveform or
    /// RTL needs single cycles, whatever the hart does, but for a call of set_privilege(). 0 asks
    /// for tick().
    virtual Cycle safe_cycles() const = 0;

    /// The same bound in events instead of cycles: no interrupt line changes,
    /// and nothing needs single cycles, as long as the hart's totals and the cycle stay in here.
    virtual PulseRoom room() const { return {}; }

    /// Tells of every crossing from now on, beside those who have asked before, also while the
    /// interrupt line is high. False if it cannot: counters in RTL show no more than their pins.
    virtual bool watch_crossings(CrossingSink&) { return false; }

    /// The first overflow of a counter whose events have causes (has_causes() in crossing.h) that
    /// these pulses, of the cycles now() + 1 and on, will bring about. Changes nothing.
    virtual std::optional<Crossing> overflow_ahead(std::span<const CyclePulses> /*coming*/) const {
        return std::nullopt;
    }

    /// True if, in a hart that sleeps in `mode`, cycles alone bring a counter to an interrupt.
    virtual bool cycles_can_interrupt(Privilege mode) const = 0;
};

} // namespace pes

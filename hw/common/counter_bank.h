// SPDX-License-Identifier: Apache-2.0
// The contract between a hart and its counters, implemented by the modelled bank, the Verilated RTL
// and the lockstep pair. The hart knows only this interface.
#pragma once

#include "hw/common/archive.h"
#include "hw/common/crossing.h"
#include "hw/common/event.h"
#include "hw/common/level.h"
#include "hw/common/sample_host.h"
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
/// Overflow is a pulse: high in each cycle that follows an overflow of a counter with OF = 0.
/// safe_cycles() is 0 as long as it is high, so that the caller of tick() sees each of these
/// cycles.
enum class BankLine : std::uint8_t { Threshold, BufferFull, Overflow };
inline constexpr unsigned kBankLineCount = 3;

/// What can happen in a hart that retires nothing.
enum class CountedEvents : std::uint8_t {
    Cycles, ///< it sleeps
    All,    ///< it traps
};

/// Owns every counter CSR: mcycle, minstret, mhpmcounterN, mhpmeventN, mcountinhibit, thresholds
/// and the sample-buffer registers. The hart checks access rights (privilege, mcounteren); the
/// bank decides which bits are stored (WARL).
///
/// Time. A bank has seen everything up to and including `now()`. It starts in its reset state at
/// now() == 0, so the first cycle that counts is cycle 1. A pulse in cycle T is visible in the
/// counter, and in the interrupt lines that compare it, from cycle T + 1.
///
/// Order inside the cycle X of a CSR access: the hart has brought the bank to now() == X - 1, so a
/// read returns the registered value before the increment of X. A write is queued and applied,
/// together with the increments of cycle X, when tick() delivers cycle X; safe_cycles() is 0
/// until then.
class CounterBank {
  public:
    CounterBank() = default;
    CounterBank(const CounterBank&) = delete;
    CounterBank& operator=(const CounterBank&) = delete;
    virtual ~CounterBank() = default;

    /// True if the bank implements this CSR number. mcounteren, scounteren and the user shadows of
    /// machine counters (0xC00..) are the hart's; user CSRs with another layout are the bank's.
    virtual bool owns(std::uint16_t csr) const = 0;
    /// A read by the guest.
    virtual std::uint64_t read(std::uint16_t csr) const = 0;
    /// The same value for the platform, without an access to the bank's CSR port.
    virtual std::uint64_t peek(std::uint16_t csr) const { return read(csr); }
    virtual void write(std::uint16_t csr, std::uint64_t value) = 0;

    /// The pulses of exactly one cycle, `cycle` == now() + 1.
    virtual void tick(const CyclePulses& pulses, Cycle cycle) = 0;

    /// The span (now(), cycle] in one call; `totals` are the hart's totals since reset, at the end
    /// of `cycle`. Either the span does not exceed safe_cycles(), or totals and cycle fit room().
    virtual void advance(const EventTotals& totals, Cycle cycle) = 0;

    /// Sources that a counter may count, or will when a queued write is applied. Of others tick()
    /// may miss pulses that the totals have.
    virtual EventMask counted() const { return kAllEvents; }
    /// These are the totals at the end of now(), if one of the sources has just come to counted().
    virtual void set_totals(const EventTotals& /*totals*/) {}

    /// The hart is in `mode` from cycle `from` on. `from` must be later than now() + 1 and than in
    /// earlier calls; before the first call the mode is Machine. The cycle of a trap or a return
    /// belongs to the mode that it leaves. CSR writes after the call happen in `from` or later.
    /// May shorten safe_cycles() and room().
    virtual void set_privilege(Privilege mode, Cycle from) = 0;
    /// False if nothing in the bank differs from mode to mode until the next CSR write.
    virtual bool depends_on_mode() const { return true; }

    virtual Cycle now() const = 0;
    virtual BankInterrupt interrupt(BankLine line) const = 0;
    /// Adds a sink. From now on it receives every change of the line as soon as the bank knows it
    /// (Overflow: every cycle in which it is high), as line number the value of BankLine. Sinks
    /// connected earlier stay.
    virtual void connect(BankLine line, LevelSink& sink) = 0;

    /// A number of cycles after now() during which no interrupt line can change and neither a
    /// waveform nor RTL needs single cycles, whatever the hart does. A call of set_privilege() ends
    /// it. 0: the next call must be tick().
    virtual Cycle safe_cycles() const = 0;

    /// The same bound in events: no interrupt line changes and nothing needs single cycles as long
    /// as neither the hart's totals nor the cycle exceed these.
    virtual PulseRoom room() const { return {}; }

    /// Adds a sink for every crossing from now on, also for those while the interrupt line is high.
    /// False if the bank cannot report crossings: counters in RTL show only their pins.
    virtual bool watch_crossings(CrossingSink&) { return false; }

    /// From now on the bank has the registers of Sspesa, with the numbers of csr.h, and asks `host`
    /// for what they capture. False if it cannot have them.
    virtual bool connect_samples(SampleHost& /*host*/) { return false; }
    /// The answer to SampleHost::find_cause(). It is in the registers once the next cycle has been
    /// counted, unless a CSR write of that cycle wins.
    virtual void name_cause(const SampleCause& /*cause*/) {}

    /// The first overflow of a counter whose events have causes (has_causes() in crossing.h) that
    /// these pulses, of the cycles now() + 1 and on, will bring about. Changes nothing.
    virtual std::optional<Crossing> overflow_ahead(std::span<const CyclePulses> /*coming*/) const {
        return std::nullopt;
    }

    /// Saves or restores the counters, without telling the sinks of its lines. A bank that cannot
    /// refuses.
    virtual void state(Archive& archive) { archive.refuse("these counters cannot be saved"); }
    /// Whether a restored bank must be told what has been counted before.
    virtual bool begins_anew() const { return false; }
    /// If it must, when the hart has been restored as well: all pulses up to now().
    virtual void restored(const EventTotals& /*totals*/) {}

    /// True if a hart in `mode` in which no instruction retires can get a counter interrupt.
    virtual bool can_interrupt(Privilege mode, CountedEvents events) const = 0;
};

} // namespace pes

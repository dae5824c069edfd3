// SPDX-License-Identifier: Apache-2.0
// A hart on a bench without SystemC: flat RAM, one device page that records every access, an
// optional watched word inside RAM, counters that may be wired back to an interrupt input.
//
// A run ends when the hart is about to execute the address it was told to stop at, when it has used
// up its cycles, when it waits for an interrupt that cannot come, or in a trap loop.
#pragma once

#include "hw/core/hart.h"
#include "hw/hpm/tlm_bank.h"
#include "tests/unit/core/assembler.h"

#include <array>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <vector>

namespace pes::test {

/// One access that reached the bus instead of RAM.
struct BusAccess {
    Access kind = Access::Load;
    Address address = 0;
    unsigned size = 0;
    std::uint64_t value = 0; ///< stored
    Cycle at = 0;
};

/// A write of stimecmp as it reaches the timer.
struct TimerWrite {
    std::uint64_t stimecmp = 0;
    Cycle at = 0;

    bool operator==(const TimerWrite&) const = default;
};

/// One edge of a counter bank line as the hart reports it.
struct LineEdge {
    BankLine line = BankLine::Threshold;
    bool level = false;
    Cycle at = 0;

    bool operator==(const LineEdge&) const = default;
};

class BareMachine : private HartBus, private LevelSink, private HartObserver {
  public:
    static constexpr Address kRam = 0x8000'0000;
    static constexpr std::uint64_t kRamSize = 0x10'0000;
    static constexpr Address kCode = kRam;             ///< where programs are placed by default
    static constexpr Address kHandler = kRam + 0x4000; ///< mtvec of set_trap_handler()
    static constexpr Address kData = kRam + 0x8000;
    static constexpr Address kDevice = 0x1000'0000;
    static constexpr Address kDeviceSize = 0x1000;
    static constexpr Address kDeviceError = kDevice + 0x800; ///< from here on every access fails
    static constexpr Cycle kBudget = 100'000;

    static HartConfig default_config();

    explicit BareMachine(const HartConfig& config = default_config(),
                         std::unique_ptr<CounterBank> bank = std::make_unique<TlmCounterBank>());

    /// A second hart on the memory of `neighbour`.
    explicit BareMachine(BareMachine& neighbour, const HartConfig& config = default_config());

    Hart& hart() { return hart_; }
    CounterBank& bank() { return *bank_; }

    // --- Memory -----------------------------------------------------------------------------

    /// Words one after another; returns the address behind the last one.
    Address place(Address address, std::initializer_list<Word> words);
    Address place(Address address, const std::vector<Word>& words);
    template <typename T>
    void poke(Address address, T value);
    template <typename T>
    T peek(Address address) const;
    /// `writer` fills this part of it late.
    void fill_late(const MemoryRange& range, LateWriter& writer);
    /// It is up to date and stays so.
    void stop_filling(LateWriter& writer) { lazy_.release(writer); }
    /// The eight bytes at `address` go to the bus, as tohost does. Before the first run.
    void watch(Address address) { watched_ = address; }

    // --- State ------------------------------------------------------------------------------

    void set(Reg index, std::uint64_t value) { hart_.set_register(index, value); }
    std::uint64_t get(Reg index) const { return hart_.state().x[index]; }
    /// As an instruction would, without rights checks; only for registers of the hart itself.
    void set_csr(std::uint16_t number, std::uint64_t value) { hart_.set_csr(number, value); }
    std::uint64_t csr(std::uint16_t number) { return hart_.state().csr.read(number).value(); }
    /// What the bank holds after everything that has retired.
    std::uint64_t counter(std::uint16_t number);

    /// An M-mode handler at kHandler that counts its runs in t4, reads mcause into t3, and jumps to
    /// stop_address(): after a trap the run ends.
    void stop_at_traps();
    static constexpr Address stop_address() { return kHandler + 0x100; }
    /// Lets S- and U-mode use all memory: one NAPOT entry over the address space.
    void open_protection();

    // --- Runs -------------------------------------------------------------------------------

    enum class End : std::uint8_t { Reached, OutOfCycles, Waiting, TrapLoop };

    /// From `start`, in M-mode unless enter() said otherwise, until `stop` would execute next.
    End run(Address start, Address stop, Cycle budget = kBudget);
    /// Goes on after a run.
    End resume(Address stop, Cycle budget = kBudget);
    /// The same with the hart's horizon moving `step` cycles at a time.
    End run_in_steps(Address start, Address stop, Cycle step, Cycle budget = kBudget);
    /// Executes `words` at kCode in M-mode up to the word behind them, or to the handler of
    /// stop_at_traps().
    End execute(std::initializer_list<Word> words);
    /// Executes `words` at kCode in `privilege`, which is entered by an mret.
    End execute_in(Privilege privilege, std::initializer_list<Word> words);

    /// From now on the hart may take its fast path; a run ends only with its cycles.
    void stop_observing() { hart_.remove_observer(*this); }

    /// The trap that ended the last execute(), if one did.
    std::optional<TrapTaken> trap() const;
    const std::vector<TrapTaken>& traps() const { return traps_; }
    const std::vector<Retirement>& retirements() const { return retirements_; }

    // --- World ------------------------------------------------------------------------------

    const std::vector<BusAccess>& accesses() const { return accesses_; }
    /// Called for every bus access, at its cycle, before it takes effect.
    void on_access(std::function<void(const BusAccess&)> react) { react_ = std::move(react); }
    const std::vector<TimerWrite>& timer_writes() const { return timer_writes_; }
    void set_device_value(std::uint64_t value) { device_value_ = value; }
    void set_device_latency(std::uint32_t cycles) { device_latency_ = cycles; }
    void set_time_offset(std::uint64_t ticks) { time_offset_ = ticks; } ///< time = offset + cycle

    /// Edges of `line` reach `input` `delay` cycles after the bank's own.
    void connect(BankLine line, Interrupt input, Cycle delay);
    const std::vector<LineEdge>& line_edges() const { return edges_; }

  private:
    struct Wire {
        Interrupt input;
        Cycle delay;
    };

    BusResult load(Address address, void* data, unsigned size, Cycle at) override;
    BusResult store(Address address, const void* data, unsigned size, Cycle at) override;
    bool direct_memory(Address address, DirectMemory& region) override;
    std::uint64_t time(Cycle at) const override { return time_offset_ + at; }
    void set_supervisor_timer(std::uint64_t stimecmp, Cycle at) override {
        timer_writes_.push_back({stimecmp, at});
    }
    void set_level(unsigned line, bool level, Cycle at) override;
    void retired(const Retirement& retirement) override;
    void trapped(const TrapTaken& trap) override;

    Address place_program(std::initializer_list<Word> words);
    BusStatus record(const BusAccess& access);
    bool in_ram(Address address) const { return address - kRam < kRamSize; }
    void stop_if_reached(Address next);

    std::shared_ptr<std::vector<std::byte>> ram_;
    std::unique_ptr<CounterBank> bank_;
    Hart hart_;
    LazyRange lazy_{[this](std::span<std::byte>) { hart_.direct_memory_withdrawn(); }};
    std::optional<Address> watched_;
    Address stop_ = 0;
    bool reached_ = false;
    std::vector<TrapTaken> traps_;
    std::vector<Retirement> retirements_;
    std::vector<BusAccess> accesses_;
    std::vector<TimerWrite> timer_writes_;
    std::function<void(const BusAccess&)> react_;
    std::uint64_t device_value_ = 0;
    std::uint32_t device_latency_ = 0;
    std::uint64_t time_offset_ = 0;
    std::array<std::optional<Wire>, kBankLineCount> wires_;
    std::vector<LineEdge> edges_;
};

template <typename T>
void BareMachine::poke(Address address, T value) {
    std::memcpy(&ram_->at(address - kRam + sizeof(T) - 1) - (sizeof(T) - 1), &value, sizeof(T));
}
template <typename T>
T BareMachine::peek(Address address) const {
    T value{};
    std::memcpy(&value, &ram_->at(address - kRam + sizeof(T) - 1) - (sizeof(T) - 1), sizeof(T));
    return value;
}

// Places and times of the programs that tests make.
inline constexpr Address kCode = BareMachine::kCode;
inline constexpr Address kHandler = BareMachine::kHandler;
inline constexpr Address kData = BareMachine::kData;
inline constexpr Address kNowhere = 1; ///< no instruction is there: the run ends with its cycles
inline constexpr Address kPageBytes = 0x1000;
inline constexpr Cycle kWire = 3; ///< from a line to mip: gateway, target, mip

} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
// SystemC shell of a hart: one thread that lets the hart run to the next kernel event or to the end
// of its quantum and of the block in hand, then waits for the kernel to catch up.
//
// Timing: kernel time follows the decode cycle of the hart's next instruction. A device access
// takes place in its own cycle; the delay of the transport call is the distance to kernel time. If
// a kernel event comes before the access, the thread waits for it first. So a device sees the exact
// time and everything that happened before. mip is a register: the instruction that decodes in
// cycle C + 1 is the first to see an interrupt wire that rises in C.
//
// In a group, a hart only stops for kernel events of devices, because the others are the turns of
// the other harts. In WFI it follows kernel time and wakes in the exact cycle. An interrupt from
// another hart may reach a running hart up to a quantum and the rest of a block late.
#pragma once

#include "hw/common/systemc/clock_domain.h"
#include "hw/common/systemc/level_port.h"
#include "hw/core/halt/debugger.h"
#include "hw/core/hart.h"
#include "hw/core/hart_group.h"
#include "hw/core/hart_turn.h"

#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>

namespace pes {

class HartModule : public sc_core::sc_module, private HartBus {
  public:
    /// The machine timer of this hart.
    struct Timer {
        std::function<std::uint64_t(Cycle)> mtime; ///< by cycle
        /// From cycle `at` + 1 on, Interrupt::SupervisorTimer is mtime >= stimecmp.
        std::function<void(std::uint64_t stimecmp, Cycle at)> set_stimecmp;
    };

    /// `quantum` in cycles: how far the hart may run when no kernel event is due, see Turn.
    HartModule(const sc_core::sc_module_name& name, const HartConfig& config,
               const ClockDomain& clock, CounterBank& bank, Cycle quantum, Timer timer);
    ~HartModule() override;

    tlm_utils::simple_initiator_socket<HartModule> bus;  ///< fetch, load, store; DMI is used
    LevelOut threshold_irq;                              ///< BankLine::Threshold
    LevelOut buffer_full_irq;                            ///< BankLine::BufferFull
    LevelSink& interrupts() { return interrupt_input_; } ///< line number = Interrupt

    Hart& hart() { return hart_; }
    const Hart& hart() const { return hart_; }
    /// Adds a sink to an interrupt line of its counters.
    void connect(BankLine line, LevelSink& sink) { bank_.connect(line, sink); }

    /// Ends the run after the current instruction (exit device, cycle limit).
    void request_stop();
    /// Makes the hart poll the end check as soon as possible.
    void look_now();
    /// A kernel event was notified while the hart runs ahead, and the hart must not pass it. Must
    /// be called unless the notification happened during an access of this hart.
    void kernel_changed();
    /// For back-pressure, in the hart's own thread: lets the rest of the system reach `cycle`.
    void wait_until(Cycle cycle);
    /// Continues the same thread after a wait.
    void go_on() { await_turn(); }
    /// Polled while the hart runs: true pauses the kernel, and the caller of sc_start() decides
    /// whether the run is over.
    void set_end_check(std::function<bool()> end_requested) {
        end_requested_ = std::move(end_requested);
    }
    /// From now on `debugger` may make the platform stand still, in the thread of this hart, which
    /// has the given number. Null: nobody does.
    void set_debugger(Debugger* debugger, unsigned number) {
        debugger_ = debugger;
        number_ = number;
    }
    /// An access of a debugger to a physical address, without effect on time. Returns how many
    /// bytes it did.
    std::size_t debug_load(Address address, std::span<std::byte> bytes);
    std::size_t debug_store(Address address, std::span<const std::byte> bytes);
    /// No instruction decodes at or after this cycle.
    void set_cycle_limit(Cycle limit) { cycle_limit_ = limit; }
    // --- Checkpoints --------------------------------------------------------------------------
    // At rest, kernel time is the cycle of the hart, which is between two instructions, and nothing
    // else has work in this cycle.

    /// Comes to rest before the first instruction that decodes at or after `cycle`, and pauses the
    /// kernel. What the hart does does not depend on it.
    void rest_at(Cycle cycle) {
        rest_at_ = cycle;
        give_horizon();
    }
    bool rests() const { return rests_; }
    /// False while its thread waits in the middle of an instruction.
    bool between_instructions() const { return !runs_; }
    /// Before the first cycle: the thread begins at rest.
    void begin_at_rest() { rests_ = true; }
    void leave_rest();
    /// Saves or restores the hart and its counters, at rest.
    void state(Archive& archive);

    // --- Among modules of others ----------------------------------------------------------------

    /// Call before the run. Its end calls `ended` in the thread of the hart and leaves the kernel
    /// alone; asleep, it waits for its interrupt wires, whatever else the kernel has to do.
    /// Main memory need not grant direct access.
    void live_among_others(std::function<void()> ended) {
        ended_ = std::move(ended);
        hart_.reach_memory_over_the_bus();
    }
    /// Other harts of the same simulation, see HartTurn.
    HartTurn& turn() { return turn_; }
    /// Call before the run, for each of two harts that are on the same bus. Each access
    /// to a device waits for its cycle, so that a device sees them in the order of time.
    void share_bus(HartModule& other) {
        shares_bus_ = true;
        hart_.add_neighbour(other.hart_);
    }

    /// Called by HartGroup::add().
    void join(HartGroup& group) { group_ = &group; }
    bool counter_can_interrupt() const;
    /// Loads and stores that have left the hart.
    std::uint64_t accesses() const { return accesses_; }
    /// The cycle in which its next turn begins; kNever during its turn.
    Cycle due() const { return due_; }

    enum class Outcome : std::uint8_t {
        Running,
        Stopped,    ///< request_stop()
        CycleLimit, ///< set_cycle_limit()
        TrapLoop,   ///< the guest's trap handler cannot run
        Deadlock,   ///< WFI, and nothing in the platform can ever raise an interrupt
    };
    /// In a group, only the hart that ended the run has an outcome.
    Outcome outcome() const { return outcome_; }

  private:
    class CounterLines : public LevelSink {
      public:
        explicit CounterLines(HartModule& owner) : owner_(owner) {}
        void set_level(unsigned line, bool level, Cycle at) override;

      private:
        HartModule& owner_;
    };
    class InterruptInput : public LevelSink {
      public:
        explicit InterruptInput(HartModule& owner) : owner_(owner) {}
        void set_level(unsigned line, bool level, Cycle at) override;

      private:
        HartModule& owner_;
    };

    SC_HAS_PROCESS(HartModule);
    void run();
    bool step(); ///< false when the run is over
    HartStop run_hart();
    void give_horizon();
    bool goes_on_behind(HartStop stop) const;
    void fail(Outcome outcome, HaltReason reason);
    std::size_t debug_access(tlm::tlm_command command, Address address, std::byte* data,
                             std::size_t size);
    void await_turn();
    void come_to_rest();
    void begin_restored();
    /// How far the hart runs ahead. It goes on to the end of the block in hand, at most to the
    /// horizon, before which no kernel event comes.
    struct Turn {
        Cycle end = 0;
        Cycle horizon = 0;
        bool operator==(const Turn&) const = default;
    };
    bool turn_is_over() const {
        return hart_.now() >= horizon_.horizon || hart_.has_ended(horizon_.end);
    }
    bool owes_the_kernel(Cycle kernel_now);
    Turn next_horizon();
    void renew_horizon();
    void sleep();
    bool can_wake();
    bool event_in_sight();
    void wait_for_wires();
    void end(Outcome outcome);

    BusResult load(Address address, void* data, unsigned size, Cycle at) override;
    BusResult store(Address address, const void* data, unsigned size, Cycle at) override;
    bool direct_memory(Address address, DirectMemory& region) override;
    bool read_memory(Address address, void* data, unsigned size, Cycle at) override;
    bool write_memory(Address address, const void* data, unsigned size, Cycle at) override;
    bool access_memory(tlm::tlm_command command, Address address, void* data, unsigned size,
                       Cycle at);
    std::uint64_t time(Cycle at) const override { return timer_.mtime(at); }
    void set_supervisor_timer(std::uint64_t stimecmp, Cycle at) override;
    void reach(Cycle at) override;
    void withdraw_direct_memory(sc_dt::uint64 first, sc_dt::uint64 last);
    BusResult access(tlm::tlm_command command, Address address, void* data, unsigned size,
                     Cycle at);

    const ClockDomain& clock_;
    Cycle quantum_;
    Cycle cycle_limit_ = kNever;
    Timer timer_;
    std::function<bool()> end_requested_ = [] { return false; };
    CounterBank& bank_;
    Hart hart_;
    Debugger* debugger_ = nullptr;
    unsigned number_ = 0; ///< of this hart, for the debugger
    CounterLines counter_lines_{*this};
    InterruptInput interrupt_input_{*this};
    HartGroup* group_ = nullptr; ///< null: the only hart
    HartTurn turn_;
    std::function<void()> ended_; ///< empty: the end stops the kernel
    bool waits_for_wires_ = false;
    bool shares_bus_ = false; ///< with harts that are in no group with it
    sc_core::sc_event wake_;  ///< wakes a hart that sleeps in a group or waits for its wires
    Cycle due_ = 0;
    Turn horizon_;
    Cycle rested_ = 0;       ///< by which the kernel has come nearer in a rest in this turn
    Cycle rest_at_ = kNever; ///< it comes to rest there
    bool in_turn_ = false;   ///< it has come to rest before its turn is over
    bool rests_ = false;
    bool runs_ = false; ///< its thread is in run() of the hart, and may wait there
    sc_core::sc_event rest_over_;
    Cycle look_at_ = kNever; ///< cycle by which it returns to poll the end check
    std::uint64_t accesses_ = 0;
    tlm::tlm_generic_payload payload_; ///< reused for every access
    Cycle silent_since_ = kNever;      ///< all harts sleep, no event can end it
    bool stop_requested_ = false;
    Outcome outcome_ = Outcome::Running;
};

} // namespace pes

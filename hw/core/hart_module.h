// SPDX-License-Identifier: Apache-2.0
// SystemC shell of a hart: one thread that lets the hart run to the next kernel event or to the end
// of its quantum, then waits for the kernel to catch up.
//
// Timing: kernel time follows the decode cycle of the hart's next instruction. A device access
// takes place in its own cycle: the transport call says in its delay by how much kernel time is
// behind, and it is behind only while no kernel event comes before the access (otherwise the
// thread waits first), so a device sees the exact time and everything that precedes it. mip is a
// register: an interrupt wire that rises at cycle C is seen by the instruction that decodes at C
// + 1.
//
// A hart of a group ignores kernel events other than those of devices, since the others are the
// other harts' turns; while it sleeps in WFI it follows kernel time and wakes in the very cycle. An
// interrupt that another hart sends finds it up to a quantum ahead if it runs.
#pragma once

#include "hw/common/systemc/clock_domain.h"
#include "hw/common/systemc/level_port.h"
#include "hw/core/hart.h"
#include "hw/core/hart_group.h"

#include <tlm_utils/simple_initiator_socket.h>

#include <functional>

namespace pes {

class HartModule : public sc_core::sc_module, private HartBus {
  public:
    /// The timer that this hart sees.
    struct Timer {
        std::function<std::uint64_t(Cycle)> mtime; ///< by cycle
        /// From the cycle behind `at` on, Interrupt::SupervisorTimer is mtime >= stimecmp.
        std::function<void(std::uint64_t stimecmp, Cycle at)> set_stimecmp;
    };

    /// `quantum` in cycles: how far the hart may run when no kernel event is due.
    HartModule(const sc_core::sc_module_name& name, const HartConfig& config,
               const ClockDomain& clock, CounterBank& bank, Cycle quantum, Timer timer);

    tlm_utils::simple_initiator_socket<HartModule> bus;  ///< fetch, load, store; DMI is used
    LevelOut threshold_irq;                              ///< BankLine::Threshold
    LevelOut buffer_full_irq;                            ///< BankLine::BufferFull
    LevelSink& interrupts() { return interrupt_input_; } ///< line number = Interrupt

    Hart& hart() { return hart_; }
    const Hart& hart() const { return hart_; }
    /// Of its counters.
    void connect(BankLine line, LevelSink& sink) { bank_.connect(line, sink); }

    /// Ends the run after the instruction in hand (exit device, cycle limit).
    void request_stop();
    /// The end of the run is requested: the hart returns as soon as it can.
    void look_now();
    /// A kernel event has been notified while the hart runs ahead: it must not pass it. To be
    /// called unless the notification came within an access of this hart.
    void kernel_changed();
    /// For back-pressure, in the hart's own thread: lets the rest of the system come up to `cycle`.
    void wait_until(Cycle cycle);
    /// The same thread continues after another wait.
    void go_on() { await_turn(); }
    /// Polled while the hart runs: true pauses the kernel, and the caller of sc_start() decides
    /// whether the run is over.
    void set_end_check(std::function<bool()> end_requested) {
        end_requested_ = std::move(end_requested);
    }
    /// No instruction decodes at or after this cycle.
    void set_cycle_limit(Cycle limit) { cycle_limit_ = limit; }
    /// Called by HartGroup::add().
    void join(HartGroup& group) { group_ = &group; }
    bool counter_can_interrupt() const;
    /// The cycle at which its next turn begins; kNever while it has it.
    Cycle due() const { return due_; }

    enum class Outcome : std::uint8_t {
        Running,
        Stopped,    ///< request_stop()
        CycleLimit, ///< set_cycle_limit()
        TrapLoop,   ///< the guest's trap handler cannot run
        Deadlock,   ///< WFI, and nothing in the platform can ever raise an interrupt
    };
    /// Of a group's harts only the one that ended the run has an outcome.
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
    void await_turn();
    bool owes_the_kernel(Cycle kernel_now) const;
    Cycle next_horizon() const;
    void renew_horizon();
    void sleep();
    bool can_wake();
    bool event_in_sight() const;
    void end(Outcome outcome);

    BusResult load(Address address, void* data, unsigned size, Cycle at) override;
    BusResult store(Address address, const void* data, unsigned size, Cycle at) override;
    bool direct_memory(Address address, DirectMemory& region) override;
    std::uint64_t time(Cycle at) const override { return timer_.mtime(at); }
    void set_supervisor_timer(std::uint64_t stimecmp, Cycle at) override;
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
    CounterLines counter_lines_{*this};
    InterruptInput interrupt_input_{*this};
    HartGroup* group_ = nullptr; ///< null: the only hart
    sc_core::sc_event wake_;     ///< of a hart of a group that sleeps
    Cycle due_ = 0;
    Cycle horizon_ = 0;                ///< of the hart: no kernel event comes before
    Cycle look_at_ = kNever;           ///< it returns by then, to poll the end check
    tlm::tlm_generic_payload payload_; ///< reused for every access
    Cycle silent_since_ = kNever;      ///< all harts sleep, no event can end it
    bool stop_requested_ = false;
    Outcome outcome_ = Outcome::Running;
};

} // namespace pes

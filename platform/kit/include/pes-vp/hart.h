// SPDX-License-Identifier: Apache-2.0
// A CVA6-class RV64GC hart with its counter bank as a SystemC module (docs/systemc.md).
//
//   bus ------> everything it accesses: addresses are physical
//   mei ... --> interrupt wires, level-sensitive; mip follows one cycle later
//   <-- threshold, buffer_full: interrupts of its counters
//
// Main memory is dram.base and dram.size of the settings: what lies there is cached, and its timing
// is that of the hart's own caches and memory (timing.* of the settings). It is reached by DMI
// where the target grants it for reading and writing, and by b_transport otherwise, with the same
// cycles and counts. Everything else is a device: one b_transport in the cycle of the access, whose
// delay the hart waits for.
//
// Kernel time follows the hart: it runs ahead to the kernel's next event at most, and never farther
// than quantum cycles.
#pragma once

#include <pes-vp/ports.h>
#include <pes-vp/settings.h>

#include <tlm_utils/simple_initiator_socket.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pes::kit {

class Clint;

class Hart : public sc_core::sc_module {
  public:
    /// `index`: mhartid, which the program finds in a0. Throws Error, for example if there is no
    /// RTL of the counters that counters.model = rtl asks for.
    Hart(const sc_core::sc_module_name& name, const Settings& settings, unsigned index = 0);
    ~Hart() override;

    tlm_utils::simple_initiator_socket_optional<Hart> bus; ///< must be bound
    InterruptIn mei;        ///< machine external; must be bound, and so must the next three
    InterruptIn sei;        ///< supervisor external
    InterruptIn mti;        ///< machine timer
    InterruptIn msi;        ///< machine software
    InterruptIn sti;        ///< supervisor timer, of a CLINT with extensions.sstc; may stay unbound
    InterruptOut threshold; ///< a counter has reached its threshold
    InterruptOut buffer_full; ///< the sample buffer is full

    /// Before the simulation starts: reads the ELF program now, copies it over debug transport when
    /// the simulation starts, and begins at its entry. Throws Error.
    void load(const std::filesystem::path& elf);
    /// Before the simulation starts: where it begins, and what registers hold then, if no program
    /// says so or the program wants more; a0 is mhartid.
    void start_at(std::uint64_t pc);
    void set_reg(unsigned index, std::uint64_t value);
    /// The source of mtime for the CSR time, and the comparator of stimecmp. One of the two must be
    /// called.
    void use(Clint& timer);
    /// The same for a timer of one's own: the value of mtime in a cycle, without stimecmp.
    void use(std::function<std::uint64_t(std::uint64_t cycle)> mtime);

    /// At elaboration: the two harts are on the same bus. LR/SC sees the stores of the other, and
    /// devices see the accesses of both in the order of time.
    void share_bus(Hart& other);

    // --- The end ------------------------------------------------------------------------------

    enum class End : std::uint8_t {
        Running,
        Stopped,        ///< stop()
        CycleLimit,     ///< stop_at()
        TrapLoop,       ///< the guest's trap handler cannot run
        CountersDiffer, ///< model and RTL in lockstep
    };
    /// Ends the hart behind the instruction in hand; the kernel goes on. For a device of one's own
    /// that ends the program.
    void stop();
    /// No instruction decodes at or after this cycle.
    void stop_at(std::uint64_t cycle);
    End end() const;
    /// Notified, with what follows up to date, when end() is no longer Running.
    const sc_core::sc_event& ended() const;
    /// Why, as text: what differs, where the trap handler is. Empty for the other ends.
    std::string report() const;
    /// Brings the counters to the hart's present cycle, if sc_start() has returned before the end.
    /// The hart must not go on.
    void finish();

    // --- Results --------------------------------------------------------------------------------

    std::uint64_t cycles() const;       ///< that the hart has reached
    std::uint64_t instructions() const; ///< that have retired
    std::uint64_t traps() const;        ///< exceptions and interrupts that it has taken
    std::uint64_t pc() const;
    /// x0 to x31.
    std::uint64_t reg(unsigned index) const;
    /// The value of a CSR by its number, as a machine-mode read has it. Throws Error if there is
    /// none.
    std::uint64_t csr(unsigned number) const;
    struct Event {
        std::string name;
        std::uint64_t count = 0; ///< since reset, whether or not a counter was set to it
    };
    /// The events of its PMU profile.
    std::vector<Event> events() const;

    // --- Memory ----------------------------------------------------------------------------------

    /// Over debug transport, without effect on time. Returns how many bytes the bus has taken or
    /// given.
    std::size_t debug_read(std::uint64_t address, std::span<std::byte> bytes);
    std::size_t debug_write(std::uint64_t address, std::span<const std::byte> bytes);
    /// Another master has written there: a reservation of LR is lost, as the bus of a coherent
    /// system would tell. Code that has been written needs FENCE.I, as in hardware.
    void memory_written(std::uint64_t address, std::uint64_t bytes);

  private:
    struct Parts;
    friend class TraceEncoder;

    void end_of_elaboration() override;
    void start_of_simulation() override;
    void withdraw(sc_dt::uint64 first, sc_dt::uint64 last);

    std::unique_ptr<Parts> parts_;
};

} // namespace pes::kit

// SPDX-License-Identifier: Apache-2.0
// The system on chip: one or more harts with their counters, memory, and the devices of the
// configuration (hw/common/device/description.h), and the run of what is booted on it.
//
//   hart h --- router --+-- DRAM (tohost watched)     counters --threshold---> PLIC source 7 + 2 h
//                       +-- devices, among them               --buffer full-> PLIC source 8 + 2 h
//                       |   CLINT --MTIP, MSIP--> hart h
//                       |   PLIC --MEIP, SEIP---> hart h
//                       |   others -------------> PLIC
//                       +-- trace blocks, whose memory sinks are masters too (trace_system.h)
//                       +-- software trace modules (software_trace_system.h)
#pragma once

#include "hw/bus/memory_module.h"
#include "hw/bus/router.h"
#include "hw/common/systemc/clock_domain.h"
#include "hw/common/systemc/device_module.h"
#include "hw/common/systemc/level_port.h"
#include "hw/core/hart_group.h"
#include "platform/boot/boot.h"
#include "platform/config/config.h"
#include "platform/soc/device_master.h"
#include "platform/soc/exit_status.h"
#include "platform/soc/guest/guest_memory.h"
#include "platform/soc/guest/hand_over.h"
#include "platform/soc/guest/htif.h"
#include "platform/soc/guest/no_progress.h"
#include "platform/soc/hart_unit.h"
#include "platform/soc/trace/software_trace_system.h"
#include "platform/soc/trace/trace_system.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pes {

class BlockStore;
class Console;
class ConsoleInput;
class GuestFiles;
class MessageServer;
class OutputFile;
class SampleChannel;

/// The host's side of a platform. What is referred to must outlive it.
struct HostSide {
    Console& console;
    SampleChannel& samples;
    GuestFiles& files;                            ///< that the guest may write
    ConsoleInput* console_input = nullptr;        ///< null: nobody says anything
    MessageServer* share = nullptr;               ///< of ShareDescription, if that is used
    MessageServer* root = nullptr;                ///< of RootDescription, likewise
    MessageServer* control = nullptr;             ///< of ControlDescription, likewise
    BlockStore* disk = nullptr;                   ///< of DiskDescription, likewise
    Console* virtio_console = nullptr;            ///< of VirtioConsoleDescription, likewise
    ConsoleInput* virtio_console_input = nullptr; ///< null: nobody says anything
    WaveSink* wave = nullptr;                     ///< null: nothing is recorded
    std::string lockstep_vcd{}; ///< window before a difference of model and RTL; empty: none
    std::vector<OutputFile*> counter_stimuli{}; ///< of the counters, by hart; empty: none
    OutputFile* trace = nullptr; ///< what leaves through the trace probe; null: nobody reads it
    std::vector<OutputFile*> software_trace{}; ///< of the modules, by hart; empty: likewise
    std::vector<std::vector<HartTap*>> taps{}; ///< by hart; empty: none
};

struct RunEnd {
    ExitReason reason = ExitReason::Running;
    std::uint64_t guest_code = 0; ///< of ExitReason::Guest
    Cycle cycles = 0;
    unsigned hart = 0;    ///< that ended it: TrapLoop, DeadWait
    std::string report{}; ///< of ExitReason::CountersDiffer
};

class Soc : public sc_core::sc_module {
  public:
    /// Throws UserError if the program's symbols do not fit the configuration. `boot` must outlive
    /// it.
    Soc(const sc_core::sc_module_name& name, const PlatformConfig& config, const BootImage& boot,
        const HostSide& host);
    ~Soc() override;

    /// From reset to the end, at most `max_cycles`. `between` is called every few million cycles,
    /// and soon after something asks for the end (end_request.h); it may end the run.
    RunEnd run(Cycle max_cycles, const std::function<std::optional<ExitReason>()>& between);

    // --- Checkpoints --------------------------------------------------------------------------

    /// During run(), calls `then` once, before the first instruction from `cycle` on, with every
    /// hart between two instructions. With several harts this may be some cycles later. The run
    /// goes on as it would without.
    void at_rest(Cycle cycle, std::function<void()> then);
    /// The same before the first instruction at this address. Until then the harts step.
    void at_rest_before(Address pc, std::function<void()> then);
    /// The same before the next instruction of this hart, for a debugger: it has made the platform
    /// stand still in the thread of the hart.
    void at_rest_here(unsigned hart, std::function<void()> then);
    bool rest_is_planned() const { return static_cast<bool>(rest_.then); }
    /// The same behind the first request of the guest (hw/interface/maps/host_platform.h).
    void at_rest_on_request(std::function<void()> then);
    /// Saves or restores everything that the run's future depends on, except what is on the host's
    /// side. Throws ArchiveError.
    void state(Archive& archive);
    /// Before run(): brings kernel time to `cycle` and restores the state that was saved then.
    void restore(Archive& archive, Cycle cycle);
    /// The cycle that kernel time is in.
    Cycle kernel_cycle() const { return clock_.now(); }

    // --- For the host's side of a device --------------------------------------------------------

    /// The guest asks for a checkpoint, see at_rest_on_request().
    void rest_requested();
    /// The guest ends the run; the first call counts.
    void guest_exit(std::uint64_t code);

    unsigned hart_count() const { return static_cast<unsigned>(harts_.size()); }
    const PlatformConfig& config() const { return config_; }
    Hart& hart(unsigned index) { return harts_[index]->hart(); }
    HartModule& module(unsigned index) { return harts_[index]->module(); }
    /// Before the run, or while the platform stands still for one. Null: there is none.
    void set_debugger(Debugger* debugger);
    /// The harts that are not asleep, as NoProgress looks at them.
    std::vector<NoProgress::Look> look_at_harts() const;
    GuestMemory memory() { return memory_view_; }
    /// What a lockstep run has seen of the counters of this hart, or null.
    const CounterCoverage* counter_coverage(unsigned index) const {
        return harts_[index]->bank().coverage();
    }
    /// How often any counter's threshold interrupt was raised.
    std::uint64_t threshold_interrupts() const;
    /// Null if the platform has no trace blocks.
    TraceSystem* trace_system() { return trace_.get(); }
    /// Null if it has no software trace modules.
    SoftwareTraceSystem* software_trace() { return software_trace_.get(); }

  private:
    RunEnd ended(ExitReason reason);
    void rest_soon(HartModule& module);
    void set_cycle_limit(Cycle limit);
    void run_piece();
    bool rests();
    void leave_rest();
    void add_hart(unsigned index, const BootImage& boot, const HostSide& host);
    void tell_of_modes(ModeSink* sink);
    void add_devices(const HostSide& host);
    void map_devices();
    void wire_interrupts();
    const LevelWire& wire(LevelOut& from, LevelSink& to, unsigned line);
    void connect_trace(const HostSide& host);
    void connect_htif(const BootImage& boot, const HostSide& host);
    void counters_differ(unsigned hart, const std::string& report);
    void request_stop();
    const HartUnit* ended_hart() const;
    Cycle next_device_event() const;

    const PlatformConfig config_;
    const ClockDomain clock_;

    Router router_;
    MemoryModule memory_;
    GuestMemory memory_view_;
    DeviceMaster device_master_;
    std::vector<const DeviceDescription*> descriptions_; ///< of the devices that are present
    std::vector<std::unique_ptr<DeviceModule>> devices_; ///< in the same order
    DeviceModule* machine_timer_ = nullptr;
    DeviceModule* interrupt_controller_ = nullptr;
    std::vector<std::unique_ptr<HartUnit>> harts_;
    HartGroup group_; ///< empty if there is one hart
    std::unique_ptr<TraceSystem> trace_;
    std::unique_ptr<SoftwareTraceSystem> software_trace_;
    std::vector<std::unique_ptr<LevelWire>> wires_;
    std::vector<const LevelWire*> threshold_wires_; ///< by hart
    std::optional<Htif> htif_;
    std::optional<HandOver> hand_over_; ///< if a kernel is booted
    bool waits_for_kernel_ = true;      ///< it has not started yet
    std::optional<std::uint64_t> guest_code_;
    std::string difference_; ///< report of the lockstep bank
    struct {
        Cycle at = kNever;
        std::function<void()> then{};
        bool on_request = false;
    } rest_;
    std::vector<std::unique_ptr<HartObserver>> pc_watches_; ///< by hart, while they wait
    bool restored_ = false;                                 ///< and not gone on yet
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/run_command.h"

#include "hw/hpm/sample_wave.h"
#include "platform/cli/events_command.h"
#include "platform/cli/run_report.h"
#include "platform/cli/run_summary.h"
#include "platform/host/end_request.h"
#include "platform/host/output_set.h"
#include "platform/host/user_error.h"
#include "platform/sampling/crossing_log.h"
#include "platform/soc/console.h"
#include "platform/soc/empty_outputs.h"
#include "platform/soc/guest_files.h"
#include "platform/soc/guest_log.h"
#include "platform/soc/memory_dump.h"
#include "platform/soc/sample_channel.h"
#include "platform/soc/soc.h"
#include "platform/soc/truth_file.h"
#include "platform/soc/vcd_writer.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <optional>

namespace pes {
namespace {

/// Where lockstep leaves the RTL's waveform if nobody names a file.
constexpr const char* kLockstepVcd = "lockstep.vcd";

std::optional<ExitReason> wanted_end() {
    switch (end_requested()) {
    case EndRequest::None:
        break;
    case EndRequest::Signal:
        return ExitReason::Interrupted;
    case EndRequest::OutOfMemory:
        return ExitReason::OutOfMemory;
    }
    return std::nullopt;
}

/// A waveform holds back the changes of a quantum. With one hart a shorter one changes no result.
constexpr Cycle kWaveQuantum = 10'000;

PlatformConfig configure(const Options& options) {
    PlatformConfig config = make_config(options.config, options.assignments);
    if (!options.path.empty()) {
        set_value(config, "hart.path", options.path, "--path");
    }
    if (!options.counters.empty()) {
        set_value(config, "counters.model", options.counters, "--counters");
        validate(config);
    }
    if (!options.lockstep_vcd.empty() && config.counters.kind != CounterModel::Lockstep) {
        throw UserError("--lockstep-vcd needs --counters lockstep");
    }
    if (!options.truth.empty()) {
        config.hart.truth = true;
        config.hart.sources = kAllEvents;
    }
    if (!options.crossings.empty()) {
        config.hart.truth = true;
        config.hart.window = true;
    }
    if (options.profiling) {
        HostProfile::prepare(*options.profiling, config);
    }
    if (options.recording) {
        HostRecording::prepare(*options.recording, config);
    }
    if (!options.vcd.empty() && config.harts == 1) {
        config.quantum = std::min(config.quantum, kWaveQuantum);
    }
    return config;
}

/// No output may overwrite these.
std::vector<std::string> inputs(const Options& options, const PlatformConfig& config) {
    const BootFiles& boot = options.boot;
    const ProfileFile* const profile = config.profile_file.get();
    return {boot.program,
            boot.firmware,
            boot.kernel,
            boot.initrd,
            boot.device_tree,
            options.config,
            profile != nullptr ? profile->path().string() : ""};
}

/// What runs first: the summary names it.
const std::string& first_file(const BootFiles& boot) {
    return boot.program.empty() ? boot.firmware : boot.program;
}

/// What the program or the firmware would get; without either, what the configuration makes.
void dump_device_tree(const Options& options) {
    const PlatformConfig config = configure(options);
    const bool booted = !options.boot.program.empty() || !options.boot.firmware.empty();
    const DeviceTree tree =
        booted ? BootImage(options.boot, config).device_tree() : make_device_tree(config);
    OutputSet outputs(inputs(options, config));
    outputs.open(options.dump_device_tree)->write(std::span(tree));
    outputs.commit();
}

/// Hart 0 has the name as given, hart N has ".hartN" behind it.
std::string file_of_hart(const std::string& name, unsigned hart) {
    return hart == 0 ? name : name + ".hart" + std::to_string(hart);
}

/// One run: everything that can be wrong is found while this is built, before the first cycle.
class Run {
  public:
    explicit Run(const Options& options)
        : options_(options), log_("pes-vp", options.log_level), config_(configure(options)),
          boot_(options.boot, config_), outputs_(inputs(options, config_)),
          guest_files_(options.guest_files) {
        open_outputs();
        soc_.emplace("soc", config_, boot_,
                     HostSide{.console = *console_,
                              .samples = *samples_,
                              .files = guest_files_,
                              .wave = wave_ ? &*wave_ : nullptr,
                              .lockstep_vcd = options_.lockstep_vcd.empty()
                                                  ? std::string(kLockstepVcd)
                                                  : options_.lockstep_vcd,
                              .trace = trace_.file,
                              .software_trace = osd_files_,
                              .taps = taps()});
        if (wave_) {
            wave_->check_groups();
        }
        check_path();
        if (trace_.file != nullptr) {
            soc_->trace_system()->set_up(options_.trace_setup);
            if (recording_) {
                recording_->connect(*soc_->trace_system());
            }
        }
        if (!osd_files_.empty()) {
            soc_->software_trace()->set_up(options_.osd_threads);
        }
    }

    int execute() {
        const auto start = std::chrono::steady_clock::now();
        statistics_.end = simulate();
        log_.tell_repetitions();
        const std::chrono::duration<double> host = std::chrono::steady_clock::now() - start;
        statistics_.host_seconds = host.count();
        if (statistics_.end.reason != ExitReason::CountersDiffer) {
            write_outputs();
            report_trace_losses();
            report_empty_outputs();
            const int code = exit_code();
            report_summary();
            return code;
        }
        // The difference is what the run was made for: no full disk takes its place.
        std::fprintf(stderr, "pes-vp: %s", statistics_.end.report.c_str());
        try {
            write_outputs();
        } catch (const UserError& error) {
            std::fprintf(stderr, "pes-vp: %s\n", error.what());
        }
        return kCountersDifferExit;
    }

  private:
    void open_outputs() {
        console_.emplace(*outputs_.open(options_.console.empty() ? "-" : options_.console));
        samples_.emplace(outputs_.open(options_.samples));
        stats_file_ = outputs_.open(options_.stats);
        open_truths();
        open_crossings();
        if (options_.profiling) {
            profile_.emplace(*options_.profiling, config_, boot_.elf_files(), outputs_);
        }
        if (options_.recording) {
            recording_.emplace(*options_.recording, config_);
        }
        if (OutputFile* file = outputs_.open(options_.vcd)) {
            wave_.emplace(*file,
                          WaveSelection{parse_groups(options_.vcd_groups), options_.vcd_from,
                                        options_.vcd_to},
                          config_.clock_hz, wave_slack(config_));
        }
        open_trace();
        open_osd_trace();
        if (!options_.lockstep_vcd.empty()) {
            outputs_.reserve(options_.lockstep_vcd);
        }
        for (const std::string& dump : options_.dumps) {
            dumps_.emplace_back(dump, boot_, config_.hart.memory, outputs_);
        }
    }

    void open_truths() {
        if (options_.truth.empty()) {
            return;
        }
        for (unsigned index = 0; index < config_.harts; ++index) {
            truths_.push_back(outputs_.open(file_of_hart(options_.truth, index)));
        }
    }

    void open_crossings() {
        if (options_.crossings.empty()) {
            return;
        }
        for (unsigned index = 0; index < config_.harts; ++index) {
            crossing_files_.push_back(outputs_.open(file_of_hart(options_.crossings, index)));
            crossings_.push_back(std::make_unique<CrossingLog>());
        }
    }

    /// By hart.
    std::vector<std::vector<HartTap*>> taps() {
        std::vector<std::vector<HartTap*>> all(config_.harts);
        for (unsigned index = 0; index < config_.harts; ++index) {
            if (!crossings_.empty()) {
                all[index].push_back(crossings_[index].get());
            }
            if (HartTap* tap = profile_ ? profile_->tap(index) : nullptr) {
                all[index].push_back(tap);
            }
            if (recording_) {
                all[index].push_back(recording_->tap(index));
            }
        }
        return all;
    }

    void open_trace() {
        if (options_.trace.empty()) {
            return;
        }
        if (!config_.trace.enabled) {
            throw UserError("--trace needs the trace blocks, expected trace.enabled = true");
        }
        trace_.file = outputs_.open(options_.trace);
        if (options_.trace != "-") {
            trace_.description = outputs_.open_companion(options_.trace + ".toml");
        }
    }

    void open_osd_trace() {
        if (options_.osd_trace.empty()) {
            return;
        }
        if (!config_.software_trace.enabled) {
            throw UserError("--osd-trace needs the software trace modules, expected "
                            "trace.software.enabled = true");
        }
        if (options_.osd_trace == "-" && config_.harts > 1) {
            throw UserError("--osd-trace - has room for one hart, expected a file name: each hart "
                            "gets one");
        }
        for (unsigned index = 0; index < config_.harts; ++index) {
            osd_files_.push_back(outputs_.open(file_of_hart(options_.osd_trace, index)));
        }
    }

    /// Whoever insists on the fast path cannot have it and see every instruction.
    void check_path() const {
        if (config_.hart.path != ExecutionPath::Fast) {
            return;
        }
        const char* watcher = nullptr;
        if (config_.counters.kind != CounterModel::Tlm) {
            watcher = "counters in RTL (counters.model)";
        } else if (trace_.file != nullptr && options_.trace_setup.program != ProgramTrace::None) {
            watcher = "--trace (but for --trace-program none)";
        } else if (options_.osd_threads == ThreadTracking::On) {
            watcher = "--osd-threads on";
        } else if (wave_ && wave_->wants(CommitWave::kGroup)) {
            watcher = "the wave group 'commit' (--vcd-groups names the others)";
        } else if (wave_ && wave_->wants(SampleWave::kGroup)) {
            watcher = "the wave group 'sample' (--vcd-groups names the others)";
        }
        if (profile_ && profile_->observes_instructions()) {
            watcher = "--method pc-trace";
        } else if (recording_ && recording_->observes_instructions()) {
            watcher = "--records functions";
        }
        if (watcher != nullptr) {
            throw UserError(std::string("hart.path = fast excludes ") + watcher +
                            ", which sees every instruction; expected path auto or step");
        }
    }

    RunEnd simulate() {
        ProgressLine progress;
        return soc_->run(options_.max_cycles, [this, &progress] {
            console_->flush();
            progress.show(soc_->hart(0).now(), instructions());
            return wanted_end();
        });
    }

    std::uint64_t instructions() {
        std::uint64_t sum = 0;
        for (unsigned index = 0; index < soc_->hart_count(); ++index) {
            sum += soc_->hart(index).instret();
        }
        return sum;
    }

    void write_outputs() {
        for (unsigned index = 0; index < soc_->hart_count(); ++index) {
            const Hart& hart = soc_->hart(index);
            statistics_.harts.push_back({.cycles = hart.counted_cycles(),
                                         .instret = hart.instret(),
                                         .traps = hart.traps(),
                                         .totals = hart.totals()});
            if (const SkidlessCost* cost = hart.skidless_cost()) {
                statistics_.harts.back().skidless = *cost;
            }
        }
        if (TraceSystem* trace = soc_->trace_system()) {
            trace->finish(statistics_.end.cycles);
            statistics_.trace = trace->report();
        }
        if (SoftwareTraceSystem* software = soc_->software_trace()) {
            software->finish();
            if (!statistics_.trace) {
                statistics_.trace.emplace();
            }
            statistics_.trace->software = software->counts();
            statistics_.trace->software_bytes_unread = software->unread_bytes();
        }
        if (trace_.description != nullptr) {
            trace_.description->write(
                trace_description(config_, boot_.elf_files(), *statistics_.trace));
        }
        if (wave_) {
            wave_->finish(statistics_.end.cycles);
            statistics_.late_wave_changes = wave_->late();
        }
        for (unsigned index = 0; index < truths_.size(); ++index) {
            truths_[index]->write(truth_csv(index, *soc_->hart(index).truth()));
        }
        for (unsigned index = 0; index < crossings_.size(); ++index) {
            crossing_files_[index]->write(crossings_[index]->csv(index));
        }
        const std::string tables = profile_ ? profile_->write(*soc_) : "";
        for (const MemoryDump& dump : dumps_) {
            dump.write(soc_->memory());
        }
        if (stats_file_ != nullptr) {
            stats_file_->write(statistics_json(statistics_, *samples_, *config_.counters.profile));
        }
        outputs_.commit();
        print(tables);
    }

    void report_trace_losses() const {
        if (statistics_.trace) {
            for (const std::string& line : statistics_.trace->losses()) {
                std::fprintf(stderr, "pes-vp: trace: %s\n", line.c_str());
            }
        }
    }

    void report_empty_outputs() {
        const auto tell = [](const char* option, const std::string& file,
                             const std::optional<std::string>& reason) {
            if (!file.empty() && reason) {
                std::fprintf(stderr, "pes-vp: %s: %s\n", option, reason->c_str());
            }
        };
        tell("--samples", options_.samples,
             why_no_samples(*samples_, {.host_interface_on = config_.htif.enabled,
                                        .has_tohost = boot_.symbol("tohost").has_value(),
                                        .threshold_interrupts = soc_->threshold_interrupts()}));
        if (statistics_.trace) {
            tell("--trace", options_.trace, why_no_trace(*statistics_.trace, options_.trace_setup));
            tell("--osd-trace", options_.osd_trace,
                 why_no_software_trace(*statistics_.trace, config_.software_trace.csr));
        }
    }

    void report_summary() const {
        if (!options_.quiet) {
            std::fputs(
                run_summary(first_file(options_.boot), statistics_, *samples_, config_).c_str(),
                stderr);
        }
    }

    int exit_code() {
        switch (statistics_.end.reason) {
        case ExitReason::MaxCycles:
            std::fprintf(stderr, "pes-vp: stopped by --max-cycles %llu at %s\n",
                         static_cast<unsigned long long>(options_.max_cycles),
                         where(*soc_).c_str());
            return kMaxCyclesExit;
        case ExitReason::Interrupted:
            std::fprintf(stderr, "pes-vp: interrupted at %s\n", where(*soc_).c_str());
            return kInterruptedExit;
        case ExitReason::OutOfMemory:
            std::fprintf(stderr, "pes-vp: out of memory at %s: the results end there\n",
                         where(*soc_).c_str());
            return kOutOfMemoryExit;
        case ExitReason::TrapLoop:
        case ExitReason::DeadWait:
            std::fputs(cannot_go_on(statistics_.end, *soc_).c_str(), stderr);
            return kCannotGoOnExit;
        case ExitReason::Running:
        case ExitReason::CountersDiffer: // execute() has told it
        case ExitReason::Guest:
            break;
        }
        return process_status(statistics_.end.guest_code);
    }

    const Options& options_;
    GuestLog log_;
    const PlatformConfig config_;
    const BootImage boot_;
    OutputSet outputs_;
    std::optional<Console> console_;
    std::optional<SampleChannel> samples_;
    OutputFile* stats_file_ = nullptr;
    struct {
        OutputFile* file = nullptr;
        OutputFile* description = nullptr; ///< how to read it
    } trace_;
    std::vector<OutputFile*> osd_files_; ///< by hart; empty: not wanted
    std::optional<VcdWriter> wave_;
    std::vector<MemoryDump> dumps_;
    std::vector<OutputFile*> truths_;         ///< by hart; empty: not wanted
    std::vector<OutputFile*> crossing_files_; ///< likewise
    std::vector<std::unique_ptr<CrossingLog>> crossings_;
    std::optional<HostProfile> profile_;
    std::optional<HostRecording> recording_;
    GuestFiles guest_files_;
    std::optional<Soc> soc_;
    RunStatistics statistics_;
};

} // namespace

int run_command(const Options& options) {
    if (options.action == Action::Events) {
        return events_command(options.profile);
    }
    if (options.action == Action::ShowConfig) {
        print(show_config(configure(options)));
        return 0;
    }
    if (options.action == Action::DumpDeviceTree) {
        dump_device_tree(options);
        return 0;
    }
    end_on_signals();
    end_when_out_of_memory();
    std::signal(SIGXFSZ, SIG_IGN); // a file-size limit becomes a failed write
    return Run(options).execute();
}

} // namespace pes

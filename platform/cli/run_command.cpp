// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/run_command.h"

#include "platform/cli/events_command.h"
#include "platform/cli/pmu_events_command.h"
#include "platform/cli/run_checkpoint.h"
#include "platform/cli/run_debugger.h"
#include "platform/cli/run_devices.h"
#include "platform/cli/run_exec.h"
#include "platform/cli/run_outputs.h"
#include "platform/cli/run_report.h"
#include "platform/cli/run_summary.h"
#include "platform/host/end_request.h"
#include "platform/host/numbers.h"
#include "platform/host/output_set.h"
#include "platform/host/user_error.h"
#include "platform/soc/guest/guest_files.h"
#include "platform/soc/guest/guest_log.h"
#include "platform/soc/outputs/empty_outputs.h"
#include "platform/soc/soc.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

namespace pes {
namespace {

std::optional<ExitReason> wanted_end() {
    switch (end_requested()) {
    case EndRequest::None:
        break;
    case EndRequest::Signal:
    case EndRequest::Debugger:
        return ExitReason::Interrupted;
    case EndRequest::OutOfMemory:
        return ExitReason::OutOfMemory;
    }
    return std::nullopt;
}

/// A waveform holds back the changes of a quantum. With one hart a shorter one changes no result.
constexpr Cycle kWaveQuantum = 10'000;

/// A stimulus file has a pin for everything that the profile's counters count.
void check_pins(const PmuProfile& profile) {
    const EventMask known = pin_sources(profile) | event_bit(Event::None) |
                            event_bit(Event::Instructions) | event_bit(Event::Cycles);
    for (const EventRow& row : profile) {
        if (!known.has(row.source)) {
            throw UserError("--counter-stimulus: the event '" + std::string(row.name) +
                            "' of profile '" + std::string(profile.name) +
                            "' has no pin in RTL, expected a profile without it");
        }
    }
}

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
    if (!options.counter_coverage.empty() && config.counters.kind != CounterModel::Lockstep) {
        throw UserError("--counter-coverage needs --counters lockstep");
    }
    if (options.lockstep_vcd.ends_with(".fst")) {
        throw UserError("--lockstep-vcd " + options.lockstep_vcd +
                        ": this window is written as VCD only, expected a name with another "
                        "ending");
    }
    if (!options.truth.empty() || options.exec) {
        config.hart.truth = true;
        config.hart.charged = config.hart.extensions.smpdis ? kAllEvents : kCoreEvents;
    }
    if (!options.counter_stimulus.empty()) {
        check_pins(*config.counters.profile);
    }
    if (!options.crossings.empty()) {
        config.hart.window = true;
    }
    if (options.profiling) {
        HostProfile::prepare(*options.profiling, config);
    }
    if (options.recording) {
        HostRecording::prepare(*options.recording, config);
    }
    config.hart.copied = !options.gdb.empty(); // by its snapshots
    use_devices(options, config);
    if (!options.vcd.empty() && config.harts == 1) {
        config.quantum = std::min(config.quantum, kWaveQuantum);
    }
    return config;
}

/// The file that runs first; the summary names it.
const std::string& first_file(const BootFiles& boot) {
    return boot.program.empty() ? boot.firmware : boot.program;
}

/// Writes the tree that the program or the firmware would get; without either, that of the
/// configuration.
void dump_device_tree(const Options& options) {
    const PlatformConfig config = configure(options);
    const bool booted = !options.boot.program.empty() || !options.boot.firmware.empty();
    const DeviceTree tree =
        booted ? BootImage(options.boot, config).device_tree() : make_device_tree(config);
    OutputSet outputs(input_files(options, config));
    outputs.open(options.dump_device_tree)->write(std::span(tree));
    outputs.commit();
}

/// One run. All user errors are found while it is constructed, before the first cycle.
class Run {
  public:
    explicit Run(const Options& options)
        : options_(options), log_("pes-vp", options.log_level), config_(configure(options)),
          boot_(options.boot, config_), guest_files_(options.guest_files), devices_(options),
          outputs_(options, config_, boot_), checkpoint_(options, config_, boot_) {
        HostSide side = outputs_.host_side(guest_files_);
        devices_.connect(side);
        soc_.emplace("soc", config_, boot_, side);
        outputs_.connect(*soc_);
        checkpoint_.prepare(*soc_, checkpoint_host());
        for (unsigned index = 0; index < soc_->hart_count(); ++index) {
            restored_.push_back(soc_->hart(index).instret());
        }
        if (RunExec* exec = devices_.exec()) {
            exec->begin(*soc_);
            if (!options.osd_trace.empty()) { // the modules have been off up to here
                soc_->software_trace()->set_up(options.osd_threads, soc_->kernel_cycle());
            }
        }
        if (!options.gdb.empty()) {
            debugger_.emplace(options.gdb, *soc_, debug_hooks());
        }
    }

    int execute() {
        outputs_.consoles().await_clients();
        if (debugger_) {
            debugger_->await_client();
        }
        const int code = execute_run();
        if (debugger_) {
            debugger_->run_ended(code);
        }
        return code;
    }

  private:
    int execute_run() {
        const auto start = std::chrono::steady_clock::now();
        statistics_.end = simulate();
        log_.tell_repetitions();
        if (const RunExec* exec = devices_.exec(); exec == nullptr || !exec->has_summary()) {
            checkpoint_.report_missing(statistics_.end.cycles); // else the summary says why
        }
        const std::chrono::duration<double> host = std::chrono::steady_clock::now() - start;
        statistics_.host_seconds = host.count();
        outputs_.consoles().finish_lines(); // whatever becomes of the other outputs
        if (statistics_.end.reason != ExitReason::CountersDiffer) {
            write_outputs();
            report_trace_losses();
            report_empty_outputs();
            const int code = exit_code();
            report_summary();
            return code;
        }
        // The difference is the result of the run; an error of an output must not replace it.
        std::fprintf(stderr, "pes-vp: %s", statistics_.end.report.c_str());
        try {
            write_outputs();
        } catch (const UserError& error) {
            std::fprintf(stderr, "pes-vp: %s\n", error.what());
        }
        return kCountersDifferExit;
    }

    DebugHooks debug_hooks() {
        return {.before_stop = [this] { outputs_.consoles().flush(); },
                .name_of_pc = [this](Address pc) { return boot_.place_name(pc); },
                .save = [this](unsigned hart,
                               const std::string& file) { return save_next(hart, file); },
                .no_way_back = why_not_back()};
    }

    /// What the host has been given or has taken cannot be taken back.
    std::string why_not_back() const {
        const auto excludes = [](const char* option) {
            return std::string(option) + " excludes going back";
        };
        if (options_.exec) {
            return excludes("pes-vp exec");
        }
        if (options_.disk_write) {
            return excludes("--disk-write");
        }
        if (options_.share_write) {
            return excludes("--share-write");
        }
        if (!options_.guest_files.empty()) {
            return excludes("--guest-files");
        }
        if (outputs_.consoles().is_live()) {
            return excludes("a console at a terminal, a pipe or a line");
        }
        return "";
    }

    CheckpointHost checkpoint_host() {
        return {.samples = outputs_.samples(),
                .files = guest_files_,
                .wave = outputs_.wave(),
                .console = outputs_.consoles().main_input(),
                .crossings = outputs_.crossings()};
    }

    /// What cannot be saved does not end the run.
    std::string save_next(unsigned hart, const std::string& file) {
        try {
            return checkpoint_.save_next(
                *soc_, checkpoint_host(), hart, file,
                [this](const std::string& sentence) { debugger_->tell(sentence); });
        } catch (const UserError& error) {
            return error.what();
        }
    }

    RunEnd simulate() {
        ProgressLine progress;
        const RunEnd end = soc_->run(options_.max_cycles, [this, &progress] {
            outputs_.consoles().look();
            if (!outputs_.consoles().has_terminal()) {
                progress.show(soc_->hart(0).now(), own_instructions());
            }
            tell_if_stuck();
            return outputs_.has_memory(*soc_) ? wanted_end() : ExitReason::OutOfMemory;
        });
        if (debugger_) {
            debugger_->run_is_over();
        }
        return end;
    }

    void tell_if_stuck() {
        const std::optional<NoProgress::Stuck> stuck = no_progress_.look(soc_->look_at_harts());
        if (!stuck) {
            return;
        }
        const std::string name = boot_.place_name(stuck->pc);
        std::fprintf(
            stderr,
            "pes-vp: hart %u makes no progress: for %llu cycles it has been at pc %s%s and "
            "near it, without a trap or an access to a device%s\n",
            stuck->hart, static_cast<unsigned long long>(stuck->cycles), hex(stuck->pc).c_str(),
            name.empty() ? "" : (" (" + name + ")").c_str(),
            stuck->interrupts_off ? "; interrupts are off" : "");
    }

    std::uint64_t own_instructions() {
        std::uint64_t sum = 0;
        for (unsigned index = 0; index < soc_->hart_count(); ++index) {
            sum += soc_->hart(index).instret() - restored_[index];
        }
        return sum;
    }

    void write_outputs() {
        for (unsigned index = 0; index < soc_->hart_count(); ++index) {
            const Hart& hart = soc_->hart(index);
            statistics_.harts.push_back({.cycles = hart.counted_cycles(),
                                         .instret = hart.instret(),
                                         .restored = restored_[index],
                                         .traps = hart.traps(),
                                         .totals = hart.totals(),
                                         .uncounted_level_cycles = hart.uncounted_level_cycles(),
                                         .path = hart.path_statistics()});
            if (const SkidlessCost* cost = hart.skidless_cost()) {
                statistics_.harts.back().skidless = *cost;
            }
            if (const CounterCoverage* coverage = soc_->counter_coverage(index)) {
                statistics_.harts.back().seen = coverage->seen();
            }
        }
        if (TraceSystem* trace = soc_->trace_system()) {
            if (!checkpoint_.ends_run()) {
                trace->finish(statistics_.end.cycles);
            }
            statistics_.trace = trace->report();
            statistics_.trace->probe_ends_inside = checkpoint_.ends_run();
        }
        statistics_.goes_on = checkpoint_.ends_run();
        if (SoftwareTraceSystem* software = soc_->software_trace()) {
            if (!checkpoint_.ends_run()) {
                software->finish();
            }
            if (!statistics_.trace) {
                statistics_.trace.emplace();
            }
            statistics_.trace->software = software->counts();
            statistics_.trace->software_bytes_unread = software->unread_bytes();
        }
        RunExec* const exec = devices_.exec();
        if (exec == nullptr) {
            print(outputs_.write(*soc_, statistics_));
            return;
        }
        exec->learn_programs(boot_.elf_files());
        outputs_.set_truth_contexts(exec->truth_contexts());
        if (options_.profiling) {
            outputs_.set_scope(exec->scope());
        }
        const std::string tables = outputs_.write(*soc_, statistics_);
        if (!options_.quiet) { // the standard output is the program's
            std::fputs(tables.c_str(), stderr);
        }
        exec->write_files();
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
             why_no_samples(outputs_.samples(),
                            {.host_interface_on = config_.htif.enabled,
                             .has_tohost = boot_.symbol("tohost").has_value(),
                             .threshold_interrupts = soc_->threshold_interrupts()}));
        if (outputs_.pipeline_is_empty()) {
            tell("--pipeline", options_.pipeline,
                 "no instruction from cycle " + std::to_string(options_.pipeline_from) +
                     " on: the run has ended in cycle " + std::to_string(statistics_.end.cycles));
        }
        if (statistics_.trace) {
            tell("--trace", options_.trace,
                 why_no_trace(*statistics_.trace, outputs_.trace_setup()));
            tell("--osd-trace", options_.osd_trace,
                 why_no_software_trace(*statistics_.trace, config_.software_trace.csr));
        }
    }

    void report_summary() {
        if (const RunExec* exec = devices_.exec(); exec != nullptr && exec->has_summary()) {
            const std::string end = how_it_ended(statistics_.end);
            std::fputs(exec->summary(config_, end, options_.quiet).c_str(), stderr);
            return;
        }
        if (!options_.quiet) {
            std::fputs(
                run_summary(first_file(options_.boot), statistics_, outputs_.samples(), config_)
                    .c_str(),
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
    GuestFiles guest_files_;
    RunDevices devices_;
    RunOutputs outputs_;
    RunCheckpoint checkpoint_;
    std::optional<Soc> soc_;
    std::vector<std::uint64_t> restored_; ///< by hart: instructions before this process
    std::optional<RunDebugger> debugger_; ///< if one may be connected
    NoProgress no_progress_{boot_.kernel_entry() ? NoProgress::Guest::UnderFirmware
                                                 : NoProgress::Guest::Program};
    RunStatistics statistics_;
};

} // namespace

int run_command(const Options& options) {
    if (options.action == Action::Events) {
        return events_command(options.profile);
    }
    if (options.action == Action::PmuEvents) {
        return pmu_events_command(options.profile, options.event_format, options.directory);
    }
    if (options.action == Action::ShowConfig) {
        const GuestLog log("pes-vp", options.log_level); // standard output is for the settings
        print(show_config(configure(options)));
        return 0;
    }
    if (options.action == Action::DumpDeviceTree) {
        const GuestLog log("pes-vp", options.log_level);
        dump_device_tree(options);
        return 0;
    }
    end_on_signals();
    end_when_out_of_memory();
    std::signal(SIGXFSZ, SIG_IGN); // a file-size limit becomes a failed write
    return Run(options).execute();
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/run_outputs.h"

#include "hw/hpm/sample_wave.h"
#include "platform/cli/trace_filter_options.h"
#include "platform/host/user_error.h"
#include "platform/soc/waves/kanata_writer.h"
#include "platform/soc/waves/lockstep_window.h"
#include "platform/soc/waves/o3_writer.h"

#include <cstdio>

namespace pes {
namespace {

/// What E-Trace does not have.
void require_packets(const Options& options) {
    const char* asked = nullptr;
    if (options.recording) {
        asked = "--records";
    } else if (options.trace_setup.program == ProgramTrace::Events) {
        asked = "--trace-program events";
    }
    if (asked != nullptr) {
        throw UserError(std::string(asked) +
                        " got trace.protocol = \"e-trace\", which has neither events nor stimuli, "
                        "expected \"nexus\"");
    }
}

/// Where lockstep leaves the RTL's waveform if nobody names a file.
constexpr const char* kLockstepVcd = "lockstep.vcd";

/// Hart 0 has the name as given, hart N has ".hartN" behind it.
std::string file_of_hart(const std::string& name, unsigned hart) {
    return hart == 0 ? name : name + ".hart" + std::to_string(hart);
}

/// Throws UserError, which the format does without the option's name.
std::unique_ptr<WaveFormat> wave_format(const std::string& name, OutputFile& file) {
    try {
        return make_wave_format(name, file);
    } catch (const UserError& error) {
        throw UserError("--vcd " + name + ": " + error.what());
    }
}

} // namespace

std::vector<std::string> input_files(const Options& options, const PlatformConfig& config) {
    const BootFiles& boot = options.boot;
    const ProfileFile* const profile = config.profile_file.get();
    return {boot.program,
            boot.firmware,
            boot.kernel,
            boot.initrd,
            boot.device_tree,
            options.config,
            options.console_input == "-" ? "" : options.console_input,
            options.restore,
            options.disk,
            profile != nullptr ? profile->path().string() : "",
            options.profiling ? options.profiling->baseline : ""};
}

RunOutputs::RunOutputs(const Options& options, const PlatformConfig& config, const BootImage& boot)
    : options_(options), config_(config), boot_(boot), outputs_(input_files(options, config)),
      consoles_(options, outputs_) {
    samples_.emplace(outputs_.open(options_.samples));
    stats_file_ = outputs_.open(options_.stats);
    open_truths();
    open_crossings();
    open_coverage();
    open_stimulus();
    if (options_.profiling) {
        profile_.emplace(*options_.profiling, config_,
                         options_.exec ? std::nullopt : std::optional(boot_.elf_files()), outputs_);
    }
    if (options_.recording) {
        recording_.emplace(*options_.recording, config_);
    }
    if (OutputFile* file = outputs_.open(options_.vcd)) {
        wave_.emplace(
            wave_format(options_.vcd, *file),
            WaveSelection{parse_groups(options_.vcd_groups), options_.vcd_from, options_.vcd_to},
            config_.clock_hz, wave_slack(config_));
    }
    open_pipeline();
    open_trace();
    open_osd_trace();
    if (!options_.lockstep_vcd.empty()) {
        outputs_.reserve(options_.lockstep_vcd);
        outputs_.reserve(lockstep_save_file(options_.lockstep_vcd));
    }
    if (options_.checkpoint) {
        outputs_.reserve(options_.checkpoint->file);
    }
    for (const std::string& dump : options_.dumps) {
        dumps_.emplace_back(dump, boot_, config_.hart.memory, outputs_);
    }
}

void RunOutputs::open_truths() {
    if (options_.truth.empty()) {
        return;
    }
    for (unsigned index = 0; index < config_.harts; ++index) {
        truths_.push_back(outputs_.open(file_of_hart(options_.truth, index)));
    }
}

void RunOutputs::open_crossings() {
    if (options_.crossings.empty()) {
        return;
    }
    for (unsigned index = 0; index < config_.harts; ++index) {
        crossings_.push_back(std::make_unique<CrossingLog>(
            index, *outputs_.open(file_of_hart(options_.crossings, index))));
    }
}

void RunOutputs::open_coverage() {
    if (options_.counter_coverage.empty()) {
        return;
    }
    for (unsigned index = 0; index < config_.harts; ++index) {
        coverages_.push_back(outputs_.open(file_of_hart(options_.counter_coverage, index)));
    }
}

void RunOutputs::open_stimulus() {
    if (options_.counter_stimulus.empty()) {
        return;
    }
    if (options_.counter_stimulus == "-" && config_.harts > 1) {
        throw UserError("--counter-stimulus - has room for one hart, expected a file name: each "
                        "hart gets one");
    }
    for (unsigned index = 0; index < config_.harts; ++index) {
        stimuli_.push_back(outputs_.open(file_of_hart(options_.counter_stimulus, index)));
    }
}

void RunOutputs::open_pipeline() {
    OutputFile* const file = outputs_.open(options_.pipeline);
    if (file == nullptr) {
        return;
    }
    if (options_.pipeline.ends_with(".o3")) {
        pipeline_ = std::make_unique<O3Writer>(*file, config_.harts);
    } else {
        pipeline_ = std::make_unique<KanataWriter>(*file, config_.harts);
    }
    disassembler_.emplace(Xlen::Rv64);
    const PipelineWindow window{.from = options_.pipeline_from,
                                .to = options_.pipeline_to,
                                .lead = wave_slack(config_) - config_.quantum};
    for (unsigned index = 0; index < config_.harts; ++index) {
        passages_.push_back(
            std::make_unique<PipelineRecorder>(index, *pipeline_, &*disassembler_, window));
    }
}

std::vector<CrossingLog*> RunOutputs::crossings() const {
    std::vector<CrossingLog*> logs;
    for (const std::unique_ptr<CrossingLog>& log : crossings_) {
        logs.push_back(log.get());
    }
    return logs;
}

std::vector<std::vector<HartTap*>> RunOutputs::taps() {
    std::vector<std::vector<HartTap*>> all(config_.harts);
    for (unsigned index = 0; index < config_.harts; ++index) {
        if (!crossings_.empty()) {
            all[index].push_back(crossings_[index].get());
        }
        if (profile_) {
            const std::vector<HartTap*> taps = profile_->taps(index);
            all[index].insert(all[index].end(), taps.begin(), taps.end());
        }
        if (recording_) {
            all[index].push_back(recording_->tap(index));
        }
        if (pipeline_) {
            all[index].push_back(passages_[index].get());
        }
    }
    return all;
}

void RunOutputs::open_trace() {
    if (options_.trace.empty()) {
        return;
    }
    if (!config_.trace.enabled) {
        throw UserError("--trace needs the trace blocks, expected trace.enabled = true");
    }
    if (config_.trace.protocol == trace::Protocol::ETrace) {
        require_packets(options_);
    }
    trace_.setup = options_.trace_setup;
    trace_.setup.filter = trace_filters(options_, config_, boot_);
    trace_.file = outputs_.open(options_.trace);
    if (options_.trace != "-") {
        trace_.description = outputs_.open_companion(options_.trace + ".toml");
    }
}

void RunOutputs::open_osd_trace() {
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

HostSide RunOutputs::host_side(GuestFiles& guest_files) {
    HostSide side{.console = consoles_.main(),
                  .samples = *samples_,
                  .files = guest_files,
                  .wave = wave_ ? &*wave_ : nullptr,
                  .lockstep_vcd = options_.lockstep_vcd.empty() ? std::string(kLockstepVcd)
                                                                : options_.lockstep_vcd,
                  .counter_stimuli = stimuli_,
                  .trace = trace_.file,
                  .software_trace = osd_files_,
                  .taps = taps()};
    consoles_.connect(side);
    return side;
}

void RunOutputs::connect(Soc& soc) {
    if (wave_) {
        wave_->check_groups();
        wave_->follow([&soc] { return soc.kernel_cycle(); });
    }
    check_path();
    connect_trace(soc);
}

/// In a checkpoint the blocks have been set up.
void RunOutputs::connect_trace(Soc& soc) {
    const bool restores = !options_.restore.empty();
    if (trace_.file != nullptr) {
        if (restores) {
            soc.trace_system()->was_set_up();
        } else {
            soc.trace_system()->set_up(trace_.setup);
        }
        if (recording_) {
            recording_->connect(*soc.trace_system());
        }
    }
    if (!osd_files_.empty() && !restores) {
        soc.software_trace()->set_up(options_.osd_threads);
    }
}

/// Whoever insists on the fast path cannot have it and see every instruction.
void RunOutputs::check_path() const {
    if (config_.hart.path != ExecutionPath::Fast) {
        return;
    }
    const char* watcher = nullptr;
    if (config_.counters.kind != CounterModel::Tlm) {
        watcher = "counters in RTL (counters.model)";
    } else if (!stimuli_.empty()) {
        watcher = "--counter-stimulus";
    } else if (trace_.file != nullptr && options_.trace_setup.counters) {
        watcher = "--trace-counters";
    } else if (options_.osd_threads == ThreadTracking::On) {
        watcher = "--osd-threads on";
    } else if (wave_ && wave_->wants(CommitWave::kGroup)) {
        watcher = "the wave group 'commit' (--vcd-groups names the others)";
    } else if (wave_ && wave_->wants(SampleWave::kGroup)) {
        watcher = "the wave group 'sample' (--vcd-groups names the others)";
    }
    if (pipeline_) {
        watcher = "--pipeline";
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

bool RunOutputs::has_memory(Soc& soc) {
    std::size_t bytes = 0;
    std::size_t rows = 0;
    std::size_t spaces = 0;
    for (unsigned index = 0; index < soc.hart_count(); ++index) {
        if (const TruthTable* truth = soc.hart(index).truth()) {
            bytes += truth->bytes();
            rows += truth->rows();
            spaces += truth->contexts();
        }
    }
    const std::uint64_t most = config_.truth_memory;
    if (bytes <= most / 2) {
        return true;
    }
    if (!warned_of_memory_ || bytes > most) {
        warned_of_memory_ = true;
        std::fprintf(stderr,
                     "pes-vp: the exact profile takes %zu of %llu MiB (truth_memory): %zu "
                     "addresses in %zu modes and address spaces; %s\n",
                     bytes >> 20, static_cast<unsigned long long>(most >> 20), rows, spaces,
                     bytes > most ? "the run ends here" : "the run will end when it is used up");
    }
    return bytes <= most;
}

std::string RunOutputs::write(Soc& soc, RunStatistics& statistics) {
    if (trace_.description != nullptr) {
        trace_.description->write(trace_description(config_, boot_.elf_files(), *statistics.trace));
    }
    if (wave_) {
        wave_->finish(statistics.end.cycles);
        statistics.late_wave_changes = wave_->late();
    }
    if (pipeline_) {
        pipeline_->finish();
    }
    for (unsigned index = 0; index < truths_.size(); ++index) {
        write_truth(truths_[index]->stream(), index, *soc.hart(index).truth(), truth_contexts_);
    }
    for (unsigned index = 0; index < coverages_.size(); ++index) {
        write_counter_coverage(coverages_[index]->stream(), *soc.counter_coverage(index));
    }
    if (!statistics.goes_on) {
        for (const std::unique_ptr<CrossingLog>& log : crossings_) {
            log->finish();
        }
    }
    const std::string tables = profile_ ? profile_->write(soc) : "";
    for (const MemoryDump& dump : dumps_) {
        dump.write(soc.memory());
    }
    if (stats_file_ != nullptr) {
        stats_file_->write(statistics_json(statistics, *samples_, *config_.counters.profile));
    }
    outputs_.commit();
    return tables;
}

} // namespace pes

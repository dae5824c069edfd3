// SPDX-License-Identifier: Apache-2.0
// Runs a sampling program on the platform with a triggered waveform, writes it as VCD with a
// GTKWave save file that groups the published figures, reads it back and checks each sample.
#include "platform/config/config.h"
#include "platform/host/end_request.h"
#include "platform/host/output_set.h"
#include "platform/host/special_file.h"
#include "platform/host/temporary_files.h"
#include "platform/host/user_error.h"
#include "platform/soc/guest/console.h"
#include "platform/soc/guest/guest_files.h"
#include "platform/soc/guest/guest_log.h"
#include "platform/soc/guest/sample_channel.h"
#include "platform/soc/soc.h"
#include "tb/figures.h"
#include "tb/sample_check.h"
#include "tb/scenario_options.h"
#include "tb/scenario_save.h"
#include "tb/timing_diagram.h"
#include "tb/triggered_wave.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <systemc>

namespace pes {
namespace {

constexpr std::uint64_t kPicosecondsPerSecond = 1'000'000'000'000;
constexpr std::uint64_t kPicosecondsPerNanosecond = 1'000;
constexpr std::string_view kName = "pes_scenario";

std::filesystem::path file_name(const ScenarioOptions& options, std::string_view extension) {
    return options.output / (std::string(kName) + std::string(extension));
}

void make_directory(const std::filesystem::path& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) {
        throw UserError("--output " + directory.string() + ": " + error.message() +
                        ", expected a directory");
    }
}

struct Recording {
    enum class Guest : std::uint8_t { EndedWell, Failed } guest;
    Cycle trigger; ///< the sample's threshold line rises
};

/// Runs the program and writes the waveform.
Recording record(const ScenarioOptions& options, const PlatformConfig& config) {
    const BootImage boot({.program = options.program}, config);
    OutputSet outputs;
    require_no_special("cannot write", file_name(options, ".vcd")); // it is read again
    OutputFile* const vcd = outputs.open(file_name(options, ".vcd"));
    Console console(*outputs.open(file_name(options, ".console")));
    SampleChannel samples;
    TriggeredWave wave({.signal = "hart0.hpm.perf_counter_irq_o",
                        .occurrence = options.sample,
                        .before = options.before,
                        .after = options.after},
                       wave_slack(config));
    GuestFiles files;
    GuestLog log("pes-scenario", "warn");
    Soc soc("soc", config, boot,
            HostSide{.console = console, .samples = samples, .files = files, .wave = &wave});
    const RunEnd end = soc.run(options.max_cycles, [] { return std::nullopt; });
    log.tell_repetitions();
    std::fputs(end.report.c_str(), stderr);
    if (!wave.window()) {
        throw UserError(options.program + ": sample " + std::to_string(options.sample) +
                        " was not reached in " + std::to_string(end.cycles) + " cycles");
    }
    wave.write(*vcd, config.clock_hz, end.cycles);
    outputs.commit();
    const bool well = end.reason == ExitReason::Guest && end.guest_code == 0;
    std::printf("%s: %llu cycles, end: %s %llu  %s\n", options.program.c_str(),
                static_cast<unsigned long long>(end.cycles),
                std::string(name_of(end.reason)).c_str(),
                static_cast<unsigned long long>(end.guest_code), well ? "OK" : "FAILS");
    return {well ? Recording::Guest::EndedWell : Recording::Guest::Failed, wave.window()->trigger};
}

bool check(const std::vector<Sample>& samples, const ScenarioOptions& options) {
    bool holds = true;
    unsigned number = options.sample;
    std::size_t whole = 0;
    for (const Sample& sample : samples) {
        if (!sample.complete()) {
            break; // cut off by the end of the window
        }
        whole += sample.recorded() ? 1 : 0;
        const std::vector<CheckRow> rows = check_sample(sample, options.check);
        std::printf("\nsample %u: %s", number++, format_check(sample, rows).c_str());
        holds = holds && std::ranges::none_of(rows, [](const CheckRow& row) {
                    return row.verdict == Verdict::Fails;
                });
    }
    const bool enough = whole >= options.minimum_samples;
    std::printf(
        "\n\"differs\" is a figure of the RTL's own program, compared and not demanded of others;\n"
        "docs/waveforms.md says why.\n");
    std::printf("\nwhole recorded samples in the window: %zu, at least %u  %s\n", whole,
                options.minimum_samples, enough ? "OK" : "FAILS");
    return holds && enough;
}

/// The time that each figure shows of a sample.
std::vector<DiagramPanel> panels_of(const Sample& sample, std::span<const Figure> figures,
                                    const VcdFile& wave) {
    constexpr Cycle kMargin = 4;
    const auto at = [&](Step step) { return sample.at(step).value_or(wave.from()); };
    const auto before = [&](Step step) { return at(step) - std::min(at(step), kMargin); };
    const auto after = [&](Step step) { return at(step) + kMargin; };
    const WaveSignal& counter = wave.signal(signals_of(sample.counter).value);
    const Cycle counting =
        counter.first(wave.from(), [](std::uint64_t value) { return value == 1; })
            .value_or(at(Step::Event));
    const Figure* const figure = figures.data();
    return {
        {figure, counting - std::min(counting, kMargin), after(Step::Line)},
        {figure + 1, before(Step::Event), after(Step::TrapTaken)},
        {figure + 2, before(Step::TrapTaken), after(Step::Claim)},
        {figure + 3, before(Step::Store), after(Step::Store) + kMargin},
        {figure + 4, before(Step::Reset), after(Step::Resume)},
    };
}

void write_view(const ScenarioOptions& options, const PlatformConfig& config, const VcdFile& wave,
                const Sample& sample) {
    const std::vector<Figure> figures = published_figures(sample.counter);
    const std::uint64_t period = kPicosecondsPerSecond / config.clock_hz;
    const bool nanoseconds = period % kPicosecondsPerNanosecond == 0; // as the VCD writer decides
    OutputSet outputs;
    outputs.open(file_name(options, ".gtkw"))
        ->write(scenario_save(
            figures, wave, sample,
            {.vcd = std::string(kName) + ".vcd",
             .cycle_time = nanoseconds ? period / kPicosecondsPerNanosecond : period}));
    if (OutputFile* const svg = outputs.open(options.svg)) {
        svg->write(draw_timing_diagram(wave, panels_of(sample, figures, wave)));
    }
    outputs.commit();
}

int run(const ScenarioOptions& options) {
    const PlatformConfig config = make_config(options.config, options.assignments);
    make_directory(options.output);
    const Recording recording = record(options, config);
    const VcdFile wave =
        VcdFile::read(file_name(options, ".vcd"), kPicosecondsPerSecond / config.clock_hz);
    const std::vector<Sample> samples =
        find_samples(wave, *config.counters.profile, recording.trigger);
    const bool holds = check(samples, options);
    write_view(options, config, wave, samples.front());
    if (std::fflush(stdout) != 0) {
        throw UserError(std::string("cannot write to the standard output: ") +
                        std::strerror(errno));
    }
    return recording.guest == Recording::Guest::EndedWell && holds ? 0 : 1;
}

} // namespace
} // namespace pes

/// Called by the SystemC library between its set-up and its clean-up.
int sc_main(int argc, char** argv) {
    pes::temporary_files::remove_on_signals();
    try {
        sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
        const std::optional<pes::ScenarioOptions> options = pes::parse_scenario_options(argc, argv);
        return options ? pes::run(*options) : 0;
    } catch (const pes::UserError& error) {
        std::fprintf(stderr, "pes-scenario: %s\n", error.what());
    } catch (const std::exception& error) {
        if (pes::is_out_of_memory(error)) {
            std::fputs("pes-scenario: out of memory: no result is written\n", stderr);
            return pes::kOutOfMemoryExit;
        }
        std::fprintf(stderr, "pes-scenario: cannot go on: %s\n", error.what());
    }
    return pes::kUserErrorExit;
}

int main(int argc, char** argv) {
    ::setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1); // the library's banner goes to stderr
    return sc_core::sc_elab_and_sim(argc, argv);
}

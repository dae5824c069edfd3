// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/measurement.h"

#include "tests/bench/contender.h"
#include "tests/bench/process_cost.h"
#include "tests/bench/trace_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace pes::bench {
namespace {

constexpr unsigned kEmptyRuns = 7; // of each round: short, so many

std::vector<std::string> on_qemu(const Settings& settings, const std::string& program) {
    return {settings.qemu,
            "-M",
            "virt",
            "-bios",
            "none",
            "-display",
            "none",
            "-serial",
            "stdio",
            "-monitor",
            "none",
            "-kernel",
            program_file(settings, program)};
}

/// The beginning of a program with counters of another kind.
constexpr std::uint64_t kCounterCycles = 20'000'000;

std::vector<std::string> with_counters(const Settings& settings, const std::string& program,
                                       const char* kind) {
    std::vector<std::string> command =
        with(on_platform(settings, program, "auto"),
             {"--counters", kind, "--max-cycles", std::to_string(kCounterCycles)});
    for (const std::string& setting : settings.rtl_settings) {
        command.insert(command.end(), {"--set", setting});
    }
    return command;
}

/// Instructions of a program on QEMU: under icount its counter is exact, and the program prints it.
double count_on_qemu(const Settings& settings, const std::string& program) {
    const std::string output = run(with(on_qemu(settings, program), {"-icount", "shift=0"})).output;
    const std::string key = " instret=";
    const std::size_t at = output.find(key);
    if (at == std::string::npos) {
        throw std::runtime_error(program + " printed no instruction count on QEMU");
    }
    return std::stod(output.substr(at + key.size()));
}

/// Everything that runs for one program.
struct ProgramContenders {
    ProgramContenders(const Settings& settings, const ProgramBar& bar)
        : bar(bar), sampling(fmt::format("{}_sampling", bar.name)),
          counting(fmt::format("{}_counting", bar.name)),
          longer(fmt::format("{}_long", bar.name)), fast{on_platform(settings, sampling, "fast")},
          fast_counting{on_platform(settings, counting, "fast")}, step{on_platform(
                                                                      settings, sampling, "step")},
          step_counting{on_platform(settings, counting, "step")}, qemu{on_qemu(settings, longer)},
          rtl{with_counters(settings, sampling, "rtl"), kCycleLimitExit},
          lockstep{with_counters(settings, sampling, "lockstep"), kCycleLimitExit} {}

    ProgramBar bar;
    std::string sampling, counting, longer;
    Contender fast, fast_counting, step, step_counting, qemu, rtl, lockstep;
};

PathSpeed speed_of(const Contender& on, const Contender& off, const Contender& empty,
                   const Counts& sampled, const Counts& counted) {
    const double seconds = on.net_seconds(empty);
    const double without = off.net_seconds(empty);
    return {.instructions = sampled.instructions,
            .cycles = sampled.cycles,
            .samples = sampled.traps - counted.traps,
            .mips = static_cast<double>(sampled.instructions) / seconds * 1e-6,
            .counting_mips = static_cast<double>(counted.instructions) / without * 1e-6,
            .sampling_cost = 100 * (seconds / without - 1),
            .peak_mebibytes = on.peak_mebibytes};
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

} // namespace

std::string machine_description() {
    std::ifstream in("/proc/cpuinfo");
    std::string model = "unknown processor";
    for (std::string line; std::getline(in, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) {
            model = line.substr(colon + 2);
            break;
        }
    }
    return fmt::format("{}, {} logical processors", model, std::thread::hardware_concurrency());
}

Results measure(const Settings& settings) {
    const bool with_qemu = !settings.qemu.empty();
    Contender empty{on_platform(settings, "empty", "auto")};
    Contender qemu_empty{on_qemu(settings, "empty")};
    std::vector<ProgramContenders> all;
    for (const ProgramBar& bar : kPrograms) {
        all.emplace_back(settings, bar);
    }
    TraceMeasurement trace(settings);
    for (unsigned round = 0; round < settings.runs; ++round) {
        for (unsigned turn = 0; turn < kEmptyRuns; ++turn) {
            empty.take_turn();
            if (with_qemu) {
                qemu_empty.take_turn();
            }
        }
        for (ProgramContenders& program : all) {
            for (Contender* contender :
                 {&program.fast, &program.fast_counting, &program.step, &program.step_counting}) {
                contender->take_turn();
            }
            if (with_qemu) {
                program.qemu.take_turn();
            }
            if (settings.rtl) {
                program.rtl.take_turn();
                program.lockstep.take_turn();
            }
        }
        trace.take_turn();
    }
    Results results{.machine = machine_description(),
                    .qemu_version =
                        with_qemu ? first_line(run({settings.qemu, "--version"}).output) : "",
                    .runs = settings.runs,
                    .programs = {},
                    .empty_milliseconds = median(empty.wall_seconds) * 1e3,
                    .trace = trace.results(empty)};
    for (const ProgramContenders& program : all) {
        const Counts sampled = count(on_platform(settings, program.sampling, "auto"));
        const Counts counted = count(on_platform(settings, program.counting, "auto"));
        ProgramSpeed speed{
            .bar = program.bar,
            .fast = speed_of(program.fast, program.fast_counting, empty, sampled, counted),
            .step = speed_of(program.step, program.step_counting, empty, sampled, counted),
            .qemu_mips = {},
            .rtl_megacycles = {},
            .lockstep_megacycles = {}};
        if (with_qemu) {
            speed.qemu_mips = count_on_qemu(settings, program.longer) /
                              program.qemu.net_seconds(qemu_empty) * 1e-6;
        }
        if (settings.rtl) {
            const double megacycles = static_cast<double>(kCounterCycles) * 1e-6;
            speed.rtl_megacycles = megacycles / program.rtl.net_seconds(empty);
            speed.lockstep_megacycles = megacycles / program.lockstep.net_seconds(empty);
        }
        results.programs.push_back(speed);
    }
    return results;
}

} // namespace pes::bench

// SPDX-License-Identifier: Apache-2.0
// How fast the platform is, next to QEMU in the same run on the same machine: absolute figures do
// not travel, ratios do. Each program runs on both; the CPU time of the process counts (user and
// system, start-up taken away by the empty program's), the best of several runs, because other work
// on the machine only ever adds.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <spawn.h>
#include <string>
#include <unistd.h>
#include <vector>

extern char** environ; // NOLINT(readability-redundant-declaration): POSIX wants it so

namespace {

struct Settings {
    std::string platform;
    std::string qemu;
    std::string programs;
    std::string json;
    unsigned runs = 3;
};

struct Cost {
    double seconds = 0; ///< CPU time
    long peak_kibibytes = 0;
};

/// Runs a command with its output discarded. Throws if it cannot be run or fails.
Cost run(std::vector<std::string> command) {
    std::vector<char*> arguments;
    for (std::string& word : command) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int error =
        posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        throw std::system_error(error, std::generic_category(), command[0]);
    }
    int status = 0;
    rusage usage{};
    if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 0) {
        throw std::runtime_error(fmt::format("{} failed", fmt::join(command, " ")));
    }
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return {.seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime),
            .peak_kibibytes = usage.ru_maxrss};
}

Cost best_of(unsigned runs, const std::vector<std::string>& command) {
    Cost best = run(command);
    for (unsigned index = 1; index < runs; ++index) {
        const Cost again = run(command);
        best.seconds = std::min(best.seconds, again.seconds);
    }
    return best;
}

std::vector<std::string> on_platform(const Settings& settings, const std::string& elf) {
    return {settings.platform, "run", elf};
}
std::vector<std::string> on_qemu(const Settings& settings, const std::string& elf) {
    return {settings.qemu, "-M",    "virt",     "-bios", "none",    "-display", "none",
            "-serial",     "stdio", "-monitor", "none",  "-kernel", elf};
}

struct Counts {
    double instructions = 0;
    double cycles = 0;
};

Counts count(const Settings& settings, const std::string& elf) {
    const std::string file = fmt::format("/tmp/pes-bench-{}.json", getpid());
    std::vector<std::string> command = on_platform(settings, elf);
    command.insert(command.end(), {"--stats", file});
    run(command);
    nlohmann::json stats;
    std::ifstream(file) >> stats;
    unlink(file.c_str());
    return {.instructions = stats.at("instret"), .cycles = stats.at("cycles")};
}

nlohmann::json measure(const Settings& settings, const std::string& program, const Cost& ours_empty,
                       const Cost& qemu_empty) {
    const std::string elf = fmt::format("{}/bench_{}.elf", settings.programs, program);
    const Counts counts = count(settings, elf);
    const Cost ours = best_of(settings.runs, on_platform(settings, elf));
    const double mips = counts.instructions / (ours.seconds - ours_empty.seconds) * 1e-6;
    nlohmann::json row{{"program", program},
                       {"instructions", counts.instructions},
                       {"cycles", counts.cycles},
                       {"mips", mips},
                       {"peak_mebibytes", static_cast<double>(ours.peak_kibibytes) / 1024}};
    std::string reference = fmt::format("{:>10} {:>8}", "-", "-");
    if (!settings.qemu.empty()) {
        const Cost qemu = best_of(settings.runs, on_qemu(settings, elf));
        const double qemu_mips =
            counts.instructions / std::max(qemu.seconds - qemu_empty.seconds, 1e-6) * 1e-6;
        row["qemu_mips"] = qemu_mips;
        row["ratio"] = qemu_mips / mips;
        reference =
            fmt::format("{:>10.0f} {:>8}", qemu_mips, fmt::format("1/{:.1f}", qemu_mips / mips));
    }
    fmt::print("{:<12} {:>14.0f} {:>8.3f} {:>8.1f} {} {:>9.0f}\n", program, counts.instructions,
               counts.cycles / counts.instructions, mips, reference,
               static_cast<double>(ours.peak_kibibytes) / 1024);
    return row;
}

void bench(const Settings& settings) {
    const std::string empty = settings.programs + "/bench_empty.elf";
    const Cost ours_empty = best_of(settings.runs, on_platform(settings, empty));
    const Cost qemu_empty =
        settings.qemu.empty() ? Cost{} : best_of(settings.runs, on_qemu(settings, empty));
    fmt::print("{:<12} {:>14} {:>8} {:>8} {:>10} {:>8} {:>9}\n", "program", "instructions", "CPI",
               "MIPS", "QEMU MIPS", "ratio", "peak MiB");
    nlohmann::json report{{"empty_seconds", ours_empty.seconds},
                          {"programs", nlohmann::json::array()}};
    for (const char* program : {"int_mix", "mem_walk", "fp_matmul"}) {
        report["programs"].push_back(measure(settings, program, ours_empty, qemu_empty));
    }
    fmt::print("an empty program takes {:.0f} ms from start to end\n", ours_empty.seconds * 1e3);
    if (!settings.json.empty()) {
        std::ofstream(settings.json) << report.dump(2) << '\n';
    }
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app{"Measures simulation speed on the benchmark programs, next to QEMU", "pes-bench"};
    Settings settings;
    app.add_option("--platform", settings.platform, "pes-vp to measure")
        ->required()
        ->check(CLI::ExistingFile);
    app.add_option("--qemu", settings.qemu, "qemu-system-riscv64; without it no ratio is printed");
    app.add_option("--programs", settings.programs, "folder with bench_*.elf")
        ->required()
        ->check(CLI::ExistingDirectory);
    app.add_option("--runs", settings.runs, "runs of each program, the best counts")
        ->check(CLI::Range(1, 100));
    app.add_option("--json", settings.json, "file for the results");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    try {
        bench(settings);
    } catch (const std::exception& error) {
        std::cerr << "pes-bench: " << error.what() << '\n';
        return 1;
    }
    return 0;
}

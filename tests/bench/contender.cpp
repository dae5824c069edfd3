// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/contender.h"

#include "tests/bench/process_cost.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <system_error>

namespace pes::bench {

void Contender::take_turn() {
    const Cost cost = run(command, exit_code).cost;
    cpu_seconds = std::min(cpu_seconds, cost.cpu_seconds);
    peak_mebibytes = std::max(peak_mebibytes, cost.peak_mebibytes);
    wall_seconds.push_back(cost.wall_seconds);
}

double Contender::net_seconds(const Contender& empty) const {
    return std::max(cpu_seconds - empty.cpu_seconds, 1e-3);
}

ScratchDirectory::ScratchDirectory() {
    std::string name = std::filesystem::temp_directory_path() / "pes-bench-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), name);
    }
    path_ = name;
}

ScratchDirectory::~ScratchDirectory() {
    std::error_code ignored; // what is left behind does no harm to the results
    std::filesystem::remove_all(path_, ignored);
}

std::string program_file(const Settings& settings, const std::string& program) {
    return fmt::format("{}/bench_{}.elf", settings.programs, program);
}

std::vector<std::string> on_platform(const Settings& settings, const std::string& program,
                                     const char* path) {
    return {settings.platform, "run", program_file(settings, program), "--quiet", "--path", path};
}

std::vector<std::string> with(std::vector<std::string> command,
                              const std::vector<std::string>& options) {
    command.insert(command.end(), options.begin(), options.end());
    return command;
}

Counts count(const std::vector<std::string>& command, int exit_code) {
    const ScratchDirectory scratch;
    const std::string file = scratch.file("stats.json");
    run(with(command, {"--stats", file}), exit_code);
    nlohmann::json stats;
    std::ifstream(file) >> stats;
    Counts counts{.instructions = stats.at("instret"),
                  .cycles = stats.at("cycles"),
                  .traps = stats.at("traps")};
    if (stats.contains("harts")) { // beside them stand the numbers of hart 0
        counts.instructions = counts.traps = 0;
        for (const nlohmann::json& hart : stats.at("harts")) {
            counts.instructions += hart.at("instret").get<std::uint64_t>();
            counts.traps += hart.at("traps").get<std::uint64_t>();
        }
    }
    for (const nlohmann::json& encoder : stats.at("trace").at("encoders")) {
        counts.trace_bytes += encoder.at("bytes").get<std::uint64_t>();
    }
    return counts;
}

} // namespace pes::bench

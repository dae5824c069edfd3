// SPDX-License-Identifier: Apache-2.0
#include "tests/paths/outputs.h"

#include "tests/differential/process.h"

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace pes::paths {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kLimit{600};
constexpr const char* kStatistics = "stats";

std::string read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        throw std::runtime_error("the run left no " + file.string());
    }
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// The host's time is all that may differ.
std::string without_host_time(const std::string& text) {
    auto document = nlohmann::ordered_json::parse(text);
    document.erase("host_seconds");
    document.erase("mips");
    document.erase("host_path");
    return document.dump(1);
}

/// The command names the path.
std::string without_command(const std::string& page) {
    const std::size_t begin = page.find("\"command\":\"");
    const std::size_t end = begin == std::string::npos ? begin : page.find(',', begin);
    return end == std::string::npos ? page : page.substr(0, begin) + page.substr(end);
}

bool printable(char byte) {
    return (byte >= ' ' && byte <= '~') || byte == '\n' || byte == '\t';
}

/// The line or, in binary data, the 8 bytes around an offset.
std::string excerpt(const std::string& bytes, std::size_t offset) {
    if (offset >= bytes.size()) {
        return "(end)";
    }
    if (std::ranges::all_of(bytes, printable)) {
        const std::size_t begin = offset == 0 ? 0 : bytes.rfind('\n', offset - 1) + 1;
        return fmt::format("'{}'", bytes.substr(begin, bytes.find('\n', offset) - begin));
    }
    std::string text = "0x";
    const std::size_t begin = offset - offset % 8;
    for (std::size_t at = std::min(begin + 8, bytes.size()); at > begin; --at) {
        text += fmt::format("{:02x}", static_cast<unsigned char>(bytes[at - 1]));
    }
    return text;
}

} // namespace

Outputs execute(const std::string& platform, const Invocation& run,
                const std::vector<std::string>& more, const fs::path& directory) {
    fs::remove_all(directory);
    fs::create_directories(directory);
    // The summary holds the host's time.
    std::vector<std::string> command{platform, run.profiled ? "profile" : "run", "--quiet"};
    if (!run.program.empty()) {
        command.push_back(run.program.string());
    }
    command.insert(command.end(), run.options.begin(), run.options.end());
    command.insert(command.end(), more.begin(), more.end());
    std::vector<std::string> files{"--console", "--samples", "--stats"};
    files.insert(files.end(), run.files.begin(), run.files.end());
    Outputs outputs;
    for (const std::string& option : files) {
        const std::string name = option.substr(option.find_first_not_of('-'));
        command.insert(command.end(), {option, (directory / name).string()});
        outputs[name];
    }
    if (!run.memory.empty()) {
        command.insert(command.end(),
                       {"--dump", run.memory + "@" + (directory / "memory").string()});
        outputs["memory"];
    }
    const differential::ProcessResult result =
        differential::run_process(command, kLimit, differential::ErrorStream::WithOutput);
    if (result.timed_out) {
        throw std::runtime_error(run.program.string() + " did not end");
    }
    for (auto& [name, bytes] : outputs) {
        try {
            bytes = read(directory / name);
        } catch (const std::runtime_error& error) {
            throw std::runtime_error(
                fmt::format("{}: {}: {}", fmt::join(command, " "), error.what(), result.output));
        }
    }
    for (const auto& entry : fs::directory_iterator(directory)) {
        if (entry.path().extension().string().starts_with(".hart")) {
            outputs[entry.path().filename()] = read(entry.path());
        }
    }
    fs::remove_all(directory);
    outputs[kStatistics] = without_host_time(outputs[kStatistics]);
    if (const auto report = outputs.find("report"); report != outputs.end()) {
        report->second = without_command(report->second);
    }
    outputs["exit code"] = std::to_string(result.exit_code);
    outputs["messages"] = result.output;
    return outputs;
}

std::optional<std::string> difference(const Outputs& left, const Outputs& right) {
    std::string text;
    for (const auto& [name, bytes] : left) {
        const auto other = right.find(name);
        if (other == right.end()) {
            text += fmt::format("  {}: only one run has it\n", name);
            continue;
        }
        if (bytes == other->second) {
            continue;
        }
        const auto at = static_cast<std::size_t>(std::ranges::mismatch(bytes, other->second).in1 -
                                                 bytes.begin());
        text += fmt::format("  {}: {} and {} bytes, first difference at {:#x}: {} and {}\n", name,
                            bytes.size(), other->second.size(), at, excerpt(bytes, at),
                            excerpt(other->second, at));
    }
    for (const auto& [name, bytes] : right) {
        if (!left.contains(name)) {
            text += fmt::format("  {}: only one run has it\n", name);
        }
    }
    return text.empty() ? std::nullopt : std::optional(text);
}

} // namespace pes::paths

// SPDX-License-Identifier: Apache-2.0
#include "platform/exec/prepared_linux.h"

#include "platform/checkpoint/checkpoint_file.h"
#include "platform/host/output_file.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>

namespace pes {

namespace fs = std::filesystem;

namespace {

constexpr int kCannotFetch = 77; ///< exit code of prepare.sh

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

fs::path cache_folder() {
    if (const std::string cache = environment("XDG_CACHE_HOME"); !cache.empty()) {
        return cache;
    }
    const std::string home = environment("HOME");
    if (home.empty()) {
        throw UserError("exec: neither XDG_CACHE_HOME nor HOME is set, expected --cache DIR");
    }
    return fs::path(home) / ".cache";
}

bool same_bytes(const fs::path& one, const fs::path& other) {
    std::ifstream first(one, std::ios::binary), second(other, std::ios::binary);
    using Bytes = std::istreambuf_iterator<char>;
    return first && second && std::equal(Bytes(first), Bytes(), Bytes(second), Bytes());
}

/// The exit code; 127 if it could not be started.
int execute(const std::vector<std::string>& command) {
    std::vector<char*> arguments;
    for (const std::string& word : command) {
        arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    pid_t child = 0;
    int status = 0;
    if (::posix_spawnp(&child, arguments.front(), nullptr, nullptr, arguments.data(), environ) !=
            0 ||
        ::waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) {
        return 127;
    }
    return WEXITSTATUS(status);
}

} // namespace

LinuxParts LinuxParts::find() {
    return find(own_folder());
}

fs::path LinuxParts::own_folder() {
    return fs::read_symlink("/proc/self/exe").parent_path().parent_path();
}

LinuxParts LinuxParts::expected(const fs::path& own) {
    const bool built = fs::exists(own / "CMakeCache.txt");
    const fs::path shared = own / "share/pes-vp";
    return {.firmware = (built ? own / "firmware" : shared) / "pes_firmware.elf",
            .agent = (built ? own : shared) / "linux/pes_agent",
            .script = (built ? own : shared) / "linux/prepare.sh"};
}

LinuxParts LinuxParts::find(const fs::path& own) {
    const bool built = fs::exists(own / "CMakeCache.txt");
    const LinuxParts parts = expected(own);
    for (const fs::path& part : {parts.firmware, parts.agent, parts.script}) {
        if (!fs::exists(part)) {
            const std::string how = built ? "a build of the targets pes_firmware and linux_agent, "
                                            "with riscv64-unknown-elf-g++"
                                          : "a package pes-vp, or an installation of a build with "
                                            "riscv64-unknown-elf-g++";
            throw UserError("exec --prepare: there is no '" + part.string() + "', expected " + how);
        }
    }
    return parts;
}

PreparedLinux::PreparedLinux(const std::string& folder)
    : folder_(fs::absolute(folder.empty() ? cache_folder() / "pes-vp/linux" : fs::path(folder))) {}

void PreparedLinux::require() const {
    if (!fs::exists(checkpoint()) || !fs::exists(kernel_program())) {
        throw UserError("exec: there is no booted Linux in '" + folder_.string() +
                        "', expected one: pes-vp exec --prepare makes it");
    }
    const fs::path agent = LinuxParts::expected(LinuxParts::own_folder()).agent;
    const fs::path init = fs::path(root()) / "init";
    // What is no checkpoint at all is named where it is read.
    if (checkpoint_version(checkpoint()).value_or(kCheckpointVersion) != kCheckpointVersion ||
        (fs::exists(agent) && fs::exists(init) && !same_bytes(agent, init))) {
        throw UserError("exec: another version of pes-vp has prepared the Linux in '" +
                        folder_.string() +
                        "', expected this one: pes-vp exec --prepare makes it anew");
    }
}

void PreparedLinux::build(const Sources& sources) const {
    const LinuxParts parts = LinuxParts::find();
    const fs::path from = sources.firmware.empty() ? parts.firmware : fs::path(sources.firmware);
    if (!fs::is_regular_file(from)) {
        throw UserError("--firmware: there is no file '" + from.string() + "'");
    }
    for (const std::string& module : sources.modules) {
        if (!fs::is_regular_file(module)) {
            throw UserError("--module: there is no file '" + module + "'");
        }
    }
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) {
        throw UserError("exec: '" + folder_.string() + "': " + error.message() +
                        ", expected a folder to write to");
    }
    std::vector<std::string> command{"bash", parts.script};
    for (const auto& [option, value] :
         {std::pair{"--suite", sources.suites}, {"--mirror", sources.mirror}}) {
        if (!value.empty()) {
            command.insert(command.end(), {option, value});
        }
    }
    for (const std::string& module : sources.modules) {
        command.insert(command.end(), {"--module", module});
    }
    command.insert(command.end(), {parts.agent, folder_});
    const int code = execute(command);
    if (code == kUserErrorExit) {
        throw ToldUserError();
    }
    if (code != 0) {
        throw UserError(code == kCannotFetch
                            ? "exec --prepare: Debian's packages cannot be fetched"
                            : "exec --prepare: '" + parts.script.string() +
                                  "' has failed with exit code " + std::to_string(code));
    }
    fs::copy_file(from, firmware(), fs::copy_options::overwrite_existing);
    fs::remove(checkpoint());
    fs::remove(kernel_program());
}

std::vector<std::string> PreparedLinux::settings() const {
    std::vector<std::string> settings;
    std::ifstream lines(file("settings"));
    for (std::string line; std::getline(lines, line);) {
        settings.push_back(line);
    }
    return settings;
}

void PreparedLinux::keep_settings(const std::vector<std::string>& settings) const {
    OutputFile out(file("settings"));
    for (const std::string& setting : settings) {
        out.write(setting + "\n");
    }
    out.commit();
}

} // namespace pes

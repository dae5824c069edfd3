// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/slurm.h"

#include "platform/host/subcommand.h"
#include "platform/host/user_error.h"

#include <spdlog/fmt/fmt.h>

#include <array>
#include <cstdio>
#include <memory>

namespace pes::lab {
namespace {

/// One word for a shell, whatever is in it.
std::string shell_word(const std::string& text) {
    std::string word = "'";
    for (const char letter : text) {
        if (letter == '\'') {
            word += "'\\'";
        }
        word += letter;
    }
    return word += '\'';
}

/// What the command prints on its standard output; empty if it fails.
std::string output_of(const std::string& command) {
    struct Close {
        void operator()(std::FILE* pipe) const { ::pclose(pipe); }
    };
    std::unique_ptr<std::FILE, Close> pipe(::popen(command.c_str(), "re"));
    std::string text;
    std::array<char, 256> part{};
    while (pipe && std::fgets(part.data(), part.size(), pipe.get()) != nullptr) {
        text += part.data();
    }
    return pipe && ::pclose(pipe.release()) == 0 ? text : std::string();
}

} // namespace

std::string submission(const JobArray& array) {
    std::string task = "exec";
    for (const std::string& word : array.command) {
        task.append(" ").append(shell_word(word));
    }
    task += fmt::format(" --shard \"$SLURM_ARRAY_TASK_ID\"/{}", array.tasks);
    return fmt::format("sbatch --parsable --job-name=pes-lab --array=0-{} --cpus-per-task={} "
                       "--output={} {} --wrap {}",
                       array.tasks - 1, array.jobs, shell_word((array.logs / "%a.log").string()),
                       array.further_options, shell_word(task));
}

std::string submit(const JobArray& array) {
    std::filesystem::create_directories(array.logs);
    // "NUMBER", or "NUMBER;CLUSTER"
    const std::string answer = first_line(output_of(submission(array)));
    if (answer.empty()) {
        throw UserError("--engine slurm: sbatch did not take the job array");
    }
    return answer.substr(0, answer.find(';'));
}

} // namespace pes::lab

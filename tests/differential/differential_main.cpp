// SPDX-License-Identifier: Apache-2.0
// pes-differential: random programs on QEMU and on pes-vp must leave the same checksum trail.
// Exit code: 0 all agree, 1 some differ, 2 the test itself could not run.
#include "tests/differential/comparison.h"
#include "tests/differential/layout.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <exception>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <spdlog/fmt/fmt.h>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace pes::differential;

struct Arguments {
    Tools tools;
    std::string seeds = "0..9";
    std::vector<Mix> mixes;
    unsigned blocks = ProgramRequest{}.blocks;
    unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
    unsigned maximum_reports = 3;
    std::int64_t dump_block = -1;
    std::uint64_t first_seed = 0;
    std::uint64_t last_seed = 0;
};

std::map<std::string, Mix> mixes_by_name() {
    std::map<std::string, Mix> result;
    for (const auto& [mix, name] : kMixNames) {
        result.emplace(name, mix);
    }
    return result;
}

bool parse_number(std::string_view text, std::uint64_t& value) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stop == end;
}

/// "A..B" or "A".
bool parse_seeds(std::string_view text, Arguments& arguments) {
    const std::size_t dots = text.find("..");
    const std::string_view last = dots == std::string_view::npos ? text : text.substr(dots + 2);
    return parse_number(text.substr(0, dots), arguments.first_seed) &&
           parse_number(last, arguments.last_seed) && arguments.first_seed <= arguments.last_seed;
}

void declare(CLI::App& app, Arguments& arguments) {
    Tools& tools = arguments.tools;
    tools.runtime = PES_DIFFERENTIAL_RUNTIME;
    tools.compiler = "riscv64-unknown-elf-g++";
    tools.objdump = "riscv64-unknown-elf-objdump";
    app.add_option("--seeds", arguments.seeds, "A..B, both included, or one seed");
    app.add_option("--mix", arguments.mixes, "kinds of programs (all of them by default)")
        ->transform(CLI::CheckedTransformer(mixes_by_name()));
    app.add_option("--length", arguments.blocks, "blocks in a program")
        ->check(CLI::Range(1U, layout::kMaximumBlocks));
    app.add_option("--qemu", tools.qemu, "qemu-system-riscv64")->required();
    app.add_option("--vp", tools.vp, "pes-vp; without it QEMU is compared with itself");
    app.add_option("--compiler", tools.compiler, "riscv64-unknown-elf-g++");
    app.add_option("--objdump", tools.objdump, "riscv64-unknown-elf-objdump");
    app.add_option("--work", tools.work, "folder for programs; those that differ stay")->required();
    app.add_option("--jobs", arguments.jobs, "programs at a time")->check(CLI::Range(1U, 256U));
    app.add_option("--reports", arguments.maximum_reports, "differences to print in full");
    app.add_option("--dump-registers-at", arguments.dump_block,
                   "print all registers after this block of the first seed instead")
        ->check(CLI::Range(0U, layout::kMaximumBlocks - 1));
}

/// Hands out programs to a few threads and collects what they find.
class Batch {
  public:
    explicit Batch(const Arguments& arguments)
        : arguments_(arguments),
          total_((arguments.last_seed - arguments.first_seed + 1) * arguments.mixes.size()) {}

    /// Number of programs that differ.
    std::uint64_t run() {
        std::vector<std::jthread> threads;
        for (unsigned job = 0; job < arguments_.jobs; ++job) {
            threads.emplace_back([this] { work(); });
        }
        threads.clear();
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        return differences_;
    }
    std::uint64_t total() const { return total_; }

  private:
    void work() {
        for (std::uint64_t index = next_++; index < total_; index = next_++) {
            try {
                check(index);
            } catch (...) {
                const std::lock_guard guard(mutex_);
                failure_ = std::current_exception();
                next_ = total_;
            }
        }
    }
    void check(std::uint64_t index) {
        const ProgramRequest request{
            .seed = arguments_.first_seed + index / arguments_.mixes.size(),
            .blocks = arguments_.blocks,
            .mix = arguments_.mixes[index % arguments_.mixes.size()],
            .dump_block = {},
        };
        const std::optional<std::string> difference = compare(arguments_.tools, request);
        if (!difference) {
            return;
        }
        const std::lock_guard guard(mutex_);
        if (++differences_ <= arguments_.maximum_reports) {
            std::cout << *difference << std::flush;
        } else {
            std::cout << difference->substr(0, difference->find('\n') + 1) << std::flush;
        }
    }

    const Arguments& arguments_;
    const std::uint64_t total_;
    std::atomic<std::uint64_t> next_ = 0;
    std::mutex mutex_;
    std::uint64_t differences_ = 0;
    std::exception_ptr failure_;
};

int run(Arguments& arguments) {
    if (arguments.mixes.empty()) {
        for (const MixName& mix : kMixNames) {
            arguments.mixes.push_back(mix.mix);
        }
    }
    std::filesystem::create_directories(arguments.tools.work);
    build_runtime(arguments.tools);
    if (arguments.dump_block >= 0) {
        const ProgramRequest request{.seed = arguments.first_seed,
                                     .blocks = arguments.blocks,
                                     .mix = arguments.mixes.front(),
                                     .dump_block = {}};
        std::cout << register_report(arguments.tools, request,
                                     static_cast<unsigned>(arguments.dump_block));
        return 0;
    }
    Batch batch(arguments);
    const std::uint64_t differences = batch.run();
    std::cout << fmt::format("{} programs of {} blocks, {} differ\n", batch.total(),
                             arguments.blocks, differences);
    return differences == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    Arguments arguments;
    CLI::App app("Compares random programs on QEMU and on pes-vp", "pes-differential");
    declare(app, arguments);
    try {
        app.parse(argc, argv);
        if (!parse_seeds(arguments.seeds, arguments)) {
            throw CLI::ValidationError("--seeds", arguments.seeds + " is not a range A..B");
        }
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    try {
        return run(arguments);
    } catch (const std::exception& error) {
        std::cerr << "pes-differential: " << error.what() << '\n';
        return 2;
    }
}

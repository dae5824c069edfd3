// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/batch.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <exception>
#include <iostream>
#include <map>
#include <mutex>
#include <thread>

namespace pes::differential {
namespace {

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

bool parse_seeds(BatchOptions& options) {
    const std::string_view text = options.seeds;
    const std::size_t dots = text.find("..");
    const std::string_view last = dots == std::string_view::npos ? text : text.substr(dots + 2);
    return parse_number(text.substr(0, dots), options.first_seed) &&
           parse_number(last, options.last_seed) && options.first_seed <= options.last_seed;
}

/// Hands out programs to a few threads and collects what they find.
class Batch {
  public:
    Batch(const BatchOptions& options, const Check& check)
        : options_(options), check_(check), total_(size_of(options)) {}

    std::uint64_t run() {
        std::vector<std::jthread> threads;
        for (unsigned job = 0; job < options_.jobs; ++job) {
            threads.emplace_back([this] { work(); });
        }
        threads.clear();
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        return differences_;
    }

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
        const std::optional<std::string> difference =
            check_(options_.first_seed + index / options_.mixes.size(),
                   options_.mixes[index % options_.mixes.size()]);
        if (!difference) {
            return;
        }
        const std::lock_guard guard(mutex_);
        if (++differences_ <= options_.maximum_reports) {
            std::cout << *difference << std::flush;
        } else {
            std::cout << difference->substr(0, difference->find('\n') + 1) << std::flush;
        }
    }

    const BatchOptions& options_;
    const Check& check_;
    const std::uint64_t total_;
    std::atomic<std::uint64_t> next_ = 0;
    std::mutex mutex_;
    std::uint64_t differences_ = 0;
    std::exception_ptr failure_;
};

} // namespace

void add_batch_options(CLI::App& app, BatchOptions& options) {
    options.jobs = std::max(1U, std::thread::hardware_concurrency());
    app.add_option("--seeds", options.seeds, "A..B, both included, or one seed");
    app.add_option_function<std::vector<std::string>>(
           "--mix",
           [&options](const std::vector<std::string>& names) {
               for (const std::string& name : names) {
                   options.mixes.push_back(mixes_by_name().at(name));
               }
           },
           "kinds of programs (all of them by default)")
        ->check(CLI::IsMember(mixes_by_name()));
    app.add_option("--jobs", options.jobs, "programs at a time")->check(CLI::Range(1U, 256U));
    app.add_option("--reports", options.maximum_reports, "differences to print in full");
}

void add_tool_options(CLI::App& app, Tools& tools) {
    tools.runtime = PES_DIFFERENTIAL_RUNTIME;
    tools.compiler = "riscv64-unknown-elf-g++";
    app.add_option("--compiler", tools.compiler, "riscv64-unknown-elf-g++");
    app.add_option("--work", tools.work, "folder for programs; those that differ stay")->required();
}

void prepare(BatchOptions& options, const Tools& tools) {
    if (!parse_seeds(options)) {
        throw CLI::ValidationError("--seeds", options.seeds + " is not a range A..B");
    }
    if (options.mixes.empty()) {
        for (const MixName& mix : kMixNames) {
            options.mixes.push_back(mix.mix);
        }
    }
    std::filesystem::create_directories(tools.work);
    build_runtime(tools);
}

std::uint64_t size_of(const BatchOptions& options) {
    return (options.last_seed - options.first_seed + 1) * options.mixes.size();
}

std::uint64_t run_batch(const BatchOptions& options, const Check& check) {
    return Batch(options, check).run();
}

} // namespace pes::differential

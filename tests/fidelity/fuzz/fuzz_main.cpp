// SPDX-License-Identifier: Apache-2.0
// pes-cycle-fuzz: random programs on the core's RTL and on the model, cycle by cycle. See
// docs/fidelity.md.
#include "platform/host/user_error.h"
#include "tests/fidelity/fuzz/events.h"
#include "tests/fidelity/fuzz/findings.h"
#include "tests/fidelity/fuzz/machine.h"
#include "tests/fidelity/fuzz/shrink.h"

#include <CLI/CLI.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <mutex>
#include <thread>

namespace pes::cycle_fuzz {
namespace {

struct Options {
    Workshop workshop;
    std::string seeds = "0..4";
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::vector<std::string> class_names;
    std::vector<Class> classes;
    unsigned instructions = 5000;
    unsigned jobs = 1;
    unsigned shrinks = 0;
    unsigned budget = 160;
    double worst = 1000;
    bool verbose = false;
    bool events = false;
    std::string report;
    std::string kind; ///< of instruction that is looked for; empty: the first to differ
};

void add_options(CLI::App& app, Options& options) {
    app.add_option("--seeds", options.seeds, "A..B, both included, or one seed");
    app.add_option("--class", options.class_names, "Classes of programs; all if absent");
    app.add_option("--instructions", options.instructions, "Of a program, about");
    app.add_option("--jobs", options.jobs, "Programs at a time");
    app.add_option("--shrink", options.shrinks, "Of each class and kind, how many findings");
    app.add_option("--budget", options.budget, "Runs that shrinking one finding may take");
    app.add_option("--worst", options.worst, "Largest error in percent of a warm pass");
    app.add_option("--kind", options.kind, "Shrink to what an instruction of this kind does");
    app.add_option("--report", options.report, "Tables of the findings, as Markdown");
    app.add_flag("--warm", options.workshop.warm, "Compare the steps of the warm pass only");
    app.add_flag("--events", options.events, "Compare the counts of every event, warm pass");
    app.add_flag("--verbose", options.verbose, "The first difference of every program");
    app.add_option("--compiler", options.workshop.compiler, "riscv64-unknown-elf-g++")->required();
    app.add_option("--judge", options.workshop.judge, "Runs an ELF on the core's RTL")
        ->envname("PES_CVA6_RTL");
    app.add_option("--set", options.workshop.settings,
                   "key=value: what the RTL has beside the default of v5.3.0");
    app.add_option("--work", options.workshop.directory, "Folder for what it builds")->required();
}

void complete(Options& options) {
    const std::size_t dots = options.seeds.find("..");
    options.first = std::stoull(options.seeds);
    options.last =
        dots == std::string::npos ? options.first : std::stoull(options.seeds.substr(dots + 2));
    for (const std::string& name : options.class_names) {
        const auto of = class_of(name);
        if (!of) {
            throw UserError("no class of programs is called '" + name + "'");
        }
        options.classes.push_back(*of);
    }
    if (options.classes.empty()) {
        for (const ClassName& name : kClassNames) {
            options.classes.push_back(name.of);
        }
    }
    options.workshop.runtime = std::filesystem::path(PES_CYCLE_FUZZ) / "runtime.S";
    options.workshop.script = std::filesystem::path(PES_DIFFERENTIAL_RUNTIME) / "link.ld";
    options.workshop.prepare();
}

class Campaign {
  public:
    explicit Campaign(const Options& options) : options_(options) {}

    int run() {
        std::vector<std::jthread> workers;
        for (unsigned job = 0; job < std::max(options_.jobs, 1U); ++job) {
            workers.emplace_back([this] { work(); });
        }
        workers.clear();
        return conclude();
    }

  private:
    bool judged() const { return !options_.workshop.judge.empty(); }

    void work() {
        const std::uint64_t seeds = options_.last - options_.first + 1;
        const std::uint64_t count = seeds * options_.classes.size();
        for (std::uint64_t index = next_++; index < count; index = next_++) {
            const Class of = options_.classes[index % options_.classes.size()];
            const std::uint64_t seed = options_.first + index / options_.classes.size();
            try {
                examine(seed, of);
            } catch (const std::exception& error) {
                const std::scoped_lock lock(mutex_);
                failures_.push_back(fmt::format("{}/{}: {}", name_of(of), seed, error.what()));
            }
        }
    }

    void examine(std::uint64_t seed, Class of) {
        const std::string name = fmt::format("{}_{}", name_of(of), seed);
        const Program program = random_program(seed, of, options_.instructions);
        const std::filesystem::path elf = options_.workshop.build(program, name);
        const std::string paths = options_.workshop.path_difference(elf);
        if (!paths.empty()) {
            const std::scoped_lock lock(mutex_);
            failures_.push_back(fmt::format("{}: step against fast: {}", name, paths));
        }
        if (judged()) {
            judge(seed, of, program, elf);
        }
        options_.workshop.remove(name);
    }

    void judge(std::uint64_t seed, Class of, const Program& program,
               const std::filesystem::path& elf) {
        const auto [theirs, ours] = options_.workshop.both(elf);
        Finding finding = compare(of, seed, theirs, ours);
        if (!options_.kind.empty() && finding.problem.empty()) {
            finding.difference = first_of_kind(theirs, ours, options_.kind);
        }
        bool wanted = false;
        {
            const std::scoped_lock lock(mutex_);
            findings_.push_back(finding);
            print(finding, theirs, ours);
            if (finding.difference) {
                const std::string kind = std::string(name_of(of)) + finding.difference->kind;
                wanted = shrunk_[kind]++ < options_.shrinks;
            }
        }
        if (wanted) {
            shrink_finding(finding, program);
        }
    }

    void print(const Finding& finding, const RunLog& theirs, const RunLog& ours) const {
        std::cout << fmt::format("{}/{}: ", name_of(finding.of), finding.seed);
        if (!finding.problem.empty()) {
            std::cout << finding.problem << '\n';
        } else if (!finding.difference) {
            std::cout << fmt::format("exact, {} steps\n", ours.steps.size());
        } else {
            std::cout << fmt::format(
                "warm {:+.3f} %, cold {:+.3f} %, first at step {} of {} ({}){}\n",
                100 * finding.warm, 100 * finding.cold, finding.difference->step, ours.steps.size(),
                finding.difference->kind, finding.same_way ? "" : ", another way");
            if (options_.verbose) {
                std::cout << describe(*finding.difference, theirs, ours);
            }
        }
        std::cout.flush();
    }

    /// The smaller program must go wrong in the same kind of instruction in the same way.
    void shrink_finding(const Finding& finding, const Program& program) {
        const std::string name = fmt::format("shrunk_{}_{}", name_of(finding.of), finding.seed);
        Runs runs;
        const auto difference_of = [&](const Program& candidate) -> std::optional<Difference> {
            const auto elf = options_.workshop.try_build(candidate, name);
            if (!elf) {
                return std::nullopt;
            }
            runs = options_.workshop.both(*elf);
            if (!runs.judge.problem.empty() || !runs.model.problem.empty()) {
                return std::nullopt;
            }
            // A line that is gone may leave a wild address; that is another difference.
            if (finding.same_way && !same_way(runs.judge, runs.model)) {
                return std::nullopt;
            }
            return options_.kind.empty() ? first_difference(runs.judge, runs.model)
                                         : first_of_kind(runs.judge, runs.model, options_.kind);
        };
        const auto shows = [&](const Program& candidate) {
            const auto difference = difference_of(candidate);
            return difference && difference->kind == finding.difference->kind &&
                   difference->path == finding.difference->path;
        };
        const Program small = shrink(program, shows, options_.budget, options_.workshop.warm);
        const auto difference = difference_of(small);
        std::string text =
            fmt::format("--- {} ({} units, {} passes)\n", name, small.units.size(), small.passes);
        for (const std::string& unit : small.units) {
            text += unit;
        }
        if (difference) {
            text += describe(*difference, runs.judge, runs.model);
        }
        const std::scoped_lock lock(mutex_);
        std::cout << text << std::flush;
    }

    int conclude() const {
        if (!judged()) {
            std::cout << "No RTL (PES_CVA6_RTL names no judge): only step against fast\n";
        } else {
            const std::string report =
                report_of(findings_) + (options_.events ? events_of(findings_) : "");
            std::cout << report;
            if (!options_.report.empty()) {
                std::ofstream(options_.report) << report;
            }
        }
        for (const std::string& failure : failures_) {
            std::cout << failure << '\n';
        }
        const auto problems = std::ranges::count_if(
            findings_, [](const Finding& finding) { return !finding.problem.empty(); });
        const bool beyond = 100 * worst_of(findings_) > options_.worst;
        if (beyond) {
            std::cout << fmt::format("A warm pass is more than {} % off\n", options_.worst);
        }
        return failures_.empty() && problems == 0 && !beyond ? 0 : 1;
    }

    const Options& options_;
    std::atomic<std::uint64_t> next_ = 0;
    std::mutex mutex_;
    std::vector<Finding> findings_;
    std::vector<std::string> failures_;
    std::map<std::string, unsigned> shrunk_;
};

} // namespace
} // namespace pes::cycle_fuzz

int main(int argc, char** argv) {
    using namespace pes::cycle_fuzz;
    CLI::App app("Random programs on the core's RTL and on the model, cycle by cycle");
    Options options;
    add_options(app, options);
    try {
        app.parse(argc, argv);
        complete(options);
        return Campaign(options).run();
    } catch (const CLI::ParseError& error) {
        return app.exit(error);
    } catch (const std::exception& error) {
        std::cerr << "pes-cycle-fuzz: " << error.what() << '\n';
        return 2;
    }
}

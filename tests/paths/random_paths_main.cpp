// SPDX-License-Identifier: Apache-2.0
// pes-paths: random programs on the stepping and on the fast path of pes-vp must leave the same
// bytes. Three programs in four are interrupted at random distances, and everything that cycles
// reach, from mepc at an interrupt to the order of the samples, ends up in what is compared.
// With --subject lockstep the other side has its counters as model and as RTL at once.
// Exit code: 0 all agree, 1 some differ, 2 the test itself could not run.
#include "hw/core/arch/core_ids.h"
#include "tests/differential/batch.h"
#include "tests/differential/random.h"
#include "tests/paths/outputs.h"

#include <CLI/CLI.hpp>
#include <spdlog/fmt/fmt.h>

#include <exception>
#include <iostream>
#include <string_view>

namespace {

using namespace pes::differential;
using pes::paths::Invocation;
using pes::paths::Outputs;
using Options = std::vector<std::string>;

constexpr const char* kLockstep = "lockstep";

struct Arguments {
    Tools tools;
    BatchOptions batch;
    std::string subject = "fast";
    Options settings;         ///< key=value, for both sides; they win over the random ones
    Options subject_settings; ///< key=value
};

/// A configuration key and values worth trying; the first is the default.
struct Choice {
    const char* key;
    std::vector<const char*> values;
};

const std::vector<Choice>& choices() {
    static const std::vector<Choice> all{
        {"counters.programmable", {"6", "29"}},
        {"counters.write_freezes", {"true", "false"}},
        {"clint.cycles_per_tick", {"4", "1"}},
        {"hart.misaligned_access", {"false", "true"}},
        {"hart.misaligned_trap", {"all", "as-v5.3.0"}},
        {"hart.itlb_entries", {"16", "2"}},
        {"hart.dtlb_entries", {"16", "2"}},
        {"timing.generation", {"cva6-v5.3.0", "cva6-2025-07"}},
        {"timing.load_dtlb_event", {"counted", "as-v5.3.0"}},
        {"timing.predictors_on_trap", {"kept", "flushed"}},
        {"timing.memory_latency", {"1", "10", "50"}},
        {"timing.scoreboard_entries", {"8", "2", "4"}},
        {"timing.queue_entries", {"4", "2"}},
        {"timing.bht_rows", {"64", "1"}},
        {"timing.btb_rows", {"16", "1"}},
        {"timing.ras_entries", {"2", "1"}},
        {"timing.speculative_stores", {"4", "1"}},
        {"timing.committed_stores", {"4", "1"}},
        {"timing.write_buffer_words", {"8", "1", "2"}},
        {"timing.writes_in_flight", {"4", "7", "1"}},
        {"timing.write_interval", {"3", "1", "9"}},
        {"timing.read_interval", {"3", "1", "9"}},
        {"timing.port_queue", {"2", "1", "8"}},
        {"timing.l1i.bytes", {"16384", "1024"}},
        {"timing.l1d.bytes", {"32768", "1024"}},
    };
    return all;
}

/// Half of the runs have the default configuration, the others about three keys changed.
Options random_configuration(Random& random) {
    Options options;
    if (random.one_in(2)) {
        return options;
    }
    for (const Choice& choice : choices()) {
        if (random.one_in(6)) {
            const std::size_t other = 1 + random.below(choice.values.size() - 1);
            options.insert(options.end(),
                           {"--set", fmt::format("{}={}", choice.key, choice.values[other])});
        }
    }
    return options;
}

/// One run in three has optional extensions. Of numbers of their own, so that what a seed gives
/// besides does not depend on them.
Options random_extensions(std::uint64_t seed) {
    static const std::vector<Options> all{
        {"extensions.sspesa=true"},
        {"extensions.sspesa=true", "extensions.ssplcofi=true"},
        {"extensions.sspesa=true", "extensions.ssplcofi=true", "extensions.smcsrind=true",
         "extensions.smctr=true"},
        {"extensions.smcsrind=true", "extensions.smcdeleg=true"},
        {"extensions.smcsrind=true", "extensions.smpdis=true"},
        {"extensions.sstc=true", "extensions.smcsrind=true", "extensions.smctr=true"},
    };
    Random random(seed ^ 0x6578'7465'6E64'0000);
    return random.one_in(3) ? all[random.below(all.size())] : Options{};
}

/// One run in four has other stages and tables; likewise.
Options random_core(std::uint64_t seed) {
    static const std::vector<Options> all{
        {"timing.commit_ports=1"},
        {"timing.commit_ports=1", "timing.load_pipe_registers=0", "timing.btb_rows=0"},
        {"timing.load_pipe_registers=8", "timing.store_pipe_registers=8"},
        {"timing.load_pipe_registers=2", "timing.scoreboard_entries=16"},
        {"timing.store_pipe_registers=1", "timing.commit_ports=1", "timing.scoreboard_entries=2"},
        {"timing.l1i.line_bytes=64", "timing.l1d.line_bytes=32", "timing.load_pipe_registers=0"},
    };
    Random random(seed ^ 0x636F'7265'0002'0000);
    return random.one_in(4) ? all[random.below(all.size())] : Options{};
}

void append_settings(Options& options, const Options& settings) {
    for (const std::string& setting : settings) {
        options.insert(options.end(), {"--set", setting});
    }
}

/// One run in three is traced, with a FIFO that fills up now and then.
void add_random_trace(std::uint64_t seed, Invocation& run) {
    static const std::vector<Options> registers{
        {},
        {"trace.timestamps=n-trace"},
        {"trace.registers=standard"},
        {"trace.registers=standard", "trace.protocol=e-trace"},
    };
    constexpr std::size_t kFirstWithFilters = 2;
    const std::string_view kinds[] = {"btm", "htm", "htm-plain", "events"};
    const char* const fifos[] = {"0x100", "0x80", "0xC0", "0x10000"};
    const char* const dividers[] = {"0", "1", "9", "40"};
    Random random(seed ^ 0x7472'6163'6500'0000); // as for extensions
    if (!random.one_in(3)) {
        return;
    }
    run.files.emplace_back("--trace");
    const std::string_view kind = random.pick(kinds);
    const bool events = kind == "events"; // Nexus only, without filters
    run.options.insert(run.options.end(), {"--trace-program", std::string(kind), "--trace-stall",
                                           random.one_in(2) ? "on" : "off"});
    const std::size_t set = random.below(registers.size() - (events ? 1 : 0));
    append_settings(run.options, registers[set]);
    append_settings(run.options, {fmt::format("trace.fifo_bytes={}", random.pick(fifos)),
                                  fmt::format("trace.probe_divider={}", random.pick(dividers))});
    if (events || set < kFirstWithFilters) {
        return;
    }
    if (random.one_in(2)) {
        const char* const modes[] = {"m", "s,m", "u", "u,s,m"};
        run.options.insert(run.options.end(), {"--trace-mode", random.pick(modes)});
    }
    if (random.one_in(2)) {
        const std::uint64_t from = 0x8000'0000 + 4 * random.below(2'000);
        const std::uint64_t to = from + 4 + 4 * random.below(1'000);
        run.options.insert(run.options.end(),
                           {"--trace-range", fmt::format("{:#x}-{:#x}", from, to)});
    }
}

Invocation random_run(Random& random, const std::filesystem::path& elf) {
    constexpr std::uint64_t kMaximum = 3'000'003; // dense interrupts leave programs little time
    Invocation run{.program = elf,
                   .options = random_configuration(random),
                   .files = {},
                   .memory = "start:1376256"}; // all that the program may touch
    const std::uint64_t end = random.one_in(6) ? 1 + random.below(600'000) : kMaximum;
    run.options.insert(run.options.end(), {"--max-cycles", std::to_string(end)});
    if (random.one_in(8)) {
        const std::uint64_t from = random.below(200'000);
        run.options.insert(run.options.end(),
                           {"--vcd-groups", "hpm,plic", "--vcd-from", std::to_string(from),
                            "--vcd-to", std::to_string(from + 1 + random.below(3'000))});
        run.files.emplace_back("--vcd");
    }
    return run;
}

std::string joined(const Options& options) {
    return fmt::format("{}", fmt::join(options, " "));
}

std::optional<std::string> check(const Arguments& arguments, std::uint64_t seed, Mix mix) {
    Random random(seed ^ 0x7061'7468'7300'0000); // apart from the generator's own numbers
    const ProgramRequest request{.seed = seed,
                                 .blocks = 12,
                                 .mix = mix,
                                 .isa = pes::core_ids::kIsa,
                                 .passes = 8,
                                 .surroundings = random.one_in(4) ? Surroundings::Quiet
                                                                  : Surroundings::Interrupted};
    const std::string name = fmt::format("{}-{}", name_of(mix), seed);
    const std::filesystem::path elf = build_program(arguments.tools, request, name);
    const std::filesystem::path work = arguments.tools.work / (name + ".run");
    Invocation run = random_run(random, elf);
    append_settings(run.options, random_extensions(seed));
    append_settings(run.options, random_core(seed));
    add_random_trace(seed, run);
    append_settings(run.options, arguments.settings);
    if (seed % 2 == 1) {
        run.files.emplace_back("--truth");
    }
    const char* const quanta[] = {"100000", "1", "7", "1000", "1000000"};
    const char* const often[] = {"1", "2", "16", "1000"};
    Options more = arguments.subject == kLockstep ? Options{"--counters", kLockstep}
                                                  : Options{"--path", arguments.subject};
    append_settings(more, {fmt::format("quantum={}", random.pick(quanta)),
                           fmt::format("hart.jit_after={}", random.pick(often))});
    append_settings(more, arguments.subject_settings);

    const Outputs stepped = execute(arguments.tools.vp, run, {"--path", "step"}, work);
    const auto found =
        pes::paths::difference(stepped, execute(arguments.tools.vp, run, more, work));
    if (!found) {
        remove_program(arguments.tools, name);
        return std::nullopt;
    }
    return fmt::format("{0}: the paths differ\n  {1} run {2} {3} --path step\n  against {4}\n{5}",
                       name, arguments.tools.vp, elf.string(), joined(run.options), joined(more),
                       *found);
}

int run(const Arguments& arguments) {
    const std::uint64_t differences =
        run_batch(arguments.batch, [&arguments](std::uint64_t seed, Mix mix) {
            return check(arguments, seed, mix);
        });
    std::cout << fmt::format("{} programs, {} differ\n", size_of(arguments.batch), differences);
    return differences == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    Arguments arguments;
    CLI::App app("Compares random programs on both paths of pes-vp", "pes-paths");
    add_batch_options(app, arguments.batch);
    add_tool_options(app, arguments.tools);
    app.add_option("--vp", arguments.tools.vp, "pes-vp")->required();
    app.add_option("--subject", arguments.subject,
                   "path that is held against step, or lockstep: counters as model and as RTL")
        ->check(CLI::IsMember({"fast", "auto", "step", kLockstep}));
    app.add_option("--set", arguments.settings, "KEY=VALUE for all runs")->allow_extra_args(false);
    app.add_option("--subject-set", arguments.subject_settings,
                   "KEY=VALUE for that path only; to see the test fail")
        ->allow_extra_args(false);
    try {
        app.parse(argc, argv);
        prepare(arguments.batch, arguments.tools);
        return run(arguments);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const std::exception& error) {
        std::cerr << "pes-paths: " << error.what() << '\n';
        return 2;
    }
}

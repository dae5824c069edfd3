// SPDX-License-Identifier: Apache-2.0
// pes-differential: random programs on QEMU, or on Spike, and on pes-vp must leave the same
// checksum trail. Exit code: 0 all agree, 1 some differ, 2 the test itself could not run.
#include "tests/differential/batch.h"
#include "tests/differential/comparison.h"
#include "tests/differential/layout.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <exception>
#include <iostream>
#include <spdlog/fmt/fmt.h>

namespace {

using namespace pes::differential;

struct Arguments {
    Tools tools;
    BatchOptions batch;
    unsigned blocks = ProgramRequest{}.blocks;
    Surroundings surroundings = Surroundings::Quiet;
    std::int64_t dump_block = -1;
};

void declare(CLI::App& app, Arguments& arguments) {
    Tools& tools = arguments.tools;
    tools.objdump = "riscv64-unknown-elf-objdump";
    add_batch_options(app, arguments.batch);
    add_tool_options(app, tools);
    app.add_option("--length", arguments.blocks, "blocks in a program")
        ->check(CLI::Range(1U, layout::kMaximumBlocks));
    app.add_flag_callback(
        "--pending", [&arguments] { arguments.surroundings = Surroundings::Pending; },
        "interrupts are pending before something else traps");
    CLI::Option_group* const reference = app.add_option_group("reference");
    reference->add_option("--qemu", tools.qemu, "qemu-system-riscv64");
    reference->add_option("--spike", tools.spike, "spike, in the place of QEMU");
    reference->require_option(1);
    app.add_option("--vp", tools.vp, "pes-vp; without it the reference is compared with itself");
    app.add_option("--objdump", tools.objdump, "riscv64-unknown-elf-objdump");
    app.add_option("--dump-registers-at", arguments.dump_block,
                   "print all registers after this block of the first seed instead")
        ->check(CLI::Range(0U, layout::kMaximumBlocks - 1));
}

int run(const Arguments& arguments) {
    const auto request = [&arguments](std::uint64_t seed, Mix mix) {
        return ProgramRequest{.seed = seed,
                              .blocks = arguments.blocks,
                              .mix = mix,
                              .isa = arguments.tools.isa(),
                              .surroundings = arguments.surroundings};
    };
    if (arguments.dump_block >= 0) {
        std::cout << register_report(
            arguments.tools, request(arguments.batch.first_seed, arguments.batch.mixes.front()),
            static_cast<unsigned>(arguments.dump_block));
        return 0;
    }
    const std::uint64_t differences =
        run_batch(arguments.batch, [&arguments, &request](std::uint64_t seed, Mix mix) {
            return compare(arguments.tools, request(seed, mix));
        });
    std::cout << fmt::format("{} programs of {} blocks, {} differ\n", size_of(arguments.batch),
                             arguments.blocks, differences);
    return differences == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    Arguments arguments;
    CLI::App app("Compares random programs on QEMU or Spike and on pes-vp", "pes-differential");
    declare(app, arguments);
    try {
        app.parse(argc, argv);
        prepare(arguments.batch, arguments.tools);
        return run(arguments);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const std::exception& error) {
        std::cerr << "pes-differential: " << error.what() << '\n';
        return 2;
    }
}

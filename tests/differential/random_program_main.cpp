// SPDX-License-Identifier: Apache-2.0
// pes-random-program: writes one random program as assembly text.
#include "tests/differential/layout.h"
#include "tests/differential/program.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

namespace {

std::map<std::string, pes::differential::Mix> mixes() {
    std::map<std::string, pes::differential::Mix> result;
    for (const auto& [mix, name] : pes::differential::kMixNames) {
        result.emplace(name, mix);
    }
    return result;
}

} // namespace

int main(int argc, char** argv) {
    pes::differential::ProgramRequest request;
    std::string output;
    std::int64_t dump_block = -1;
    CLI::App app("Writes a random RV64GC program in assembly; link it with runtime.S by link.ld",
                 "pes-random-program");
    app.add_option("--seed", request.seed, "names the program")->required();
    app.add_option("--length", request.blocks, "number of blocks")
        ->check(CLI::Range(1U, pes::differential::layout::kMaximumBlocks));
    app.add_option_function<std::string>(
           "--mix", [&request](const std::string& name) { request.mix = mixes().at(name); },
           "kind of instructions")
        ->check(CLI::IsMember(mixes()));
    app.add_option("--dump-registers-at", dump_block, "print all registers after this block, end")
        ->check(CLI::Range(0U, pes::differential::layout::kMaximumBlocks - 1));
    app.add_option("--passes", request.passes, "how often all blocks run")
        ->check(CLI::Range(1U, pes::differential::layout::kMaximumBlocks));
    app.add_flag_callback(
        "--interrupted",
        [&request] { request.surroundings = pes::differential::Surroundings::Interrupted; },
        "interrupts at random distances; link interrupts.S as well");
    app.add_flag_callback(
        "--pending",
        [&request] { request.surroundings = pes::differential::Surroundings::Pending; },
        "interrupts are pending before something else traps; link pending.S as well");
    app.add_option("-o", output, "file to write")->required();
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (dump_block >= 0) {
        request.dump_block = static_cast<unsigned>(dump_block);
    }
    std::ofstream file(output);
    file << pes::differential::random_program(request);
    file.close();
    if (!file) {
        std::cerr << "pes-random-program: cannot write " << output << '\n';
        return 2;
    }
    return 0;
}

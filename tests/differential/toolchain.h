// SPDX-License-Identifier: Apache-2.0
// From a program request to an ELF file, and from an ELF file to what a simulator printed.
#pragma once

#include "tests/differential/program.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pes::differential {

struct Tools {
    std::string compiler; ///< riscv64-unknown-elf-g++
    std::string objdump;
    std::string qemu;
    std::string spike; ///< if not empty, in the place of QEMU
    std::string vp;    ///< empty: a second QEMU run stands in, which checks the test itself
    std::filesystem::path runtime; ///< folder of runtime.S, interrupts.S, link.ld
    std::filesystem::path work;
    std::chrono::seconds limit{60};
    /// What both sides of a comparison have: all that the reference knows.
    Isa isa() const;
};

/// What the reference is called: "QEMU" or "Spike".
std::string_view reference_name(const Tools& tools);

enum class Simulator : std::uint8_t { Reference, Subject };

/// What one run left behind: 64-bit values printed with a mark ('#' trail, '=' dump).
struct Run {
    std::vector<std::uint64_t> trail;
    std::vector<std::uint64_t> dump;
    std::string problem; ///< empty if the program ended by itself with exit code 0
};

/// Assembles runtime.S and interrupts.S once into the work folder. Throws std::runtime_error on
/// failure.
void build_runtime(const Tools& tools);

/// Generates, assembles and links. Returns the ELF's path.
std::filesystem::path build_program(const Tools& tools, const ProgramRequest& request,
                                    const std::string& name);

/// Removes everything that build_program() left.
void remove_program(const Tools& tools, const std::string& name);

Run simulate(const Tools& tools, Simulator simulator, const std::filesystem::path& elf);

/// Disassembly of one block.
std::string disassemble(const Tools& tools, const std::filesystem::path& elf, unsigned block,
                        unsigned blocks);

} // namespace pes::differential

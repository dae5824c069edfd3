// SPDX-License-Identifier: Apache-2.0
// A random program: blocks of units, each followed by a checksum of the whole visible state.
#pragma once

#include "hw/interface/riscv/isa.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pes::differential {

enum class Mix : std::uint8_t {
    All,
    Integer,
    MultiplyDivide,
    Atomic,
    Float,
    Double,
    Compressed,
    Memory,
    Trap,
    Privileged,
    VirtualMemory,
    Bits,
};

struct MixName {
    Mix mix;
    std::string_view name;
};
inline constexpr std::array<MixName, 12> kMixNames{{
    {Mix::All, "all"},
    {Mix::Integer, "integer"},
    {Mix::MultiplyDivide, "muldiv"},
    {Mix::Atomic, "atomic"},
    {Mix::Float, "float"},
    {Mix::Double, "double"},
    {Mix::Compressed, "compressed"},
    {Mix::Memory, "memory"},
    {Mix::Trap, "trap"},
    {Mix::Privileged, "privileged"},
    {Mix::VirtualMemory, "vm"},
    {Mix::Bits, "bits"},
}};

std::optional<Mix> mix_of(std::string_view name);
std::string_view name_of(Mix mix);

/// What happens to a program from outside.
enum class Surroundings : std::uint8_t {
    Quiet,       ///< nothing: its results depend on no cycle, and any simulator must agree
    Pending,     ///< interrupts are pending before something else traps: likewise
    Interrupted, ///< timer, software and sampling interrupts at random distances, code that is
                 ///< rewritten: every result depends on cycles, for one simulator run in two ways
};

struct ProgramRequest {
    std::uint64_t seed = 0;
    unsigned blocks = 48;
    Mix mix = Mix::All;
    Isa isa = kWholeIsa;
    /// Print all registers after this block and end there; the code is the same.
    std::optional<unsigned> dump_block{};
    unsigned passes = 1; ///< how often all blocks run; blocks x passes <= layout::kMaximumBlocks
    Surroundings surroundings = Surroundings::Quiet;
};

/// Assembly text, to be linked with runtime.S (and pending.S or interrupts.S) by link.ld. Block
/// n starts at the symbol block_n.
std::string random_program(const ProgramRequest& request);

} // namespace pes::differential

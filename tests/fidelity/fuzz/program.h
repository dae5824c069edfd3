// SPDX-License-Identifier: Apache-2.0
// Random programs whose cycles are compared with the core's RTL. A program is a list of units, each
// of which can be left out without touching the others, so that a difference can be shrunk.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pes::cycle_fuzz {

enum class Class : std::uint8_t {
    Integer,
    Divide,
    Float,
    Memory,
    Branch,
    Atomic,
    Csr,
    Trap,
    Privileged,
    Paging,
    Interrupt,
    Device,
    Fence,
    Mixed,
    Bits,
};

struct ClassName {
    Class of;
    std::string_view name;
};
inline constexpr std::array<ClassName, 15> kClassNames{{
    {Class::Integer, "integer"},
    {Class::Divide, "divide"},
    {Class::Float, "float"},
    {Class::Memory, "memory"},
    {Class::Branch, "branch"},
    {Class::Atomic, "atomic"},
    {Class::Csr, "csr"},
    {Class::Trap, "trap"},
    {Class::Privileged, "privileged"},
    {Class::Paging, "paging"},
    {Class::Interrupt, "interrupt"},
    {Class::Device, "device"},
    {Class::Fence, "fence"},
    {Class::Mixed, "mixed"},
    {Class::Bits, "bits"},
}};

std::optional<Class> class_of(std::string_view name);
std::string_view name_of(Class of);

struct Program {
    std::string data; ///< sections but the code
    std::vector<std::string> units;
    unsigned passes = 2; ///< the first is cold, the others warm
};

/// As many units as give about `instructions` a pass.
Program random_program(std::uint64_t seed, Class of, unsigned instructions);

/// Assembly text, to be linked with runtime.S by tests/differential/link.ld.
std::string text_of(const Program& program);

} // namespace pes::cycle_fuzz

// SPDX-License-Identifier: Apache-2.0
#include "tests/fidelity/fuzz/program.h"

#include "hw/core/arch/core_ids.h"
#include "tests/differential/layout.h"
#include "tests/differential/page_tables.h"
#include "tests/differential/units.h"
#include "tests/differential/values.h"
#include "tests/fidelity/fuzz/units.h"

#include <algorithm>

namespace pes::cycle_fuzz {
namespace {

using differential::FloatFormat;
using differential::Random;
namespace layout = differential::layout;

void emit_any_float(Emitter& out) {
    switch (out.random.below(12)) {
    case 0:
        differential::emit_float_state(out);
        break;
    case 1:
        emit_aliasing_access(out);
        break;
    case 2:
        differential::emit_integer(out);
        break;
    default:
        differential::emit_float(out,
                                 out.random.one_in(2) ? FloatFormat::Single : FloatFormat::Double);
        break;
    }
}

void emit_body(Emitter& out, Class of);

/// What stands between the units that give a class its name, and inside modes.
void emit_filler(Emitter& out) {
    constexpr Class kFillers[] = {Class::Integer, Class::Float, Class::Memory, Class::Branch};
    emit_body(out, out.random.one_in(2) ? Class::Integer : out.random.pick(kFillers));
}

void emit_integer_unit(Emitter& out) {
    switch (out.random.below(8)) {
    case 0:
        differential::emit_multiply_divide(out);
        break;
    case 1:
        differential::emit_compressed(out);
        break;
    case 2:
        differential::emit_control(out, [](Emitter& inner) { differential::emit_integer(inner); });
        break;
    default:
        differential::emit_integer(out);
        break;
    }
}

void emit_special(Emitter& out, Class of) {
    switch (of) {
    case Class::Atomic:
        differential::emit_atomic(out);
        break;
    case Class::Csr:
        emit_csr_write(out);
        break;
    case Class::Trap:
        emit_plain_trap(out);
        break;
    case Class::Privileged:
        differential::emit_privileged(out, emit_filler);
        break;
    case Class::Paging:
        differential::emit_virtual_memory(out, emit_filler);
        break;
    case Class::Interrupt:
        emit_interrupt(out);
        break;
    case Class::Device:
        emit_device_access(out);
        break;
    default:
        emit_fence(out);
        break;
    }
}

void emit_body(Emitter& out, Class of) {
    Random& random = out.random;
    if (random.one_in(5)) {
        differential::emit_operands(out);
    }
    switch (of) {
    case Class::Integer:
        emit_integer_unit(out);
        break;
    case Class::Bits:
        random.one_in(3) ? emit_filler(out) : differential::emit_bits(out);
        break;
    case Class::Divide:
        random.one_in(3) ? emit_integer_unit(out) : differential::emit_multiply_divide(out);
        break;
    case Class::Float:
        emit_any_float(out);
        break;
    case Class::Memory:
        if (random.one_in(40)) {
            emit_misaligned_access(out);
        } else {
            emit_aliasing_access(out);
        }
        break;
    case Class::Branch:
        if (random.one_in(6)) {
            emit_indirect_jumps(out);
        } else {
            random.one_in(6) ? emit_integer_unit(out) : emit_branch_slots(out);
        }
        break;
    case Class::Mixed: {
        constexpr Class kAll[] = {Class::Divide, Class::Atomic, Class::Csr,
                                  Class::Trap,   Class::Device, Class::Fence};
        random.one_in(4) ? emit_body(out, random.pick(kAll)) : emit_filler(out);
        break;
    }
    default:
        random.one_in(3) ? emit_special(out, of) : emit_filler(out);
        break;
    }
}

std::string data_of(Random& random) {
    Emitter out(random.bits());
    out.line(".section .pool, \"a\"");
    for (unsigned index = 0; index < layout::kPoolWords / 2; ++index) {
        out.line(".dword {:#x}", differential::integer_value(random));
    }
    for (unsigned index = 0; index < layout::kPoolWords / 2; ++index) {
        out.line(".dword {:#x}", differential::float_value(random));
    }
    out.line(".section .scratch, \"awx\"");
    for (unsigned page = 0; page < layout::kScratchPages; ++page) {
        for (unsigned word = 0; word < layout::kHashedBytes / 8; ++word) {
            out.line(".dword {:#x}", differential::integer_value(random));
        }
        out.line(".zero {}", layout::kStubOffset - layout::kHashedBytes);
        out.line("addi x5, x5, {}", page + 1);
        out.line("jr tp");
        out.line(".zero {}", layout::kPageSize - layout::kStubOffset - 8);
    }
    differential::emit_page_tables(out);
    return out.take_text();
}

/// The random page tables have leaves over addresses with nothing behind them. The core's test
/// bench has its main memory there once more, so these become leaves over scratch memory.
std::string without_holes(const std::string& text) {
    constexpr std::string_view kHoleEntry = " 0x24000"; // of 0x90000000, after .dword or a comma
    constexpr std::string_view kScratchEntry = " 0x20044";
    std::string result = text;
    for (std::size_t at = 0; (at = result.find(kHoleEntry, at)) != std::string::npos;) {
        const std::size_t end = result.find('\n', at);
        if (end - at == kHoleEntry.size() + 3) { // as long as an entry of 32 bits
            result.replace(at, kScratchEntry.size(), kScratchEntry);
        }
        at = end;
    }
    return result;
}

/// The target that the judge runs has Zba, Zbb, Zbc, Zbs, Zcb and Zicond, which the model has not:
/// 16-bit words that are reserved in C alone become no-operations.
std::string without_reserved_words(const std::string& text) {
    constexpr std::string_view kWord = "\t.insn 2,";
    std::string result = text;
    for (std::size_t at = 0; (at = result.find(kWord, at)) != std::string::npos; ++at) {
        result.replace(at, result.find('\n', at) - at, "\tc.nop");
    }
    return result;
}

/// Instructions that a unit runs, roughly: its lines. Loops and handlers make it more.
unsigned weight(const std::string& unit) {
    return static_cast<unsigned>(std::ranges::count(unit, '\n'));
}

} // namespace

std::optional<Class> class_of(std::string_view name) {
    const auto* const found = std::ranges::find(kClassNames, name, &ClassName::name);
    return found == kClassNames.end() ? std::nullopt : std::optional(found->of);
}

std::string_view name_of(Class of) {
    return std::ranges::find(kClassNames, of, &ClassName::of)->name;
}

Program random_program(std::uint64_t seed, Class of, unsigned instructions) {
    // The class is part of the seed, so that equal seeds of two classes share nothing.
    // Classes that have come later lie beyond the first ones, whose programs stay what they were.
    constexpr std::uint64_t kFirstClasses = 14;
    const auto number = static_cast<std::uint64_t>(of);
    Random random(seed * kFirstClasses + number % kFirstClasses + (number / kFirstClasses << 48));
    Program program;
    program.data = without_holes(data_of(random));
    Emitter out(random.bits(), core_ids::kIsa);
    out.protection_is_exact = false; // in the RTL that is the judge
    for (unsigned emitted = 0; emitted < instructions;) {
        out.line("# unit"); // and the uncompressed encoding: units do not depend on one another
        emit_body(out, of);
        std::string unit = without_holes(out.take_text());
        if (of != Class::Bits) {
            unit = without_reserved_words(unit);
        }
        emitted += weight(unit);
        program.units.push_back(std::move(unit));
    }
    return program;
}

std::string text_of(const Program& program) {
    std::string text = "\t.option norelax\n\t.option norvc\n" + program.data;
    text += "\t.section .rodata\n\t.balign 8\n\t.globl passes\npasses:\n\t.dword " +
            std::to_string(program.passes) + "\n";
    text += "\t.text\n\t.balign 64\n\t.globl first_unit\nfirst_unit:\n";
    for (const std::string& unit : program.units) {
        text += "\t.option norvc\n" + unit;
    }
    text += "\t.option norvc\n\tj pass_end\n";
    return text;
}

} // namespace pes::cycle_fuzz

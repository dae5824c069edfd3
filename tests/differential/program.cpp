// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/program.h"

#include "tests/differential/emitter.h"
#include "tests/differential/layout.h"
#include "tests/differential/page_tables.h"
#include "tests/differential/units.h"
#include "tests/differential/values.h"

#include <algorithm>

namespace pes::differential {
namespace {

/// One unit without control flow or mode changes of its own.
void emit_simple(Emitter& out, Mix mix) {
    Random& random = out.random;
    if (random.one_in(4)) {
        emit_operands(out);
    }
    switch (mix) {
    case Mix::Integer:
        emit_integer(out);
        return;
    case Mix::MultiplyDivide:
        random.one_in(4) ? emit_integer(out) : emit_multiply_divide(out);
        return;
    case Mix::Atomic:
        random.one_in(4) ? emit_memory(out) : emit_atomic(out);
        return;
    case Mix::Float:
        emit_float(out, random.one_in(8) ? FloatFormat::Double : FloatFormat::Single);
        return;
    case Mix::Double:
        emit_float(out, random.one_in(8) ? FloatFormat::Single : FloatFormat::Double);
        return;
    case Mix::Compressed:
        emit_compressed(out);
        return;
    case Mix::Memory:
        emit_memory(out);
        return;
    case Mix::Trap:
        random.one_in(4) ? emit_csr(out) : emit_trap(out);
        return;
    case Mix::Bits:
        random.one_in(4)
            ? emit_simple(out, random.pick({Mix::Integer, Mix::Compressed, Mix::Memory}))
            : emit_bits(out);
        return;
    case Mix::All:
    case Mix::Privileged:
    case Mix::VirtualMemory:
        break;
    }
    constexpr Mix kSimple[] = {Mix::Integer, Mix::MultiplyDivide, Mix::Atomic,     Mix::Float,
                               Mix::Double,  Mix::Memory,         Mix::Compressed, Mix::Trap};
    if (random.one_in(16)) {
        emit_counter(out);
        return;
    }
    emit_simple(out, random.pick(kSimple));
}

/// One unit of any kind, from M mode.
void emit_unit(Emitter& out, const ProgramRequest& request) {
    Random& random = out.random;
    const Mix mix = request.mix;
    const bool interrupted = request.surroundings == Surroundings::Interrupted;
    const Body body = [mix](Emitter& inner) { emit_simple(inner, mix); };
    const std::uint64_t choice = random.below(24);
    const bool modes = mix == Mix::Privileged || mix == Mix::VirtualMemory;
    if (interrupted && random.one_in(12)) {
        random.one_in(3) ? emit_wait(out) : emit_rewritten_code(out);
    }
    if (request.surroundings == Surroundings::Pending && random.one_in(4)) {
        emit_pending_in_machine(out);
    }
    const bool privileged =
        (mix == Mix::All && choice == 0) || (mix == Mix::Privileged && choice < 8);
    const bool translated =
        (mix == Mix::All && choice == 1) || (mix == Mix::VirtualMemory && choice < 8);
    if (privileged || translated) {
        if (interrupted) {
            emit_hold_interrupts(out);
        }
        privileged ? emit_privileged(out, body) : emit_virtual_memory(out, body);
        if (interrupted) {
            emit_allow_interrupts(out);
        }
    } else if (choice >= 21 && !modes) {
        emit_control(out, body);
    } else {
        body(out);
    }
}

void emit_block(Emitter& out, const ProgramRequest& request, unsigned block) {
    out.global(fmt::format("block_{}", block));
    const auto units = out.random.between(12, 28);
    const bool modes = request.mix == Mix::Privileged || request.mix == Mix::VirtualMemory;
    for (auto unit = modes ? units / 4 : units; unit > 0; --unit) {
        emit_unit(out, request);
    }
    out.line("sd x1, 8(gp)");
    out.line("jal x1, fold_block");
    out.line("ld x1, 8(gp)");
}

/// Back to the first block until all passes are done; changes no register.
void emit_next_pass(Emitter& out, unsigned passes) {
    const unsigned end = out.new_label();
    out.line("sd x1, 8(gp)");
    out.line("ld x1, {}(gp)", layout::kPassOffset);
    out.line("addi x1, x1, 1");
    out.line("sd x1, {}(gp)", layout::kPassOffset);
    out.line("addi x1, x1, -{}", passes);
    out.line("beqz x1, .L{}", end);
    out.line("ld x1, 8(gp)");
    out.line("j block_0");
    out.label(end);
}

void emit_pool(Emitter& out) {
    out.line(".section .pool, \"a\"");
    for (unsigned index = 0; index < layout::kPoolWords / 2; ++index) {
        out.line(".dword {:#x}", integer_value(out.random));
    }
    for (unsigned index = 0; index < layout::kPoolWords / 2; ++index) {
        out.line(".dword {:#x}", float_value(out.random));
    }
}

/// Random bytes where stores may reach; in every page also the stub that fetch tests jump to.
void emit_scratch(Emitter& out) {
    out.line(".section .scratch, \"awx\"");
    for (unsigned page = 0; page < layout::kScratchPages; ++page) {
        for (unsigned word = 0; word < layout::kHashedBytes / 8; ++word) {
            out.line(".dword {:#x}", integer_value(out.random));
        }
        out.line(".zero {}", layout::kStubOffset - layout::kHashedBytes);
        out.line("addi x5, x5, {}", page + 1);
        out.line("jr tp");
        out.line(".zero {}", layout::kPageSize - layout::kStubOffset - 8);
    }
}

} // namespace

std::optional<Mix> mix_of(std::string_view name) {
    const auto* const found = std::ranges::find(kMixNames, name, &MixName::name);
    return found == kMixNames.end() ? std::nullopt : std::optional(found->mix);
}

std::string_view name_of(Mix mix) {
    return std::ranges::find(kMixNames, mix, &MixName::mix)->name;
}

/// The mix is part of the seed, so that equal seeds of two mixes share nothing. Mixes that have
/// come later lie beyond the first ones, whose programs stay what they were.
std::uint64_t seed_of(const ProgramRequest& request) {
    constexpr std::uint64_t kFirstMixes = 11;
    const auto mix = static_cast<std::uint64_t>(request.mix);
    return request.seed * kFirstMixes + mix % kFirstMixes + (mix / kFirstMixes << 48);
}

std::string random_program(const ProgramRequest& request) {
    Emitter out(seed_of(request), request.isa);
    out.line(".option norelax");
    out.line(".option norvc");
    emit_pool(out);
    emit_scratch(out);
    emit_page_tables(out);
    out.line(".section .rodata");
    out.line(".balign 8");
    out.global("dump_block");
    out.line(".dword {}", request.dump_block ? static_cast<int>(*request.dump_block) : -1);
    out.line(".text");
    out.global("first_block");
    const bool interrupted = request.surroundings == Surroundings::Interrupted;
    if (interrupted) {
        emit_interrupt_setup(out);
    }
    out.pending_interrupts = request.surroundings == Surroundings::Pending;
    if (out.pending_interrupts) {
        out.line("jal x1, begin_pending");
    }
    for (unsigned block = 0; block < request.blocks; ++block) {
        if (interrupted) {
            out.loop_scale = out.random.pick({1U, 4U, 32U});
        }
        emit_block(out, request, block);
    }
    if (request.passes > 1) {
        emit_next_pass(out, request.passes);
    }
    out.line("j finish");
    return out.take_text();
}

} // namespace pes::differential

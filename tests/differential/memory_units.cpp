// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics in the scratch page at sp, naturally aligned.
#include "tests/differential/layout.h"
#include "tests/differential/units.h"
#include "tests/differential/values.h"

#include <bit>
#include <string_view>

namespace pes::differential {
namespace {

struct Access {
    std::string_view mnemonic;
    unsigned size;
};
constexpr Access kLoads[] = {{"lb", 1}, {"lbu", 1}, {"lh", 2}, {"lhu", 2},
                             {"lw", 4}, {"lwu", 4}, {"ld", 8}};
constexpr Access kStores[] = {{"sb", 1}, {"sh", 2}, {"sw", 4}, {"sd", 8}};
constexpr Access kFloatLoads[] = {{"flw", 4}, {"fld", 8}};
constexpr Access kFloatStores[] = {{"fsw", 4}, {"fsd", 8}};
constexpr std::string_view kAmo[] = {"amoswap", "amoadd", "amoxor",  "amoand", "amoor",
                                     "amomin",  "amomax", "amominu", "amomaxu"};
constexpr std::string_view kOrdering[] = {"", ".aq", ".rl", ".aqrl"};

unsigned aligned_offset(Random& random, unsigned size) {
    return static_cast<unsigned>(random.below(layout::kHashedBytes / size)) * size;
}

/// A register and an offset that together give the address sp + offset.
struct Operand {
    unsigned base;
    int offset;
};

Operand address(Emitter& out, unsigned size) {
    const unsigned target = aligned_offset(out.random, size);
    if (out.random.one_in(3)) {
        return {2, static_cast<int>(target)};
    }
    const unsigned base = out.work_register();
    const int displacement = immediate(out.random);
    const int distance = static_cast<int>(target) - displacement;
    if (distance >= -2048 && distance <= 2047) {
        out.line("addi x{}, sp, {}", base, distance);
    } else { // up to 2559: in two steps
        out.line("addi x{}, sp, 1024", base);
        out.line("addi x{0}, x{0}, {1}", base, distance - 1024);
    }
    return {base, displacement};
}

/// A register holding the address sp + multiple of size.
unsigned atomic_address(Emitter& out, unsigned size, unsigned register_in) {
    out.line("addi x{}, sp, {}", register_in, aligned_offset(out.random, size));
    return register_in;
}

void emit_amo(Emitter& out) {
    const bool is_double = out.random.one_in(2);
    const unsigned base = out.work_register();
    atomic_address(out, is_double ? 8 : 4, base);
    out.line("{}.{}{} x{}, x{}, (x{})", out.random.pick(kAmo), is_double ? 'd' : 'w',
             out.random.pick(kOrdering), out.destination(), out.source(), base);
}

/// A pair that must succeed: nothing but register instructions in between, as the constrained loop
/// of the A extension asks. The failing forms are those that must fail anywhere: another
/// reservation's address far away, and a second store after the first consumed the reservation.
void emit_reservation(Emitter& out) {
    const char width = out.random.one_in(2) ? 'd' : 'w';
    const unsigned size = width == 'd' ? 8 : 4;
    const auto [base, status] = out.two_work_registers();
    const Locked guard_base(out, base);
    atomic_address(out, size, base);
    out.line("lr.{}{} x{}, (x{})", width, out.random.pick(kOrdering), status, base);
    for (auto n = out.random.below(3); n > 0; --n) {
        emit_integer(out);
    }
    const auto scenario = static_cast<unsigned>(out.random.below(4));
    if (scenario == 0) { // elsewhere: beyond any reservation set in use
        const unsigned other = out.work_register();
        out.line("addi x{}, x{}, 1024", other, base);
        out.line("sc.{} x{}, x{}, (x{})", width, out.destination(), out.source(), other);
        return;
    }
    out.line("sc.{}{} x{}, x{}, (x{})", width, out.random.pick(kOrdering), out.destination(),
             out.source(), base);
    if (scenario == 1) {
        out.line("sc.{} x{}, x{}, (x{})", width, out.destination(), out.source(), base);
    }
}

} // namespace

void emit_memory(Emitter& out) {
    Random& random = out.random;
    switch (random.below(8)) {
    case 0:
    case 1:
    case 2: {
        const Access access = random.pick(kLoads);
        const Operand operand = address(out, access.size);
        out.line("{} x{}, {}(x{})", access.mnemonic, out.destination(), operand.offset,
                 operand.base);
        break;
    }
    case 3:
    case 4: {
        const Access access = random.pick(kStores);
        const Operand operand = address(out, access.size);
        out.line("{} x{}, {}(x{})", access.mnemonic, out.source(), operand.offset, operand.base);
        break;
    }
    case 5: {
        const Access access = random.pick(kFloatLoads);
        const Operand operand = address(out, access.size);
        out.line("{} f{}, {}(x{})", access.mnemonic, out.float_register(), operand.offset,
                 operand.base);
        break;
    }
    case 6: {
        const Access access = random.pick(kFloatStores);
        const Operand operand = address(out, access.size);
        out.line("{} f{}, {}(x{})", access.mnemonic, out.float_register(), operand.offset,
                 operand.base);
        break;
    }
    default: {
        // A fence with any sets and reserved fields is a fence; fence.i ignores its fields too.
        const auto fields = static_cast<std::uint32_t>(random.bits());
        if (random.one_in(4)) {
            out.line("fence.i");
        } else {
            out.line(".insn 4, {:#010x}", (fields & 0xFFF0'0000U) | 0x0FU);
        }
        break;
    }
    }
}

void emit_atomic(Emitter& out) {
    if (out.random.one_in(3)) {
        emit_reservation(out);
    } else {
        emit_amo(out);
    }
}

} // namespace pes::differential

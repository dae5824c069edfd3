// SPDX-License-Identifier: Apache-2.0
// The C extension: every legal form, the hints, and the encodings that are reserved.
#include "tests/differential/layout.h"
#include "tests/differential/units.h"

#include <cstdint>
#include <string_view>

namespace pes::differential {
namespace {

constexpr std::string_view kPairs[] = {"c.sub", "c.xor", "c.or", "c.and", "c.subw", "c.addw"};

/// Hints: architecturally nothing happens (unprivileged specification, "HINT instructions" of C).
constexpr std::uint16_t kHints[] = {
    0x0005, // c.nop with an immediate
    0x0501, // c.addi a0, 0
    0x4015, // c.li x0, 5
    0x6015, // c.lui x0, 5
    0x802A, // c.mv x0, a0
    0x902A, // c.add x0, a0
    0x0016, // c.slli x0, 5
    0x0502, // c.slli a0, 0
    0x8101, // c.srli a0, 0
    0x8501, // c.srai a0, 0
};

/// Reserved or defined illegal.
constexpr std::uint16_t kReservedForms[] = {
    0x0000, // the all-zero half-word
    0x000C, // c.addi4spn with a zero immediate
    0x2001, // c.addiw x0
    0x6101, // c.addi16sp 0
    0x6501, // c.lui a0, 0
    0x8000, // quadrant 0, funct3 100: Zcb
    0x9C41, // quadrant 1, 100 1 11 10: likewise
    0x9C61, // quadrant 1, 100 1 11 11: likewise
    0x4002, // c.lwsp x0
    0x6002, // c.ldsp x0
    0x8002, // c.jr x0
};

/// With Zcb, what is reserved stands for a form of it that still is.
void emit_reserved(Emitter& out) {
    constexpr std::uint16_t kStillReserved = 0x9C7D;
    const std::uint16_t form = out.random.pick(kReservedForms);
    const bool zcb = (form & 0xFC03) == 0x8000 || (form & 0xFC43) == 0x9C41;
    out.compressed(".insn 2, {:#06x}",
                   zcb && out.isa.has(IsaExtension::Zcb) ? kStillReserved : form);
}

unsigned offset(Random& random, unsigned size, unsigned limit) {
    return static_cast<unsigned>(random.below(limit / size)) * size;
}

/// Six-bit signed immediate other than zero.
int small_immediate(Random& random) {
    const int value = static_cast<int>(random.between(-32, 30));
    return value >= 0 ? value + 1 : value;
}

/// A compact register that points into scratch memory.
unsigned compact_base(Emitter& out) {
    const unsigned base = out.compact_destination();
    out.line("addi x{}, sp, {}", base, offset(out.random, 8, 256));
    return base;
}

void emit_arithmetic(Emitter& out) {
    Random& random = out.random;
    switch (random.below(11)) {
    case 0:
        out.compressed("c.addi x{}, {}", out.work_register(), small_immediate(random));
        break;
    case 1:
        out.compressed("c.addiw x{}, {}", out.work_register(), random.between(-32, 31));
        break;
    case 2:
        out.compressed("c.li x{}, {}", out.work_register(), random.between(-32, 31));
        break;
    case 3: { // 1..31, or the sign-extended top of the 20-bit range
        const std::int64_t high = random.between(1, 31);
        out.compressed("c.lui x{}, {:#x}", out.work_register(),
                       random.one_in(2) ? high : 0xFFFE0 + high);
        break;
    }
    case 4:
        out.compressed("{} x{}, {}", random.one_in(2) ? "c.srli" : "c.srai",
                       out.compact_destination(), random.between(1, 63));
        break;
    case 5:
        out.compressed("c.andi x{}, {}", out.compact_destination(), random.between(-32, 31));
        break;
    case 6:
        out.compressed("{} x{}, x{}", random.pick(kPairs), out.compact_destination(),
                       out.compact_source());
        break;
    case 7:
        out.compressed("c.slli x{}, {}", out.work_register(), random.between(1, 63));
        break;
    case 8:
        out.compressed("{} x{}, x{}", random.one_in(2) ? "c.mv" : "c.add", out.work_register(),
                       random.between(1, 31));
        break;
    case 9:
        out.compressed("c.addi4spn x{}, sp, {}", out.compact_destination(),
                       4 * random.between(1, 255));
        break;
    default: {
        const std::int64_t step = 16 * random.between(1, 31);
        out.compressed("c.addi16sp sp, {}", step);
        out.compressed("c.addi16sp sp, {}", -step);
        break;
    }
    }
}

void emit_compact_memory(Emitter& out) {
    Random& random = out.random;
    const unsigned base = compact_base(out);
    switch (random.below(6)) {
    case 0:
        out.compressed("c.lw x{}, {}(x{})", out.compact_destination(), offset(random, 4, 128),
                       base);
        break;
    case 1:
        out.compressed("c.ld x{}, {}(x{})", out.compact_destination(), offset(random, 8, 256),
                       base);
        break;
    case 2:
        out.compressed("c.fld f{}, {}(x{})", random.between(8, 15), offset(random, 8, 256), base);
        break;
    case 3:
        out.compressed("c.sw x{}, {}(x{})", out.compact_source(), offset(random, 4, 128), base);
        break;
    case 4:
        out.compressed("c.sd x{}, {}(x{})", out.compact_source(), offset(random, 8, 256), base);
        break;
    default:
        out.compressed("c.fsd f{}, {}(x{})", random.between(8, 15), offset(random, 8, 256), base);
        break;
    }
}

void emit_stack_memory(Emitter& out) {
    Random& random = out.random;
    switch (random.below(6)) {
    case 0:
        out.compressed("c.lwsp x{}, {}(sp)", out.work_register(), offset(random, 4, 256));
        break;
    case 1:
        out.compressed("c.ldsp x{}, {}(sp)", out.work_register(), offset(random, 8, 512));
        break;
    case 2:
        out.compressed("c.fldsp f{}, {}(sp)", out.float_register(), offset(random, 8, 512));
        break;
    case 3:
        out.compressed("c.swsp x{}, {}(sp)", out.source(), offset(random, 4, 256));
        break;
    case 4:
        out.compressed("c.sdsp x{}, {}(sp)", out.source(), offset(random, 8, 512));
        break;
    default:
        out.compressed("c.fsdsp f{}, {}(sp)", out.float_register(), offset(random, 8, 512));
        break;
    }
}

void emit_compressed_jump(Emitter& out) {
    Random& random = out.random;
    const unsigned target = out.new_label();
    switch (random.below(3)) {
    case 0:
        out.compressed("c.j .L{}", target);
        break;
    case 1:
        out.compressed("{} x{}, .L{}", random.one_in(2) ? "c.beqz" : "c.bnez", out.compact_source(),
                       target);
        break;
    default: {
        const unsigned base = out.work_register();
        out.line("lla x{}, .L{}", base, target);
        if (random.one_in(2) && !out.is_locked(1)) {
            out.compressed("c.jalr x{}", base);
        } else {
            out.compressed("c.jr x{}", base);
        }
        break;
    }
    }
    for (auto n = random.between(1, 3); n > 0; --n) {
        emit_arithmetic(out);
    }
    out.label(target);
}

} // namespace

void emit_compressed(Emitter& out) {
    Random& random = out.random;
    switch (random.below(12)) {
    case 0:
    case 1:
        emit_compact_memory(out);
        break;
    case 2:
    case 3:
        emit_stack_memory(out);
        break;
    case 4:
        emit_compressed_jump(out);
        break;
    case 5:
        switch (random.below(4)) {
        case 0:
            out.compressed("c.ebreak");
            break;
        case 1:
            out.compressed("c.nop");
            break;
        case 2:
            out.compressed(".insn 2, {:#06x}", random.pick(kHints));
            break;
        default:
            emit_reserved(out);
            break;
        }
        break;
    default:
        emit_arithmetic(out);
        break;
    }
}

} // namespace pes::differential

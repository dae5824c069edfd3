// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/layout.h"
#include "tests/differential/units.h"
#include "tests/differential/values.h"

#include <string_view>

namespace pes::differential {
namespace {

constexpr std::string_view kRegister[] = {"add",  "sub",  "sll",  "slt",  "sltu",
                                          "xor",  "srl",  "sra",  "or",   "and",
                                          "addw", "subw", "sllw", "srlw", "sraw"};
constexpr std::string_view kImmediate[] = {"addi", "slti", "sltiu", "xori", "ori", "andi", "addiw"};
constexpr std::string_view kShift[] = {"slli", "srli", "srai"};
constexpr std::string_view kShiftWord[] = {"slliw", "srliw", "sraiw"};
constexpr std::string_view kMultiply[] = {"mul",  "mulh", "mulhsu", "mulhu", "div",  "divu", "rem",
                                          "remu", "mulw", "divw",   "divuw", "remw", "remuw"};
constexpr std::string_view kBranch[] = {"beq", "bne", "blt", "bge", "bltu", "bgeu"};

void emit_skip(Emitter& out, const Body& body) {
    const unsigned target = out.new_label();
    out.line("{} x{}, x{}, .L{}", out.random.pick(kBranch), out.source(), out.source(), target);
    for (auto n = out.random.between(1, 3); n > 0; --n) {
        body(out);
    }
    out.label(target);
}

void emit_jump(Emitter& out, const Body& body) {
    const unsigned target = out.new_label();
    out.line("jal x{}, .L{}", out.destination(), target);
    body(out);
    out.label(target);
}

void emit_indirect_jump(Emitter& out, const Body& body) {
    const unsigned target = out.new_label();
    const unsigned base = out.work_register();
    const int offset = static_cast<int>(out.random.between(-256, 256));
    const int odd = out.random.one_in(4) ? 1 : 0; // bit 0 of the sum is ignored
    out.line("lla x{}, .L{}", base, target);
    out.line("addi x{0}, x{0}, {1}", base, odd - offset);
    out.line("jalr x{}, {}(x{})", out.destination(), offset, base);
    body(out);
    out.label(target);
}

void emit_loop(Emitter& out, const Body& body) {
    const unsigned head = out.new_label();
    const unsigned counter = out.work_register();
    const Locked guard(out, counter);
    out.line("li x{}, {}", counter, out.random.between(2, 6) * out.loop_scale);
    out.label(head);
    for (auto n = out.random.between(1, 3); n > 0; --n) {
        body(out);
    }
    out.line("addi x{0}, x{0}, -1", counter);
    out.line("bnez x{}, .L{}", counter, head);
}

} // namespace

void emit_operands(Emitter& out) {
    constexpr int kHalf = static_cast<int>(layout::kPoolWords) / 2;
    const int slot = static_cast<int>(out.random.below(kHalf));
    const bool integer = out.random.one_in(2);
    if (!out.pool_readable()) {
        if (integer) {
            out.line("li x{}, {:#x}", out.work_register(), integer_value(out.random));
        } else {
            const unsigned carrier = out.work_register();
            out.line("li x{}, {:#x}", carrier, float_value(out.random));
            out.line("fmv.d.x f{}, x{}", out.float_register(), carrier);
        }
    } else if (integer) {
        out.line("ld x{}, {}(gp)", out.work_register(), layout::kPoolOffset + 8 * slot);
    } else {
        out.line("fld f{}, {}(gp)", out.float_register(), layout::kPoolOffset + 8 * (slot + kHalf));
    }
}

void emit_integer(Emitter& out) {
    Random& random = out.random;
    switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
        out.line("{} x{}, x{}, x{}", random.pick(kRegister), out.destination(), out.source(),
                 out.source());
        break;
    case 3:
    case 4:
        out.line("{} x{}, x{}, {}", random.pick(kImmediate), out.destination(), out.source(),
                 immediate(random));
        break;
    case 5:
        out.line("{} x{}, x{}, {}", random.pick(kShift), out.destination(), out.source(),
                 random.below(64));
        break;
    case 6:
        out.line("{} x{}, x{}, {}", random.pick(kShiftWord), out.destination(), out.source(),
                 random.below(32));
        break;
    default:
        out.line("{} x{}, {:#x}", random.one_in(2) ? "lui" : "auipc", out.destination(),
                 random.below(1U << 20));
        break;
    }
}

void emit_multiply_divide(Emitter& out) {
    out.line("{} x{}, x{}, x{}", out.random.pick(kMultiply), out.destination(), out.source(),
             out.source());
}

void emit_control(Emitter& out, const Body& body) {
    switch (out.random.below(5)) {
    case 0:
    case 1:
        emit_skip(out, body);
        break;
    case 2:
        emit_jump(out, body);
        break;
    case 3:
        emit_indirect_jump(out, body);
        break;
    default:
        emit_loop(out, body);
        break;
    }
}

} // namespace pes::differential

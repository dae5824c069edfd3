// SPDX-License-Identifier: Apache-2.0
// Zba, Zbb, Zbc, Zbs, Zbk*, Zicond, Zkn* and Zcb: those that the emitter's instruction set has.
// What the assembler does not know (Zicond, Zcb) is written as its fields.
#include "tests/differential/units.h"

#include <array>
#include <string_view>
#include <vector>

namespace pes::differential {
namespace {

using enum IsaExtension;

/// What stands behind the destination.
enum class Form : std::uint8_t {
    Registers,   ///< two sources
    One,         ///< one source
    NonZero,     ///< one source, whose low word is not 0: QEMU 7.2 counts on in the upper one
    Shift64,     ///< a source and six bits
    Shift32,     ///< a source and five bits
    Round,       ///< a source and 0..10
    Compressed,  ///< code of Zcb with room for a register in bits 9:7
    Compressed2, ///< and another in bits 4:2
};

struct Row {
    std::string_view text;
    IsaSet owners;
    Form form = Form::Registers;
    unsigned code = 0; ///< of Compressed
};

constexpr IsaSet kLogic{Zbb, Zbkb};
constexpr std::array kRows{
    Row{"sh1add", Zba},
    Row{"sh2add", Zba},
    Row{"sh3add", Zba},
    Row{"add.uw", Zba},
    Row{"sh1add.uw", Zba},
    Row{"sh2add.uw", Zba},
    Row{"sh3add.uw", Zba},
    Row{"slli.uw", Zba, Form::Shift64},
    Row{"andn", kLogic},
    Row{"orn", kLogic},
    Row{"xnor", kLogic},
    Row{"rol", kLogic},
    Row{"ror", kLogic},
    Row{"rolw", kLogic},
    Row{"rorw", kLogic},
    Row{"rori", kLogic, Form::Shift64},
    Row{"roriw", kLogic, Form::Shift32},
    Row{"rev8", kLogic, Form::One},
    Row{"min", Zbb},
    Row{"minu", Zbb},
    Row{"max", Zbb},
    Row{"maxu", Zbb},
    Row{"clz", Zbb, Form::One},
    Row{"ctz", Zbb, Form::One},
    Row{"cpop", Zbb, Form::One},
    Row{"clzw", Zbb, Form::One},
    Row{"ctzw", Zbb, Form::NonZero},
    Row{"cpopw", Zbb, Form::One},
    Row{"sext.b", Zbb, Form::One},
    Row{"sext.h", Zbb, Form::One},
    Row{"zext.h", Zbb, Form::One},
    Row{"orc.b", Zbb, Form::One},
    Row{"pack", Zbkb},
    Row{"packh", Zbkb},
    Row{"packw", Zbkb},
    Row{"brev8", Zbkb, Form::One},
    Row{"xperm4", Zbkx},
    Row{"xperm8", Zbkx},
    Row{"clmul", {Zbc, Zbkc}},
    Row{"clmulh", {Zbc, Zbkc}},
    Row{"clmulr", Zbc},
    Row{"bclr", Zbs},
    Row{"bext", Zbs},
    Row{"binv", Zbs},
    Row{"bset", Zbs},
    Row{"bclri", Zbs, Form::Shift64},
    Row{"bexti", Zbs, Form::Shift64},
    Row{"binvi", Zbs, Form::Shift64},
    Row{"bseti", Zbs, Form::Shift64},
    Row{".insn r 0x33, 5, 0x07,", Zicond}, // czero.eqz
    Row{".insn r 0x33, 7, 0x07,", Zicond}, // czero.nez
    Row{"aes64es", Zkne},
    Row{"aes64esm", Zkne},
    Row{"aes64ds", Zknd},
    Row{"aes64dsm", Zknd},
    Row{"aes64im", Zknd, Form::One},
    Row{"aes64ks1i", {Zknd, Zkne}, Form::Round},
    Row{"aes64ks2", {Zknd, Zkne}},
    Row{"sha256sum0", Zknh, Form::One},
    Row{"sha256sum1", Zknh, Form::One},
    Row{"sha256sig0", Zknh, Form::One},
    Row{"sha256sig1", Zknh, Form::One},
    Row{"sha512sum0", Zknh, Form::One},
    Row{"sha512sum1", Zknh, Form::One},
    Row{"sha512sig0", Zknh, Form::One},
    Row{"sha512sig1", Zknh, Form::One},
    Row{"c.zext.b", Zcb, Form::Compressed, 0x9C61},
    Row{"c.sext.b", Zcb, Form::Compressed, 0x9C65},
    Row{"c.zext.h", Zcb, Form::Compressed, 0x9C69},
    Row{"c.sext.h", Zcb, Form::Compressed, 0x9C6D},
    Row{"c.zext.w", Zcb, Form::Compressed, 0x9C71},
    Row{"c.not", Zcb, Form::Compressed, 0x9C75},
    Row{"c.mul", Zcb, Form::Compressed2, 0x9C41},
};

/// A store and a load of Zcb next to it, in scratch memory.
void emit_short_access(Emitter& out) {
    const unsigned base = out.compact_destination();
    const Locked guard(out, base);
    const unsigned value = out.compact_destination();
    Random& random = out.random;
    out.line("addi x{}, sp, {}", base, 8 * random.below(32));
    const unsigned fields = (base - 8) << 7 | (value - 8) << 2;
    const unsigned byte = random.pick({0x00U, 0x20U, 0x40U, 0x60U});
    const unsigned half = random.pick({0x00U, 0x20U});
    random.one_in(2) ? out.compressed(".insn 2, {:#x}", 0x8800 | fields | byte)
                     : out.compressed(".insn 2, {:#x}", 0x8C00 | fields | half);
    switch (random.below(3)) {
    case 0:
        out.compressed(".insn 2, {:#x}", 0x8000 | fields | byte);
        break;
    case 1:
        out.compressed(".insn 2, {:#x}", 0x8400 | fields | half);
        break;
    default:
        out.compressed(".insn 2, {:#x}", 0x8440 | fields | half);
        break;
    }
}

std::vector<const Row*> rows_of(const Isa& isa) {
    std::vector<const Row*> rows;
    for (const Row& row : kRows) {
        if (isa.has_instruction_of(row.owners)) {
            rows.push_back(&row);
        }
    }
    return rows;
}

} // namespace

void emit_bits(Emitter& out) {
    Random& random = out.random;
    if (out.isa.has(Zcb) && random.one_in(12)) {
        emit_short_access(out);
        return;
    }
    const std::vector<const Row*> rows = rows_of(out.isa);
    const Row& row = *rows[random.below(rows.size())];
    switch (row.form) {
    case Form::Registers:
        out.line("{} x{}, x{}, x{}", row.text, out.destination(), out.source(), out.source());
        break;
    case Form::One:
        out.line("{} x{}, x{}", row.text, out.destination(), out.source());
        break;
    case Form::NonZero: {
        const unsigned source = out.work_register();
        out.line("ori x{0}, x{0}, {1}", source, 1U << random.below(11));
        out.line("{} x{}, x{}", row.text, out.destination(), source);
        break;
    }
    case Form::Shift64:
        out.line("{} x{}, x{}, {}", row.text, out.destination(), out.source(), random.below(64));
        break;
    case Form::Shift32:
        out.line("{} x{}, x{}, {}", row.text, out.destination(), out.source(), random.below(32));
        break;
    case Form::Round:
        out.line("{} x{}, x{}, {}", row.text, out.destination(), out.source(), random.below(11));
        break;
    case Form::Compressed:
        out.compressed(".insn 2, {:#x}", row.code | (out.compact_destination() - 8) << 7);
        break;
    case Form::Compressed2:
        out.compressed(".insn 2, {:#x}", row.code | (out.compact_destination() - 8) << 7 |
                                             (out.compact_source() - 8) << 2);
        break;
    }
}

} // namespace pes::differential

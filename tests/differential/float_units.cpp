// SPDX-License-Identifier: Apache-2.0
// F and D. Instructions are written as words: the assembler refuses the reserved rounding modes.
#include "tests/differential/units.h"

#include <cstdint>

namespace pes::differential {
namespace {

constexpr std::uint32_t kOpFp = 0x53;
constexpr unsigned kDynamic = 7;

enum class Bank : std::uint8_t { Integer, Float };

/// An OP-FP instruction. `rs2` below 32 is part of the encoding; `funct3` below 8 likewise,
/// otherwise the field is a rounding mode.
struct Operation {
    std::uint32_t funct7;
    unsigned rs2;
    unsigned funct3;
    Bank destination;
    Bank source;
};
constexpr unsigned kAny = 99;    ///< rs2 is a register
constexpr unsigned kRounds = 99; ///< funct3 is a rounding mode
/// Results are exact, so the rounding mode is without effect. Whether a reserved one still traps is
/// not said clearly; only the valid ones are used.
constexpr unsigned kExact = 98;

/// funct7 without the format bit (bit 0: double). Unprivileged specification, chapter "RV32/64G
/// instruction set listings".
constexpr Operation kArithmetic[] = {
    {0x00, kAny, kRounds, Bank::Float, Bank::Float}, // fadd
    {0x04, kAny, kRounds, Bank::Float, Bank::Float}, // fsub
    {0x08, kAny, kRounds, Bank::Float, Bank::Float}, // fmul
    {0x0C, kAny, kRounds, Bank::Float, Bank::Float}, // fdiv
    {0x2C, 0, kRounds, Bank::Float, Bank::Float},    // fsqrt
};
constexpr Operation kSimple[] = {
    {0x10, kAny, 0, Bank::Float, Bank::Float},   // fsgnj
    {0x10, kAny, 1, Bank::Float, Bank::Float},   // fsgnjn
    {0x10, kAny, 2, Bank::Float, Bank::Float},   // fsgnjx
    {0x14, kAny, 0, Bank::Float, Bank::Float},   // fmin
    {0x14, kAny, 1, Bank::Float, Bank::Float},   // fmax
    {0x50, kAny, 0, Bank::Integer, Bank::Float}, // fle
    {0x50, kAny, 1, Bank::Integer, Bank::Float}, // flt
    {0x50, kAny, 2, Bank::Integer, Bank::Float}, // feq
    {0x70, 0, 0, Bank::Integer, Bank::Float},    // fmv.x
    {0x70, 0, 1, Bank::Integer, Bank::Float},    // fclass
    {0x78, 0, 0, Bank::Float, Bank::Integer},    // fmv to float
};
constexpr Operation kConversion[] = {
    {0x60, 0, kRounds, Bank::Integer, Bank::Float}, // fcvt.w
    {0x60, 1, kRounds, Bank::Integer, Bank::Float}, // fcvt.wu
    {0x60, 2, kRounds, Bank::Integer, Bank::Float}, // fcvt.l
    {0x60, 3, kRounds, Bank::Integer, Bank::Float}, // fcvt.lu
    {0x68, 2, kRounds, Bank::Float, Bank::Integer}, // fcvt from l
    {0x68, 3, kRounds, Bank::Float, Bank::Integer}, // fcvt from lu
};
constexpr Operation kFromWordSingle[] = {
    {0x68, 0, kRounds, Bank::Float, Bank::Integer}, // fcvt.s.w
    {0x68, 1, kRounds, Bank::Float, Bank::Integer}, // fcvt.s.wu
    {0x20, 1, kRounds, Bank::Float, Bank::Float},   // fcvt.s.d
};
constexpr Operation kFromWordDouble[] = {
    {0x68, 0, kExact, Bank::Float, Bank::Integer}, // fcvt.d.w
    {0x68, 1, kExact, Bank::Float, Bank::Integer}, // fcvt.d.wu
    {0x20, 0, kExact, Bank::Float, Bank::Float},   // fcvt.d.s
};
constexpr std::uint32_t kFused[] = {0x43, 0x47, 0x4B, 0x4F}; // fmadd, fmsub, fnmsub, fnmadd

unsigned rounding_mode(Random& random) {
    switch (random.below(12)) {
    case 0:
        return static_cast<unsigned>(random.between(5, 6)); // reserved: illegal instruction
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
        return kDynamic;
    default:
        return static_cast<unsigned>(random.below(5));
    }
}

void emit_operation(Emitter& out, FloatFormat format, const Operation& operation) {
    Random& random = out.random;
    const std::uint32_t funct7 = operation.funct7 | (format == FloatFormat::Double ? 1U : 0U);
    const unsigned rs2 = operation.rs2 == kAny ? out.float_register() : operation.rs2;
    unsigned funct3 = operation.funct3;
    if (funct3 == kRounds) {
        funct3 = rounding_mode(random);
    } else if (funct3 == kExact) {
        funct3 = static_cast<unsigned>(random.below(5));
    }
    const unsigned rs1 = operation.source == Bank::Integer ? out.source() : out.float_register();
    const unsigned rd =
        operation.destination == Bank::Integer ? out.destination() : out.float_register();
    out.line(".insn 4, {:#010x}",
             funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | kOpFp);
}

void emit_fused(Emitter& out, FloatFormat format) {
    const std::uint32_t fmt = format == FloatFormat::Double ? 1 : 0;
    out.line(".insn 4, {:#010x}", out.float_register() << 27 | fmt << 25 |
                                      out.float_register() << 20 | out.float_register() << 15 |
                                      rounding_mode(out.random) << 12 | out.float_register() << 7 |
                                      out.random.pick(kFused));
}

} // namespace

void emit_float(Emitter& out, FloatFormat format) {
    Random& random = out.random;
    if (random.one_in(16)) {
        emit_float_state(out);
    }
    switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
        emit_operation(out, format, random.pick(kArithmetic));
        break;
    case 3:
        emit_operation(out, format, random.pick(kSimple));
        break;
    case 4:
        emit_operation(out, format, random.pick(kConversion));
        break;
    case 5:
        emit_operation(out, format,
                       format == FloatFormat::Double ? random.pick(kFromWordDouble)
                                                     : random.pick(kFromWordSingle));
        break;
    default:
        emit_fused(out, format);
        break;
    }
    if (random.one_in(3)) { // flags accumulate: look at those of one instruction
        out.line("csrrwi x{}, fflags, 0", out.work_register());
    }
}

void emit_float_state(Emitter& out) {
    Random& random = out.random;
    switch (random.below(8)) {
    case 0:
        out.line("csrrwi x{}, fflags, {}", out.destination(), random.below(32));
        break;
    case 1:
        out.line("csrrs x{}, fflags, x{}", out.destination(), out.source());
        break;
    case 2:
        out.line("csrrc x{}, fcsr, x{}", out.destination(), out.source());
        break;
    case 3: // any mode, the reserved ones included: dynamic rounding then traps
        out.line("csrrwi x{}, frm, {}", out.destination(), random.below(8));
        break;
    case 4:
        out.line("csrrw x{}, fcsr, x{}", out.destination(), out.source());
        break;
    default:
        out.line("csrrwi x{}, frm, {}", out.destination(), random.below(5));
        break;
    }
}

} // namespace pes::differential

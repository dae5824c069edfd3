// SPDX-License-Identifier: Apache-2.0
// F and D. A reserved rounding mode, static or dynamic, and FS = Off raise illegal-instruction.
#include "hw/core/arch/float/float.h"
#include "hw/core/arch/decode.h"
#include "hw/core/arch/execution.h"

#include <array>

namespace pes {

namespace {

using S = std::uint32_t; ///< single precision, raw bits
using D = std::uint64_t; ///< double precision, raw bits
using U32 = std::uint32_t;
using U64 = std::uint64_t;
using I32 = std::int32_t;
using I64 = std::int64_t;
using fp::Flags;
using fp::Rounding;

template <typename T>
T read(const Execution& hart, RegisterIndex index) {
    if constexpr (sizeof(T) == 4) {
        return fp::unbox32(hart.x(index));
    } else {
        return hart.x(index);
    }
}
template <typename T>
void write(Execution& hart, RegisterIndex index, T value) {
    if constexpr (sizeof(T) == 4) {
        hart.x(index) = fp::box32(value);
    } else {
        hart.x(index) = value;
    }
}

bool enabled(Execution& hart, const Instruction& i) {
    if (hart.csr().float_enabled()) [[likely]] {
        return true;
    }
    hart.raise_illegal(i);
    return false;
}

/// Resolves the rounding mode; false if the instruction has become illegal.
bool rounding(Execution& hart, const Instruction& i, Rounding& mode) {
    constexpr std::uint8_t kDynamic = 7;
    const std::uint8_t field = i.rounding == kDynamic ? hart.csr().frm : i.rounding;
    if (!hart.csr().float_enabled() ||
        field > static_cast<std::uint8_t>(Rounding::NearestMaxMagnitude)) [[unlikely]] {
        hart.raise_illegal(i);
        return false;
    }
    mode = static_cast<Rounding>(field);
    return true;
}

Flags& flags(Execution& hart) {
    return hart.csr().fflags;
}

/// add, sub, mul
template <typename T, auto Operation>
void arithmetic(Execution& hart, const Instruction& i) {
    Rounding mode{};
    if (rounding(hart, i, mode)) {
        write<T>(hart, i.rd,
                 Operation(read<T>(hart, i.rs1), read<T>(hart, i.rs2), mode, flags(hart)));
        hart.csr().mark_float_dirty();
    }
}

/// The time of the unit depends on the low bits of the register, whether they are NaN-boxed or not.
template <typename T>
T low_bits(Execution& hart, RegisterIndex index) {
    return static_cast<T>(hart.x(index));
}
/// CVA6 needs no iterations for these: zero, infinity, NaN. [cvfpu, preprocess_mvp.sv]
template <typename T>
constexpr bool is_special(T a) {
    return fp::is_zero(a) || fp::magnitude(a) >= fp::Format<T>::kInfinity;
}

template <typename T>
void divide(Execution& hart, const Instruction& i) {
    Rounding mode{};
    if (rounding(hart, i, mode)) {
        const T a = low_bits<T>(hart, i.rs1);
        hart.note(is_special(a) || is_special(low_bits<T>(hart, i.rs2)) ? 0 : 1);
        write<T>(hart, i.rd,
                 fp::div<T>(read<T>(hart, i.rs1), read<T>(hart, i.rs2), mode, flags(hart)));
        hart.csr().mark_float_dirty();
    }
}

template <typename T>
void square_root(Execution& hart, const Instruction& i) {
    Rounding mode{};
    if (rounding(hart, i, mode)) {
        const T a = low_bits<T>(hart, i.rs1);
        hart.note(is_special(a) || (a & fp::Format<T>::kSign) != 0 ? 0 : 1);
        write<T>(hart, i.rd, fp::sqrt(read<T>(hart, i.rs1), mode, flags(hart)));
        hart.csr().mark_float_dirty();
    }
}

enum class Sign : std::uint8_t { Keep, Negate };

template <typename T, Sign Product, Sign Addend>
void fused(Execution& hart, const Instruction& i) {
    Rounding mode{};
    if (!rounding(hart, i, mode)) {
        return;
    }
    T a = read<T>(hart, i.rs1);
    T c = read<T>(hart, i.rs3);
    a = Product == Sign::Negate ? fp::negate(a) : a;
    c = Addend == Sign::Negate ? fp::negate(c) : c;
    write<T>(hart, i.rd, fp::fma(a, read<T>(hart, i.rs2), c, mode, flags(hart)));
    hart.csr().mark_float_dirty();
}

/// Operations without rounding that stay in the FP registers: min, max, sign injection.
template <typename T, auto Operation>
void select(Execution& hart, const Instruction& i) {
    if (enabled(hart, i)) {
        write<T>(hart, i.rd, Operation(read<T>(hart, i.rs1), read<T>(hart, i.rs2), flags(hart)));
        hart.csr().mark_float_dirty();
    }
}

/// feq, flt, fle
template <typename T, auto Operation>
void compare(Execution& hart, const Instruction& i) {
    if (enabled(hart, i)) {
        hart.x(i.rd) = Operation(read<T>(hart, i.rs1), read<T>(hart, i.rs2), flags(hart)) ? 1 : 0;
        hart.csr().mark_float_dirty();
    }
}

template <typename T>
void classify(Execution& hart, const Instruction& i) {
    if (enabled(hart, i)) {
        hart.x(i.rd) = fp::classify(read<T>(hart, i.rs1));
    }
}

template <typename T, typename Integer>
void to_integer(Execution& hart, const Instruction& i) {
    Rounding mode{};
    if (rounding(hart, i, mode)) {
        const auto result = fp::to_integer<Integer>(read<T>(hart, i.rs1), mode, flags(hart));
        using Signed = std::make_signed_t<Integer>; // 32-bit results sign-extend, unsigned too
        hart.x(i.rd) = static_cast<U64>(static_cast<I64>(static_cast<Signed>(result)));
        hart.csr().mark_float_dirty();
    }
}

template <typename T, typename Integer>
void from_integer(Execution& hart, const Instruction& i) {
    Rounding mode{};
    if (rounding(hart, i, mode)) {
        const auto value = static_cast<Integer>(hart.x(i.rs1));
        write<T>(hart, i.rd, fp::from_integer<T>(value, mode, flags(hart)));
        hart.csr().mark_float_dirty();
    }
}

void single_from_double(Execution& hart, const Instruction& i) {
    Rounding mode{};
    if (rounding(hart, i, mode)) {
        write<S>(hart, i.rd, fp::single_from_double(hart.x(i.rs1), mode, flags(hart)));
        hart.csr().mark_float_dirty();
    }
}
void double_from_single(Execution& hart, const Instruction& i) {
    Rounding mode{}; // exact, but a reserved mode is still illegal
    if (rounding(hart, i, mode)) {
        write<D>(hart, i.rd, fp::double_from_single(read<S>(hart, i.rs1), flags(hart)));
        hart.csr().mark_float_dirty();
    }
}

/// fmv.x.w takes the low word whether it is boxed or not.
void move_word_to_integer(Execution& hart, const Instruction& i) {
    if (enabled(hart, i)) {
        hart.x(i.rd) = static_cast<U64>(static_cast<I64>(static_cast<I32>(hart.x(i.rs1))));
    }
}
void move_double_to_integer(Execution& hart, const Instruction& i) {
    if (enabled(hart, i)) {
        hart.x(i.rd) = hart.x(i.rs1);
    }
}
template <typename T>
void move_from_integer(Execution& hart, const Instruction& i) {
    if (enabled(hart, i)) {
        write<T>(hart, i.rd, static_cast<T>(hart.x(i.rs1)));
        hart.csr().mark_float_dirty();
    }
}

template <typename T>
constexpr T kSign = fp::Format<T>::kSign;

template <typename T>
T sign_inject(T a, T b, Flags&) {
    return fp::magnitude(a) | (b & kSign<T>);
}
template <typename T>
T sign_inject_negated(T a, T b, Flags&) {
    return fp::magnitude(a) | (~b & kSign<T>);
}
template <typename T>
T sign_inject_xor(T a, T b, Flags&) {
    return a ^ (b & kSign<T>);
}

constexpr U32 kOpFp = 0x53;

template <typename T>
constexpr U32 format_bit = sizeof(T) == 4 ? 0 : 1;
template <typename T>
constexpr TimingClass arithmetic_timing = sizeof(T) == 4 ? TimingClass::FpSingle
                                                         : TimingClass::FpDouble;
template <typename T>
constexpr TimingClass divide_timing = sizeof(T) == 4 ? TimingClass::FpDivideSingle
                                                     : TimingClass::FpDivideDouble;
template <typename T>
constexpr TimingClass sqrt_timing = sizeof(T) == 4 ? TimingClass::FpSqrtSingle
                                                   : TimingClass::FpSqrtDouble;

/// OP-FP with funct7 = funct5 and format; any rm.
template <typename T>
constexpr Encoding op_fp(U32 funct5) {
    return with_funct7(opcode(kOpFp), funct5 << 2 | format_bit<T>);
}
template <typename T>
constexpr InstructionRow fma_row(std::string_view name, U32 op, Handler handler) {
    const Encoding e{op | format_bit<T> << 25, 0x0600'007F};
    return row(name, e, Format::Fr4, arithmetic_timing<T>, handler);
}
template <typename T>
constexpr InstructionRow move_row(std::string_view name, U32 funct5, U32 funct3, Format format,
                                  Handler handler) {
    return row(name, with_funct3(op_fp<T>(funct5), funct3), format, TimingClass::FpMove, handler);
}
template <typename T>
constexpr InstructionRow convert_row(std::string_view name, U32 funct5, U32 rs2, Format format,
                                     Handler handler) {
    return row(name, with_rs2(op_fp<T>(funct5), rs2), format, TimingClass::FpConvert, handler);
}

// clang-format off
template <typename T>
constexpr auto arithmetic_rows(std::array<std::string_view, 26> n) {
    return std::array{
        row(n[0], op_fp<T>(0x00), Format::Fr, arithmetic_timing<T>, arithmetic<T, fp::add<T>>),
        row(n[1], op_fp<T>(0x01), Format::Fr, arithmetic_timing<T>, arithmetic<T, fp::sub<T>>),
        row(n[2], op_fp<T>(0x02), Format::Fr, arithmetic_timing<T>, arithmetic<T, fp::mul<T>>),
        row(n[3], op_fp<T>(0x03), Format::Fr, divide_timing<T>, divide<T>),
        row(n[4], with_rs2(op_fp<T>(0x0B), 0), Format::Fr1, sqrt_timing<T>, square_root<T>),
        fma_row<T>(n[5], 0x43, fused<T, Sign::Keep, Sign::Keep>),
        fma_row<T>(n[6], 0x47, fused<T, Sign::Keep, Sign::Negate>),
        fma_row<T>(n[7], 0x4B, fused<T, Sign::Negate, Sign::Keep>),
        fma_row<T>(n[8], 0x4F, fused<T, Sign::Negate, Sign::Negate>),
        move_row<T>(n[9], 0x04, 0, Format::Fr, select<T, sign_inject<T>>),
        move_row<T>(n[10], 0x04, 1, Format::Fr, select<T, sign_inject_negated<T>>),
        move_row<T>(n[11], 0x04, 2, Format::Fr, select<T, sign_inject_xor<T>>),
        move_row<T>(n[12], 0x05, 0, Format::Fr, select<T, fp::min<T>>),
        move_row<T>(n[13], 0x05, 1, Format::Fr, select<T, fp::max<T>>),
        move_row<T>(n[14], 0x14, 0, Format::FrFrToX, compare<T, fp::less_equal<T>>),
        move_row<T>(n[15], 0x14, 1, Format::FrFrToX, compare<T, fp::less<T>>),
        move_row<T>(n[16], 0x14, 2, Format::FrFrToX, compare<T, fp::equal<T>>),
        row(n[17], with_funct3(with_rs2(op_fp<T>(0x1C), 0), 1), Format::FrToX, TimingClass::FpMove, classify<T>),
        convert_row<T>(n[18], 0x18, 0, Format::FrToX, to_integer<T, I32>),
        convert_row<T>(n[19], 0x18, 1, Format::FrToX, to_integer<T, U32>),
        convert_row<T>(n[20], 0x18, 2, Format::FrToX, to_integer<T, I64>),
        convert_row<T>(n[21], 0x18, 3, Format::FrToX, to_integer<T, U64>),
        convert_row<T>(n[22], 0x1A, 0, Format::XToFr, from_integer<T, I32>),
        convert_row<T>(n[23], 0x1A, 1, Format::XToFr, from_integer<T, U32>),
        convert_row<T>(n[24], 0x1A, 2, Format::XToFr, from_integer<T, I64>),
        convert_row<T>(n[25], 0x1A, 3, Format::XToFr, from_integer<T, U64>),
    };
}

constexpr auto kSingle = arithmetic_rows<S>(
    {"fadd.s", "fsub.s", "fmul.s", "fdiv.s", "fsqrt.s", "fmadd.s", "fmsub.s", "fnmsub.s", "fnmadd.s",
     "fsgnj.s", "fsgnjn.s", "fsgnjx.s", "fmin.s", "fmax.s", "fle.s", "flt.s", "feq.s", "fclass.s",
     "fcvt.w.s", "fcvt.wu.s", "fcvt.l.s", "fcvt.lu.s", "fcvt.s.w", "fcvt.s.wu", "fcvt.s.l", "fcvt.s.lu"});
constexpr auto kDouble = arithmetic_rows<D>(
    {"fadd.d", "fsub.d", "fmul.d", "fdiv.d", "fsqrt.d", "fmadd.d", "fmsub.d", "fnmsub.d", "fnmadd.d",
     "fsgnj.d", "fsgnjn.d", "fsgnjx.d", "fmin.d", "fmax.d", "fle.d", "flt.d", "feq.d", "fclass.d",
     "fcvt.w.d", "fcvt.wu.d", "fcvt.l.d", "fcvt.lu.d", "fcvt.d.w", "fcvt.d.wu", "fcvt.d.l", "fcvt.d.lu"});
constexpr std::array kSingleMoves{
    row("fmv.x.w", with_funct3(with_rs2(op_fp<S>(0x1C), 0), 0), Format::FrToX, TimingClass::FpMove, move_word_to_integer),
    row("fmv.w.x", with_funct3(with_rs2(op_fp<S>(0x1E), 0), 0), Format::XToFr, TimingClass::FpMove, move_from_integer<S>),
};
constexpr std::array kOther{
    convert_row<S>("fcvt.s.d", 0x08, 1, Format::Fr1, single_from_double),
    convert_row<D>("fcvt.d.s", 0x08, 0, Format::Fr1, double_from_single),
    row("fmv.x.d", with_funct3(with_rs2(op_fp<D>(0x1C), 0), 0), Format::FrToX, TimingClass::FpMove, move_double_to_integer),
    row("fmv.d.x", with_funct3(with_rs2(op_fp<D>(0x1E), 0), 0), Format::XToFr, TimingClass::FpMove, move_from_integer<D>),
};
// clang-format on

/// One table of all four.
constexpr auto kFloatRows = [] {
    std::array<InstructionRow,
               kSingle.size() + kDouble.size() + kSingleMoves.size() + kOther.size()>
        all{};
    std::size_t next = 0;
    const auto add = [&all, &next](IsaSet owners, std::span<const InstructionRow> part) {
        for (const InstructionRow& row : part) {
            all[next++] = of(owners, row);
        }
    };
    add(IsaExtension::F, kSingle);
    add(IsaExtension::D, kDouble);
    add(IsaExtension::F, kSingleMoves);
    add(IsaExtension::D, kOther);
    return all;
}();

} // namespace

std::span<const InstructionRow> float_rows() {
    return kFloatRows;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Instructions that trap, and CSR accesses.
#include "tests/differential/layout.h"
#include "tests/differential/units.h"
#include "tests/differential/values.h"

#include <cstdint>
#include <string_view>

namespace pes::differential {
namespace {

/// Illegal whatever the other fields hold, as {word, bits that may be random}.
struct IllegalWord {
    std::uint32_t word;
    std::uint32_t free;
};
constexpr std::uint32_t kRd = 0x0000'0F80;
constexpr std::uint32_t kRs1 = 0x000F'8000;
constexpr std::uint32_t kRs2 = 0x01F0'0000;
constexpr std::uint32_t kHigh = 0xFFF0'0000;
constexpr IllegalWord kIllegal[] = {
    {0x0000'000B, 0xFFFF'FF80},        // custom-0
    {0x0000'002B, 0xFFFF'FF80},        // custom-1
    {0x0000'005B, 0xFFFF'FF80},        // custom-2
    {0x0000'007B, 0xFFFF'FF80},        // custom-3
    {0x0000'006B, 0xFFFF'FF80},        // reserved major opcode
    {0x0000'7003, kRd | kRs1 | kHigh}, // load of width 7
    {0x0000'4023, kRd | kRs1 | kHigh}, // store of width 4
    {0x0000'7023, kRd | kRs1 | kHigh}, // store of width 7
    {0x0000'2063, kRd | kRs1 | kHigh}, // branch, funct3 2
    {0x0000'3063, kRd | kRs1 | kHigh}, // branch, funct3 3
    {0x0000'1067, kRd | kRs1 | kHigh}, // jalr, funct3 1
    {0x4000'1033, kRd | kRs1 | kRs2},  // sll with the bit of sub
    {0x0400'0033, kRd | kRs1 | kRs2},  // OP, funct7 2
    {0x0000'203B, kRd | kRs1 | kRs2},  // OP-32, funct3 2
    {0x0200'101B, kRd | kRs1},         // slliw by 32
    {0x0400'1013, kRd | kRs1 | kRs2},  // slli with a reserved high bit
    {0x0000'002F, kRd | kRs1 | kRs2},  // AMO of width 0
    {0x0000'402F, kRd | kRs1 | kRs2},  // AMO of width 4
    {0x1010'202F, kRd | kRs1},         // lr.w with rs2 != 0
    {0x2800'202F, kRd | kRs1 | kRs2},  // AMO, unused function
    {0x0000'4073, kRd | kRs1 | kHigh}, // SYSTEM, funct3 4
    {0x0000'1007, kRd | kRs1 | kHigh}, // half-precision load
    {0x0000'4007, kRd | kRs1 | kHigh}, // quad-precision load
    {0x0400'0053, kRd | kRs1 | kRs2},  // half-precision add
    {0x0600'0053, kRd | kRs1 | kRs2},  // quad-precision add
    {0x5810'0053, kRd | kRs1},         // fsqrt.s with rs2 != 0
    {0xC040'0053, kRd | kRs1},         // fcvt to an unknown integer type
    {0x2000'3053, kRd | kRs1 | kRs2},  // fsgnj, funct3 3
    {0xA000'3053, kRd | kRs1 | kRs2},  // comparison, funct3 3
    {0xE000'2053, kRd | kRs1},         // fmv.x.w / fclass, funct3 2
};

/// CSRs that exist nowhere here, or not for writing..
constexpr unsigned kAbsentCsrs[] = {0x040, 0x5C0, 0x7FF, 0x8FF, 0x9FF, 0xCFF, 0xDFF, 0xFFF};
constexpr unsigned kReadOnlyCsrs[] = {0xC00, 0xC02, 0xF11, 0xF12, 0xF13, 0xF14};

void emit_illegal(Emitter& out) {
    const IllegalWord illegal = out.random.pick(kIllegal);
    const auto fields = static_cast<std::uint32_t>(out.random.bits()) & illegal.free;
    out.line(".insn 4, {:#010x}", illegal.word | fields);
}

void emit_absent_csr(Emitter& out) {
    Random& random = out.random;
    if (random.one_in(2)) {
        out.line("csrrs x{}, {:#x}, x0", out.destination(), random.pick(kAbsentCsrs));
    } else {
        out.line("csrrw x{}, {:#x}, x{}", out.destination(), random.pick(kReadOnlyCsrs),
                 out.source());
    }
}

/// A load or store to where nothing answers: access fault, or page fault under translation.
void emit_hole_access(Emitter& out) {
    constexpr std::string_view kPlain[] = {"lb", "lhu", "lw", "ld", "sb", "sh", "sw", "sd"};
    Random& random = out.random;
    const unsigned base = out.work_register();
    const std::uint64_t address = layout::kHole + random.below(layout::kHoleSize / 8) * 8;
    out.line("li x{}, {:#x}", base, address);
    if (random.one_in(4)) {
        out.line("{} f{}, 0(x{})", random.one_in(2) ? "fld" : "fsw", out.float_register(), base);
    } else {
        out.line("{} x{}, 0(x{})", random.pick(kPlain), out.destination(), base);
    }
}

/// A jump to where nothing answers; the handler comes back through tp.
void emit_hole_jump(Emitter& out) {
    const unsigned back = out.new_label();
    const unsigned base = out.work_register();
    const std::uint64_t address = layout::kHole + out.random.below(layout::kHoleSize / 2) * 2;
    out.line("lla tp, .L{}", back);
    out.line("li x{}, {:#x}", base, address);
    out.line("jalr x{}, 0(x{})", out.destination(), base);
    out.label(back);
}

/// Floating point with mstatus.FS = off: illegal instruction, and nothing changes.
void emit_float_off(Emitter& out) {
    const std::string_view status =
        out.mode.privilege == Privilege::Machine ? "mstatus" : "sstatus";
    const unsigned mask = out.work_register();
    const Locked guard(out, mask);
    out.line("li x{}, 0x6000", mask);
    out.line("csrc {}, x{}", status, mask);
    for (auto n = out.random.between(1, 3); n > 0; --n) {
        switch (out.random.below(5)) {
        case 0:
            out.line("fld f{}, 0(sp)", out.float_register());
            break;
        case 1:
            out.line("fsd f{}, 0(sp)", out.float_register());
            break;
        case 2:
            out.compressed("c.fldsp f{}, 0(sp)", out.float_register());
            break;
        case 3:
            emit_float_state(out);
            break;
        default:
            emit_float(out, FloatFormat::Double);
            break;
        }
    }
    out.line("csrs {}, x{}", status, mask);
}

} // namespace

void emit_trap(Emitter& out) {
    switch (out.random.below(10)) {
    case 0:
        out.line("ecall");
        break;
    case 1:
        out.line("ebreak");
        break;
    case 2:
        emit_absent_csr(out);
        break;
    case 3:
    case 4:
        emit_hole_access(out);
        break;
    case 5:
        emit_hole_jump(out);
        break;
    case 6:
        if (out.mode.privilege != Privilege::User) {
            emit_float_off(out);
        }
        break;
    default:
        emit_illegal(out);
        break;
    }
}

void emit_csr(Emitter& out) {
    constexpr std::string_view kMachine[] = {"mscratch", "sscratch"};
    constexpr std::string_view kForms[] = {"csrrw", "csrrs", "csrrc"};
    Random& random = out.random;
    if (random.one_in(3)) {
        emit_float_state(out);
        return;
    }
    if (random.one_in(6)) { // what an earlier trap left in xtval is masked: write, then read
        const std::string_view value = random.one_in(2) ? "mtval" : "stval";
        out.line("csrw {}, x{}", value, out.source());
        out.line("csrr x{}, {}", out.destination(), value);
        return;
    }
    // In U mode every one of these traps; in S mode the machine's do.
    const bool own = out.mode.privilege == Privilege::Supervisor && !random.one_in(4);
    const std::string_view csr = own ? kMachine[1] : random.pick(kMachine);
    if (random.one_in(3)) {
        out.line("{}i x{}, {}, {}", random.pick(kForms), out.destination(), csr, random.below(32));
    } else {
        out.line("{} x{}, {}, x{}", random.pick(kForms), out.destination(), csr, out.source());
    }
}

void emit_counter(Emitter& out) {
    constexpr std::string_view kCounters[] = {"cycle", "instret"};
    const std::string_view counter = out.random.pick(kCounters);
    const auto [first, second] = out.two_work_registers();
    out.line("li x{}, 0", first); // a counter read may trap; then nothing must be left behind
    out.line("li x{}, 0", second);
    out.line("csrr x{}, {}", first, counter);
    out.line("csrr x{}, {}", second, counter);
    out.line("sltu x{0}, x{1}, x{0}", first, second); // 0: never runs backwards
    out.line("li x{}, 0", second);
}

} // namespace pes::differential

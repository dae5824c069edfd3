// SPDX-License-Identifier: Apache-2.0
#include "tests/fidelity/fuzz/units.h"

#include "tests/differential/units.h"

#include <string_view>

namespace pes::cycle_fuzz {
namespace {

using differential::Locked;

struct Access {
    std::string_view mnemonic;
    unsigned size;
    bool store;
    bool floating;
};
constexpr Access kAccesses[] = {
    {"lb", 1, false, false}, {"lbu", 1, false, false}, {"lh", 2, false, false},
    {"lw", 4, false, false}, {"lwu", 4, false, false}, {"ld", 8, false, false},
    {"ld", 8, false, false}, {"flw", 4, false, true},  {"fld", 8, false, true},
    {"sb", 1, true, false},  {"sh", 2, true, false},   {"sw", 4, true, false},
    {"sd", 8, true, false},  {"sd", 8, true, false},   {"fsw", 4, true, true},
    {"fsd", 8, true, true}};

constexpr std::uint64_t kClint = 0x0200'0000;
constexpr std::uint64_t kMtimecmp = kClint + 0x4000;
constexpr std::uint64_t kMtime = kClint + 0xBFF8;
constexpr std::uint64_t kPlic = 0x0C00'0000;

void emit_access(Emitter& out, const Access& access, unsigned base, std::int64_t offset) {
    if (access.floating) {
        out.line("{} f{}, {}(x{})", access.mnemonic, out.float_register(), offset, base);
    } else {
        out.line("{} x{}, {}(x{})", access.mnemonic,
                 access.store ? out.source() : out.destination(), offset, base);
    }
}

/// Moves what follows to the other half of its fetch word, half of the times.
void emit_slot(Emitter& out) {
    if (out.random.one_in(2)) {
        out.compressed("c.nop");
    }
}

/// A branch of either length that depends on data, forward over a few instructions.
void emit_data_branch(Emitter& out) {
    constexpr std::string_view kBranches[] = {"beq", "bne", "blt", "bge", "bltu", "bgeu"};
    const unsigned over = out.new_label();
    if (out.random.one_in(2)) {
        out.compressed("{} x{}, .L{}", out.random.one_in(2) ? "c.beqz" : "c.bnez",
                       out.compact_source(), over);
    } else {
        const unsigned first = out.source();
        // Equal operands: always or never taken.
        const unsigned second = out.random.one_in(3) ? first : out.source();
        out.line("{} x{}, x{}, .L{}", out.random.pick(kBranches), first, second, over);
    }
    for (auto n = out.random.below(4); n > 0; --n) {
        out.random.one_in(2) ? out.compressed("c.nop") : differential::emit_integer(out);
    }
    out.label(over);
}

void emit_call(Emitter& out, unsigned function, unsigned link) {
    if (out.random.one_in(4)) {
        const unsigned base = out.work_register();
        out.line("lla x{}, .L{}", base, function);
        emit_slot(out);
        if (link == 1 && out.random.one_in(2)) {
            out.compressed("c.jalr x{}", base);
        } else {
            out.line("jalr x{}, 0(x{})", link, base);
        }
    } else {
        out.line("jal x{}, .L{}", link, function);
    }
}

void emit_return(Emitter& out, unsigned link) {
    if (out.random.one_in(2)) {
        out.compressed("c.jr x{}", link);
    } else {
        out.line("jalr x0, 0(x{})", link);
    }
}

/// A timer interrupt `ticks` of mtime from now; `work` and `base` are overwritten.
void emit_timer(Emitter& out, unsigned base, unsigned work, std::int64_t ticks) {
    out.line("li x{}, 0x80", work);
    out.line("csrw mie, x{}", work);
    out.line("li x{}, {:#x}", base, kMtime);
    out.line("ld x{}, 0(x{})", work, base);
    out.line("addi x{0}, x{0}, {1}", work, ticks);
    out.line("li x{}, {:#x}", base, kMtimecmp);
    out.line("sd x{}, 0(x{})", work, base);
    out.line("li x{}, 0", work);
}

/// WFI wakes with interrupts allowed or not. An interrupt that came before it would leave it asleep
/// for ever, so either it may not be taken yet or it is far away, and none of before may come.
void emit_wait(Emitter& out, unsigned base, unsigned work) {
    const bool allowed = out.random.one_in(2);
    out.line("csrci mstatus, 8");
    emit_timer(out, base, work, allowed ? out.random.between(90, 120) : out.random.between(0, 40));
    // The line of an older deadline falls before anything is allowed.
    out.line("ld x{}, 0(x{})", work, base);
    out.line("andi x{0}, x{0}, 0", work);
    if (allowed) {
        out.line("csrsi mstatus, 8");
    }
    out.line("wfi");
    out.line("csrsi mstatus, 8");
}

void emit_software_interrupt(Emitter& out, unsigned base, unsigned work) {
    out.line("li x{}, 8", work);
    out.line("csrw mie, x{}", work);
    out.line("csrsi mstatus, 8");
    out.line("li x{}, {:#x}", base, kClint);
    out.line("li x{}, 1", work);
    out.line("sw x{}, 0(x{})", work, base);
}

} // namespace

void emit_aliasing_access(Emitter& out) {
    auto& random = out.random;
    const unsigned base = out.work_register();
    const Locked guard(out, base);
    const std::uint64_t set = random.one_in(2) ? random.below(4) * 16 : random.below(256) * 16;
    out.line("li x{}, {:#x}", base, kArea + random.below(kAreaPages) * 4096 + set);
    for (auto n = random.between(1, 5); n > 0; --n) {
        const Access& access = random.pick(kAccesses);
        const auto slots = 16 / access.size;
        std::int64_t offset = static_cast<std::int64_t>(random.below(slots) * access.size);
        if (random.one_in(4) && set < 2032) {
            offset += 16 * random.between(-1, 1);
        }
        if (set == 0 && offset < 0) {
            offset = 0;
        }
        emit_access(out, access, base, offset);
        if (random.one_in(3)) {
            differential::emit_integer(out);
        }
    }
}

void emit_misaligned_access(Emitter& out) {
    const Access& access = out.random.pick(kAccesses);
    if (access.size == 1) {
        return;
    }
    const unsigned base = out.work_register();
    out.line("li x{}, {:#x}", base,
             kArea + out.random.below(64) * 8 + static_cast<unsigned>(out.random.between(1, 7)));
    emit_access(out, access, base, 0);
}

void emit_branch_slots(Emitter& out) {
    auto& random = out.random;
    const unsigned function = out.new_label();
    const unsigned inner = out.new_label();
    const unsigned end = out.new_label();
    const unsigned link = random.one_in(4) ? 5 : 1;
    const unsigned counter = out.work_register();
    const Locked guard_link(out, link);
    const Locked guard_inner(out, 28);
    const Locked guard(out, counter);
    if (counter == link || counter == 28) {
        return;
    }
    const unsigned loop = out.new_label();
    out.line("li x{}, {}", counter, random.between(1, 4));
    out.label(loop);
    for (auto n = random.between(1, 3); n > 0; --n) {
        emit_slot(out);
        random.one_in(2) ? emit_data_branch(out) : emit_call(out, function, link);
    }
    emit_slot(out);
    out.line("addi x{0}, x{0}, -1", counter);
    out.line("bnez x{}, .L{}", counter, loop);
    random.one_in(2) ? out.compressed("c.j .L{}", end) : out.line("jal x0, .L{}", end);
    out.label(function);
    emit_slot(out);
    if (random.one_in(3)) { // one level deeper; the link is kept in a register
        out.line("addi x28, x{}, 0", link);
        emit_call(out, inner, link);
        out.line("addi x{}, x28, 0", link);
    }
    emit_data_branch(out);
    emit_slot(out);
    emit_return(out, link);
    out.label(inner);
    emit_data_branch(out);
    emit_slot(out);
    emit_return(out, link);
    out.label(end);
}

void emit_indirect_jumps(Emitter& out) {
    auto& random = out.random;
    const unsigned base = out.work_register();
    const Locked guard_base(out, base);
    const unsigned counter = out.work_register();
    const Locked guard_counter(out, counter);
    const unsigned index = out.work_register();
    const unsigned loop = out.new_label();
    const unsigned table = out.new_label();
    const unsigned next = out.new_label();
    out.line("li x{}, {}", counter, random.between(2, 9));
    out.label(loop);
    out.line("lla x{}, .L{}", base, table);
    out.line("andi x{}, x{}, {}", index, counter, random.one_in(2) ? 1 : 3);
    out.line("slli x{0}, x{0}, 2", index);
    out.line("add x{0}, x{0}, x{1}", base, index);
    emit_slot(out);
    out.line("jalr x0, 0(x{})", base);
    out.label(table);
    for (unsigned entry = 0; entry < 4; ++entry) {
        out.line("jal x0, .L{}", next);
    }
    emit_slot(out);
    out.label(next);
    out.line("addi x{0}, x{0}, -1", counter);
    out.line("bnez x{}, .L{}", counter, loop);
}

void emit_plain_trap(Emitter& out) {
    constexpr std::uint32_t kIllegal[] = {0x0000'000B, 0x0000'002B, 0x0000'006B, 0x0000'7003,
                                          0x0000'2063, 0x0400'0033, 0x0000'002F, 0x0000'4073};
    constexpr unsigned kAbsentCsrs[] = {0x040, 0x5C0, 0x7FF, 0xCFF, 0xFFF};
    auto& random = out.random;
    switch (random.below(6)) {
    case 0:
        out.line("ecall");
        break;
    case 1:
        random.one_in(2) ? out.line("ebreak") : out.compressed("c.ebreak");
        break;
    case 2:
        out.line("csrrs x{}, {:#x}, x0", out.destination(), random.pick(kAbsentCsrs));
        break;
    case 3:
        out.line("csrrw x0, {:#x}, x{}", 0xF11, out.source());
        break;
    case 4:
        emit_misaligned_access(out);
        break;
    default:
        out.line(".insn 4, {:#010x}", random.pick(kIllegal));
        break;
    }
}

void emit_csr_write(Emitter& out) {
    constexpr std::string_view kCsrs[] = {"mscratch", "sscratch", "mepc",   "sepc",
                                          "mtval",    "mcause",   "fflags", "frm"};
    constexpr std::string_view kReads[] = {"mstatus", "misa", "mie", "mip", "mtvec", "mhartid"};
    auto& random = out.random;
    switch (random.below(4)) {
    case 0:
        out.line("csrr x{}, {}", out.destination(), random.pick(kReads));
        break;
    case 1:
        out.line("csrr x0, {}", random.one_in(2) ? "mcycle" : "minstret");
        break;
    case 2: {
        const unsigned work = out.work_register();
        out.line("li x{}, 0x6000", work);
        out.line("csrs {}, x{}", random.one_in(2) ? "mstatus" : "sstatus", work);
        break;
    }
    default: {
        const std::string_view csr = random.pick(kCsrs);
        if (csr == "frm") { // reserved modes would make every later conversion trap
            out.line("csrwi frm, {}", random.below(5));
        } else {
            out.line("{} x{}, {}, x{}", random.one_in(2) ? "csrrw" : "csrrs", out.destination(),
                     csr, out.source());
        }
        break;
    }
    }
}

void emit_interrupt(Emitter& out) {
    const auto [base, work] = out.two_work_registers();
    switch (out.random.below(4)) {
    case 0:
        emit_wait(out, base, work);
        break;
    case 1:
        emit_software_interrupt(out, base, work);
        break;
    default:
        emit_timer(out, base, work, out.random.between(0, 24));
        out.line("csrsi mstatus, 8");
        break;
    }
}

void emit_device_access(Emitter& out) {
    constexpr std::uint64_t kWords[] = {kPlic + 4, kPlic + 0x1000, kPlic + 0x2000,
                                        kPlic + 0x20'0000};
    auto& random = out.random;
    const auto [base, work] = out.two_work_registers();
    switch (random.below(5)) {
    case 0:
        out.line("li x{}, {:#x}", base, kMtime);
        out.line("ld x{}, 0(x{})", work, base);
        if (random.one_in(2)) {
            out.line("addi x{0}, x{0}, 1", work);
        }
        out.line("li x{}, 0", work);
        break;
    case 1:
        out.line("li x{}, {:#x}", base, kMtimecmp);
        out.line("li x{}, -{}", work, random.between(1, 9));
        out.line("sd x{}, 0(x{})", work, base);
        if (random.one_in(2)) {
            out.line("ld x{}, 0(x{})", work, base);
        }
        break;
    case 2:
    case 3:
        out.line("li x{}, {:#x}", base, random.pick(kWords));
        out.line("lw x{}, 0(x{})", work, base);
        break;
    default:
        out.line("li x{}, {:#x}", base, kPlic + 4 * random.between(1, 8));
        out.line("sw x{}, 0(x{})", out.source(), base);
        break;
    }
}

void emit_fence(Emitter& out) {
    switch (out.random.below(8)) {
    case 0:
        out.line("fence.i");
        break;
    case 1:
    case 2:
        out.line("sfence.vma");
        break;
    default:
        out.line("fence");
        break;
    }
}

} // namespace pes::cycle_fuzz

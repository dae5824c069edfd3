// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/native/shared_code.h"

#include "hw/core/blocks/native/page_code.h"
#include "hw/core/memory/translated_pages.h"

#include <array>
#include <iterator>

namespace pes::native {

namespace {

const std::array kKept{x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14, x86::r15};
constexpr int kOddCall = 8; ///< bytes of the stack: of a return address, and what aligns it

/// Of the object at `base`.
template <typename Object, typename Member>
x86::Mem member(const x86::Gp& base, const Object& object, const Member& of) {
    const auto offset =
        reinterpret_cast<const std::byte*>(&of) - reinterpret_cast<const std::byte*>(&object);
    return x86::ptr(base, static_cast<std::int32_t>(offset), sizeof(Member));
}

} // namespace

bool SharedCodeWriter::write() {
    const NativeExits& exits = w_.context.exits;
    leave_ = w_.a.newLabel();
    stopped_ = w_.a.newLabel();
    way_in();
    leave();
    way_out(shared_.at_limit, exits.at_limit);
    w_.a.bind(stopped_);
    way_out(shared_.stopped, exits.stopped);
    way_out(shared_.answered, exits.answered);
    way_out(shared_.unanswered, exits.unanswered);
    way_out(shared_.behind, exits.behind);
    for (const unsigned bytes : {1U, 2U, 4U, 8U}) {
        translated(Access::Load, bytes);
        translated(Access::Store, bytes);
    }
    handler();
    pause();
    w_.write_asides();
    return w_.good();
}

void SharedCodeWriter::placed(const std::byte* code) const {
    for (const auto& [place, offset] : places_) {
        *place = code + offset;
    }
}

// --- In and out ---------------------------------------------------------------------------------

/// The registers of the caller are kept; the stack is aligned for calls.
void SharedCodeWriter::way_in() {
    x86::Assembler& a = w_.a;
    begin(shared_.enter);
    for (const x86::Gp& each : kKept) {
        a.push(each);
    }
    a.sub(x86::rsp, Imm(kOddCall));
    a.mov(x86::rbx, x86::rdi);
    a.mov(x86::rbp, x86::rsi);
    w_.load_registers();
    a.jmp(x86::rdx);
}

void SharedCodeWriter::leave() {
    x86::Assembler& a = w_.a;
    a.bind(leave_);
    a.add(x86::rsp, Imm(kOddCall));
    for (auto each = std::rbegin(kKept); each != std::rend(kKept); ++each) {
        a.pop(*each);
    }
    a.ret();
}

template <typename Function>
void SharedCodeWriter::way_out(const void*& place, Function* function) {
    begin(place);
    w_.store_registers();
    w_.set_runner();
    w_.call(function);
    w_.a.jmp(leave_);
}

// --- What is called -----------------------------------------------------------------------------

/// As DataMemory::find_translated().
void SharedCodeWriter::translated(Access access, unsigned bytes) {
    const TranslatedPages::Page page;
    const Tlb::Parts tlb = w_.hart.execution.data().mmu().data_tlb().parts();
    x86::Assembler& a = w_.a;
    const Label other = a.newLabel();
    const Label found = a.newLabel();
    begin(shared_.translated(access, bytes));
    look_for_page<TranslatedPages::Page>(w_, access, bytes, TranslatedPages::kPages);
    a.jne(other);
    a.bind(found);
    a.mov(x86::rcx, page_member(page, &page.path.ones, 8)); // as Tlb::touch()
    a.not_(x86::rcx);
    a.and_(x86::rcx, w_.at(tlb.tree));
    a.or_(x86::rcx, page_member(page, &page.path.zeros, 8));
    a.mov(w_.at(tlb.tree), x86::rcx);
    a.mov(x86::ecx, page_member(page, &page.entry, 4));
    a.mov(w_.long_at(tlb.last), x86::ecx);
    a.mov(x86::rcx, page_member(page, &page.to_physical, 8));
    a.add(x86::rcx, x86::rax);
    a.mov(x86::rdx, page_member(page, &page.to_host, 8));
    a.clc();
    a.ret();
    w_.aside([this, access, other, found] {
        const Label slow = w_.a.newLabel();
        w_.a.bind(other);
        look_beside_hole(w_, access, slow);
        w_.a.jmp(found);
        w_.a.bind(slow);
        w_.a.stc();
        w_.a.ret();
    });
}

/// It finds everything as in BlockRunner::run_handlers().
void SharedCodeWriter::handler() {
    const Node node;
    const Block block;
    const Instruction instruction;
    HartParts& hart = w_.hart;
    x86::Assembler& a = w_.a;
    const Label stopped = a.newLabel();
    begin(shared_.handler);
    a.push(x86::rcx);
    a.push(x86::rdx);
    a.sub(x86::rsp, Imm(kOddCall));
    a.and_(x86::edx, Imm(SharedCode::kMostFacts - 1));
    a.lea(x86::rax, w_.element(hart.notes().facts.data(), x86::rdx, 3, 8));
    a.mov(w_.at(&hart.notes().next), x86::rax);
    a.mov(x86::rcx, member(x86::rcx, node, node.block));
    a.mov(x86::rax, member(x86::rcx, block, block.last_pc));
    a.mov(w_.at(&hart.arch().pc), x86::rax);
    a.mov(x86::rax, member(x86::rcx, block, block.end));
    a.mov(w_.at(&hart.arch().next_pc), x86::rax);
    a.mov(w_.at(&hart.time.decode), x86::r13);
    a.lea(x86::rdi, w_.at(&hart.execution));
    a.call(member(x86::rsi, instruction, instruction.execute));
    a.add(x86::rsp, Imm(kOddCall));
    a.pop(x86::rdx);
    a.pop(x86::rsi);
    a.cmp(w_.byte_at(&hart.notes().done), Imm(0));
    a.jne(stopped);
    a.ret();
    w_.aside([this, stopped] {
        w_.a.bind(stopped);
        w_.a.add(x86::rsp, Imm(kOddCall)); // it does not return
        w_.a.shr(x86::edx, Imm(std::countr_zero(SharedCode::kMostFacts)));
        w_.a.jmp(stopped_);
    });
}

void SharedCodeWriter::pause() {
    const Outcome outcome;
    NativePlan& plan = *w_.context.plan;
    x86::Assembler& a = w_.a;
    const Label now = a.newLabel();
    begin(shared_.pause);
    a.cmp(x86::r12, w_.at(&plan.pause_at));
    a.jae(now);
    a.mov(x86::rcx, w_.at(&plan.scarce));
    x86::Mem pulses = member(x86::rax, outcome, outcome.events.front());
    pulses.setIndex(x86::rcx);
    a.movzx(x86::ecx, pulses);
    a.sub(w_.at(&plan.room), x86::rcx);
    a.jb(now);
    a.ret();
    a.bind(now);
    w_.store_registers();
    w_.set_runner();
    a.sub(x86::rsp, Imm(kOddCall));
    w_.call(w_.context.exits.pause);
    a.add(x86::rsp, Imm(kOddCall));
    a.mov(x86::r14, w_.at(&plan.limit));
    a.ret();
}

} // namespace pes::native

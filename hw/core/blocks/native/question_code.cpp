// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/native/question_code.h"

#include "hw/core/timing/tables/tables.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace pes::native {

namespace {

constexpr auto kHit = static_cast<std::uint64_t>(Lookup::Hit);

/// A question to the tables that needs nothing of the hart.
template <Query Q>
std::uint64_t answer(Tables& tables, std::uint64_t subject, std::uint64_t argument) {
    return tables.answer<Q>(subject, argument);
}
using Answer = std::uint64_t (*)(Tables&, std::uint64_t, std::uint64_t);

/// Null for others.
Answer answer_about_access(Query query) {
    switch (query) {
    case Query::ReadLine:
        return answer<Query::ReadLine>;
    case Query::ConflictingStore:
        return answer<Query::ConflictingStore>;
    case Query::BufferedWord:
        return answer<Query::BufferedWord>;
    case Query::BufferedLine:
        return answer<Query::BufferedLine>;
    case Query::PushWrite:
        return answer<Query::PushWrite>;
    case Query::JoinWrite:
        return answer<Query::JoinWrite>;
    case Query::RefillLine:
        return answer<Query::RefillLine>;
    default:
        return nullptr;
    }
}
Answer answer_about_branch(Query query) {
    switch (query) {
    case Query::BranchDirection:
        return answer<Query::BranchDirection>;
    case Query::JumpTarget:
        return answer<Query::JumpTarget>;
    case Query::PopReturn:
        return answer<Query::PopReturn>;
    case Query::TopReturn:
        return answer<Query::TopReturn>;
    case Query::PushReturn:
        return answer<Query::PushReturn>;
    case Query::SendJump:
        return answer<Query::SendJump>;
    default:
        return nullptr;
    }
}

bool has_no_answer(Query query) {
    return query == Query::SendBranch || query == Query::SendJump || query == Query::PushReturn;
}

/// Of a ring of 2^n elements.
template <std::size_t Count>
void wrap(x86::Assembler& a, const x86::Gp& index) {
    static_assert(std::has_single_bit(Count));
    a.and_(index.r32(), Imm(Count - 1));
}

} // namespace

// --- Code ---------------------------------------------------------------------------------------

bool QuestionCode::find_lines(NativePath& path) const {
    const Cache::Parts parts = tables_.code_parts();
    std::vector<Address> filled;
    for (std::size_t number = 0; number != path.asked.size(); ++number) {
        const Question asked = w_.context.memo->question(*path.asked[number], *node_.block);
        if (asked.query == Query::InvalidateCode || asked.query == Query::CodeAt) {
            return false;
        }
        if (!asks_for_code(asked.query)) {
            continue;
        }
        const bool fetches = asked.query == Query::FetchLine;
        const bool there = asked.answer != 0;
        const Address line = asked.subject >> parts.line_shift;
        if (std::ranges::find(filled, line) != filled.end()) {
            if (!there) {
                return false;
            }
            continue;
        }
        const bool of_set = std::ranges::any_of(
            filled, [&](Address one) { return ((one ^ line) & parts.set_mask) == 0; });
        if (of_set) {
            return false;
        }
        path.lines.push_back({.physical = asked.subject,
                              .number = static_cast<std::uint32_t>(number),
                              .there = there,
                              .fills = fetches && !there});
        if (fetches && !there) {
            filled.push_back(line);
        }
    }
    return true;
}

namespace {

/// Whether the path's own questions about L1I have its answers.
bool has_lines(Tables& tables, NativePath& path) {
    const Cache& lines = tables.code_lines();
    for (const CodeQuestion& line : path.lines) {
        if (line.number < path.own) {
            continue;
        }
        if (lines.contains(line.physical) != line.there) {
            return false;
        }
    }
    path.fills = *tables.code_parts().fills;
    return true;
}

void fill_lines(Tables& tables, const NativePath& path) {
    for (const CodeQuestion& line : path.lines) {
        if (line.fills) {
            tables.answer<Query::FetchLine>(line.physical, 0);
        }
    }
}

} // namespace

void QuestionCode::code(NativePath& path, const Otherwise& otherwise) {
    const auto is_own = [&path](const CodeQuestion& line) { return line.number >= path.own; };
    if (std::ranges::none_of(path.lines, is_own)) {
        return;
    }
    x86::Assembler& a = w_.a;
    const Label look = a.newLabel();
    const Label done = a.newLabel();
    const Label other = a.newLabel();
    const auto look_at_lines = [this, &path, other] {
        w_.a.lea(x86::rdi, w_.at(&tables_));
        w_.set(x86::rsi, &path);
        w_.call(has_lines);
        w_.a.test(x86::al, x86::al);
        w_.a.je(other);
    };
    if (path.fills_lines()) {
        look_at_lines();
    } else { // the answers stay as long as nothing is filled
        w_.set(x86::rcx, &path.fills);
        a.mov(x86::rax, w_.at(tables_.code_parts().fills));
        a.cmp(x86::rax, x86::ptr(x86::rcx));
        a.jne(look);
        a.bind(done);
        w_.aside([this, look_at_lines, look, done] {
            w_.a.bind(look);
            look_at_lines();
            w_.a.jmp(done);
        });
    }
    w_.aside([this, other, otherwise] {
        w_.a.bind(other);
        otherwise();
    });
}

void QuestionCode::fill(NativePath& path) {
    if (path.fills_lines()) {
        w_.a.lea(x86::rdi, w_.at(&tables_));
        w_.set(x86::rsi, &path);
        w_.call(fill_lines);
    }
}

// --- One question -------------------------------------------------------------------------------

void QuestionCode::question(const Asked& place, const Question& asked, const Otherwise& otherwise) {
    const std::uint64_t answer = asked.answer;
    if (asked.query == Query::NextPc && next_pc(answer, otherwise)) {
        return;
    }
    if (asked.query == Query::UpdatesArrive) {
        arrive(asked.subject);
        return;
    }
    if (asked.query == Query::BranchDirection) {
        arrive(asked.argument / arriving(1));
    }
    x86::Assembler& a = w_.a;
    const Label unsure = a.newLabel();
    const Seen seen = look(asked, unsure);
    if (seen == Seen::Usual) {
        const Label done = a.newLabel();
        a.bind(done);
        w_.aside([this, &place, asked, otherwise, unsure, done] {
            w_.a.bind(unsure);
            ask(place, asked);
            w_.compare(x86::rax, asked.answer);
            w_.a.je(done);
            otherwise();
        });
        return;
    }
    if (seen == Seen::All) {
        return;
    }
    ask(place, asked);
    if (!has_no_answer(asked.query)) {
        w_.compare(x86::rax, answer);
        const Label other = a.newLabel();
        a.jne(other);
        w_.aside([this, otherwise, other] {
            w_.a.bind(other);
            otherwise();
        });
    }
}

QuestionCode::Seen QuestionCode::look(const Question& asked, const Label& unsure) {
    const std::uint64_t answer = asked.answer;
    switch (asked.query) {
    case Query::BranchDirection:
        branch_direction(asked, unsure);
        return Seen::Usual;
    case Query::SendBranch:
        send_branch(asked);
        return Seen::All;
    case Query::JumpTarget:
        w_.set(x86::rcx, &tables_.branch_tables().target_of(asked.subject));
        w_.a.mov(x86::rax, x86::ptr(x86::rcx));
        w_.compare(x86::rax, answer);
        w_.a.jne(unsure);
        return Seen::Usual;
    case Query::SendJump:
        send_jump(asked);
        return Seen::All;
    case Query::PopReturn:
        if (answer == BranchTables::kNoTarget) {
            return Seen::Nothing;
        }
        pop_return(answer, unsure);
        return Seen::Usual;
    case Query::PushReturn:
        push_return(asked.subject);
        return Seen::All;
    case Query::ReadLine:
        if (answer != kHit) {
            return Seen::Nothing;
        }
        read_line(asked, unsure);
        return Seen::Usual;
    case Query::ConflictingStore:
        if (answer != 0 || asked.argument > 4) {
            return Seen::Nothing;
        }
        conflicting_store(asked, unsure);
        return Seen::Usual;
    case Query::BufferedWord:
        return find_write(asked, asked.argument, answer, unsure) ? Seen::Usual : Seen::Nothing;
    case Query::JoinWrite:
        return answer == 0 && find_write(asked, asked.argument % not_sent(1), 0, unsure)
                   ? Seen::Usual
                   : Seen::Nothing;
    case Query::PushWrite:
        return answer == 0 && push_write(asked) ? Seen::All : Seen::Nothing;
    default:
        return Seen::Nothing;
    }
}

/// The answer in rax.
void QuestionCode::ask(const Asked& place, const Question& asked) {
    const Answer of_access = answer_about_access(asked.query);
    const Answer answer = of_access != nullptr ? of_access : answer_about_branch(asked.query);
    if (answer == nullptr) {
        w_.set_runner();
        w_.set(x86::rsi, &node_);
        w_.set(x86::rdx, &place);
        w_.call(w_.context.exits.ask);
        return;
    }
    w_.a.lea(x86::rdi, w_.at(&tables_));
    if (of_access != nullptr) {
        w_.a.mov(x86::rsi, fact(asked));
    } else {
        w_.set(x86::rsi, asked.subject);
    }
    const bool predicts = asked.query == Query::BranchDirection; // the updates have arrived
    w_.set(x86::rdx, predicts ? asked.argument % arriving(1) : asked.argument);
    w_.call(answer);
}

/// Updates on their way, mostly none or that of one branch.
void QuestionCode::arrive(std::uint64_t updates) {
    if (updates == 0) {
        return;
    }
    const auto ask_tables = [this, updates] {
        w_.a.lea(x86::rdi, w_.at(&tables_));
        w_.set(x86::rsi, updates);
        w_.call(answer<Query::UpdatesArrive>);
    };
    if (updates != 1) {
        ask_tables();
        return;
    }
    const Label unsure = w_.a.newLabel();
    const Label done = w_.a.newLabel();
    update_arrives(unsure);
    w_.a.bind(done);
    w_.aside([this, ask_tables, unsure, done] {
        w_.a.bind(unsure);
        ask_tables();
        w_.a.jmp(done);
    });
}

/// False if it has to be asked like others.
bool QuestionCode::next_pc(std::uint64_t answer, const Otherwise& otherwise) {
    const Block& block = *node_.block;
    const Instruction& last = block.instructions.back();
    if (last.timing == TimingClass::Jal) {
        return true; // it has one
    }
    x86::Assembler& a = w_.a;
    const Label other = a.newLabel();
    if (last.timing == TimingClass::Jalr) {
        w_.set(x86::rcx, answer);
        a.mov(x86::rax, w_.at(&w_.hart.arch().next_pc));
        a.cmp(x86::rax, x86::rcx);
        a.jne(other);
        w_.aside([this, otherwise, other] {
            w_.a.bind(other);
            otherwise();
        });
        return true;
    }
    if (last.timing != TimingClass::Branch || branches_in_place(last)) {
        return false;
    }
    const Address target = block.last_pc + static_cast<std::uint64_t>(last.imm);
    const bool taken = answer == target;
    instructions_.branch_goes(taken, other);
    w_.aside([this, otherwise, other, otherwise_to = taken ? block.end : target] {
        w_.a.bind(other);
        w_.set(x86::rax, otherwise_to);
        otherwise();
    });
    return true;
}

/// As BranchTables::direction(), of a branch with a history.
void QuestionCode::branch_direction(const Question& asked, const Label& unsure) {
    x86::Assembler& a = w_.a;
    w_.set(x86::rcx, &tables_.branch_tables().history(asked.subject));
    if (asked.answer == static_cast<std::uint64_t>(BranchDirection::Taken)) {
        a.cmp(x86::ptr(x86::rcx, 0, 1), Imm(BranchTables::kWeaklyTaken));
        a.jb(unsure);
        return;
    }
    static_assert(BranchTables::kValid == 4 && BranchTables::kWeaklyTaken == 6);
    a.mov(x86::al, x86::ptr(x86::rcx, 0, 1));
    a.and_(x86::al, Imm(BranchTables::kWeaklyTaken));
    a.cmp(x86::al, Imm(BranchTables::kValid));
    a.jne(unsure);
}

/// As BranchTables::send_branch().
void QuestionCode::send_branch(const Question& asked) {
    BranchTables& branches = tables_.branch_tables();
    const BranchTables::Parts parts = branches.parts();
    const auto outcome = static_cast<BranchDirection>(asked.argument);
    x86::Assembler& a = w_.a;
    a.mov(x86::eax, w_.long_at(parts.sent));
    a.add(w_.at(parts.sent), Imm(1));
    wrap<BranchTables::kPending>(a, x86::rax);
    a.mov(w_.element(parts.pending, x86::rax, 2, sizeof(BranchTables::Update)),
          Imm(branches.update_of(asked.subject, outcome)));
}

/// As BranchTables::send_jump().
void QuestionCode::send_jump(const Question& asked) {
    BranchTables& branches = tables_.branch_tables();
    const BranchTables::Parts parts = branches.parts();
    x86::Assembler& a = w_.a;
    a.mov(x86::eax, w_.long_at(parts.sent));
    a.add(w_.at(parts.sent), Imm(1));
    wrap<BranchTables::kPending>(a, x86::rax);
    w_.set(x86::rcx, asked.argument);
    a.mov(w_.element(parts.pending_targets, x86::rax, 3, sizeof(Address)), x86::rcx);
    a.mov(w_.element(parts.pending, x86::rax, 2, sizeof(BranchTables::Update)),
          Imm(branches.update_of_jump(asked.subject)));
}

/// As BranchTables::pop_return(), of a stack with this top.
void QuestionCode::pop_return(Address top, const Label& unsure) {
    const BranchTables::Parts parts = tables_.branch_tables().parts();
    x86::Assembler& a = w_.a;
    a.mov(x86::rax, w_.at(parts.top));
    w_.set(x86::rcx, parts.returns.data());
    a.lea(x86::rdx, x86::ptr(x86::rcx, x86::rax, 3));
    a.mov(x86::rcx, x86::ptr(x86::rdx));
    w_.compare(x86::rcx, top);
    a.jne(unsure);
    static_assert(BranchTables::kNoTarget == ~Address{0});
    a.mov(x86::ptr(x86::rdx, 0, sizeof(Address)), Imm(-1));
    w_.set(x86::rcx, parts.returns.size() - 1);
    a.sub(x86::rax, Imm(1));
    a.cmovb(x86::rax, x86::rcx);
    a.mov(w_.at(parts.top), x86::rax);
}

/// As BranchTables::push_return().
void QuestionCode::push_return(Address link) {
    const BranchTables::Parts parts = tables_.branch_tables().parts();
    x86::Assembler& a = w_.a;
    a.mov(x86::rax, w_.at(parts.top));
    a.xor_(x86::ecx, x86::ecx);
    a.add(x86::rax, Imm(1));
    a.cmp(x86::rax, Imm(parts.returns.size()));
    a.cmove(x86::rax, x86::rcx);
    a.mov(w_.at(parts.top), x86::rax);
    w_.set(x86::rcx, parts.returns.data());
    w_.set(x86::rdx, link);
    a.mov(x86::ptr(x86::rcx, x86::rax, 3), x86::rdx);
}

/// As BranchTables::arrive(1), of a branch.
void QuestionCode::update_arrives(const Label& unsure) {
    const BranchTables::Parts parts = tables_.branch_tables().parts();
    x86::Assembler& a = w_.a;
    a.mov(x86::eax, w_.long_at(parts.arrived));
    wrap<BranchTables::kPending>(a, x86::rax);
    a.mov(x86::ecx, w_.element(parts.pending, x86::rax, 2, sizeof(BranchTables::Update)));
    a.test(x86::cl, Imm(BranchTables::kJump));
    a.jnz(unsure);
    a.mov(x86::edx, x86::ecx);
    a.shr(x86::edx, Imm(BranchTables::kKindBits));
    w_.set(x86::rax, parts.history);
    a.add(x86::rdx, x86::rax);
    a.movzx(x86::eax, x86::ptr(x86::rdx, 0, sizeof(BranchTables::History)));
    a.and_(x86::ecx, Imm(1));
    a.lea(x86::ecx, x86::ptr(x86::rcx, x86::rax, 1));
    w_.set(x86::rax, BranchTables::kUpdated.data());
    a.movzx(x86::eax, x86::ptr(x86::rax, x86::rcx, 0, 0, sizeof(BranchTables::History)));
    a.mov(x86::ptr(x86::rdx, 0, 1), x86::al);
    a.add(w_.at(parts.arrived), Imm(1));
}

/// As Cache::access(), of a line that the last access, or the last one to its set, has found.
void QuestionCode::read_line(const Question& asked, const Label& unsure) {
    const Cache::Parts parts = tables_.data_parts();
    x86::Assembler& a = w_.a;
    const Label same = a.newLabel();
    a.mov(x86::rax, fact(asked));
    a.shr(x86::rax, Imm(parts.line_shift));
    a.cmp(x86::rax, w_.at(parts.last_line));
    a.je(same);
    a.mov(x86::ecx, x86::eax);
    a.and_(x86::ecx, Imm(parts.set_mask));
    w_.set(x86::rdx, parts.last_way);
    a.movzx(x86::edx, x86::ptr(x86::rdx, x86::rcx, 0, 0, 1));
    a.imul(x86::ecx, x86::ecx, Imm(parts.ways));
    a.add(x86::ecx, x86::edx);
    w_.set(x86::rdx, parts.lines);
    a.cmp(x86::rax, x86::ptr(x86::rdx, x86::rcx, 3));
    a.jne(unsure);
    a.mov(w_.at(parts.last_line), x86::rax);
    a.bind(same);
}

/// As BufferedStores::find_word(), with the answer `found`. False if some of those before it are
/// too old to have tags.
bool QuestionCode::find_write(const Question& asked, std::uint64_t ages, std::uint64_t found,
                              const Label& unsure) {
    const std::uint64_t younger = found == 0 ? ages : ages & ((1ULL << found) - 1);
    if (younger >> (BufferedStores::kYoung + 1) != 0) {
        return false;
    }
    const BufferedStores::Parts parts = tables_.store_parts();
    x86::Assembler& a = w_.a;
    a.mov(x86::rax, fact(asked));
    a.shr(x86::rax, Imm(3));
    const auto look_at = [&](std::uint64_t age) {
        a.mov(x86::ecx, w_.long_at(parts.write_count));
        a.sub(x86::ecx, Imm(age));
        wrap<BufferedStores::kWrites>(a, x86::rcx);
        a.mov(x86::rcx, w_.element(parts.writes, x86::rcx, 3, 8));
        a.shr(x86::rcx, Imm(BufferedStores::kWordShift));
        a.cmp(x86::rcx, x86::rax);
    };
    if (std::has_single_bit(younger)) {
        look_at(static_cast<std::uint64_t>(std::countr_zero(younger)));
        a.je(unsure);
    } else if (younger != 0) {
        tag_of(x86::ecx, x86::eax);
        a.movd(x86::xmm0, x86::ecx);
        a.pxor(x86::xmm1, x86::xmm1);
        a.pshufb(x86::xmm0, x86::xmm1); // in each byte
        a.movq(x86::xmm1, w_.at(parts.young));
        a.pcmpeqb(x86::xmm0, x86::xmm1);
        a.pmovmskb(x86::ecx, x86::xmm0);
        a.test(x86::cl, Imm(younger >> 1));
        a.jnz(unsure);
    }
    if (found != 0) {
        look_at(found);
        a.jne(unsure);
    }
    return true;
}

/// As BufferedStores::tag().
void QuestionCode::tag_of(const x86::Gp& tag, const x86::Gp& double_word) {
    w_.a.imul(tag, double_word, Imm(static_cast<std::int32_t>(BufferedStores::kTagFactor)));
    w_.a.shr(tag, Imm(BufferedStores::kTagShift));
}

/// As BufferedStores::push(), of a store that comes behind all writes, or of what is left of a
/// word if nothing is. False if it is another.
bool QuestionCode::push_write(const Question& asked) {
    const std::uint64_t size = asked.argument / store_size(1);
    const bool last = asked.argument % store_size(1) == 0;
    if (!last || size == 0) {
        return false;
    }
    const BufferedStores::Parts parts = tables_.store_parts();
    x86::Assembler& a = w_.a;
    a.mov(x86::rax, fact(asked));
    a.mov(x86::rcx, w_.at(parts.write_count));
    a.add(w_.at(parts.write_count), Imm(1));
    wrap<BufferedStores::kWrites>(a, x86::rcx);
    a.mov(x86::rdx, x86::rax);
    a.shl(x86::rdx, Imm(BufferedStores::kSizeBits));
    a.or_(x86::rdx, Imm(size));
    a.mov(w_.element(parts.writes, x86::rcx, 3, 8), x86::rdx);
    a.shr(x86::rax, Imm(3));
    tag_of(x86::ecx, x86::eax);
    a.mov(x86::rdx, w_.at(parts.young));
    a.shl(x86::rdx, Imm(8));
    a.or_(x86::rdx, x86::rcx);
    a.mov(w_.at(parts.young), x86::rdx);
    a.mov(x86::rcx, w_.at(parts.store_count));
    a.add(w_.at(parts.store_count), Imm(1));
    wrap<BufferedStores::kStores>(a, x86::rcx);
    a.and_(x86::eax, Imm(BufferedStores::kConflictMask));
    a.mov(w_.element(parts.stores, x86::rcx, 1, 2), x86::ax);
    return true;
}

/// As BufferedStores::conflicting(), of no store.
void QuestionCode::conflicting_store(const Question& asked, const Label& unsure) {
    const BufferedStores::Parts parts = tables_.store_parts();
    x86::Assembler& a = w_.a;
    a.mov(x86::rax, fact(asked));
    a.shr(x86::eax, Imm(3));
    a.and_(x86::eax, Imm(BufferedStores::kConflictMask));
    for (std::uint64_t age = 1; age <= asked.argument; ++age) {
        a.mov(x86::ecx, w_.long_at(parts.store_count));
        a.sub(x86::ecx, Imm(age));
        wrap<BufferedStores::kStores>(a, x86::rcx);
        a.cmp(w_.element(parts.stores, x86::rcx, 1, 2), x86::ax);
        a.je(unsure);
    }
}

} // namespace pes::native

// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/native/path_compiler.h"

#include <limits>

namespace pes::native {

PathCompiler::PathCompiler(asmjit::CodeHolder& code, HartParts& hart, const NativeContext& context,
                           const Exits& exits, Node& node, std::deque<NativePath>& paths,
                           std::uint64_t often)
    : w_(code, hart, context, exits), node_(node), instructions_(w_, node),
      questions_(w_, instructions_, node), paths_(paths), often_(often) {}

namespace {

/// The block's last instruction depends on its cycle, or needs a walk: the loop over blocks has its
/// own ways for those (block_endings.cpp, block_walks.cpp).
bool ends_apart(const Asked* asked) {
    for (; asked->query != Query::End; ++asked) {
        if (asked->query == Query::DeviceAccess || asked->query == Query::CounterRead ||
            asked->query == Query::Walk) {
            return true;
        }
    }
    return false;
}

} // namespace

bool PathCompiler::can_compile(const Node& node) {
    const Block& block = *node.block;
    const bool short_enough = node.longest <= std::numeric_limits<std::int32_t>::max();
    return !block.system && !block.across_pages && block.size() != 0 && short_enough &&
           node.questions != nullptr && !ends_apart(node.questions) &&
           QuestionCode::answers_code_at_once(node.questions);
}

bool PathCompiler::write() {
    x86::Assembler& a = w_.a;
    const Label at_limit = a.newLabel();
    a.lea(x86::rax, x86::ptr(x86::r13, static_cast<std::int32_t>(node_.longest)));
    a.cmp(x86::rax, x86::r14);
    a.jae(at_limit);
    if (w_.hart.execution.data().reservation().has_neighbours()) {
        a.cmp(x86::r13, w_.at(&w_.hart.time.turn_end));
        a.jae(at_limit);
    }
    w_.aside([this, at_limit] {
        w_.a.bind(at_limit);
        w_.set(x86::rsi, &node_);
        w_.jump(w_.exits.at_limit);
    });
    instructions_.handlers();
    path(add_path(*node_.questions, {}, node_.block->end));
    w_.write_asides();
    return w_.good();
}

NativePath& PathCompiler::add_path(Asked& first, std::vector<std::uint64_t> before,
                                   Address next_pc) {
    ++written_;
    const Asked* asked = &first;
    for (; asked->query != Query::End; ++asked) {
        next_pc = asked->query == Query::NextPc ? answer_of(*asked) : next_pc;
    }
    return paths_.emplace_back(NativePath{.node = &node_,
                                          .first = &first,
                                          .before = std::move(before),
                                          .outcome = &Memo::outcome(*asked),
                                          .next_pc = next_pc});
}

void PathCompiler::path(NativePath& path) {
    const bool at_once = QuestionCode::answers_code_at_once(path.first);
    if (at_once) {
        questions_.code(path);
    }
    const bool from_the_start = path.first == node_.questions;
    for (std::size_t index = from_the_start ? 0 : 1; path.first[index].query != Query::End;
         ++index) {
        const Query query = path.first[index].query;
        if (query == Query::Given || (at_once && asks_for_code(query))) {
            continue;
        }
        questions_.question(path.first[index], [this, &path, index](const Asked& asked) {
            other_answers(path, index, asked);
        });
    }
    end(path);
}

/// The answer in rax is not the path's.
void PathCompiler::other_answers(const NativePath& path, std::size_t index, const Asked& asked) {
    const Memo& memo = *w_.context.memo;
    for (Asked* other = memo.other(asked); other != nullptr; other = memo.other(*other)) {
        const bool follows =
            written_ < kMostPaths && answer_of(*other) != answer_of(asked) && taken_often(*other);
        if (!follows) {
            continue;
        }
        std::vector<std::uint64_t> before = path.before;
        for (std::size_t earlier = 0; earlier < index; ++earlier) {
            before.push_back(answer_of(path.first[earlier]));
        }
        NativePath& own = add_path(*other, std::move(before), path.next_pc);
        const Label there = w_.a.newLabel();
        w_.compare(x86::rax, answer_of(*other));
        w_.a.je(there);
        w_.aside([this, &own, there] {
            w_.a.bind(there);
            this->path(own);
        });
    }
    w_.a.mov(x86::rcx, x86::rax);
    w_.set(x86::rsi, &path);
    w_.set(x86::rdx, index);
    w_.jump(w_.exits.answered);
}

/// Of the paths that begin with this answer.
bool PathCompiler::taken_often(const Asked& first) const {
    const Memo& memo = *w_.context.memo;
    const Asked* asked = &first;
    for (; asked->query != Query::End; ++asked) {
        if (asked == &first) {
            continue; // those are others than this answer
        }
        for (const Asked* other = memo.other(*asked); other != nullptr;
             other = memo.other(*other)) {
            if (taken_often(*other)) {
                return true;
            }
        }
    }
    return Memo::times_taken(*asked) >= often_;
}

// --- The end of a path --------------------------------------------------------------------------

void PathCompiler::end(NativePath& path) {
    x86::Assembler& a = w_.a;
    const Label pause = a.newLabel();
    const Label on = a.newLabel();
    const Label behind = a.newLabel();
    a.movzx(x86::edx, x86::r12b); // a ring of 256
    w_.set(x86::rax, path.outcome);
    a.mov(w_.element(w_.context.replayed, x86::rdx, 3, 8), x86::rax);
    if (w_.hart.config.truth) {
        w_.set(x86::rax, &w_.context.memo->charged(*path.outcome).times);
        a.add(x86::ptr(x86::rax, 0, 8), Imm(1));
    }
    a.add(x86::r13, Imm(path.outcome->cycles));
    a.add(x86::r12, Imm(1));
    a.cmp(x86::r12, w_.at(w_.context.pause_at));
    a.je(pause);
    a.bind(on);
    go_on(path);
    ends_.emplace_back(&path, behind);
    w_.aside([this, &path, pause, on, behind] {
        w_.a.bind(pause);
        w_.store_registers();
        w_.a.mov(x86::rdi, x86::rbp);
        w_.call(w_.context.exits.pause);
        w_.a.mov(x86::r14, w_.at(w_.context.limit));
        w_.a.jmp(on);
        w_.a.bind(behind);
        w_.set(x86::rsi, &path);
        w_.jump(w_.exits.behind);
    });
}

/// Within a page there is nothing to check: it is still the one that the hart is in.
void PathCompiler::go_on(NativePath& path) {
    constexpr Address kPageMask = ~Address{0xFFF};
    x86::Assembler& a = w_.a;
    if (((path.next_pc ^ node_.block->pc) & kPageMask) == 0) {
        w_.set(x86::rax, &path.link);
        a.jmp(x86::ptr(x86::rax));
        return;
    }
    a.mov(w_.at(&w_.hart.time.decode), x86::r13);
    a.mov(x86::rdi, x86::rbp);
    w_.set(x86::rsi, &path);
    w_.call(w_.context.exits.follow);
    a.jmp(x86::rax);
}

} // namespace pes::native

// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/native/path_compiler.h"

#include <limits>

namespace pes::native {

PathCompiler::PathCompiler(asmjit::CodeHolder& code, HartParts& hart, const NativeContext& context,
                           const Exits& exits, Node& node, std::deque<NativePath>& paths,
                           std::uint64_t often)
    : w_(code, hart, context, exits), node_(node), instructions_(w_, node),
      questions_(w_, instructions_, node), paths_(paths), often_(often) {}

bool PathCompiler::can_compile(const Node& node) {
    const Block& block = *node.block;
    const bool short_enough = node.longest <= std::numeric_limits<std::int32_t>::max();
    return !block.system && !block.across_pages && block.size() != 0 && short_enough &&
           node.questions != nullptr;
}

bool PathCompiler::write() {
    x86::Assembler& a = w_.a;
    const Label at_limit = a.newLabel();
    a.mov(x86::rax, w_.at(&w_.hart.time.decode));
    a.add(x86::rax, Imm(node_.longest));
    a.cmp(x86::rax, w_.at(w_.context.limit));
    a.jae(at_limit);
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
        next_pc = asked->query == Query::NextPc ? asked->answer : next_pc;
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
        if (at_once && QuestionCode::about_code(path.first[index].query)) {
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
            written_ < kMostPaths && other->answer != asked.answer && taken_often(*other);
        if (!follows) {
            continue;
        }
        std::vector<std::uint64_t> before = path.before;
        for (std::size_t earlier = 0; earlier < index; ++earlier) {
            before.push_back(path.first[earlier].answer);
        }
        NativePath& own = add_path(*other, std::move(before), path.next_pc);
        const Label there = w_.a.newLabel();
        w_.compare(x86::rax, other->answer);
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
    const NativeContext& context = w_.context;
    replay(*path.outcome);
    const Label flush = a.newLabel();
    const Label flushed = a.newLabel();
    a.add(w_.long_at(&context.pending->blocks), Imm(1));
    a.cmp(w_.long_at(&context.pending->blocks), Imm(context.flush_interval));
    a.je(flush);
    a.bind(flushed);
    w_.set(x86::rax, &path.link);
    a.jmp(x86::ptr(x86::rax));
    const Label behind = a.newLabel();
    ends_.emplace_back(&path, behind);
    w_.aside([this, &path, flush, flushed, behind] {
        w_.a.bind(flush);
        w_.a.mov(x86::rdi, x86::rbp);
        w_.call(w_.context.exits.flush_events);
        w_.a.jmp(flushed);
        w_.a.bind(behind);
        w_.set(x86::rsi, &path);
        w_.jump(w_.exits.behind);
    });
}

/// Changes rax and xmm0, xmm1.
template <std::size_t Count>
void PathCompiler::add_events(const std::uint16_t* sum,
                              const std::array<std::uint16_t, Count>& more) {
    constexpr std::size_t kAtOnce = 16 / sizeof(std::uint16_t);
    static_assert(Count % kAtOnce == 0);
    x86::Assembler& a = w_.a;
    w_.set(x86::rax, more.data());
    for (std::size_t first = 0; first < Count; first += kAtOnce) {
        a.movdqu(x86::xmm0, w_.at(sum + first, 16));
        a.movdqu(x86::xmm1, x86::ptr(x86::rax, static_cast<std::int32_t>(2 * first)));
        a.paddw(x86::xmm0, x86::xmm1);
        a.movdqu(w_.at(sum + first, 16), x86::xmm0);
    }
}

/// As BlockRunner::replay() and count_block().
void PathCompiler::replay(const Outcome& outcome) {
    x86::Assembler& a = w_.a;
    HartParts& hart = w_.hart;
    const NativeContext& context = w_.context;
    const Block& block = *node_.block;

    add_events(context.pending->events.data(), outcome.events);
    if (context.further) {
        add_events(context.pending->events.data() + kBaseBlockEvents, *outcome.further);
    }
    if (hart.watch) {
        const BlockDecoded& sum = context.pending->decoded;
        for (std::size_t group = 0; group < sum.size(); ++group) {
            a.add(w_.at(&sum[group], 2), Imm(outcome.decoded[group]));
        }
    }
    if (hart.config.truth) {
        w_.set(x86::rax, &context.memo->charged(outcome).times);
        a.add(x86::ptr(x86::rax, 0, 8), Imm(1));
    }
    w_.set(x86::rax, &outcome);
    a.mov(x86::rcx, w_.at(context.replayed_count));
    a.movzx(x86::ecx, x86::cl); // a ring of 256
    a.mov(w_.element(context.replayed, x86::rcx, 3, 8), x86::rax);
    a.add(w_.at(context.replayed_count), Imm(1));
    a.mov(w_.byte_at(context.live), Imm(0));

    a.mov(x86::rcx, w_.at(&hart.time.decode));
    a.lea(x86::rdx, x86::ptr(x86::rcx, static_cast<std::int32_t>(outcome.last_retirement)));
    a.add(x86::rcx, Imm(outcome.cycles));
    a.mov(w_.at(&hart.time.last_retirement), x86::rdx);
    a.mov(w_.at(&hart.time.decode), x86::rcx);
    a.add(w_.at(&hart.time.retired), Imm(block.size()));

    const TrapHistory::Parts history = hart.history.parts();
    static_assert(sizeof(TrapHistory::Passage) == 16);
    a.mov(x86::rcx, w_.at(history.total));
    a.add(w_.at(history.total), Imm(1));
    a.and_(x86::ecx, Imm(TrapHistory::kPassages - 1));
    a.add(x86::ecx, x86::ecx);
    w_.set(x86::rdx, block.pc);
    a.mov(w_.element(&history.passages->pc, x86::rcx, 3, 8), x86::rdx);
    w_.set(x86::rdx, block.size() | std::uint64_t{block.long_instructions} << 32);
    a.mov(w_.element(&history.passages->count, x86::rcx, 3, 8), x86::rdx);
    w_.set(x86::rdx, &block);
    a.mov(w_.at(context.last), x86::rdx);
}

} // namespace pes::native

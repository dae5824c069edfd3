// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/native/path_compiler.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace pes::native {

PathCompiler::PathCompiler(asmjit::CodeHolder& code, HartParts& hart, const NativeContext& context,
                           const SharedCode& shared, Node& node, std::deque<NativePath>& paths,
                           std::uint64_t often)
    : w_(code, hart, context, shared), node_(node), instructions_(w_, node),
      questions_(w_, instructions_, node), paths_(paths), often_(often) {}

namespace {

/// The block's last instruction depends on its cycle, or needs a walk: the loop over blocks has its
/// own ways for those (block_endings.cpp, block_walks.cpp).
bool ends_apart(const Memo& memo, const Node& node) {
    for (const Asked* asked = node.questions; asked->query() != Query::End; ++asked) {
        const Query query = memo.question(*asked, *node.block).query;
        if (query == Query::DeviceAccess || query == Query::CounterRead || query == Query::Walk) {
            return true;
        }
    }
    return false;
}

} // namespace

bool PathCompiler::can_compile(const Memo& memo, const Node& node) {
    const Block& block = *node.block;
    const bool short_enough = node.longest <= std::numeric_limits<std::int32_t>::max();
    return !block.system && !block.across_pages && block.size() != 0 && short_enough &&
           node.questions != nullptr && !ends_apart(memo, node);
}

bool PathCompiler::write() {
    Way way;
    find_candidates(*node_.questions, way);
    std::ranges::stable_sort(candidates_, std::ranges::greater(), &Candidate::times);
    if (candidates_.size() > kMostPaths) {
        candidates_.resize(kMostPaths);
    }
    if (!are_usual()) {
        return false;
    }
    const std::uint64_t times = candidates_.front().times;
    NativePath* const first = take(candidates_.front(), 0);
    if (first == nullptr || (first->fills_lines() && times < kFilling * w_.hart.config.jit_after)) {
        return false;
    }
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
        w_.jump(w_.shared.at_limit);
    });
    instructions_.handlers();
    path(*first);
    w_.write_asides();
    return w_.good();
}

/// The paths that begin with `way`, the question `first` behind it, and are not rare.
void PathCompiler::find_candidates(Asked& first, Way& way) {
    if (first.query() == Query::End) {
        taken_ += Memo::times_taken(first);
        if (Memo::times_taken(first) >= often_) {
            candidates_.push_back({.way = way, .times = Memo::times_taken(first)});
        }
        return;
    }
    for (Asked* asked = &first; asked != nullptr; asked = w_.context.memo->other(*asked)) {
        way.push_back(asked);
        find_candidates(asked[1], way);
        way.pop_back();
    }
}

namespace {

/// The number of the first question to which the ways have different answers.
std::size_t parting(const std::vector<Asked*>& one, const std::vector<Asked*>& other) {
    return static_cast<std::size_t>(std::ranges::mismatch(one, other).in1 - one.begin());
}

} // namespace

/// Whether so many of the node's paths have the lines of the first and get code.
bool PathCompiler::are_usual() const {
    std::uint64_t usual = 0;
    for (const Candidate& candidate : candidates_) {
        const Way& first = candidates_.front().way;
        const std::size_t number = parting(candidate.way, first);
        const bool other_lines =
            number < first.size() && asks_for_code(question(*first[number]).query);
        usual += other_lines ? 0 : candidate.times;
    }
    return kOfAll * usual >= kUsual * taken_ && usual != 0;
}

/// It gets code here, and nowhere else. Null if its questions about L1I cannot be answered
/// together.
NativePath* PathCompiler::take(Candidate& candidate, std::size_t own) {
    NativePath path{.node = &node_, .asked = std::move(candidate.way), .own = own};
    candidate.times = 0;
    if (!questions_.find_lines(path)) {
        return nullptr;
    }
    path.outcome = &Memo::outcome(path.first_of(path.asked.size()));
    path.next_pc = node_.block->end;
    for (const Asked* const place : path.asked) {
        const Question asked = question(*place);
        path.next_pc = asked.query == Query::NextPc ? asked.answer : path.next_pc;
    }
    return &paths_.emplace_back(std::move(path));
}

void PathCompiler::path(NativePath& path) {
    questions_.code(path, [this, &path] { other_lines(path); });
    rest(path);
}

/// All but the questions about L1I.
void PathCompiler::rest(NativePath& path) {
    for (std::size_t number = path.own; number != path.asked.size(); ++number) {
        const Question asked = question(*path.asked[number]);
        if (!asks_for_code(asked.query)) {
            questions_.question(path.first_of(number), asked,
                                [this, &path, number] { other_answers(path, number); });
        }
    }
    end(path);
}

/// One of the path's own questions about L1I has another answer, and none has been asked: the paths
/// that part there, one after the other.
void PathCompiler::other_lines(NativePath& path) {
    x86::Assembler& a = w_.a;
    std::vector<const NativePath*> before{&path};
    for (Candidate& candidate : candidates_) {
        const auto parts_there = [&](const NativePath* other) {
            const std::size_t number = parting(candidate.way, other->asked);
            return number >= path.own && number < candidate.way.size() &&
                   asks_for_code(question(*candidate.way[number]).query);
        };
        if (candidate.times == 0 || !std::ranges::all_of(before, parts_there)) {
            continue;
        }
        NativePath* const other = take(candidate, path.own);
        if (other == nullptr) {
            continue;
        }
        before.push_back(other);
        const Label next = a.newLabel();
        questions_.code(*other, [this, next] { w_.a.jmp(next); });
        rest(*other);
        a.bind(next);
    }
    w_.set(x86::rsi, &path);
    w_.jump(w_.shared.unanswered);
}

/// The answer in rax is not the path's.
void PathCompiler::other_answers(const NativePath& path, std::size_t number) {
    std::vector<std::uint64_t> answers;
    for (Candidate& candidate : candidates_) {
        if (candidate.times == 0 || parting(candidate.way, path.asked) != number) {
            continue;
        }
        const std::uint64_t answer = question(*candidate.way[number]).answer;
        const bool leads_there = std::ranges::find(answers, answer) != answers.end();
        NativePath* const other = leads_there ? nullptr : take(candidate, number + 1);
        if (other == nullptr) {
            continue;
        }
        answers.push_back(answer);
        const Label there = w_.a.newLabel();
        w_.compare(x86::rax, answer);
        w_.a.je(there);
        w_.aside([this, other, there] {
            w_.a.bind(there);
            this->path(*other);
        });
    }
    w_.set(x86::rdx, number);
    w_.a.jmp(answered(path));
}

/// Where the path's question rdx has the answer in rax, for which there is no code.
Label PathCompiler::answered(const NativePath& path) {
    const auto found = std::ranges::find(answered_, &path, &Answered::first);
    if (found != answered_.end()) {
        return found->second;
    }
    const Label label = w_.a.newLabel();
    answered_.emplace_back(&path, label);
    w_.aside([this, &path, label] {
        w_.a.bind(label);
        w_.a.mov(x86::rcx, x86::rax);
        w_.set(x86::rsi, &path);
        w_.jump(w_.shared.answered);
    });
    return label;
}

// --- The end of a path --------------------------------------------------------------------------

void PathCompiler::end(NativePath& path) {
    questions_.fill(path);
    x86::Assembler& a = w_.a;
    const Label pause = a.newLabel();
    const Label on = a.newLabel();
    const Label behind = a.newLabel();
    a.movzx(x86::edx, x86::r12b); // a ring of 256
    w_.set(x86::rax, path.outcome);
    a.mov(w_.element(w_.context.replayed, x86::rdx, 3, 8), x86::rax);
    if (w_.hart.config.truth) {
        w_.set(x86::rcx, &w_.context.memo->charged(*path.outcome).times);
        a.add(x86::ptr(x86::rcx, 0, 8), Imm(1));
    }
    a.add(x86::r13, Imm(path.outcome->cycles));
    a.add(x86::r12, Imm(1));
    a.cmp(x86::r12, w_.at(&w_.context.plan->look_at));
    a.jae(pause);
    a.bind(on);
    go_on(path);
    ends_.emplace_back(&path, behind);
    w_.aside([this, &path, pause, on, behind] {
        w_.a.bind(pause);
        w_.call_shared(w_.shared.pause);
        w_.a.jmp(on);
        w_.a.bind(behind);
        w_.set(x86::rsi, &path);
        w_.jump(w_.shared.behind);
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
    w_.set_runner();
    w_.set(x86::rsi, &path);
    w_.call(w_.context.exits.follow);
    a.jmp(x86::rax);
}

} // namespace pes::native

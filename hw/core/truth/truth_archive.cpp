// SPDX-License-Identifier: Apache-2.0
// What a checkpoint has of the exact profile: the table of all charges so far, and what the charges
// of the next instruction depend on; and of the window of instructions, which may also begin with a
// restored hart.
#include "hw/common/archive.h"
#include "hw/core/truth/cycle_attribution.h"

#include <algorithm>

namespace pes {

namespace {

constexpr CycleReason kLastReason = CycleReason::Idle;

void context_state(Archive& archive, TruthTable::Context& context) {
    archive.one_of(context.privilege, Privilege::Machine);
    archive(context.satp);
}

} // namespace

/// The pages follow from the places of the rows.
void TruthTable::state(Archive& archive) {
    std::uint64_t contexts = contexts_.size();
    archive(contexts);
    std::vector<Context> known;
    for (std::uint64_t index = 0; index < contexts; ++index) {
        Context context = archive.saves() ? contexts_[index] : Context();
        context_state(archive, context);
        known.push_back(context);
    }
    archive(places_, rows_, groups_);
    if (archive.saves()) {
        return;
    }
    const auto inside = [this](const GroupsOfRow& groups) {
        return std::ranges::all_of(groups,
                                   [this](std::uint32_t group) { return group < groups_.size(); });
    };
    if (places_.size() != rows_.size() || groups_.empty() || !std::ranges::all_of(rows_, inside)) {
        archive.refuse("the rows of the exact profile do not fit together");
    }
    contexts_ = std::move(known);
    numbers_.clear();
    for (std::uint32_t index = 0; index < contexts_.size(); ++index) {
        numbers_.emplace(contexts_[index], index);
    }
    pages_.clear();
    last_key_ = {~std::uint32_t{0}, 0};
    for (TruthRow number = 0; number < places_.size(); ++number) {
        const Place& place = places_[number];
        if (place.context >= contexts_.size()) {
            archive.refuse("an address space of the exact profile is not known");
        }
        std::unique_ptr<Page>& page = pages_[{place.context, place.pc >> kPageBits}];
        if (!page) {
            page = std::make_unique<Page>();
            page->fill(kNone);
        }
        (*page)[(place.pc >> 1) % kSlots] = number;
    }
}

void TruthTable::Place::state(Archive& archive) {
    archive(pc, context);
}

void Waits::state(Archive& archive) {
    archive.below(count_, kMost + 1);
    for (Wait& wait : list_) {
        archive(wait.until);
        archive.one_of(wait.reason, kLastReason);
    }
    archive(offered_, fetched_, walk_, miss_);
}

void Oracle::Part::state(Archive& archive) {
    archive(row, cycles);
    archive.one_of(reason, kLastReason);
}

// --- Window --------------------------------------------------------------------------------------

void SeenInstruction::state(Archive& archive) {
    context_state(archive, key.context);
    archive(key.pc, number, decode, data);
}

void InstructionWindow::Entry::state(Archive& archive) {
    context_state(archive, key.context);
    archive(key.pc, number, decode, retired, data);
}

void InstructionWindow::Owned::state(Archive& archive) {
    archive(owner, from, to);
    archive.below(event, kSourceCount);
}

/// Those of a sampler on the host are not known: it may not be there where the state is restored.
void InstructionWindow::question_state(Archive& archive, SightQuestion& question) const {
    archive.one_of(question.sight, Sight::Decoded);
    archive(question.cycle, question.sources, question.beyond, question.tag);
    if ((question.sources - kAllEvents).any()) {
        archive.refuse("a value is out of its range");
    }
    const auto asker = std::ranges::find(askers_, question.sink);
    auto number = static_cast<std::uint64_t>(asker - askers_.begin());
    if (archive.saves() && asker == askers_.end()) {
        archive.refuse("a question of a sampler waits, which cannot be saved");
    }
    archive.below(number, askers_.size());
    question.sink = askers_[number];
}

void InstructionWindow::state(Archive& archive) {
    archive(number_, in_hand_, last_, retired_, decoded_, cycles_, pulses_);
    std::uint64_t waiting = waiting_.size();
    archive(waiting);
    std::vector<SightQuestion> questions;
    for (std::uint64_t index = 0; index < waiting; ++index) {
        SightQuestion question = archive.saves() ? waiting_[index] : SightQuestion();
        question_state(archive, question);
        questions.push_back(question);
    }
    waiting_ = std::move(questions);
}

// --- All of it -----------------------------------------------------------------------------------

/// The instruction in decode has its row already. The pulses come first.
void Oracle::state(Archive& archive) {
    bool saved = window_.has_value();
    archive(saved);
    if (saved && window_) {
        archive(placed_, *window_);
    } else if (saved) {
        archive.refuse("it has a window of instructions");
    } else if (window_) {
        window_->begin_behind(pulses_.retired());
    }
    context_state(archive, here_);
    archive(table_, in_global_page_, context_, seen_, last_, since_retirement_);
    const std::uint64_t rows = std::max<std::uint64_t>(table_.rows(), 1); // none yet: row 0
    archive.below(row_, rows);
    archive.below(last_row_, rows);
    archive.one_of(flush_, kLastReason);
    if (context_ >= table_.contexts()) {
        archive.refuse("an address space of the exact profile is not known");
    }
    for (const Part& part : since_retirement_) {
        if (part.row >= rows) {
            archive.refuse("a row of the exact profile is not known");
        }
    }
}

void CycleAttribution::state(Archive& archive) {
    archive(waits_);
    if (truth_ != nullptr) {
        archive.section("truth", [this](Archive& part) { part(*truth_); });
    }
}

} // namespace pes

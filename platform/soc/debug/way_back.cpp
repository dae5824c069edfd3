// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/debug/way_back.h"

#include <algorithm>
#include <cstring>
#include <sys/resource.h>

namespace pes {
namespace {

static_assert(kMaxHarts <= history::kMostHarts);

constexpr std::chrono::milliseconds kLeastSpacing{100};
constexpr std::chrono::milliseconds kMostSpacing{2'000};
/// A snapshot may cost this part of the time up to the next one.
constexpr int kCostShare = 40;
/// What a page costs that is copied because a snapshot has it too.
constexpr std::chrono::microseconds kFaultCost{6};

long pages_given() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

} // namespace

history::Mark WayBack::here(unsigned hart) const {
    history::Mark mark{.hart = hart};
    for (unsigned index = 0; index < soc_.hart_count(); ++index) {
        mark.passed[index] = soc_.hart(index).passed();
        mark.total += mark.passed[index];
    }
    return mark;
}

// --- What the client does
// -------------------------------------------------------------------------

void WayBack::goes_on(int client) {
    if (refused_.empty() && !snapshots_) {
        snapshots_.emplace(sizeof(Errand));
        files_.emplace(client);
        if (!snapshots_->begin()) {
            refused_ = "the host has no memory or no process left for snapshots of the run";
        }
        for (unsigned hart = 0; hart < soc_.hart_count(); ++hart) {
            soc_.hart(hart).forget_blocks();
        }
    }
    runs_ = refused_.empty();
    runs_since_ = Clock::now();
}

void WayBack::stands_still(unsigned hart) {
    ran_ = running_time();
    runs_ = false;
    if (snapshots_ && here(hart).total > snapshots_->seen().total) {
        snapshots_->seen() = here(hart).position();
    }
}

WayBack::Clock::duration WayBack::running_time() const {
    return runs_ ? ran_ + (Clock::now() - runs_since_) : ran_;
}

/// Snapshots from here on belong to a run in which nothing has been written.
void WayBack::written(unsigned hart) {
    if (!any_ || !refused_.empty()) {
        return;
    }
    const history::Mark mark = here(hart);
    for (const Kept& one : snapshots_->kept()) {
        if (one.mark.total >= mark.total) {
            snapshots_->drop(one.slot);
        }
    }
    if (!written_) {
        snapshots_->branch();
    }
    written_ = true;
    snapshots_->seen() = mark.position();
    speak();
}

std::optional<history::Position> WayBack::silent_until() const {
    return files_ && files_->silent() ? std::optional(snapshots_->seen()) : std::nullopt;
}

// --- Snapshots
// ------------------------------------------------------------------------------------

bool WayBack::due() const {
    return runs_ && (!any_ || written_ || running_time() >= spacing_);
}

bool WayBack::keep(unsigned hart) {
    const history::Mark mark = here(hart);
    if (any_ && !written_ && mark.total == last_.total) {
        return false;
    }
    const bool needed = written_;
    const long pages = pages_given();
    const auto cost = forking_ + (any_ ? pages - faults_ : 0) * kFaultCost;
    spacing_ = std::clamp<Clock::duration>(kCostShare * cost, kLeastSpacing, kMostSpacing);
    faults_ = pages;
    last_ = mark;
    any_ = true;
    written_ = false;
    ran_ = {};
    files_->note();
    const Clock::time_point begin = Clock::now();
    const auto became = snapshots_->keep(mark, needed);
    runs_since_ = Clock::now();
    forking_ = runs_since_ - begin;
    if (became == history::Snapshots::Became::Failed && needed) {
        snapshots_->drop_all(); // what is before the write leads nowhere
    }
    if (became != history::Snapshots::Became::Runner) {
        return false;
    }
    forking_ = {};
    files_->put_back();
    files_->silence();
    return true;
}

const Errand& WayBack::errand() const {
    return *reinterpret_cast<const Errand*>(snapshots_->letter().data());
}

void WayBack::landed() {
    for (const Kept& one : snapshots_->kept()) {
        if (one.branch > snapshots_->present_branch()) {
            snapshots_->drop(one.slot);
        }
    }
}

void WayBack::end() {
    runs_ = false;
    if (snapshots_) {
        snapshots_->drop_all();
        refused_ = "the run has been left alone";
    }
}

// --- The way
// --------------------------------------------------------------------------------------

template <typename Condition>
std::optional<WayBack::Kept> WayBack::last_of(Condition condition) const {
    std::optional<Kept> found;
    if (!snapshots_) {
        return found;
    }
    for (const Kept& one : snapshots_->kept()) {
        if (condition(one.mark)) {
            found = one;
        }
    }
    return found;
}

std::optional<WayBack::Kept> WayBack::before_instruction(unsigned hart,
                                                         std::uint64_t passed) const {
    return last_of([=](const history::Mark& mark) { return mark.passed[hart] < passed; });
}

std::optional<WayBack::Kept> WayBack::before_total(std::uint64_t total) const {
    return last_of([=](const history::Mark& mark) { return mark.total < total; });
}

std::optional<WayBack::Kept> WayBack::leading_to(const history::Position& place) const {
    return last_of([&](const history::Mark& mark) {
        return mark.total <= place.total && mark.passed[place.hart] <= place.passed;
    });
}

std::optional<WayBack::Kept> WayBack::first() const {
    return snapshots_ && !snapshots_->kept().empty() ? std::optional(snapshots_->kept().front())
                                                     : std::nullopt;
}

void WayBack::send(const Kept& to, const Errand& errand) {
    std::memcpy(snapshots_->letter().data(), &errand, sizeof errand);
    snapshots_->wake(to.slot);
}

} // namespace pes

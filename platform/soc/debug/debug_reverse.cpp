// SPDX-License-Identifier: Apache-2.0
// The platform on its way back: an earlier snapshot of the run wakes and runs up to the wanted
// place. A search runs to where the client stood, sees what it meets on the way, and goes to the
// last of it; if that is nothing, the snapshot before searches up to where this one has begun.
//
// What a client sees: gdb manual, "Reverse Execution". A breakpoint stops before its instruction, a
// watched access behind the one that makes it: for RISC-V, gdb goes one step in the direction of
// the run before it looks at the value (have_nonsteppable_watchpoint in gdb/riscv-tdep.c), which
// undoes the access.
#include "platform/soc/debug/debug_orders.h"
#include "platform/soc/debug/debug_target.h"

#include <algorithm>

namespace pes {

namespace {

/// A hart steps so many instructions up to a place.
constexpr std::uint64_t kNear = 256;

bool tells_access(const gdb::Stop& stop) {
    return stop.reason == gdb::StopReason::WriteWatch ||
           stop.reason == gdb::StopReason::ReadWatch || stop.reason == gdb::StopReason::AccessWatch;
}

} // namespace

// --- What the client wants
// ------------------------------------------------------------------------

/// Returns if the run stays where it is, with what the client is told then.
gdb::Stop DebugTarget::go_back(const gdb::Stop& present) {
    const unsigned hart = server_.moved_hart();
    const history::Mark here = way_back_.here(present.hart);
    if (const std::string why = why_not_back(); !why.empty()) {
        server_.tell("pes-vp: " + why + "\n");
    } else if (server_.way_back() == gdb::WayBack::Continue) {
        search_before(here, !told_access_);
    } else if (const auto from = way_back_.before_instruction(hart, here.passed[hart])) {
        Errand errand = new_errand();
        errand.place = {.hart = hart, .passed = here.passed[hart] - 1, .total = Errand::kAnyTotal};
        errand.stop = {.reason = gdb::StopReason::Step, .hart = hart};
        way_back_.send(*from, errand);
    }
    return {.reason = gdb::StopReason::NoHistory, .hart = present.hart};
}

std::string DebugTarget::why_not_back() const {
    if (points_.size() > Errand::kMostPoints) {
        return "there are " + std::to_string(points_.size()) +
               " breakpoints and watchpoints, expected at most " +
               std::to_string(Errand::kMostPoints) + " to go back";
    }
    return way_back_.refused();
}

Errand DebugTarget::new_errand() const {
    Errand errand;
    errand.physical = monitor_.uses_physical();
    errand.point_count = points_.size();
    std::ranges::copy(points_, errand.points.begin());
    return errand;
}

/// Returns if nothing is before.
void DebugTarget::search_before(const history::Mark& mark, bool last_access) {
    if (const auto from = way_back_.before_total(mark.total)) {
        Errand errand = new_errand();
        errand.kind = Errand::Kind::Search;
        errand.place = mark.position();
        errand.last_access = last_access;
        way_back_.send(*from, errand);
    }
}

// --- In the snapshot that has been woken
// ----------------------------------------------------------

/// What the harts have told before, they may tell again.
void DebugTarget::begin_errand() {
    const Errand& errand = way_back_.errand();
    points_.assign(errand.points.begin(),
                   errand.points.begin() + static_cast<std::ptrdiff_t>(errand.point_count));
    monitor_.use_physical(errand.physical);
    const bool searches = errand.kind == Errand::Kind::Search;
    for (unsigned hart = 0; hart < harts(); ++hart) {
        soc_.hart(hart).follow(searches ? orders_of(points_) : HaltOrders{});
        soc_.hart(hart).forget_halt();
        soc_.hart(hart).forget_blocks();
    }
    landing_ = errand.stop;
    search_from_ = way_back_.last_kept();
    hit_.reset();
    await(searches ? Await::Bound : Await::Landing, errand.place);
}

void DebugTarget::await(Await what, const history::Position& place) {
    awaits_ = what;
    awaited_ = place;
    near_ = false;
    for (unsigned hart = 0; hart < harts(); ++hart) {
        soc_.hart(hart).stand_still_at(std::nullopt);
    }
}

/// What has been written up to there, the user has seen.
void DebugTarget::await_what_is_seen() {
    if (const auto place = way_back_.silent_until()) {
        await(Await::Seen, *place);
    } else {
        await(Await::Nothing, {});
    }
}

bool DebugTarget::arrived(unsigned hart) const {
    return awaits_ != Await::Nothing && awaited_.hart == hart &&
           soc_.hart(hart).passed() >= awaited_.passed &&
           (awaited_.total == Errand::kAnyTotal || way_back_.here(hart).total >= awaited_.total);
}

void DebugTarget::arrive() {
    switch (awaits_) {
    case Await::Nothing:
        break;
    case Await::Landing:
        await_nothing();
        way_back_.landed();
        told_access_ = tells_access(landing_);
        stand_still(landing_);
        break;
    case Await::Bound:
        end_search();
        break;
    case Await::Seen:
        hooks_.before_stop();
        way_back_.speak();
        await_nothing();
        break;
    }
}

/// Instructions up to the place that is waited for.
std::uint64_t DebugTarget::rest(unsigned hart) const {
    return awaited_.passed - std::min(soc_.hart(hart).passed(), awaited_.passed);
}

/// The next step back begins with a snapshot from here.
bool DebugTarget::lands_soon(unsigned hart) const {
    constexpr std::uint64_t kFar = 4 * kNear;
    return awaits_ == Await::Landing && awaited_.hart == hart && !near_ && rest(hart) <= kNear &&
           way_back_.here(hart).total - way_back_.last_kept().total > kFar;
}

/// Returns after how many cycles to look again: an instruction takes one at least, and a block ends
/// within a few dozen.
Cycle DebugTarget::approach(unsigned hart) {
    if (awaits_ == Await::Nothing || awaited_.hart != hart || near_) {
        return kNever;
    }
    if (rest(hart) > kNear) {
        return std::max<Cycle>(1, (rest(hart) - kNear) / 2);
    }
    if (rest(hart) != 0) { // otherwise other harts are to come as far
        near_ = true;
        soc_.hart(hart).stand_still_at(awaited_.passed);
    }
    return kNever;
}

// --- Search
// ---------------------------------------------------------------------------------------

/// An access is told behind its instruction, so it may be the last one before the place.
void DebugTarget::note_hit(unsigned hart, const Halt& halt) {
    const history::Position place = way_back_.here(hart).position();
    const bool access = halt.reason == HaltReason::Load || halt.reason == HaltReason::Store;
    if (place.total < awaited_.total ||
        (access && place.total == awaited_.total && way_back_.errand().last_access)) {
        hit_ = Hit{.place = place, .stop = stop_of(hart, halt)};
    }
}

/// Another process goes on.
void DebugTarget::end_search() {
    if (hit_) {
        Errand errand = new_errand();
        errand.place = hit_->place;
        errand.stop = hit_->stop;
        if (const auto from = way_back_.leading_to(hit_->place)) {
            way_back_.send(*from, errand);
        }
    }
    search_before(search_from_, true);
    return_to_the_start();
}

void DebugTarget::return_to_the_start() {
    if (const auto from = way_back_.first()) {
        Errand errand = new_errand();
        errand.place = from->mark.position();
        errand.stop = {.reason = gdb::StopReason::NoHistory, .hart = from->mark.hart};
        way_back_.send(*from, errand);
    }
    await_nothing(); // the host has ended all snapshots
    stand_still({.reason = gdb::StopReason::NoHistory, .hart = search_from_.hart});
}

void DebugTarget::run_is_over() {
    way_back_.end();
    if (way_back_.silent_until()) {
        way_back_.speak();
    }
}

} // namespace pes

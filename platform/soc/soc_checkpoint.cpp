// SPDX-License-Identifier: Apache-2.0
// A run that comes to rest for a checkpoint, and one that begins with it.
//
// One hart comes to rest by itself where it is told to (HartModule). Several may not be stopped
// earlier than they would stop, because the order of their turns would change: the kernel is
// stopped instead, in the first cycle in which none of their threads waits inside an instruction.
#include "platform/soc/soc.h"

#include "platform/soc/guest/guest_files.h"

#include <algorithm>
#include <utility>

namespace pes {

namespace {

constexpr Cycle kPieceCycles = 5'000'000; // of a run: fine enough for a progress line

} // namespace

void Soc::at_rest(Cycle cycle, std::function<void()> then) {
    rest_ = {.at = cycle, .then = std::move(then)};
    if (harts_.size() == 1) {
        harts_.front()->module().rest_at(cycle);
    }
}

/// With several harts, up to the cycle of the rest, and from there on event by event.
void Soc::run_piece() {
    const Cycle now = clock_.now();
    if (harts_.size() == 1 || rest_.at == kNever || now + kPieceCycles < rest_.at) {
        sc_core::sc_start(clock_.time_of(kPieceCycles));
        return;
    }
    sc_core::sc_start(now < rest_.at ? clock_.time_of(rest_.at - now)
                                     : sc_core::sc_time_to_pending_activity());
    while (sc_core::sc_pending_activity_at_current_time() && ended_hart() == nullptr) {
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
}

bool Soc::rests() {
    if (harts_.size() == 1) {
        return harts_.front()->module().rests();
    }
    return clock_.now() >= rest_.at && ended_hart() == nullptr &&
           std::ranges::all_of(
               harts_, [](const auto& unit) { return unit->module().between_instructions(); });
}

void Soc::leave_rest() {
    for (const auto& unit : harts_) {
        if (unit->module().rests()) {
            unit->module().leave_rest();
        }
    }
}

void Soc::restore(Archive& archive, Cycle cycle) {
    for (const auto& unit : harts_) {
        unit->module().begin_at_rest();
    }
    sc_core::sc_start(clock_.time_of(cycle));
    state(archive);
    restored_ = true;
}

/// Devices come before harts, which look at memory and at what is announced.
void Soc::state(Archive& archive) {
    if ((trace_ && trace_->in_use()) || (software_trace_ && software_trace_->in_use())) {
        archive.refuse("trace blocks that have been set up cannot be saved");
    }
    archive.section("memory", [this](Archive& part) { part(memory_.memory()); });
    for (std::size_t index = 0; index < devices_.size(); ++index) {
        archive.section(config_.devices[index].traits().name,
                        [&](Archive& part) { part(*devices_[index]); });
    }
    archive.section("wires", [this](Archive& part) {
        for (const auto& wire : wires_) {
            part(*wire);
        }
    });
    for (unsigned index = 0; index < harts_.size(); ++index) {
        HartModule& module = harts_[index]->module();
        if (const std::string_view what = module.hart().has_no_state(); !what.empty()) {
            archive.refuse("a run with " + std::string(what) + " cannot be saved or restored");
        }
        archive.section("hart" + std::to_string(index), [&module](Archive& part) { part(module); });
    }
    archive.section("boot", [this](Archive& part) {
        bool waits = hand_over_ && waits_for_kernel_;
        part(waits);
        if (!waits) {
            tell_of_modes(nullptr);
        }
    });
}

} // namespace pes

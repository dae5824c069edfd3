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

/// Tells when a hart has come to an address.
class PcWatch final : public HartObserver {
  public:
    PcWatch(Hart& hart, Address pc, std::function<void()> reached)
        : hart_(hart), pc_(pc), reached_(std::move(reached)) {
        hart_.add_observer(*this);
    }
    PcWatch(const PcWatch&) = delete;
    PcWatch& operator=(const PcWatch&) = delete;
    ~PcWatch() override { hart_.remove_observer(*this); }

    void retired(const Retirement& retirement) override { look(retirement.next_pc); }
    void trapped(const TrapTaken& trap) override { look(trap.vector); }

  private:
    void look(Address next) {
        if (next == pc_) {
            reached_();
        }
    }

    Hart& hart_;
    const Address pc_;
    const std::function<void()> reached_;
};

} // namespace

void Soc::at_rest_before(Address pc, std::function<void()> then) {
    for (const auto& unit : harts_) {
        if (unit->hart().state().pc == pc) {
            at_rest(unit->hart().now(), std::move(then));
            return;
        }
    }
    rest_ = {.at = kNever, .then = std::move(then), .on_request = false};
    for (const auto& unit : harts_) {
        HartModule& module = unit->module();
        pc_watches_.push_back(
            std::make_unique<PcWatch>(module.hart(), pc, [this, &module] { rest_soon(module); }));
    }
}

void Soc::at_rest_here(unsigned hart, std::function<void()> then) {
    HartModule& module = this->module(hart);
    rest_ = {.at = module.hart().now(), .then = std::move(then), .on_request = false};
    if (harts_.size() == 1) {
        module.rest_at(rest_.at);
    } else {
        sc_core::sc_pause(); // run() goes on in smaller pieces
    }
}

void Soc::at_rest_on_request(std::function<void()> then) {
    rest_ = {.at = kNever, .then = std::move(then), .on_request = true};
}

/// In the hart's thread: before its next instruction.
void Soc::rest_soon(HartModule& module) {
    if (!rest_.then || rest_.at != kNever) {
        return;
    }
    rest_.at = module.hart().now() + 1;
    if (harts_.size() == 1) {
        module.rest_at(rest_.at);
    } else {
        sc_core::sc_pause(); // run() goes on in smaller pieces
    }
}

/// The hart that asks is the one whose thread runs; for a device, any will do.
void Soc::rest_requested() {
    if (!rest_.on_request) {
        return;
    }
    const auto asks = std::ranges::find_if(
        harts_, [](const auto& unit) { return !unit->module().between_instructions(); });
    rest_soon((asks == harts_.end() ? harts_.front() : *asks)->module());
}

void Soc::at_rest(Cycle cycle, std::function<void()> then) {
    rest_ = {.at = cycle, .then = std::move(then), .on_request = false};
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
    for (const auto& module : devices_) {
        module->device().resume(cycle);
    }
    restored_ = true;
}

/// Devices come before harts, which look at memory and at what is announced. Trace comes before
/// them too: a buffer in memory takes direct access away from them.
void Soc::state(Archive& archive) {
    archive.section("memory", [this](Archive& part) { part(memory_.memory()); });
    for (std::size_t index = 0; index < devices_.size(); ++index) {
        archive.section(descriptions_[index]->traits().name,
                        [&](Archive& part) { part(*devices_[index]); });
    }
    archive.section("wires", [this](Archive& part) {
        for (const auto& wire : wires_) {
            part(*wire);
        }
    });
    if (trace_) {
        archive.section("trace", [this](Archive& part) { part(*trace_); });
    }
    if (software_trace_) {
        archive.section("software_trace", [this](Archive& part) { part(*software_trace_); });
    }
    for (unsigned index = 0; index < harts_.size(); ++index) {
        archive.section("hart" + std::to_string(index),
                        [&](Archive& part) { part(*harts_[index]); });
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

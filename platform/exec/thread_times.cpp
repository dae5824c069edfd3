// SPDX-License-Identifier: Apache-2.0
#include "platform/exec/thread_times.h"

#include <algorithm>

namespace pes {
namespace {

constexpr unsigned kThreadPointer = 4; // x4

} // namespace

void ThreadTime::add(const ThreadTime& other) {
    first = std::min(first, other.first);
    last = std::max(last, other.last);
    stretches += other.stretches;
    cycles += other.cycles;
    instructions += other.instructions;
}

ThreadWatch::ThreadWatch(Hart& hart) : hart_(hart) {
    hart.tell_of_modes(this);
    entered(hart.state().privilege, hart.state().pc);
}

void ThreadWatch::entered(Privilege mode, Address /*pc*/) {
    if (in_user_mode_) {
        end_stretch();
    }
    in_user_mode_ = mode == Privilege::User;
    since_ = hart_.now();
    retired_ = hart_.instret();
}

void ThreadWatch::end_stretch() {
    const ArchState& state = hart_.state();
    times_[{.satp = state.csr.satp(), .pointer = state.x[kThreadPointer]}].add(
        {.first = since_,
         .last = hart_.now(),
         .stretches = 1,
         .cycles = hart_.now() - since_,
         .instructions = hart_.instret() - retired_});
}

void ThreadWatch::finish() {
    if (in_user_mode_) {
        end_stretch();
        in_user_mode_ = false;
    }
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// What the harts know of each other: state, messages, and the way into supervisor mode.
//
// A message is a bit in the receiver's `messages` and a machine software interrupt. The receiver
// takes it in its trap handler, or, since machine mode runs with interrupts off, wherever it waits
// for something (take_messages). So two harts that wait for each other both go on.
#pragma once

#include "firmware/boot/machine_local.h"
#include "firmware/sbi/sbi.h"
#include "platform.h"

#include <stdint.h>

/// Sets a0 = hart and a1 = argument.
extern "C" [[noreturn]] void enter_supervisor(uint64_t hart, uint64_t entry, uint64_t argument);

namespace pes {

enum class HartState : uint64_t { ///< values of the hart state extension
    Started = sbi::hart_state::kStarted,
    Stopped = sbi::hart_state::kStopped,
    StartPending = sbi::hart_state::kStartPending,
    Suspended = sbi::hart_state::kSuspended,
};

enum Message : uint32_t { kMessageIpi = 1, kMessageFence = 2, kMessageStart = 4 };

struct HartRecord {
    HartState state = HartState::Stopped;
    uint64_t entry = 0;    ///< of a start: where to ...
    uint64_t argument = 0; ///< ... and with which a1
    uint32_t messages = 0; ///< bits of Message
    uint32_t ipis = 0;     ///< sent and not yet received: several may come in one message
};

extern HartRecord harts[PES_MAX_HARTS];

inline HartState state_of(uint64_t hart) {
    return __atomic_load_n(&harts[hart].state, __ATOMIC_ACQUIRE);
}
inline void set_state(uint64_t hart, HartState state) {
    __atomic_store_n(&harts[hart].state, state, __ATOMIC_RELEASE);
}

/// The machine has this hart and the firmware has seen it.
bool hart_exists(uint64_t hart);

/// The harts that `mask` and `base` name; false if one of them does not exist.
bool decode_hart_mask(uint64_t mask, uint64_t base, uint32_t& members);

void send_message(uint64_t hart, Message message);
/// Does what the other harts have asked of this one, if anything; the bits of Message.
uint32_t take_messages();

/// Brings the hart's machine state to that of a fresh one: protection, counters, sampling.
void prepare_hart();
[[noreturn]] void leave_for_supervisor(uint64_t entry, uint64_t argument);

} // namespace pes

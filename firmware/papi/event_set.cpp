// SPDX-License-Identifier: Apache-2.0
#include "firmware/papi/event_set.h"

namespace pes::papi {

void EventSet::clear() {
    for (unsigned i = 0; i < slot_end; ++i) {
        slot[i] = {};
    }
    slot_end = 0;
    next_slot = 0;
    member_count = 0;
    state = PAPI_STOPPED;
    bound = false;
    source = OverflowSource::None;
    handler = nullptr;
    profiling.count = 0;
}

int EventSet::find(int code) const {
    for (unsigned i = 0; i < member_count; ++i) {
        if (member[i].code == code) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

int EventSet::take_slot(uint8_t native) {
    int free_slot = -1;
    for (unsigned i = 0; i < kMaxSlots; ++i) {
        if (slot[i].users != 0 && slot[i].native == native) {
            ++slot[i].users;
            return static_cast<int>(i);
        }
        if (slot[i].users == 0 && free_slot < 0) {
            free_slot = static_cast<int>(i);
        }
    }
    if (free_slot >= 0) {
        slot[free_slot] = {};
        slot[free_slot].native = native;
        slot[free_slot].users = 1;
        slot_end = slot_end > static_cast<unsigned>(free_slot)
                       ? slot_end
                       : static_cast<unsigned>(free_slot) + 1;
    }
    return free_slot;
}

void EventSet::drop_member(unsigned position) {
    for (unsigned i = 0; i < member[position].terms; ++i) {
        --slot[member[position].slot[i]].users;
    }
    --member_count;
    for (unsigned i = position; i < member_count; ++i) {
        member[i] = member[i + 1];
    }
}

} // namespace pes::papi

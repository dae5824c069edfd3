// SPDX-License-Identifier: Apache-2.0
// Event sets as the caller handles them: create, add, remove, list, destroy.
#include "firmware/papi/counting/counting.h"

namespace pes::papi {

EventSet* find_set(int handle) {
    if (handle < 0 || handle >= static_cast<int>(kMaxSets) || !event_sets[handle].exists()) {
        return nullptr;
    }
    return &event_sets[handle];
}

int check_set(int handle, Want want, EventSet*& set) {
    if (library.initialized == PAPI_NOT_INITED) {
        return PAPI_ENOINIT;
    }
    set = find_set(handle);
    if (set == nullptr) {
        return PAPI_ENOEVST;
    }
    if (want == Want::Stopped && set->running()) {
        return PAPI_EISRUN;
    }
    return want == Want::Running && !set->running() ? PAPI_ENOTRUN : PAPI_OK;
}

namespace {

/// The member that an event code stands for, without slots. PAPI_ENOEVNT: nothing here counts it.
int describe_member(int code, Member& member, uint8_t (&native)[kMaxTerms]) {
    member = {};
    member.code = code;
    if (const int index = native_of(code); index >= 0) {
        member.terms = 1;
        native[0] = static_cast<uint8_t>(index);
        return PAPI_OK;
    }
    const Preset* preset = IS_PRESET(code) ? find_preset(code) : nullptr;
    if (preset == nullptr) {
        return PAPI_ENOEVNT;
    }
    member.derived = preset->derived;
    member.terms = preset->terms;
    member.postfix = preset->postfix;
    for (unsigned i = 0; i < preset->terms; ++i) {
        native[i] = preset->term[i];
    }
    return PAPI_OK;
}

/// Puts the member last. False: no slots are left.
bool append_member(EventSet& set, const Member& description, const uint8_t (&native)[kMaxTerms]) {
    Member& member = set.member[set.member_count];
    member = description;
    for (unsigned i = 0; i < description.terms; ++i) {
        const int slot = set.take_slot(native[i]);
        if (slot < 0) {
            member.terms = static_cast<uint8_t>(i);
            ++set.member_count;
            set.drop_member(set.member_count - 1);
            return false;
        }
        member.slot[i] = static_cast<uint8_t>(slot);
    }
    ++set.member_count;
    return true;
}

int add_event(EventSet& set, int code) {
    if (set.find(code) >= 0) {
        return PAPI_ECNFLCT; // as PAPI: an event is in a set once
    }
    Member member;
    uint8_t native[kMaxTerms] = {};
    if (const int error = describe_member(code, member, native); error != PAPI_OK) {
        return error;
    }
    if (set.member_count == kMaxMembers || !append_member(set, member, native)) {
        return PAPI_ECOUNT;
    }
    // A multiplexed set needs no more than one counter at a time.
    if (!set.multiplexed() && !set_fits(set)) {
        set.drop_member(set.member_count - 1);
        return PAPI_ECNFLCT;
    }
    set.bound = true;
    return PAPI_OK;
}

int remove_event(EventSet& set, int code) {
    const int position = set.find(code);
    if (position < 0) {
        return PAPI_EINVAL;
    }
    const Member& member = set.member[position];
    for (unsigned i = 0; i < member.terms; ++i) {
        if (set.slot[member.slot[i]].period != 0) {
            return PAPI_EINVAL; // its overflow comes off first
        }
    }
    if (library.mapped == &set) {
        unmap_set();
    }
    set.drop_member(static_cast<unsigned>(position));
    return PAPI_OK;
}

void clean(EventSet& set) {
    if (library.mapped == &set) {
        unmap_set();
    }
    set.clear();
    set.domain = library.domain;
}

/// Applies `change` to each event; the number that succeeded before an error, as PAPI does.
int for_events(EventSet& set, const int* events, int number, int (*change)(EventSet&, int)) {
    for (int i = 0; i < number; ++i) {
        if (const int error = change(set, events[i]); error != PAPI_OK) {
            return i == 0 ? error : i;
        }
    }
    return PAPI_OK;
}

} // namespace
} // namespace pes::papi

using namespace pes::papi;

extern "C" int PAPI_create_eventset(int* EventSet) {
    if (library.initialized == PAPI_NOT_INITED) {
        return answer(PAPI_ENOINIT);
    }
    if (EventSet == nullptr || *EventSet != PAPI_NULL) {
        return answer(PAPI_EINVAL);
    }
    for (auto& set : event_sets) {
        if (!set.exists()) {
            clean(set);
            *EventSet = handle_of(set);
            return PAPI_OK;
        }
    }
    return answer(PAPI_ENOMEM);
}

extern "C" int PAPI_destroy_eventset(int* EventSet) {
    if (EventSet == nullptr) {
        return answer(PAPI_EINVAL);
    }
    pes::papi::EventSet* set = nullptr;
    if (const int error = check_set(*EventSet, Want::Stopped, set); error != PAPI_OK) {
        return answer(error);
    }
    if (set->member_count != 0) {
        return answer(PAPI_EINVAL);
    }
    clean(*set);
    set->state = 0;
    *EventSet = PAPI_NULL;
    return PAPI_OK;
}

extern "C" int PAPI_cleanup_eventset(int EventSet) {
    pes::papi::EventSet* set = nullptr;
    if (const int error = check_set(EventSet, Want::Stopped, set); error != PAPI_OK) {
        return answer(error);
    }
    clean(*set);
    return PAPI_OK;
}

extern "C" int PAPI_assign_eventset_component(int EventSet, int cidx) {
    pes::papi::EventSet* set = nullptr;
    if (const int error = check_set(EventSet, Want::Stopped, set); error != PAPI_OK) {
        return answer(error);
    }
    if (cidx != 0) {
        return answer(PAPI_ENOCMP);
    }
    if (set->bound) {
        return answer(PAPI_EINVAL);
    }
    set->bound = true;
    return PAPI_OK;
}

extern "C" int PAPI_add_event(int EventSet, int Event) {
    pes::papi::EventSet* set = nullptr;
    const int error = check_set(EventSet, Want::Stopped, set);
    return answer(error != PAPI_OK ? error : add_event(*set, Event));
}

extern "C" int PAPI_add_named_event(int EventSet, const char* EventName) {
    int code = 0;
    const int error = PAPI_event_name_to_code(EventName, &code);
    return error != PAPI_OK ? error : PAPI_add_event(EventSet, code);
}

extern "C" int PAPI_add_events(int EventSet, int* Events, int number) {
    if (Events == nullptr || number <= 0) {
        return answer(PAPI_EINVAL);
    }
    pes::papi::EventSet* set = nullptr;
    const int error = check_set(EventSet, Want::Stopped, set);
    return answer(error != PAPI_OK ? error : for_events(*set, Events, number, add_event));
}

extern "C" int PAPI_remove_event(int EventSet, int EventCode) {
    pes::papi::EventSet* set = nullptr;
    const int error = check_set(EventSet, Want::Stopped, set);
    return answer(error != PAPI_OK ? error : remove_event(*set, EventCode));
}

extern "C" int PAPI_remove_named_event(int EventSet, const char* EventName) {
    int code = 0;
    const int error = PAPI_event_name_to_code(EventName, &code);
    return error != PAPI_OK ? error : PAPI_remove_event(EventSet, code);
}

extern "C" int PAPI_remove_events(int EventSet, int* Events, int number) {
    if (Events == nullptr || number <= 0) {
        return answer(PAPI_EINVAL);
    }
    pes::papi::EventSet* set = nullptr;
    const int error = check_set(EventSet, Want::Stopped, set);
    return answer(error != PAPI_OK ? error : for_events(*set, Events, number, remove_event));
}

extern "C" int PAPI_num_events(int EventSet) {
    pes::papi::EventSet* set = nullptr;
    const int error = check_set(EventSet, Want::Any, set);
    return answer(error != PAPI_OK ? error : static_cast<int>(set->member_count));
}

extern "C" int PAPI_list_events(int EventSet, int* Events, int* number) {
    if (number == nullptr || *number < 0) {
        return answer(PAPI_EINVAL);
    }
    pes::papi::EventSet* set = nullptr;
    if (const int error = check_set(EventSet, Want::Any, set); error != PAPI_OK) {
        return answer(error);
    }
    const auto members = static_cast<int>(set->member_count);
    if (Events == nullptr || *number == 0) {
        *number = members;
        return PAPI_OK;
    }
    *number = members < *number ? members : *number;
    for (int i = 0; i < *number; ++i) {
        Events[i] = set->member[i].code;
    }
    return PAPI_OK;
}

extern "C" int PAPI_state(int EventSet, int* status) {
    if (status == nullptr) {
        return answer(PAPI_EINVAL);
    }
    pes::papi::EventSet* set = nullptr;
    if (const int error = check_set(EventSet, Want::Any, set); error != PAPI_OK) {
        return answer(error);
    }
    *status = set->state;
    return PAPI_OK;
}

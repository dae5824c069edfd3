// SPDX-License-Identifier: Apache-2.0
// Threads: there is one, and it is the caller. Its calls are served as PAPI serves a program with
// one thread; nothing can be attached to another.
#include "firmware/papi/library.h"

namespace pes::papi {

namespace {

unsigned long own_id() {
    return library.thread_id != nullptr ? library.thread_id() : 0;
}

/// PAPI_TLS_ALL_THREADS: numbers and pointers of every thread that has a pointer.
int gather(int place, PAPI_all_thr_spec_t& all) {
    const bool has_pointer = library.thread_known && library.thread_data[place] != nullptr;
    if ((all.id != nullptr || all.data != nullptr) && all.num < 1) {
        return PAPI_EINVAL;
    }
    if (has_pointer && all.id != nullptr) {
        all.id[0] = own_id();
    }
    if (has_pointer && all.data != nullptr) {
        all.data[0] = library.thread_data[place];
    }
    all.num = has_pointer ? 1 : 0;
    return PAPI_OK;
}

bool valid_place(int place) {
    return place >= 0 && place < PAPI_NUM_TLS;
}

/// A lock is free whenever the only thread asks for it.
int use_lock(int lock) {
    return lock >= 0 && lock < PAPI_NUM_LOCK ? PAPI_OK : PAPI_EINVAL;
}

/// PAPI's documents: PAPI_ECMP is the answer of a component without attach.
int refuse_attach(int handle) {
    EventSet* set = nullptr;
    const int error = check_set(handle, Want::Stopped, set);
    return error != PAPI_OK ? error : PAPI_ECMP;
}

} // namespace
} // namespace pes::papi

using namespace pes::papi;

extern "C" int PAPI_thread_init(unsigned long (*id_fn)(void)) {
    if (library.initialized == PAPI_NOT_INITED) {
        return answer(PAPI_ENOINIT);
    }
    if (id_fn == nullptr) {
        return answer(PAPI_EINVAL);
    }
    if ((library.initialized & PAPI_THREAD_LEVEL_INITED) == 0) { // the first function stays
        library.thread_id = id_fn;
        library.initialized |= PAPI_THREAD_LEVEL_INITED;
    }
    return PAPI_OK;
}

extern "C" unsigned long PAPI_thread_id(void) {
    return library.thread_id != nullptr ? library.thread_id()
                                        : static_cast<unsigned long>(answer(PAPI_EMISC));
}

extern "C" int PAPI_register_thread(void) {
    if (library.initialized == PAPI_NOT_INITED) {
        return answer(PAPI_ENOINIT);
    }
    library.thread_known = true;
    return PAPI_OK;
}

extern "C" int PAPI_unregister_thread(void) {
    if (!library.thread_known) {
        return answer(PAPI_EMISC);
    }
    library.thread_known = false;
    for (void*& pointer : library.thread_data) {
        pointer = nullptr;
    }
    return PAPI_OK;
}

extern "C" int PAPI_list_threads(unsigned long* tids, int* number) {
    if (library.initialized == PAPI_NOT_INITED) {
        return answer(PAPI_ENOINIT);
    }
    if (number == nullptr || (tids != nullptr && *number <= 0)) {
        return answer(PAPI_EINVAL);
    }
    *number = library.thread_known ? 1 : 0;
    if (tids != nullptr && library.thread_known) {
        tids[0] = own_id();
    }
    return PAPI_OK;
}

extern "C" int PAPI_get_thr_specific(int tag, void** ptr) {
    if (library.initialized == PAPI_NOT_INITED) {
        return answer(PAPI_ENOINIT);
    }
    const int place = tag & ~PAPI_TLS_ALL_THREADS;
    if (ptr == nullptr || !valid_place(place)) {
        return answer(PAPI_EINVAL);
    }
    if (place != tag) { // the pointer is to a structure then
        return answer(gather(place, *reinterpret_cast<PAPI_all_thr_spec_t*>(ptr)));
    }
    *ptr = library.thread_data[place];
    return PAPI_OK;
}

extern "C" int PAPI_set_thr_specific(int tag, void* ptr) {
    if (library.initialized == PAPI_NOT_INITED) {
        return answer(PAPI_ENOINIT);
    }
    if (!valid_place(tag)) {
        return answer(PAPI_EINVAL);
    }
    library.thread_known = true; // as every call for a thread makes PAPI know it
    library.thread_data[tag] = ptr;
    return PAPI_OK;
}

extern "C" int PAPI_lock(int lck) {
    return answer(use_lock(lck));
}

extern "C" int PAPI_unlock(int lck) {
    return answer(use_lock(lck));
}

extern "C" int PAPI_attach(int EventSet, unsigned long) {
    return answer(refuse_attach(EventSet));
}

extern "C" int PAPI_detach(int EventSet) {
    return answer(refuse_attach(EventSet));
}

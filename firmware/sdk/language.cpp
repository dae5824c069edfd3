// SPDX-License-Identifier: Apache-2.0
// What the compiler calls for C++ by itself, without a standard library: memory, statics of
// functions, thread-local objects. Without exceptions, so memory that is not there ends the run.
#include "firmware/sdk/below.h"
#include <new>
#include <pes.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

// --- Memory -------------------------------------------------------------------------------------

const std::nothrow_t std::nothrow{};

namespace {

std::new_handler g_handler;
constexpr size_t kUsual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

/// Null: there is none, and no handler that finds some.
void* allocate(size_t size, size_t alignment) {
    for (;;) {
        const size_t wanted = size == 0 ? 1 : size;
        void* const room = alignment <= kUsual ? malloc(wanted) : memalign(alignment, wanted);
        const std::new_handler handler = std::get_new_handler();
        if (room != nullptr || handler == nullptr) {
            return room;
        }
        handler();
    }
}

void* require(size_t size, size_t alignment) {
    void* const room = allocate(size, alignment);
    if (room == nullptr) {
        char text[80];
        snprintf(text, sizeof text, "operator new: no memory for %lu bytes\n",
                 static_cast<unsigned long>(size));
        pes_fail(text);
    }
    return room;
}

constexpr size_t number(std::align_val_t alignment) {
    return static_cast<size_t>(alignment);
}

} // namespace

std::new_handler std::set_new_handler(new_handler handler) noexcept {
    return __atomic_exchange_n(&g_handler, handler, __ATOMIC_ACQ_REL);
}
std::new_handler std::get_new_handler() noexcept {
    return __atomic_load_n(&g_handler, __ATOMIC_ACQUIRE);
}

void* operator new(size_t size) {
    return require(size, kUsual);
}
void* operator new[](size_t size) {
    return require(size, kUsual);
}
void* operator new(size_t size, std::align_val_t alignment) {
    return require(size, number(alignment));
}
void* operator new[](size_t size, std::align_val_t alignment) {
    return require(size, number(alignment));
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
    return allocate(size, kUsual);
}
void* operator new[](size_t size, const std::nothrow_t&) noexcept {
    return allocate(size, kUsual);
}
void* operator new(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate(size, number(alignment));
}
void* operator new[](size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate(size, number(alignment));
}

void operator delete(void* room) noexcept {
    free(room);
}
void operator delete[](void* room) noexcept {
    free(room);
}
void operator delete(void* room, size_t) noexcept {
    free(room);
}
void operator delete[](void* room, size_t) noexcept {
    free(room);
}
void operator delete(void* room, std::align_val_t) noexcept {
    free(room);
}
void operator delete[](void* room, std::align_val_t) noexcept {
    free(room);
}
void operator delete(void* room, size_t, std::align_val_t) noexcept {
    free(room);
}
void operator delete[](void* room, size_t, std::align_val_t) noexcept {
    free(room);
}
void operator delete(void* room, const std::nothrow_t&) noexcept {
    free(room);
}
void operator delete[](void* room, const std::nothrow_t&) noexcept {
    free(room);
}
void operator delete(void* room, std::align_val_t, const std::nothrow_t&) noexcept {
    free(room);
}
void operator delete[](void* room, std::align_val_t, const std::nothrow_t&) noexcept {
    free(room);
}

// --- Statics of functions, which harts may reach together (Itanium C++ ABI, 3.3.3) ---------------

namespace {

/// The compiler reads the first byte only.
struct Guard {
    unsigned char done;
    unsigned owner; ///< the hart that initialises, + 1
};
static_assert(sizeof(Guard) == 8);

} // namespace

/// 1: the caller is to initialise, and then says release; 0: it has been done.
extern "C" int __cxa_guard_acquire(Guard* guard) {
    const unsigned self = pes_hart_id() + 1;
    unsigned owner = 0;
    while (!__atomic_compare_exchange_n(&guard->owner, &owner, self, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
        if (owner == self) {
            pes_fail("a static of a function needs itself for its own initialisation\n");
        }
        owner = 0;
    }
    if (guard->done == 0) {
        return 1;
    }
    __atomic_store_n(&guard->owner, 0, __ATOMIC_RELEASE);
    return 0;
}
extern "C" void __cxa_guard_release(Guard* guard) {
    __atomic_store_n(&guard->done, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&guard->owner, 0, __ATOMIC_RELEASE);
}

// --- Thread-local objects: gone with the function that their hart has been started for
// ------------

namespace {

struct Gone {
    void (*destructor)(void* object);
    void* object;
    Gone* earlier;
};
__thread Gone* g_last_made;

} // namespace

extern "C" int __cxa_atexit(void (*destructor)(void* object), void* object, void* library);

extern "C" int __cxa_thread_atexit(void (*destructor)(void* object), void* object, void* library) {
    if (pes_is_main_hart()) {
        return __cxa_atexit(destructor, object, library);
    }
    g_last_made = new Gone{destructor, object, g_last_made};
    return 0;
}

extern "C" void pes_destroy_thread_locals() {
    while (Gone* const last = g_last_made) {
        g_last_made = last->earlier;
        last->destructor(last->object);
        delete last;
    }
}

// SPDX-License-Identifier: Apache-2.0
// The memory functions that the compiler may call even in freestanding code.
#include <stddef.h>
#include <stdint.h>

namespace {

bool words_fit(const void* a, const void* b, size_t size) {
    return ((reinterpret_cast<uintptr_t>(a) | reinterpret_cast<uintptr_t>(b) | size) & 7) == 0;
}

} // namespace

extern "C" void* memcpy(void* target, const void* source, size_t size) {
    if (words_fit(target, source, size)) {
        auto* to = static_cast<uint64_t*>(target);
        const auto* from = static_cast<const uint64_t*>(source);
        for (size_t i = 0; i < size / 8; ++i) {
            to[i] = from[i];
        }
        return target;
    }
    auto* to = static_cast<unsigned char*>(target);
    const auto* from = static_cast<const unsigned char*>(source);
    for (size_t i = 0; i < size; ++i) {
        to[i] = from[i];
    }
    return target;
}

extern "C" void* memset(void* target, int value, size_t size) {
    const auto byte = static_cast<unsigned char>(value);
    if (words_fit(target, target, size)) {
        const uint64_t word = byte * UINT64_C(0x0101'0101'0101'0101);
        auto* to = static_cast<uint64_t*>(target);
        for (size_t i = 0; i < size / 8; ++i) {
            to[i] = word;
        }
        return target;
    }
    auto* to = static_cast<unsigned char*>(target);
    for (size_t i = 0; i < size; ++i) {
        to[i] = byte;
    }
    return target;
}

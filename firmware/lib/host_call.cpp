// SPDX-License-Identifier: Apache-2.0
#include "firmware/lib/host_call.h"

extern "C" {
alignas(64) __attribute__((section(".tohost"), used)) volatile uint64_t tohost = 0;
alignas(64) __attribute__((section(".tohost"), used)) volatile uint64_t fromhost = 0;
}

namespace pes::host_call {
namespace {

alignas(64) volatile uint64_t block[8];

} // namespace

bool call(uint64_t number, const Arguments& arguments, unsigned polls, int64_t& result) {
    block[0] = number;
    for (unsigned i = 0; i < 4; ++i) {
        block[i + 1] = arguments.word[i];
    }
    fromhost = 0;
    asm volatile("fence" ::: "memory");
    tohost = reinterpret_cast<uint64_t>(&block[0]);
    for (unsigned poll = 0; polls == kForEver || poll < polls; ++poll) {
        if (fromhost != 0) {
            fromhost = 0;
            asm volatile("fence" ::: "memory");
            result = static_cast<int64_t>(block[0]);
            return true;
        }
    }
    tohost = 0;
    return false;
}

} // namespace pes::host_call

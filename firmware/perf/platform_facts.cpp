// SPDX-License-Identifier: Apache-2.0
#include "firmware/perf/platform_facts.h"

#include "firmware/perf/error.h"
#include "firmware/perf/hart_state.h"

namespace pes::perf {

namespace {

constexpr size_t kTextSize = 4096;

host_platform::Facts facts;
char text[kTextSize + 1];

// A program's stack and heap grow from behind its data: the library takes the upper half.
void halve_free_memory(host_platform::Facts& told) {
    told.free_base += told.free_size / 2;
    told.free_size -= told.free_size / 2;
}

uint64_t either(uint64_t first, uint64_t second) {
    return first != 0 ? first : second;
}

} // namespace

void learn_platform() {
    const LockGuard guard(library.host_lock);
    host_platform::Facts told{};
    const int64_t length = machine::ask_platform(told, text, kTextSize);
    text[length > 0 ? length : 0] = '\0';
    if (length < 0) {
        return;
    }
    halve_free_memory(told);
    facts.clock_hz = either(facts.clock_hz, told.clock_hz);
    facts.timebase_hz = either(facts.timebase_hz, told.timebase_hz);
    if (facts.free_size == 0) {
        facts.free_base = told.free_base;
        facts.free_size = told.free_size;
    }
}

const host_platform::Facts& platform_facts() {
    return facts;
}

const char* platform_text() {
    return text;
}

void forget_platform() {
    facts = {};
    text[0] = '\0';
}

} // namespace pes::perf

int perfSetPlatform(const perfPlatform* platform) {
    using namespace pes::perf;
    if (library.harts != 0 || platform == nullptr) {
        return static_cast<int>(fail("perfSetPlatform comes before perfInit and takes an address"));
    }
    facts = {.clock_hz = platform->clock_hz,
             .timebase_hz = platform->timebase_hz,
             .free_base = reinterpret_cast<uint64_t>(platform->pool),
             .free_size = platform->pool_size};
    return static_cast<int>(Status::Ok);
}

// SPDX-License-Identifier: Apache-2.0
// The machine under the trace performance library as a test sees it: trace units that keep what is
// written, counters that stand where the test puts them, a host that keeps files.
#pragma once

#include "hw/interface/maps/trace.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pes::perf {

/// One store to a stimulus.
struct Store {
    unsigned bits = 0;
    std::uint32_t value = 0;

    bool operator==(const Store&) const = default;
};
inline Store word(std::uint32_t value) {
    return {32, value};
}
inline Store half(std::uint16_t value) {
    return {16, value};
}
inline Store byte(std::uint8_t value) {
    return {8, value};
}
std::ostream& operator<<(std::ostream& out, const Store& store);

/// An encoder or funnel: registers, with the rules that the library relies on.
class FakeUnit {
  public:
    std::uint32_t read(std::uint64_t offset);
    void write(std::uint64_t offset, std::uint32_t value);

    std::map<std::uint64_t, std::uint32_t> registers;
    std::uint32_t timestamp_type = trace_map::timestamp::kInternalCore;
    std::uint32_t timestamp_width = 40;
    std::uint64_t timestamp = 0;
    std::uint32_t sinks = 1U << trace_map::sink::kSram | 1U << trace_map::sink::kMemory;
    std::vector<std::uint32_t> sram = std::vector<std::uint32_t>(16);
    bool wrapped = false;
    unsigned resets = 0;
    bool there = true;
    bool has_room = true; ///< of the stimuli
    unsigned stores_until_stop = ~0U;
    std::map<unsigned, std::vector<Store>> stimuli;
};

struct FakeMachine {
    static constexpr unsigned kHarts = 4;
    static constexpr unsigned kFunnels = 2;
    static constexpr std::size_t kPool = 16384; ///< for buffers

    unsigned hart = 0;
    std::array<bool, kHarts> interrupts{true, true, true, true};
    bool torn = false; ///< a stimulus was written with interrupts on
    std::array<FakeUnit, kHarts> encoders;
    std::array<FakeUnit, kFunnels> funnels;

    unsigned counter_limit = 9; ///< counters from here on do not exist
    unsigned counter_width = 64;
    std::array<std::uint64_t, 32> counters{};
    std::array<std::uint64_t, 32> events{};
    std::uint64_t selector_mask = 0x1F; ///< bits that event selectors have
    std::uint32_t held = 0;

    std::uint64_t time = 0;
    std::uint64_t deadline = 0;
    unsigned timer_starts = 0;
    bool has_timer = true;
    bool has_counters = true;

    bool tells_facts = true;
    std::uint64_t timebase_hz = 10'000'000;
    std::string text; ///< of the platform

    bool file_service = true;
    std::size_t file_piece = ~std::size_t{0}; ///< bytes that the host takes in one call
    std::map<std::string, std::vector<std::uint8_t>> files;
};

/// The one under the library.
extern FakeMachine machine_state;

/// A fresh machine and a library that nobody has used.
void reset_machine();

} // namespace pes::perf

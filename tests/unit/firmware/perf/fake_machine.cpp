// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/firmware/perf/fake_machine.h"

#include "firmware/lib/host_file.h"
#include "firmware/perf/hart_state.h"
#include "firmware/perf/memory_pool.h"
#include "firmware/perf/platform_facts.h"
#include "firmware/perf/trace_places.h"

#include <algorithm>
#include <ostream>

namespace {

constexpr std::uint64_t kEncoders = 0x1100'0000;
constexpr std::uint64_t kFunnels = 0x1101'8000;
constexpr std::uint64_t kRamSinks = 0x1103'0000;
constexpr std::uint64_t kBlock = pes::trace_map::kBlockBytes;

template <typename Map>
volatile Map* at(std::uint64_t address) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the guest, never followed here
    return reinterpret_cast<volatile Map*>(address);
}

} // namespace

volatile TraceRegMemMap* const tmm[] = {
    at<TraceRegMemMap>(kEncoders), at<TraceRegMemMap>(kEncoders + kBlock),
    at<TraceRegMemMap>(kEncoders + 2 * kBlock), at<TraceRegMemMap>(kEncoders + 3 * kBlock)};
volatile TfTraceRegMemMap* const fmm = at<TfTraceRegMemMap>(kFunnels);
volatile TfTraceRegMemMap* const perfFunnels[] = {at<TfTraceRegMemMap>(kFunnels),
                                                  at<TfTraceRegMemMap>(kFunnels + kBlock)};
volatile RamSinkRegMemMap* const perfRamSinks[] = {
    at<RamSinkRegMemMap>(kRamSinks), at<RamSinkRegMemMap>(kRamSinks + kBlock),
    at<RamSinkRegMemMap>(kRamSinks + 2 * kBlock), at<RamSinkRegMemMap>(kRamSinks + 3 * kBlock)};

namespace pes::perf {

namespace map = trace_map;

FakeMachine machine_state;

std::ostream& operator<<(std::ostream& out, const Store& store) {
    return out << std::dec << store.bits << " bits 0x" << std::hex << store.value << std::dec;
}

std::uint32_t FakeUnit::read(std::uint64_t offset) {
    if (offset >= map::kItcStimulus && offset < map::kPcSamplingControl) {
        return has_room ? 1 : 0;
    }
    switch (offset) {
    case map::kControl:
        return registers[offset] | map::control::kEmpty;
    case map::kImplementation:
        return sinks;
    case map::kTimestampControl:
        return (registers[offset] & 0x00FF'FF8F) | timestamp_type << 4 | timestamp_width << 24;
    case map::kTimestampLower:
        return static_cast<std::uint32_t>(timestamp);
    case map::kTimestampUpper:
        return static_cast<std::uint32_t>(timestamp >> 32);
    case map::kSinkWritePointer:
        return registers[offset] | (wrapped ? map::kWrapped : 0);
    case map::kSinkData: {
        std::uint32_t& pointer = registers[map::kSinkReadPointer];
        const std::uint32_t value = sram.at(pointer / 4);
        pointer = (pointer + 4) % static_cast<std::uint32_t>(4 * sram.size());
        return value;
    }
    default:
        return registers[offset];
    }
}

void FakeUnit::write(std::uint64_t offset, std::uint32_t value) {
    if (offset == map::kControl && (value & map::control::kActive) == 0) {
        ++resets;
        registers.clear();
        wrapped = false;
        return;
    }
    if (offset == map::kSinkWritePointer) {
        wrapped = (value & map::kWrapped) != 0;
        const bool in_sram =
            registers[map::kControl] >> map::control::kSinkShift == map::sink::kSram;
        value &= ~3U;
        registers[offset] = in_sram ? value % static_cast<std::uint32_t>(4 * sram.size()) : value;
        return;
    }
    registers[offset] = offset == map::kControl ? value & ~map::control::kEmpty : value;
}

namespace {

alignas(64) std::array<std::uint8_t, 2 * FakeMachine::kPool> memory;

FakeUnit& unit_at(std::uint64_t address) {
    if (address >= kFunnels) {
        return machine_state.funnels.at((address - kFunnels) / kBlock);
    }
    return machine_state.encoders.at((address - kEncoders) / kBlock);
}

void store_stimulus(std::uint64_t address, unsigned bits, std::uint32_t value) {
    FakeUnit& unit = unit_at(address);
    machine_state.torn |= machine_state.interrupts.at(machine_state.hart);
    const std::uint64_t offset = address % kBlock - map::kItcStimulus;
    unit.stimuli[static_cast<unsigned>(offset / 4)].push_back({bits, value});
    if (unit.stores_until_stop != ~0U && --unit.stores_until_stop == 0) {
        unit.has_room = false; // nobody takes messages from the FIFO any more
        unit.registers[map::kControl] &= ~map::control::kEnable;
    }
}

} // namespace

void reset_machine() {
    machine_state = FakeMachine();
    library = Library();
    forget_platform();
    refill_pool();
}

namespace machine {

std::uint32_t load32(std::uint64_t address) {
    return unit_at(address).read(address % kBlock);
}

void store32(std::uint64_t address, std::uint32_t value) {
    const std::uint64_t offset = address % kBlock;
    if (offset >= map::kItcStimulus && offset < map::kPcSamplingControl) {
        store_stimulus(address, 32, value);
    } else {
        unit_at(address).write(offset, value);
    }
}

void store16(std::uint64_t address, std::uint16_t value) {
    store_stimulus(address, address % 4 == 2 ? 16 : 0, value);
}

void store8(std::uint64_t address, std::uint8_t value) {
    store_stimulus(address, address % 4 == 3 ? 8 : 0, value);
}

unsigned hart_id() {
    return machine_state.hart;
}

std::uint64_t mask_interrupts() {
    bool& enabled = machine_state.interrupts.at(machine_state.hart);
    const bool before = enabled;
    enabled = false;
    return before ? 1 : 0;
}

void restore_interrupts(std::uint64_t state) {
    machine_state.interrupts.at(machine_state.hart) |= state != 0;
}

namespace {

template <unsigned Last = 2>
CounterReader find_reader(unsigned last) {
    if constexpr (Last < 32) {
        const CounterReader reader = [](std::uint64_t* values) {
            const auto& counters = machine_state.counters;
            std::copy(counters.begin() + 3, counters.begin() + Last + 1, values + 3);
        };
        return last == Last ? reader : find_reader<Last + 1>(last);
    } else {
        return nullptr;
    }
}

} // namespace

CounterReader reader_of_counters(unsigned last) {
    return find_reader(last);
}

std::uint64_t read_counter(unsigned n) {
    return machine_state.counters.at(n);
}

std::uint64_t cycles() {
    return machine_state.counters[0];
}

std::uint64_t instructions() {
    return machine_state.counters[2];
}

void write_counter(unsigned n, std::uint64_t value) {
    const unsigned width = n < 3 ? 64 : machine_state.counter_width;
    machine_state.counters.at(n) =
        n < machine_state.counter_limit ? value & ~std::uint64_t{0} >> (64 - width) : 0;
}

std::uint64_t write_event(unsigned n, std::uint64_t selector) {
    return machine_state.events.at(n) = selector & machine_state.selector_mask;
}

void hold_counters(std::uint32_t mask) {
    machine_state.held |= mask;
}

void run_counters(std::uint32_t mask) {
    machine_state.held &= ~mask;
}

std::uint32_t held_counters() {
    return machine_state.held;
}

void let_user_read(std::uint32_t) {}

std::uint64_t time() {
    return machine_state.time;
}

void set_time_limit(std::uint64_t deadline) {
    machine_state.deadline = deadline;
}

bool answers(std::uint64_t address) {
    return unit_at(address).there;
}

bool has_counters() {
    return machine_state.has_counters;
}

bool has_timer() {
    return machine_state.has_timer;
}

std::int64_t ask_platform(host_platform::Facts& facts, char* text, std::size_t) {
    if (!machine_state.tells_facts) {
        return -38;
    }
    facts = {.clock_hz = 50'000'000,
             .timebase_hz = machine_state.timebase_hz,
             .free_base = reinterpret_cast<std::uint64_t>(memory.data()),
             .free_size = memory.size()};
    std::ranges::copy(machine_state.text, text);
    return static_cast<std::int64_t>(machine_state.text.size());
}

void start_timer_interrupts() {
    ++machine_state.timer_starts;
}

void order_memory() {}

} // namespace machine

} // namespace pes::perf

namespace pes {

namespace {

constexpr std::int64_t kDescriptor = 3;
constexpr std::int64_t kNoSuchCall = -38; // ENOSYS

std::vector<std::uint8_t>* open_file = nullptr;

} // namespace

std::int64_t host_file_create(const char* name) {
    if (!perf::machine_state.file_service) {
        return kNoSuchCall;
    }
    open_file = &perf::machine_state.files[name];
    open_file->clear();
    return kDescriptor;
}

/// Takes at most so many bytes a call as the test wants.
std::int64_t host_file_write(std::int64_t, const volatile void* bytes, std::size_t length) {
    const std::size_t taken = std::min(length, perf::machine_state.file_piece);
    const auto* from = static_cast<const volatile std::uint8_t*>(bytes);
    open_file->insert(open_file->end(), from, from + taken);
    return static_cast<std::int64_t>(taken);
}

std::int64_t host_file_close(std::int64_t) {
    return 0;
}

} // namespace pes

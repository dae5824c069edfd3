// SPDX-License-Identifier: Apache-2.0
#include "firmware/perf/trace_unit.h"

#include "firmware/perf/error.h"

namespace pes::perf {

namespace map = trace_map;

namespace {

// A unit that is there follows Active within a few cycles of its clock.
constexpr unsigned kActivePolls = 1000;

// A full FIFO leaves through the slowest sink long before.
constexpr unsigned kEmptyPolls = 1'000'000;

bool wait_for_active(const TraceUnit& unit, uint32_t active) {
    for (unsigned poll = 0; poll < kActivePolls; ++poll) {
        if ((unit.read(map::kControl) & map::control::kActive) == active) {
            return true;
        }
    }
    return false;
}

uint32_t timestamp_type(const TraceUnit& unit) {
    return unit.read(map::kTimestampControl) >> map::timestamp::kTypeShift &
           map::timestamp::kTypeMask;
}

} // namespace

Status TraceUnit::reset() const {
    if (base_ == 0 || !machine::answers(base_)) {
        return fail("nothing answers where the library expects ", UnitName{*this},
                    ": the machine has fewer units, or has them elsewhere");
    }
    write(map::kControl, 0);
    bool works = wait_for_active(*this, 0);
    if (works) {
        write(map::kControl, map::control::kActive);
        works = wait_for_active(*this, map::control::kActive);
    }
    return works ? Status::Ok : fail("", UnitName{*this}, " does not come out of reset");
}

uint32_t TraceUnit::sink() const {
    return read(map::kControl) >> map::control::kSinkShift;
}

Status TraceUnit::select_sink(uint32_t code) const {
    if (!has_sink(code)) {
        const char* const name = code == map::sink::kSram     ? " has no SRAM (SBABufferSize 0)"
                                 : code == map::sink::kMemory ? " has no sink in memory"
                                                              : " is not connected to a funnel";
        return fail("", UnitName{*this}, name);
    }
    write(map::kControl, code << map::control::kSinkShift | map::control::kActive);
    return Status::Ok;
}

// No program trace; no periodic synchronisation, which is for program trace.
void TraceUnit::enable_encoder() const {
    using namespace map::control;
    write(map::kControl, sink() << kSinkShift | kSyncNever << kSyncMaxUnitsShift |
                             kSyncNever << kSyncMaxMessagesShift | kStopOnWrap |
                             map::instrumentation::kStimuli << kInstrumentationShift |
                             map::instruction::kNone << kInstructionShift | kEnable | kActive);
}

void TraceUnit::enable_funnel() const {
    using namespace map::control;
    write(map::kControl, sink() << kSinkShift | kStopOnWrap | kEnable | kActive);
}

void TraceUnit::start_tracing() const {
    write(map::kControl, read(map::kControl) | map::control::kTracing);
}

bool TraceUnit::has_sink(uint32_t code) const {
    return (read(map::kImplementation) >> code & 1) != 0;
}

uint32_t TraceUnit::sink_word_bytes() const {
    return 4U << (read(map::kImplementation) >> map::implementation::kSinkBytesShift & 3);
}

Status TraceUnit::set_buffer(const Buffer& buffer) const {
    const uint64_t last = buffer.base + buffer.size - sink_word_bytes();
    const auto low = static_cast<uint32_t>(buffer.base);
    const auto high = static_cast<uint32_t>(buffer.base >> 32);
    if (last >> 32 != high) {
        return fail("the trace buffer crosses a 4 GiB line"); // the limit has no high half
    }
    write(map::kSinkBase, low);
    write(map::kSinkBaseHigh, high);
    write(map::kSinkLimit, static_cast<uint32_t>(last));
    write(map::kSinkWritePointer, low); // and the wrap flag cleared
    write(map::kSinkReadPointer, 0);
    const bool taken = read(map::kSinkBase) == low && read(map::kSinkBaseHigh) == high &&
                       read(map::kSinkLimit) == static_cast<uint32_t>(last);
    return taken ? Status::Ok
                 : fail("", UnitName{*this}, " does not take a buffer at ", Hex{buffer.base});
}

// The pointer keeps only what addresses a word of the SRAM, so the largest is that of its last one.
Buffer TraceUnit::set_sram() const {
    write(map::kSinkWritePointer, ~uint32_t{0});
    const uint64_t last = read(map::kSinkWritePointer) & ~uint32_t{3};
    write(map::kSinkWritePointer, 0);
    write(map::kSinkReadPointer, 0);
    return {.base = 0, .size = last + sink_word_bytes()};
}

void TraceUnit::enable_timestamp() const {
    using namespace map::timestamp;
    const uint32_t kept = read(map::kTimestampControl) & kTypeMask << kTypeShift;
    write(map::kTimestampControl, kept); // resets the unit
    write(map::kTimestampControl, kept | kActive);
    const uint32_t type = timestamp_type(*this);
    if (type == kNone) {
        return;
    }
    uint32_t control =
        kept | kActive | kEnable | kBranchMask << kBranchShift | kInstrumentation | kOwnership;
    if (type == kInternalBus || type == kInternalCore) {
        control |= kCount;
    }
    write(map::kTimestampControl, control);
}

bool TraceUnit::is_timestamp_master() const {
    const uint32_t type = timestamp_type(*this);
    return type >= map::timestamp::kExternal && type <= map::timestamp::kInternalCore;
}

unsigned TraceUnit::timestamp_width() const {
    return read(map::kTimestampControl) >> map::timestamp::kWidthShift;
}

unsigned TraceUnit::source_bits() const {
    constexpr uint32_t kMask = 7;
    const bool inhibited = (read(map::kControl) & map::control::kInhibitSource) != 0;
    return inhibited ? 0
                     : read(map::kImplementation) >> map::implementation::kSourceBitsShift & kMask;
}

unsigned TraceUnit::source() const {
    constexpr uint32_t kMask = 15;
    return source_bits() == 0
               ? 0
               : read(map::kImplementation) >> map::implementation::kSourceShift & kMask;
}

unsigned TraceUnit::prescale() const {
    const uint32_t code = read(map::kTimestampControl) >> map::timestamp::kPrescaleShift &
                          map::timestamp::kPrescaleMask;
    return 1U << (2 * code);
}

bool TraceUnit::full() const {
    const bool stops = (read(map::kControl) & map::control::kStopOnWrap) != 0;
    return stops && stopped() && (read(map::kSinkWritePointer) & map::kWrapped) != 0;
}

uint64_t TraceUnit::timestamp() const {
    for (;;) {
        const uint32_t high = read(map::kTimestampUpper);
        const uint32_t low = read(map::kTimestampLower);
        if (read(map::kTimestampUpper) == high) {
            return uint64_t{high} << 32 | low;
        }
    }
}

Status TraceUnit::flush(uint32_t& control) const {
    using namespace map::control;
    // Writing back a sticky bit would request (StallOrOverflow) or clear (SinkError) something.
    control = read(map::kControl) & ~(kEmpty | kStallOrOverflow | kSinkError);
    const uint32_t wrapped = read(map::kSinkWritePointer) & map::kWrapped;
    write(map::kControl, control & ~kEnable);
    for (unsigned poll = 0; poll < kEmptyPolls; ++poll) {
        if ((read(map::kControl) & kEmpty) != 0) {
            if ((read(map::kSinkWritePointer) & map::kWrapped) != wrapped &&
                (control & kStopOnWrap) != 0) {
                control &= ~kEnable; // the rest has filled the buffer
            }
            return Status::Ok;
        }
    }
    return fail("", UnitName{*this}, " does not become empty");
}

void TraceUnit::resume(uint32_t control) const {
    write(map::kControl, control);
}

} // namespace pes::perf

// SPDX-License-Identifier: Apache-2.0
#include "firmware/perf/trace_unit.h"

#include "firmware/perf/error.h"

namespace pes::perf {

namespace map = trace_map;
namespace control = trace_control;

namespace {

// A unit that is there follows Active within a few cycles of its clock.
constexpr unsigned kActivePolls = 1000;

// A full FIFO leaves through the slowest sink long before.
constexpr unsigned kEmptyPolls = 1'000'000;

// Bits that both sets have at the same places.
static_assert(map::control::kActive == control::kActive &&
              map::control::kEnable == control::kEnable &&
              map::control::kEmpty == control::kEmpty &&
              map::control::kTracing == control::encoder::kTracing &&
              map::control::kStallOrOverflow == control::encoder::kStallOrOverflow &&
              map::control::kInhibitSource == control::encoder::kInhibitSource &&
              map::kControl == control::kControl &&
              map::kImplementation == control::kImplementation);
static_assert(map::kTimestampControl == control::timestamp::kControl &&
              map::timestamp::kTypeShift == control::timestamp::kModeShift &&
              map::timestamp::kTypeMask == control::timestamp::kModeMask &&
              map::timestamp::kCount == control::timestamp::kCount &&
              map::timestamp::kEnable == control::timestamp::kEnable &&
              map::timestamp::kPrescaleShift == control::timestamp::kPrescaleShift &&
              map::timestamp::kWidthShift == control::timestamp::kWidthShift);
static_assert(map::kWrapped == control::ram::kWrapped);

bool wait_for_active(uint64_t base, uint32_t active) {
    for (unsigned poll = 0; poll < kActivePolls; ++poll) {
        if ((machine::load32(base + map::kControl) & map::control::kActive) == active) {
            return true;
        }
    }
    return false;
}

} // namespace

// A version in the place of teImpl.version: SiFive's is 0.
uint32_t TraceUnit::version() const {
    return read(map::kImplementation) >> control::implementation::kMajorShift &
           control::implementation::kFieldMask;
}

uint32_t TraceUnit::type() const {
    return read(map::kImplementation) >> control::implementation::kTypeShift &
           control::implementation::kFieldMask;
}

bool TraceUnit::is_ram_sink() const {
    return is_standard() && type() == control::implementation::kRamSink;
}

bool TraceUnit::is_encoder() const {
    return is_standard() && type() == control::implementation::kEncoder;
}

Status TraceUnit::reset() const {
    if (base_ == 0 || !machine::answers(base_)) {
        return fail("nothing answers where the library expects ", UnitName{*this},
                    ": the machine has fewer units, or has them elsewhere");
    }
    write(map::kControl, 0);
    bool works = wait_for_active(base_, 0);
    if (works) {
        write(map::kControl, map::control::kActive);
        works = wait_for_active(base_, map::control::kActive);
    }
    return works ? Status::Ok : fail("", UnitName{*this}, " does not come out of reset");
}

// ------------------------------------------------------------------------------------------------
// Sinks

uint32_t TraceUnit::sink() const {
    return read(map::kControl) >> map::control::kSinkShift;
}

bool TraceUnit::has_sink(uint32_t code) const {
    const uint32_t implementation = read(map::kImplementation);
    if (is_ram_sink()) {
        const uint32_t bit = code == map::sink::kSram ? control::implementation::kHasSram
                                                      : control::implementation::kHasMemory;
        return (implementation & bit) != 0;
    }
    return (implementation >> code & 1) != 0;
}

Status TraceUnit::select_sink(uint32_t code) const {
    if (!has_sink(code)) {
        const char* const name = code == map::sink::kSram     ? " has no SRAM (SBABufferSize 0)"
                                 : code == map::sink::kMemory ? " has no sink in memory"
                                                              : " is not connected to a funnel";
        return fail("", UnitName{*this}, name);
    }
    if (is_ram_sink()) {
        write(map::kControl,
              control::kActive | (code == map::sink::kMemory ? control::ram::kModeMemory : 0));
    } else {
        write(map::kControl, code << map::control::kSinkShift | map::control::kActive);
    }
    return Status::Ok;
}

uint32_t TraceUnit::sink_word_bytes() const {
    if (is_ram_sink()) { // another vendor's do not tell: 32 bits are always right
        const uint32_t bytes = read(control::ram::kWordBytes);
        return bytes != 0 ? bytes : 4;
    }
    return 4U << (read(map::kImplementation) >> map::implementation::kSinkBytesShift & 3);
}

Status TraceUnit::set_buffer(const Buffer& buffer) const {
    const bool ram = is_ram_sink();
    const uint64_t word = ram ? sizeof(uint32_t) : sink_word_bytes();
    const uint64_t last = buffer.base + buffer.size - word;
    const auto low = static_cast<uint32_t>(buffer.base);
    const auto high = static_cast<uint32_t>(buffer.base >> 32);
    const auto last_high = static_cast<uint32_t>(last >> 32);
    if (!ram && last_high != high) {
        return fail("the trace buffer crosses a 4 GiB line"); // the limit has no high half
    }
    const uint64_t start_low = ram ? control::ram::kStartLow : map::kSinkBase;
    const uint64_t start_high = ram ? control::ram::kStartHigh : map::kSinkBaseHigh;
    const uint64_t limit_low = ram ? control::ram::kLimitLow : map::kSinkLimit;
    write(start_low, low);
    write(start_high, high);
    write(limit_low, static_cast<uint32_t>(last));
    if (ram) {
        write(control::ram::kLimitHigh, last_high);
        write(control::ram::kWritePointerHigh, high);
    }
    write(pointer_register(), low); // and the wrap flag cleared
    set_read_pointer(0);
    const bool taken = read(start_low) == low && read(start_high) == high &&
                       read(limit_low) == static_cast<uint32_t>(last);
    return taken ? Status::Ok
                 : fail("", UnitName{*this}, " does not take a buffer at ", Hex{buffer.base});
}

// SiFive: the pointer keeps only what addresses a word of the SRAM, so the largest is that of its
// last one.
Buffer TraceUnit::set_sram() const {
    uint64_t size = 0;
    if (is_ram_sink()) {
        size = uint64_t{read(control::ram::kLimitLow)} + sizeof(uint32_t);
    } else {
        write(map::kSinkWritePointer, ~uint32_t{0});
        size = uint64_t{read(map::kSinkWritePointer) & ~uint32_t{3}} + sink_word_bytes();
    }
    write(pointer_register(), 0);
    set_read_pointer(0);
    return {.base = 0, .size = size};
}

uint64_t TraceUnit::pointer_register() const {
    return is_ram_sink() ? control::ram::kWritePointerLow : map::kSinkWritePointer;
}

WritePointer TraceUnit::write_pointer() const {
    const uint32_t value = read(pointer_register());
    return {.address = value & ~uint32_t{3}, .wrapped = (value & map::kWrapped) != 0};
}

uint32_t TraceUnit::words_written() const {
    return read(is_ram_sink() ? control::ram::kWordCount : map::kWordCount);
}

void TraceUnit::set_read_pointer(uint32_t offset) const {
    write(is_ram_sink() ? control::ram::kReadPointerLow : map::kSinkReadPointer, offset);
}

uint32_t TraceUnit::take_data() const {
    return read(is_ram_sink() ? control::ram::kData : map::kSinkData);
}

uint32_t TraceUnit::stop_on_wrap() const {
    if (!is_standard()) {
        return map::control::kStopOnWrap;
    }
    return is_ram_sink() ? control::ram::kStopOnWrap : 0;
}

bool TraceUnit::full() const {
    const bool stops = (read(map::kControl) & stop_on_wrap()) != 0;
    return stops && stopped() && write_pointer().wrapped;
}

// ------------------------------------------------------------------------------------------------
// Encoder and funnel

// No program trace; no periodic synchronisation, which is for program trace.
void TraceUnit::enable_encoder() const {
    if (is_standard()) {
        write(control::vendor::kInstrumentation, map::instrumentation::kStimuli);
        write(map::kControl, control::encoder::kSyncOff << control::encoder::kSyncModeShift |
                                 control::encoder::kModeOff << control::encoder::kModeShift |
                                 control::kEnable | control::kActive);
        return;
    }
    using namespace map::control;
    write(map::kControl, sink() << kSinkShift | kSyncNever << kSyncMaxUnitsShift |
                             kSyncNever << kSyncMaxMessagesShift | kStopOnWrap |
                             map::instrumentation::kStimuli << kInstrumentationShift |
                             map::instruction::kNone << kInstructionShift | kEnable | kActive);
}

void TraceUnit::enable_stimulus(unsigned channel) const {
    write(is_standard() ? control::vendor::kItcTraceEnable : map::kItcTraceEnable, 1U << channel);
}

uint64_t TraceUnit::stimulus(unsigned channel) const {
    return base_ + (is_standard() ? control::vendor::kItcStimulus : map::kItcStimulus) +
           uint64_t{4} * channel;
}

void TraceUnit::enable_funnel() const {
    using namespace map::control;
    const uint32_t sink_of_it = is_standard() ? 0 : sink() << kSinkShift | kStopOnWrap;
    write(map::kControl, sink_of_it | kEnable | kActive);
}

void TraceUnit::enable_sink() const {
    write(map::kControl, (read(map::kControl) & control::ram::kModeMemory) |
                             control::ram::kStopOnWrap | control::kEnable | control::kActive);
}

// Writing back a 1 would clear the sticky bit of a standard unit.
void TraceUnit::start_tracing() const {
    const uint32_t sticky = is_standard() ? map::control::kStallOrOverflow : 0;
    write(map::kControl, (read(map::kControl) & ~sticky) | map::control::kTracing);
}

// ------------------------------------------------------------------------------------------------
// Timestamps, SRC

uint32_t TraceUnit::timestamp_type() const {
    return read(map::kTimestampControl) >> map::timestamp::kTypeShift & map::timestamp::kTypeMask;
}

void TraceUnit::enable_timestamp() const {
    using namespace map::timestamp;
    const uint32_t kept = read(map::kTimestampControl) & kTypeMask << kTypeShift;
    write(map::kTimestampControl, kept); // resets the unit
    write(map::kTimestampControl, kept | kActive);
    const uint32_t type = timestamp_type();
    if (type == kNone) {
        return;
    }
    uint32_t value = kept | kActive | kEnable;
    if (!is_standard()) { // the vendor's bits of the standard's would take timestamps away
        value |= kBranchMask << kBranchShift | kInstrumentation | kOwnership;
    }
    if (type == kInternalBus || type == kInternalCore) {
        value |= kCount;
    }
    write(map::kTimestampControl, value);
}

bool TraceUnit::is_timestamp_master() const {
    if (is_ram_sink()) {
        return false;
    }
    const uint32_t type = timestamp_type();
    return type >= map::timestamp::kExternal && type <= map::timestamp::kInternalCore;
}

unsigned TraceUnit::timestamp_width() const {
    return read(map::kTimestampControl) >> map::timestamp::kWidthShift;
}

bool TraceUnit::timestamps_are_differences() const {
    if (is_encoder()) {
        constexpr uint32_t kMask = 7;
        return (read(map::kControl) >> control::encoder::kFormatShift & kMask) ==
               control::encoder::kFormatNTrace;
    }
    return (read(map::kTimestampControl) & map::timestamp::kDifference) != 0;
}

unsigned TraceUnit::source_bits() const {
    if ((read(map::kControl) & map::control::kInhibitSource) != 0) {
        return 0;
    }
    if (is_standard()) {
        return read(control::encoder::kFeatures) >> control::encoder::kSourceBitsShift;
    }
    constexpr uint32_t kMask = 7;
    return read(map::kImplementation) >> map::implementation::kSourceBitsShift & kMask;
}

unsigned TraceUnit::source() const {
    if (source_bits() == 0) {
        return 0;
    }
    if (is_standard()) {
        return read(control::encoder::kFeatures) >> control::encoder::kSourceShift &
               control::encoder::kSourceMask;
    }
    constexpr uint32_t kMask = 15;
    return read(map::kImplementation) >> map::implementation::kSourceShift & kMask;
}

unsigned TraceUnit::prescale() const {
    const uint32_t code = read(map::kTimestampControl) >> map::timestamp::kPrescaleShift &
                          map::timestamp::kPrescaleMask;
    return 1U << (2 * code);
}

uint64_t TraceUnit::timestamp() const {
    const bool standard = is_standard();
    const uint64_t lower = standard ? control::timestamp::kCounterLow : map::kTimestampLower;
    const uint64_t upper = standard ? control::timestamp::kCounterHigh : map::kTimestampUpper;
    for (;;) {
        const uint32_t high = read(upper);
        const uint32_t low = read(lower);
        if (read(upper) == high) {
            return uint64_t{high} << 32 | low;
        }
    }
}

// ------------------------------------------------------------------------------------------------
// What is on its way

Status TraceUnit::flush(uint32_t& before) const {
    using namespace map::control;
    // Writing back a sticky bit would request (StallOrOverflow) or clear (SinkError, and with the
    // standard registers StallOrOverflow) something.
    before = read(map::kControl) & ~(kEmpty | kStallOrOverflow | kSinkError);
    const uint32_t stops = before & stop_on_wrap();
    const bool wrapped = stops != 0 && write_pointer().wrapped;
    write(map::kControl, before & ~kEnable);
    for (unsigned poll = 0; poll < kEmptyPolls; ++poll) {
        if ((read(map::kControl) & kEmpty) != 0) {
            if (stops != 0 && write_pointer().wrapped != wrapped) {
                before &= ~kEnable; // the rest has filled the buffer
            }
            return Status::Ok;
        }
    }
    return fail("", UnitName{*this}, " does not become empty");
}

void TraceUnit::resume(uint32_t before) const {
    write(map::kControl, before);
}

} // namespace pes::perf

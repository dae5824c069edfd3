// SPDX-License-Identifier: Apache-2.0
// The performance records that software writes into the trace through one stimulus, as SiFive's
// trace performance library codes them. Freestanding: firmware writes with these functions, the
// decoder reads with these constants, tests do both.
//
//   header   marker(32) count type(8) counter mask(32), then for each counter, lowest first:
//            event type(32) event code(32) | event data low(32) high(32), counter info(32)
//   record   kind(8) address, call site (enter and exit only), then for each counter, lowest first:
//            its value
//   address  low word(32), high word(32) only if it is not 0: bit 0 of the low word says so
//   value    bits 31:0(32), bits 47:32(16) only if the value is 2^32 or more
//
// The number in brackets is the size of the store. A header starts each stretch of trace; nothing
// marks the end of a record but the number of its values.
//
// CountType says what is in address and value:
//   Raw       address, counter
//   Delta     address, counter minus the previous one (of the previous record, at first of the time
//             when the header was written)
//   DeltaXor  both XOR the previous one. Addresses have one reference for first and second address,
//             counters one each; a header sets all of them to 0.
#pragma once

#include <stdint.h>

namespace pes::perf_record {

inline constexpr unsigned kDefaultStimulus = 6;
inline constexpr uint32_t kMarker = 0x70657266; ///< "perf"

inline constexpr unsigned kMostCounters = 32;    ///< bits of the mask
inline constexpr unsigned kTimestampCounter = 1; ///< its "counter" is the timestamp of the trace
inline constexpr uint32_t kTimestampCode = 0x80; ///< and this its event code, of type General
inline constexpr uint32_t kCyclesCode = 1;       ///< of counter 0
inline constexpr uint32_t kInstructionsCode = 2; ///< of counter 2

enum class CountType : uint8_t { Raw = 0, Delta = 1, DeltaXor = 2 };
inline constexpr unsigned kCountTypes = 3;

enum class RecordKind : uint8_t { FunctionEnter = 0, FunctionExit = 1, Manual = 2, Interrupt = 3 };
inline constexpr unsigned kRecordKinds = 4;

/// As in the performance monitoring extension of SBI: events with a code, cache events with a code,
/// raw events with the value of the event selector.
enum class EventType : uint32_t { General = 0, Cache = 1, Raw = 2 };
inline constexpr unsigned kEventTypes = 3;

/// The second address: the function that is entered or left has been called from there.
constexpr bool has_call_site(RecordKind kind) {
    return kind == RecordKind::FunctionEnter || kind == RecordKind::FunctionExit;
}

/// A raw event has two words, the high one even on RV32 where it is 0.
constexpr unsigned event_words(EventType type) {
    return type == EventType::Raw ? 2 : 1;
}

// Counter info: bits 11:0 the CSR that user mode reads (0 for the timestamp), bits 17:12 the
// counter's width less 1.
inline constexpr unsigned kInfoCsrBits = 12;
inline constexpr unsigned kInfoWidthBits = 6;

struct CounterInfo {
    uint32_t csr = 0;
    unsigned width = 64; ///< bits, 1 to 64
};

constexpr uint32_t pack_info(CounterInfo info) {
    return (info.csr & ((1U << kInfoCsrBits) - 1)) | ((info.width - 1) << kInfoCsrBits);
}

constexpr CounterInfo unpack_info(uint32_t word) {
    return {.csr = word & ((1U << kInfoCsrBits) - 1),
            .width = ((word >> kInfoCsrBits) & ((1U << kInfoWidthBits) - 1)) + 1};
}

inline constexpr uint32_t kHighAddressFollows = 1; ///< bit 0 of the low word; addresses are even

inline constexpr unsigned kMostValueBits = 48;

/// What a counter of `width` bits is moved on by when it is found behind its previous value: it has
/// wrapped, once. 64 bits wrap in the subtraction itself and are not seen in XOR.
constexpr uint64_t unwrapped(uint64_t now, uint64_t previous, unsigned width) {
    return now < previous && width < 64 ? now + (uint64_t{1} << width) : now;
}

/// The value to write. Of Raw and DeltaXor a header sets `previous` to 0.
constexpr uint64_t coded_value(CountType type, uint64_t now, uint64_t previous, unsigned width) {
    switch (type) {
    case CountType::Delta:
        return unwrapped(now, previous, width) - previous;
    case CountType::DeltaXor:
        return unwrapped(now, previous, width) ^ previous;
    case CountType::Raw:
        break;
    }
    return now;
}

// Writing. A Stimulus has word(uint32_t), half(uint16_t) and byte(uint8_t): one store each. It may
// have only_word(uint32_t value, uint64_t rest), which stores the word if `rest` is 0 and there is
// room at once, and says whether it did: most addresses and values need no other test.

template <typename Stimulus>
constexpr bool write_only_word(Stimulus& to, uint32_t value, uint64_t rest) {
    if constexpr (requires { to.only_word(value, rest); }) {
        return to.only_word(value, rest);
    }
    return false;
}

template <typename Stimulus>
constexpr void write_header(Stimulus& to, CountType type, uint32_t counter_mask) {
    to.word(kMarker);
    to.byte(static_cast<uint8_t>(type));
    to.word(counter_mask);
}

/// For each bit of the mask. `event`: the code, or the value of the event selector.
template <typename Stimulus>
constexpr void write_definition(Stimulus& to, EventType type, uint64_t event, CounterInfo info) {
    to.word(static_cast<uint32_t>(type));
    to.word(static_cast<uint32_t>(event));
    if (event_words(type) == 2) {
        to.word(static_cast<uint32_t>(event >> 32));
    }
    to.word(pack_info(info));
}

template <typename Stimulus>
constexpr void write_kind(Stimulus& to, RecordKind kind) {
    to.byte(static_cast<uint8_t>(kind));
}

/// The address, or its XOR to the previous one.
template <typename Stimulus>
constexpr void write_address(Stimulus& to, uint64_t address) {
    const uint32_t low = static_cast<uint32_t>(address) & ~kHighAddressFollows;
    const auto high = static_cast<uint32_t>(address >> 32);
    if (write_only_word(to, low, high)) {
        return;
    }
    to.word(high != 0 ? low | kHighAddressFollows : low);
    if (high != 0) {
        to.word(high);
    }
}

/// Bits above 47 are not recorded.
template <typename Stimulus>
constexpr void write_value(Stimulus& to, uint64_t value) {
    const auto low = static_cast<uint32_t>(value);
    if (write_only_word(to, low, value >> 32)) {
        return;
    }
    to.word(low);
    if (value >> 32 != 0) {
        to.half(static_cast<uint16_t>(value >> 32));
    }
}

} // namespace pes::perf_record

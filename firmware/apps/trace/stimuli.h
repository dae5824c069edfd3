// SPDX-License-Identifier: Apache-2.0
// What the demonstration of stimuli beside program trace sends, in which order: for the program,
// and for whoever wants to know what a trace of it has to hold. A sink has word(), half() and
// byte(), one store each.
#pragma once

#include "hw/interface/trace/perf_record.h"

#include <stdint.h>

namespace pes::demo {

inline constexpr unsigned kRounds = 12;
inline constexpr unsigned kSteps = 10;         ///< of the burst in a round
inline constexpr unsigned kRecordsOfRound = 2; ///< behind the burst
inline constexpr unsigned kRecords = kRounds * kRecordsOfRound;
inline constexpr unsigned kValueStimulus = 3;
inline constexpr unsigned kRecordStimulus = perf_record::kDefaultStimulus;

struct Reading {
    uint64_t cycles = 0;
    uint64_t instructions = 0;
};

/// One step of a burst, to kValueStimulus. No two words and no two half-words of a hart are equal.
template <typename Sink>
constexpr void send_step(Sink& to, uint64_t hart, unsigned round, unsigned step) {
    to.word(static_cast<uint32_t>(hart + 1) << 24 | round << 16 | step);
    to.half(static_cast<uint16_t>(round << 8 | step));
    to.byte(static_cast<uint8_t>(round ^ step));
}

/// In front of the records of each round, to kRecordStimulus: counters 0 and 2, as they are.
template <typename Sink>
constexpr void send_header(Sink& to) {
    using namespace perf_record;
    write_header(to, CountType::Raw, 1U << 0 | 1U << 2);
    write_definition(to, EventType::General, kCyclesCode, {.csr = 0xC00, .width = 64});
    write_definition(to, EventType::General, kInstructionsCode, {.csr = 0xC02, .width = 64});
}

/// To kRecordStimulus.
template <typename Sink>
constexpr void send_record(Sink& to, uint64_t address, const Reading& reading) {
    using namespace perf_record;
    write_kind(to, RecordKind::Manual);
    write_address(to, address);
    write_value(to, reading.cycles);
    write_value(to, reading.instructions);
}

} // namespace pes::demo

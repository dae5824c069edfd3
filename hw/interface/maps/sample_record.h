// SPDX-License-Identifier: Apache-2.0
// The sample record: written by the PES handler in firmware, read by the decoder. Freestanding,
// little endian, 64 bytes, naturally aligned. This is its only definition.
#pragma once

#include <stdint.h>

namespace pes {

struct SampleRecord {
    uint32_t magic;         ///< kSampleMagic
    uint16_t size;          ///< bytes in this record, kSampleSize
    uint16_t version;       ///< kSampleVersion
    uint32_t hart;          ///< mhartid
    uint8_t counter;        ///< 0 = cycle, 2 = instret, 3..31 = mhpmcounterN
    uint8_t privilege;      ///< interrupted mode: 0 U, 1 S, 3 M
    uint16_t flags;         ///< kSampleLengthened, else 0
    uint64_t event;         ///< mhpmeventN at the time of the sample; 0 for cycle and instret
    uint64_t pc;            ///< mepc: the interrupted instruction (skid: not the causing one)
    uint64_t cycle;         ///< mcycle on entry to the handler
    uint64_t counter_value; ///< the counter on entry to the handler, before it was reset
    uint64_t threshold;     ///< the period that was in force: events a sample stands for
    uint64_t lost;          ///< records lost since sampling began, before this one
};

inline constexpr uint32_t kSampleMagic = 0x31534550; ///< "PES1" in memory order
inline constexpr uint16_t kSampleVersion = 1;
inline constexpr uint16_t kSampleSize = 64;
/// flags: the period is longer than was asked for, to let the program go on.
inline constexpr uint16_t kSampleLengthened = 1;
static_assert(sizeof(SampleRecord) == kSampleSize);

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The sample record: written by the PES handler in firmware, read by the decoder. Freestanding,
// little endian, naturally aligned. This is its only definition.
//
// Version 1 has 64 bytes. Version 2 has SampleDetails behind them, and behind those the values that
// they announce, 8 bytes each: counters, registers, calls.
#pragma once

#include <stdint.h>

namespace pes {

struct SampleRecord {
    uint32_t magic;    ///< kSampleMagic
    uint16_t size;     ///< bytes in this record; version 1: kSampleSize
    uint16_t version;  ///< kSampleVersion or kDetailedVersion
    uint32_t hart;     ///< mhartid
    uint8_t counter;   ///< 0 = cycle, 2 = instret, 3..31 = mhpmcounterN
    uint8_t privilege; ///< interrupted mode: 0 U, 1 S, 3 M
    uint16_t flags;    ///< kSampleLengthened, kSampleCaused
    uint64_t event;    ///< mhpmeventN at the time of the sample; 0 for cycle and instret
    uint64_t pc;       ///< mepc, the interrupted instruction, or with kSampleCaused who caused it
    uint64_t cycle;    ///< mcycle on entry to the handler
    uint64_t counter_value; ///< the counter on entry to the handler, before it was reset
    uint64_t threshold;     ///< the period that was in force: events a sample stands for
    uint64_t lost;          ///< records lost since sampling began, before this one
};

/// Of version 2.
struct SampleDetails {
    uint64_t interrupted_pc; ///< mepc
    uint64_t data_address;   ///< of the access of `pc`; 0: it makes none, or is not who caused it
    uint64_t satp;           ///< of the interrupted program, its ASID in bits 59:44
    uint32_t counters;       ///< bit n: the value of counter n follows, lowest first
    uint32_t registers;      ///< bit n: the value of xn follows, lowest first
    uint32_t calls; ///< so many addresses of calls follow that have not returned, innermost first
    uint32_t reserved; ///< 0
};

inline constexpr uint32_t kSampleMagic = 0x31534550; ///< "PES1" in memory order
inline constexpr uint16_t kSampleVersion = 1;
inline constexpr uint16_t kDetailedVersion = 2;
inline constexpr uint16_t kSampleSize = 64;
/// Calls in a record, at most: those behind have no place.
inline constexpr uint32_t kMostCalls = 127;
/// With the values of all counters and registers.
inline constexpr uint16_t kLargestSample =
    kSampleSize + sizeof(SampleDetails) + (2 * 32 + kMostCalls) * sizeof(uint64_t);
/// flags: the period is longer than was asked for, to let the program go on.
inline constexpr uint16_t kSampleLengthened = 1;
/// flags: `pc` is the instruction that caused the event, as the hart has captured it (mhpmmspc).
inline constexpr uint16_t kSampleCaused = 2;
static_assert(sizeof(SampleRecord) == kSampleSize);
static_assert(sizeof(SampleDetails) == 40);

} // namespace pes

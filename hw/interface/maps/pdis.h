// SPDX-License-Identifier: Apache-2.0
// Registers and record of Smpdis/Sspdis, "Precise Decoded Instruction Sampling": the draft of
// 2026-09, riscv-performance-event-sampling, spdis.adoc. Freestanding. The draft assigns no CSR
// numbers; docs/precise-sampling.md has those of the platform.
#pragma once

#include <stdint.h>

namespace pes::pdis {

/// Bit 1 of mcountinhibit, scountinhibit and scountovf is PDIS's.
inline constexpr unsigned kCounterBit = 1;

/// mpdisctl; spdisctl has all but M.
namespace control {
inline constexpr uint64_t kSel = 7;     ///< what is counted: 0 all, 1 loads, 2 stores, 3 either,
inline constexpr uint64_t kLastSel = 4; ///< 4 control transfers
inline constexpr uint64_t kMem = uint64_t{1} << 32; ///< hardwired: records go to memory
inline constexpr uint64_t kAcc = uint64_t{1} << 33; ///< a discarded sample selects the next
inline constexpr uint64_t kTs = uint64_t{1} << 34;  ///< records have a time
inline constexpr uint64_t kPa = uint64_t{1} << 35;  ///< records have physical addresses
inline constexpr uint64_t kU = uint64_t{1} << 60;
inline constexpr uint64_t kS = uint64_t{1} << 61;
inline constexpr uint64_t kM = uint64_t{1} << 62;
inline constexpr uint64_t kOf = uint64_t{1} << 63;
} // namespace control

/// spdisambcs: control and status of the memory buffer ("sambcs" of Ssamb).
namespace buffer {
inline constexpr uint64_t kEnable = 1;           ///< EN
inline constexpr uint64_t kFault = 2;            ///< TF: a page is not there
inline constexpr uint64_t kThresholdReached = 4; ///< BMI
inline constexpr unsigned kSizeShift = 7;        ///< SIZE: 2^(SIZE + 12) bytes
inline constexpr uint64_t kSizeMask = 31;
inline constexpr uint64_t kLargestSize = 20;
inline constexpr unsigned kFaultPageShift = 12; ///< TFPTR
inline constexpr uint64_t kFaultPageMask = (uint64_t{1} << 20) - 1;
inline constexpr unsigned kThresholdShift = 32; ///< BMITH: quarter of the buffer
inline constexpr uint64_t kThresholdMask = 3;
inline constexpr uint64_t kThresholdEnable = uint64_t{1} << 34; ///< BMIEN
inline constexpr uint64_t kStopOnFull = uint64_t{1} << 35;      ///< SOF
inline constexpr uint64_t kWrap = uint64_t{1} << 61;
inline constexpr uint64_t kEmpty = uint64_t{1} << 62;
inline constexpr uint64_t kTranslated = uint64_t{1} << 63; ///< TRV
/// But for SIZE.
inline constexpr uint64_t kWritable =
    kEnable | kFault | kThresholdReached | kFaultPageMask << kFaultPageShift |
    kThresholdMask << kThresholdShift | kThresholdEnable | kStopOnFull | kWrap;
} // namespace buffer

/// spdisfilter.
namespace filter {
inline constexpr uint64_t kThreshold = 0xFFF;
inline constexpr uint64_t kInvert = uint64_t{1} << 12;
inline constexpr unsigned kLatencyShift =
    13; ///< 0 total, 1 dispatch, 2 issue, 3 execution, 4 oldest
inline constexpr uint64_t kLatency = uint64_t{7} << kLatencyShift;
inline constexpr uint64_t kLastLatency = 4;
} // namespace filter

/// spdisevmask, spdisevmatch: the bits of the header that take part.
inline constexpr uint64_t kEventBits = (uint64_t{1} << 56) - 1;

/// The record's words, 64 bytes; siselect kSelect shows the first six through sireg .. sireg6.
enum Word : unsigned { kHeader, kPc, kTime, kLatencies, kAddress1, kAddress2 };
inline constexpr unsigned kRecordWords = 8;
inline constexpr unsigned kRecordBytes = 64;
inline constexpr unsigned kShownWords = 6;
inline constexpr uint64_t kSelect = 0x60; ///< and the next, with the two reserved words

/// pdishdrev.
namespace header {
inline constexpr uint64_t kType = 7; ///< 0 other, 1 load, 2 store, 3 both, 4 control transfer
inline constexpr uint64_t kAddress1Valid = uint64_t{1} << 32;
inline constexpr uint64_t kAddress2Valid = uint64_t{1} << 33;
inline constexpr uint64_t kFlushed = uint64_t{1} << 34;
inline constexpr unsigned kFlushShift = 35; ///< 1 branch misprediction, 2 memory ordering, 3 other
inline constexpr uint64_t kPartial = uint64_t{1} << 37;
inline constexpr uint64_t kItlbMiss = uint64_t{1} << 39;
inline constexpr uint64_t kIcacheMiss = uint64_t{1} << 40;
inline constexpr uint64_t kFetchValid = uint64_t{1} << 41; ///< ICITV
// Loads and stores
inline constexpr uint64_t kFirstTlbMiss = uint64_t{1} << 42;
inline constexpr uint64_t kLastTlbMiss = uint64_t{1} << 43;
inline constexpr uint64_t kFirstMiss = uint64_t{1} << 44;
inline constexpr uint64_t kLastMiss = uint64_t{1} << 45;
inline constexpr unsigned kSourceShift = 46; ///< DSRC: 0 unknown, 1 L1D, 2 memory, 3 device
// Control transfers: bit kTransferShift + type (riscv/transfer_type.h), of which these are two
inline constexpr unsigned kTransferShift = 39;
inline constexpr uint64_t kNotTaken = uint64_t{1} << 43;
inline constexpr uint64_t kTaken = uint64_t{1} << 44;
inline constexpr uint64_t kMispredicted = uint64_t{1} << 55;
} // namespace header

/// pdislat: five latencies of 12 bits, total, dispatch, issue, execution, oldest; the four valid
/// bits are those of the last four.
namespace latency {
inline constexpr unsigned kBits = 12;
inline constexpr uint64_t kMost = (uint64_t{1} << kBits) - 1;
inline constexpr unsigned kFirstValid = 60;
} // namespace latency

} // namespace pes::pdis

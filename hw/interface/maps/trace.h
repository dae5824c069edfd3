// SPDX-License-Identifier: Apache-2.0
// Registers of the trace encoder and the trace funnel, one 4 KiB block each. Freestanding.
//
// The map is that of SiFive's encoders (version 0 of the trace control interface, as their firmware
// and OpenOCD scripts use it). All registers are 32 bits wide. A funnel has the same registers at
// the same offsets where it has them at all: control, implementation, sink, timestamp, probe.
#pragma once

#include <stdint.h>

namespace pes::trace_map {

inline constexpr uint64_t kBlockBytes = 0x1000;

inline constexpr uint64_t kControl = 0x000;
inline constexpr uint64_t kImplementation = 0x004;
/// Of E-Trace, where Trace Control 1.0 has it.
inline constexpr uint64_t kEventControl = 0x00C;
inline constexpr uint64_t kSinkBase = 0x010;
inline constexpr uint64_t kSinkBaseHigh = 0x014;
inline constexpr uint64_t kSinkLimit = 0x018; ///< address of the last word, not a size
inline constexpr uint64_t kSinkWritePointer = 0x01C;
inline constexpr uint64_t kSinkReadPointer = 0x020;
inline constexpr uint64_t kSinkData = 0x024; ///< window onto the SRAM at the read pointer
inline constexpr uint64_t kFifo = 0x030;
inline constexpr uint64_t kMessageCount = 0x034;
inline constexpr uint64_t kWordCount = 0x038;
inline constexpr uint64_t kTimestampControl = 0x040;
inline constexpr uint64_t kTimestampLower = 0x044;
inline constexpr uint64_t kTimestampUpper = 0x048;
inline constexpr uint64_t kTriggerInControl = 0x050;
inline constexpr uint64_t kTriggerOutControl = 0x054;
inline constexpr uint64_t kWatchpointControl = 0x058;
inline constexpr uint64_t kItcTraceEnable = 0x060;
inline constexpr uint64_t kItcTriggerEnable = 0x064;
inline constexpr uint64_t kItcStimulus = 0x080; ///< + 4 * n, n = 0..31
inline constexpr uint64_t kPcSamplingControl = 0x100;
inline constexpr uint64_t kPcCaptureHigh = 0x138;
inline constexpr uint64_t kPcCapture = 0x13C;
inline constexpr uint64_t kPcSampleHigh = 0x178;
inline constexpr uint64_t kPcSample = 0x17C;
inline constexpr uint64_t kAtbControl = 0xE00;   ///< bridge to an ATB
inline constexpr uint64_t kProbeControl = 0xF00; ///< PIB: off-chip port

/// teControl, tfControl (a funnel has Active, Enable, Empty, StopOnWrap, SinkError and Sink).
namespace control {
inline constexpr uint32_t kActive = 1U << 0;
inline constexpr uint32_t kEnable = 1U << 1;
inline constexpr uint32_t kTracing = 1U << 2;
inline constexpr uint32_t kEmpty = 1U << 3;
inline constexpr unsigned kInstructionShift = 4; ///< 3 bits: 0, 1, 3, 6, 7
inline constexpr uint32_t kInstructionMask = 7;
inline constexpr unsigned kInstrumentationShift = 7; ///< 2 bits
inline constexpr uint32_t kInstrumentationMask = 3;
inline constexpr uint32_t kStallOrOverflow = 1U << 12;
inline constexpr uint32_t kStallEnable = 1U << 13;
inline constexpr uint32_t kStopOnWrap = 1U << 14;
inline constexpr uint32_t kInhibitSource = 1U << 15;
inline constexpr unsigned kSyncMaxMessagesShift = 16; ///< sync after 2^(n+5) messages; 15: never
inline constexpr unsigned kSyncMaxUnitsShift = 20;    ///< after 2^(n+4) half-words; 15: never
inline constexpr uint32_t kSyncMaxMask = 15;
inline constexpr uint32_t kSyncNever = 15;
inline constexpr unsigned kSliceFormatShift = 24; ///< 3 bits, read-only
inline constexpr uint32_t kSixSlices = 1;         ///< 6 MDO + 2 MSEO
inline constexpr uint32_t kSinkError = 1U << 27;
inline constexpr unsigned kSinkShift = 28; ///< 4 bits
} // namespace control

/// teInstruction.
namespace instruction {
inline constexpr uint32_t kNone = 0;
inline constexpr uint32_t kEvents = 1;           ///< event trace and periodic PC samples
inline constexpr uint32_t kBranches = 3;         ///< BTM
inline constexpr uint32_t kHistory = 6;          ///< HTM without optimisation
inline constexpr uint32_t kOptimisedHistory = 7; ///< HTM
} // namespace instruction

/// teInstrumentation.
namespace instrumentation {
inline constexpr uint32_t kNone = 0;
inline constexpr uint32_t kStimuli = 1;   ///< all enabled stimuli as data acquisition
inline constexpr uint32_t kOwnership = 2; ///< stimuli 15 and 31 as ownership messages only
inline constexpr uint32_t kBoth = 3;
} // namespace instrumentation

/// teSink, tfSink. In teImpl and tfImpl the bit of this number says that the sink is there.
namespace sink {
inline constexpr uint32_t kOnly = 0; ///< the only connected one
inline constexpr uint32_t kSram = 4;
inline constexpr uint32_t kProbe = 6;  ///< PIB
inline constexpr uint32_t kMemory = 7; ///< SBA: system memory
inline constexpr uint32_t kFunnel = 8;
} // namespace sink

/// teImpl, tfImpl.
namespace implementation {
inline constexpr unsigned kVersionShift = 0;       ///< 4 bits: 0
inline constexpr unsigned kSinkBytesShift = 16;    ///< 2 bits: 0 = 32-bit words, 1 = 64 ...
inline constexpr unsigned kCrossingTypeShift = 18; ///< 2 bits: 0 = synchronous
inline constexpr unsigned kSourceShift = 20;       ///< 4 bits
inline constexpr unsigned kSourceBitsShift = 24;   ///< 3 bits
inline constexpr unsigned kHartShift = 28;         ///< 4 bits
} // namespace implementation

/// evControl.
namespace event {
inline constexpr uint32_t kExternalTrigger = 1U << 0;
inline constexpr uint32_t kCallReturn = 1U << 2;
inline constexpr uint32_t kInterrupt = 1U << 3;
inline constexpr uint32_t kException = 1U << 4;
inline constexpr uint32_t kContext = 1U << 5;
inline constexpr uint32_t kAll = 0x3D;          ///< bit 1, watchpoints, is not implemented
inline constexpr uint32_t kCounters = 1U << 16; ///< not SiFive's: behind each event and PC sample
} // namespace event

/// teSinkWP.
inline constexpr uint32_t kWrapped = 1;

/// tsControl.
namespace timestamp {
inline constexpr uint32_t kActive = 1U << 0;
inline constexpr uint32_t kCount = 1U << 1;
inline constexpr uint32_t kReset = 1U << 2;
inline constexpr uint32_t kDebug = 1U << 3;
inline constexpr unsigned kTypeShift = 4; ///< 3 bits
inline constexpr uint32_t kTypeMask = 7;
inline constexpr unsigned kPrescaleShift = 8; ///< 2 bits: / 4^n
inline constexpr uint32_t kPrescaleMask = 3;
inline constexpr uint32_t kEnable = 1U << 15;
inline constexpr unsigned kBranchShift = 16; ///< 2 bits: 0 none, 1 indirect + exceptions, 3 all
inline constexpr uint32_t kBranchMask = 3;
inline constexpr uint32_t kInstrumentation = 1U << 18;
inline constexpr uint32_t kOwnership = 1U << 19;
inline constexpr uint32_t kDifference = 1U << 20; ///< relative timestamps: 0 XOR, 1 difference
inline constexpr unsigned kWidthShift = 24;       ///< 8 bits: of the counter

// Type
inline constexpr uint32_t kNone = 0;
inline constexpr uint32_t kExternal = 1;
inline constexpr uint32_t kInternalBus = 2;
inline constexpr uint32_t kInternalCore = 3;
inline constexpr uint32_t kSlave = 4;
} // namespace timestamp

/// pibControl.
namespace probe {
inline constexpr uint32_t kActive = 1U << 0;
inline constexpr uint32_t kEnable = 1U << 1;
inline constexpr uint32_t kEmpty = 1U << 2;
inline constexpr unsigned kModeShift =
    4; ///< 4 bits: 0 off, 8..11 reference clock + 1, 2, 4, 8 bits
inline constexpr uint32_t kModeMask = 15;
inline constexpr unsigned kDividerShift = 16; ///< 13 bits
} // namespace probe

inline constexpr unsigned kOwnershipStimulusLow = 15;
inline constexpr unsigned kOwnershipStimulusHigh = 31;

} // namespace pes::trace_map

// SPDX-License-Identifier: Apache-2.0
// Registers of the RISC-V Trace Control Interface 1.0: trace encoder, funnel and RAM sink, each in
// a page of 4 KiB. All registers are 32 bits wide; what is not listed reads as 0 and ignores
// writes. Freestanding.
//
// The standard leaves 0xE00 to 0xFFF of each component to its vendor. There the encoder has what
// the standard does not know: instrumentation stimuli, events and PC samples.
#pragma once

#include <stdint.h>

namespace pes::trace_control {

inline constexpr uint64_t kComponentBytes = 0x1000;

inline constexpr uint64_t kControl = 0x000;        ///< tr??Control
inline constexpr uint64_t kImplementation = 0x004; ///< tr??Impl

/// The same bits of every tr??Control.
inline constexpr uint32_t kActive = 1U << 0;
inline constexpr uint32_t kEnable = 1U << 1;
inline constexpr uint32_t kEmpty = 1U << 3;

/// tr??Impl.
namespace implementation {
inline constexpr unsigned kMajorShift = 0; ///< 4 bits: 1; 0 is SiFive's map (trace.h)
inline constexpr unsigned kMinorShift = 4; ///< 4 bits: 0
inline constexpr unsigned kTypeShift = 8;  ///< 4 bits
inline constexpr uint32_t kFieldMask = 15;
inline constexpr uint32_t kMajor = 1;
inline constexpr uint32_t kMinor = 0;
inline constexpr uint32_t kEncoder = 0x1;
inline constexpr uint32_t kFunnel = 0x8;
inline constexpr uint32_t kRamSink = 0x9;

inline constexpr unsigned kProtocolMajorShift = 16; ///< trTeImpl, 4 bits
inline constexpr unsigned kProtocolMinorShift = 20; ///< trTeImpl, 4 bits
inline constexpr uint32_t kHasSram = 1U << 12;      ///< trRamImpl
inline constexpr uint32_t kHasMemory = 1U << 13;    ///< trRamImpl: SMEM
} // namespace implementation

constexpr uint32_t implementation_of(uint32_t type) {
    return implementation::kMajor << implementation::kMajorShift |
           implementation::kMinor << implementation::kMinorShift |
           type << implementation::kTypeShift;
}

// --- Encoder -------------------------------------------------------------------------------------

namespace encoder {
inline constexpr uint64_t kFeatures = 0x008;
inline constexpr uint64_t kFilters = 0x00C; ///< bit n: filter n selects instructions; 0: all
inline constexpr uint64_t kTriggerInControl = 0x054;

// trTeControl
inline constexpr uint32_t kTracing = 1U << 2;
inline constexpr unsigned kModeShift = 4; ///< 3 bits
inline constexpr uint32_t kModeMask = 7;
inline constexpr uint32_t kContext = 1U << 9;
inline constexpr uint32_t kTriggerEnable = 1U << 11;
inline constexpr uint32_t kStallOrOverflow = 1U << 12; ///< RW1C
inline constexpr uint32_t kStallEnable = 1U << 13;
inline constexpr uint32_t kInhibitSource = 1U << 15;
inline constexpr unsigned kSyncModeShift = 16; ///< 2 bits
inline constexpr uint32_t kSyncModeMask = 3;
inline constexpr unsigned kSyncMaxShift = 20; ///< 4 bits: every 2^(n+4)
inline constexpr uint32_t kSyncMaxMask = 15;
inline constexpr unsigned kSyncMaxLeast = 4;
inline constexpr unsigned kFormatShift = 24; ///< 3 bits
inline constexpr uint32_t kFormatMask = 7;

// trTeInstMode
inline constexpr uint32_t kModeOff = 0;
inline constexpr uint32_t kModeBranches = 3;
inline constexpr uint32_t kModeHistory = 6;
inline constexpr uint32_t kModeVendor = 7; ///< here: events and periodic PC samples

// trTeInstSyncMode
inline constexpr uint32_t kSyncOff = 0;
inline constexpr uint32_t kSyncMessages = 1;
inline constexpr uint32_t kSyncCycles = 2;
inline constexpr uint32_t kSyncHalfWords = 3;

// trTeFormat
inline constexpr uint32_t kFormatETrace = 0;
inline constexpr uint32_t kFormatNTrace = 1;
inline constexpr uint32_t kFormatVendor = 7; ///< here: SiFive's dialect of Nexus

// trTeInstFeatures
inline constexpr uint32_t kImplicitReturn = 1U << 3;
inline constexpr uint32_t kNoAddressDifference = 1U << 0;
inline constexpr uint32_t kBranchPrediction = 1U << 4;
inline constexpr uint32_t kJumpTargetCache = 1U << 5;
inline constexpr uint32_t kRepeatedHistory = 1U << 8;
inline constexpr uint32_t kExtendAddress = 1U << 10;
inline constexpr unsigned kReturnModeShift = 6;
inline constexpr uint32_t kReturnModeMask = 3;
inline constexpr uint32_t kReturnModeAddresses = 3; ///< full addresses are compared
inline constexpr unsigned kSourceShift = 16;        ///< 12 bits
inline constexpr uint32_t kSourceMask = 0xFFF;
inline constexpr unsigned kSourceBitsShift = 28; ///< 4 bits: 0 to 12
} // namespace encoder

/// trTeFilter.. of the encoder, of filter n: + kStride * n.
namespace filter {
inline constexpr uint64_t kControl = 0x400;
inline constexpr uint64_t kMatchInstruction = 0x404;
inline constexpr uint64_t kMatchCauseLow = 0x408; ///< bit n: cause n
inline constexpr uint64_t kMatchCauseHigh = 0x40C;
inline constexpr uint64_t kStride = 0x20;
inline constexpr unsigned kMost = 16;

// trTeFilterControl; impdef and data trace are absent
inline constexpr uint32_t kEnable = 1U << 0;
inline constexpr uint32_t kPrivilege = 1U << 1;
inline constexpr uint32_t kCause = 1U << 2;
inline constexpr uint32_t kInterrupt = 1U << 3;
inline constexpr unsigned kComparators = 3;          ///< that one filter can ask
inline constexpr unsigned kComparatorShift = 4;      ///< of the first: 1 bit and 3 bits
inline constexpr unsigned kComparatorDistance = 4;   ///< from one to the next
inline constexpr uint32_t kComparatorMatch = 1U;     ///< the 1 bit
inline constexpr unsigned kComparatorIndexShift = 1; ///< the 3 bits
inline constexpr uint32_t kComparatorIndexMask = 7;

// trTeFilterMatchInst
inline constexpr uint32_t kPrivilegesMask = 0xFF;    ///< bit n: mode n
inline constexpr uint32_t kInterruptValue = 1U << 8; ///< 1 interrupts, 0 exceptions
} // namespace filter

/// trTeComp.. of the encoder, of comparator n: + kStride * n.
namespace comparator {
inline constexpr uint64_t kControl = 0x600;
inline constexpr uint64_t kPrimaryLow = 0x610;
inline constexpr uint64_t kPrimaryHigh = 0x614;
inline constexpr uint64_t kSecondaryLow = 0x618;
inline constexpr uint64_t kSecondaryHigh = 0x61C;
inline constexpr uint64_t kStride = 0x20;
inline constexpr unsigned kMost = 8;

// trTeCompControl
inline constexpr unsigned kPrimaryInputShift = 0; ///< 2 bits
inline constexpr unsigned kSecondaryInputShift = 2;
inline constexpr uint32_t kInputMask = 3;
inline constexpr unsigned kPrimaryFunctionShift = 4; ///< 3 bits
inline constexpr unsigned kSecondaryFunctionShift = 8;
inline constexpr uint32_t kFunctionMask = 7;
inline constexpr unsigned kModeShift = 12; ///< 2 bits
inline constexpr uint32_t kModeMask = 3;
inline constexpr uint32_t kPrimaryNotify = 1U << 14;
inline constexpr uint32_t kSecondaryNotify = 1U << 15;

inline constexpr uint32_t kInputAddress = 0;
inline constexpr uint32_t kInputTrapValue = 2;
} // namespace comparator

/// Encoder, 0xE00 and above: this vendor's.
namespace vendor {
inline constexpr uint64_t kInstrumentation = 0xE00; ///< 2 bits: teInstrumentation of trace.h
inline constexpr uint64_t kItcTraceEnable = 0xE04;
inline constexpr uint64_t kEventControl = 0xE08; ///< events of kModeVendor: evControl of trace.h
inline constexpr uint64_t kFifo = 0xE10;
inline constexpr uint64_t kMessageCount = 0xE14;
inline constexpr uint64_t kPcSamplingControl = 0xE20;
inline constexpr uint64_t kPcCaptureHigh = 0xE24;
inline constexpr uint64_t kPcCapture = 0xE28;
inline constexpr uint64_t kPcSampleHigh = 0xE2C;
inline constexpr uint64_t kPcSample = 0xE30;
inline constexpr uint64_t kItcStimulus = 0xE80; ///< + 4 * n, n = 0..31
} // namespace vendor

// --- Timestamp unit of encoder and funnel --------------------------------------------------------

namespace timestamp {
inline constexpr uint64_t kControl = 0x040;
inline constexpr uint64_t kCounterLow = 0x048;
inline constexpr uint64_t kCounterHigh = 0x04C;

// trTsControl; Active is bit 0
inline constexpr uint32_t kCount = 1U << 1;
inline constexpr uint32_t kReset = 1U << 2; ///< W1
inline constexpr uint32_t kRunInDebug = 1U << 3;
inline constexpr unsigned kModeShift = 4; ///< 3 bits: the types of trace.h
inline constexpr uint32_t kModeMask = 7;
inline constexpr unsigned kPrescaleShift = 8; ///< 2 bits: / 4^n
inline constexpr uint32_t kPrescaleMask = 3;
inline constexpr uint32_t kEnable = 1U << 15;
inline constexpr unsigned kWidthShift = 24; ///< 6 bits
inline constexpr uint32_t kWidthMask = 63;
inline constexpr unsigned kMostBits = 63;

// Bits 23:16 are the vendor's. Zeros, which tools write, give every message a timestamp.
inline constexpr uint32_t kNotDirect = 1U << 16; ///< none in messages that need no address
inline constexpr uint32_t kNotProgram = 1U << 17;
inline constexpr uint32_t kNotInstrumentation = 1U << 18;
inline constexpr uint32_t kNotOwnership = 1U << 19;
} // namespace timestamp

// --- Funnel --------------------------------------------------------------------------------------

namespace funnel {
inline constexpr uint64_t kDisableInput = 0x008; ///< bit n: input n
inline constexpr unsigned kMostInputs = 16;
} // namespace funnel

// --- RAM sink ------------------------------------------------------------------------------------

namespace ram {
inline constexpr uint64_t kStartLow = 0x010;
inline constexpr uint64_t kStartHigh = 0x014;
inline constexpr uint64_t kLimitLow = 0x018; ///< address of the last word, not a size
inline constexpr uint64_t kLimitHigh = 0x01C;
inline constexpr uint64_t kWritePointerLow = 0x020;
inline constexpr uint64_t kWritePointerHigh = 0x024;
inline constexpr uint64_t kReadPointerLow = 0x028;
inline constexpr uint64_t kReadPointerHigh = 0x02C;
inline constexpr uint64_t kData = 0x040; ///< window onto the SRAM at the read pointer

// trRamControl
inline constexpr uint32_t kModeMemory = 1U << 4; ///< 0 SRAM, 1 SMEM
inline constexpr uint32_t kStopOnWrap = 1U << 8;

inline constexpr uint32_t kWrapped = 1; ///< trRamWPLow.trRamWrap

// This vendor's
inline constexpr uint64_t kStatus = 0xE00;           ///< RW1C
inline constexpr uint32_t kStatusBusError = 1U << 0; ///< the bus refused a burst
inline constexpr uint64_t kWordCount = 0xE04;        ///< words written since reset
inline constexpr uint64_t kWordBytes = 0xE08;        ///< of a word of the sink: 4, 8, 16 or 32
} // namespace ram

} // namespace pes::trace_control
